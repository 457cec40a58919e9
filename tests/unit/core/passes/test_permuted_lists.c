/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are permutations of one list: written, read, and damaged. */
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "tests/unit/support/final_file.h"

#include <criterion/criterion.h>

static size_t count_permuted(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("if", image->data, image->n, &f), REFRAIN_OK);
    struct permuted_table table = final_file_permuted(&f.parts[SECTION_SERI].content);
    const size_t n = table.lists.n;
    permuted_table_free(&table);
    section_file_free(&f);
    return n;
}

static size_t turned_size(uint32_t steps)
{
    struct synthetic_run run = synthetic_run_on("turn", synthetic_turn, 36, steps, 2);
    struct bytes image = final_file_of(&run);
    struct section_file f = {0};
    final_file_check(&run, &image);
    cr_assert_eq(section_read("turn", image.data, image.n, &f), REFRAIN_OK);
    const size_t n = f.parts[SECTION_SERI].raw;
    cr_assert_eq(count_permuted(&image), steps == 1 ? 0 : steps);
    section_file_free(&f);
    bytes_free(&image);
    return n;
}

/* The file has one list of 36 sizes, and for each further step the place in it. */
Test(permuted_lists, what_goes_around_a_torus_is_written_once)
{
    const size_t one = turned_size(1), six = turned_size(6);
    cr_assert_gt(one, 36);
    cr_assert_leq(six, one + 5 * 16, "%zu bytes, %zu for one step", six, one);
}

/* Each step has two lists; all of them are permutations of one. */
Test(permuted_lists, cells)
{
    enum { RANKS = 36, STEPS = 6 };
    struct synthetic_run run = synthetic_run_on("cells", synthetic_cells, RANKS, STEPS, 2);
    struct bytes image = final_file_of(&run);
    final_file_check(&run, &image);
    cr_assert_eq(count_permuted(&image), 2 * STEPS);
    bytes_free(&image);
}

/* A file whose only series are those in section SERI. */
static enum refrain_status read_series_section(const void *seri, size_t n, unsigned flags, struct trace *t)
{
    struct bytes raw[SECTIONS] = {{0}}, forged = {0};
    bytes_put(&raw[SECTION_META], "\0\1\0", 3);
    bytes_put(&raw[SECTION_SERI], seri, n);
    cr_assert_eq(section_write(raw, flags, 0, &forged), REFRAIN_OK);
    const enum refrain_status status = codec_decode("forged", forged.data, forged.n, t, NULL);
    bytes_free(&raw[SECTION_META]);
    bytes_free(&raw[SECTION_SERI]);
    bytes_free(&forged);
    return status;
}

/* A SERI section with permuted lists, and offsets of the bytes that tests change. */
enum { COLUMNS = 2, N_PERMUTED = 7, FIRST_BASE = 10, LENGTH_BASE = 9, SECOND_MAP = 15, SHIFT = 30 };
static const uint8_t example[] = {0,                   //
                                  1, 3, 2, 0, 0, 2, 2, //
                                  1, 3, 0, 0, 1, 3, 0,    0, 1, 3, 0, 2, 1, 3, 0, 0,
                                  1, 3, 2, 0, 1, 3, 4,    0, //
                                  1, 3, 0, 0, 1, 1, 0x11, 6, 0, 1, 2, 0, 1, 0, 0, 3};

static enum refrain_status read_example(size_t at, uint8_t byte, unsigned flags)
{
    uint8_t seri[sizeof example];
    struct trace t = {0};
    memcpy(seri, example, sizeof seri);
    seri[at] = byte;
    const enum refrain_status status = read_series_section(seri, sizeof seri, flags, &t);
    if (status == REFRAIN_OK)
        trace_free(&t);
    return status;
}

Test(permuted_lists, damaged_permuted_lists)
{
    const unsigned flags = SECTION_FINAL;
    cr_assert_eq(read_example(0, 0, flags), REFRAIN_OK);
    cr_assert_eq(read_example(COLUMNS, 9, flags), REFRAIN_OK, "one row");
    cr_assert_eq(read_example(COLUMNS, 1, flags), REFRAIN_OK, "one column");
    cr_assert_eq(read_example(SHIFT, 0x7f, flags), REFRAIN_OK);
    cr_assert_eq(read_example(COLUMNS, 0, flags), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_example(COLUMNS, 2, flags), REFRAIN_ERR_FORMAT, "2 does not divide 9");
    cr_assert_eq(read_example(COLUMNS, 10, flags), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_example(N_PERMUTED, 3, flags), REFRAIN_ERR_FORMAT, "fields of two lists");
    cr_assert_eq(read_example(FIRST_BASE, 2, flags), REFRAIN_ERR_FORMAT, "there is no series 1");
    cr_assert_eq(read_example(FIRST_BASE, 1, flags), REFRAIN_ERR_FORMAT, "nor -1");
    cr_assert_eq(read_example(SECOND_MAP, 2, flags), REFRAIN_ERR_FORMAT, "there is no map 1");
    cr_assert_eq(read_example(LENGTH_BASE, 1, flags), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_example(0, 0, 0), REFRAIN_ERR_FORMAT, "in a part");
}
