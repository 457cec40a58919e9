/* SPDX-License-Identifier: BSD-3-Clause */
/* Displacements that are running sums of counts: written, read, and damaged. */
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "src/core/passes/prefix_sums.h"
#include "src/core/trace/rankfn.h"
#include "tests/unit/support/final_file.h"

#include <criterion/criterion.h>

/* The number of values in the table of series. */
static uint64_t count_values(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("sums", image->data, image->n, &f), REFRAIN_OK);
    struct bytes_reader in = f.parts[SECTION_SERI].content;
    uint64_t values = 0;
    struct permuted_table table = final_file_permuted(&in);
    permuted_table_free(&table);
    for (uint64_t n = bytes_get_uint(&in); n > 0; n--) {
        struct series *s = NULL;
        cr_assert_eq(series_decode(&in, &s), REFRAIN_OK);
        values += series_length(s);
        series_free(s);
    }
    section_file_free(&f);
    return values;
}

/* The file holds five lists of counts, one more for each later iteration, and none of
 * displacements. */
Test(prefix_sums, displacements_that_add_up_counts_are_not_written)
{
    enum { RANKS = 12, ITERATIONS = 5 };
    struct synthetic_run run = synthetic_run_on("exchange", synthetic_exchange, RANKS, ITERATIONS, 1);
    struct bytes image = final_file_of(&run);
    final_file_check(&run, &image);
    cr_assert_leq(count_values(&image), RANKS * (5 + ITERATIONS - 1));
    bytes_free(&image);
}

/* Two calls have the same counts; displacements in bytes, which follow from the counts, are
 * written for neither. */
Test(prefix_sums, nor_are_those_in_bytes)
{
    enum { RANKS = 12, ITERATIONS = 5 };
    struct synthetic_run run = synthetic_run_on("bytes", synthetic_bytes, RANKS, ITERATIONS, 1);
    struct bytes image = final_file_of(&run);
    final_file_check(&run, &image);
    cr_assert_leq(count_values(&image), RANKS * (5 + ITERATIONS - 1));
    bytes_free(&image);
}

/* A file with one row: each of two ranks makes one call with these slots, encoded as in the row. */
static enum refrain_status read_row(uint32_t n_slots, const uint8_t *row, size_t n, unsigned flags,
                                    struct trace *t)
{
    struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 2, 1, 1);
    struct bytes image = final_file_of(&run), raw[SECTIONS] = {{0}}, forged = {0};
    struct section_file f = {0};
    cr_assert_eq(section_read("ring", image.data, image.n, &f), REFRAIN_OK);
    static const enum section_id kept[] = {SECTION_META, SECTION_FUNC};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const struct bytes_reader *in = &f.parts[kept[i]].content;
        bytes_put(&raw[kept[i]], in->at, bytes_left(in));
    }
    static const uint8_t site[] = {0, 1, 0, 0}, rule[] = {1, 1, 1, 0, 1, 0}, shape[] = {0, 1, 1, 0, 0};
    bytes_put(&raw[SECTION_SITE], site, sizeof site);
    bytes_put(&raw[SECTION_RULE], rule, sizeof rule);
    bytes_put(&raw[SECTION_SHAP], shape, sizeof shape);
    bytes_put_uint(&raw[SECTION_SIGN], 1);
    bytes_put_uint(&raw[SECTION_SIGN], n_slots);
    bytes_put(&raw[SECTION_SIGN], row, n);
    cr_assert_eq(section_write(raw, flags, 1, &forged), REFRAIN_OK);
    enum refrain_status status = codec_decode("forged", forged.data, forged.n, t, NULL);
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_free(&raw[i]);
    section_file_free(&f);
    bytes_free(&forged);
    bytes_free(&image);
    return status;
}

#define OFFSET_1 0x21       /* rank + 1 */
#define SUM      0x8b, 0x04 /* 32 << 4 | FORMS; the distance follows */
#define SCALED   0xbb, 0x04 /* 35 << 4 | FORMS; the distance follows, and the factor as a zigzag */

Test(prefix_sums, a_sum_of_ranks_is_no_rank)
{
    static const uint8_t row[] = {OFFSET_1, 8, SUM, 2, SUM, 2, SUM, 4}; /* r + 1, 2, r + 3, r + 5, 2 r + 6 */
    struct trace t = {0};
    cr_assert_eq(read_row(5, row, sizeof row, SECTION_FINAL, &t), REFRAIN_OK);
    const struct group *g = &t.shapes.items[0].entries.items[0].groups.items[0];
    for (int64_t rank = 0; rank < 2; rank++) {
        const int64_t expected[] = {rank + 1, 2, rank + 3, rank + 5, 2 * rank + 6};
        for (int i = 0; i < 5; i++)
            cr_expect_eq(rankfn_at(row_slot(&g->rows.items[0], i), (uint64_t)rank, rank), expected[i]);
    }
    trace_free(&t);
}

Test(prefix_sums, damaged_sums)
{
    static const uint8_t first[] = {SUM, 2, 8, 8}, far[] = {8, 8, SUM, 3}, near[] = {8, 8, SUM, 1},
                         good[] = {8, 8, SUM, 2};
    struct trace t = {0};
    cr_assert_eq(read_row(3, first, sizeof first, SECTION_FINAL, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, far, sizeof far, SECTION_FINAL, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, near, sizeof near, SECTION_FINAL, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, good, sizeof good, 0, &t), REFRAIN_ERR_FORMAT, "in a part");
    cr_assert_eq(read_row(3, good, sizeof good, SECTION_FINAL, &t), REFRAIN_OK);
    trace_free(&t);
}

Test(prefix_sums, a_sum_with_a_factor)
{
    /* r + 1, 2, 2 - 3 (r + 1), 2 - 3 (r + 1) - 6, 2 - 3 (r + 1) - 6 + 2^62 (2 - 3 (r + 1)) */
    static const uint8_t row[] = {OFFSET_1, 8,    SCALED, 2,    5,    SCALED, 2,    5,    SCALED, 2,
                                  0x80,     0x80, 0x80,   0x80, 0x80, 0x80,   0x80, 0x80, 0x80,   1};
    const uint64_t large = UINT64_C(1) << 62;
    struct trace t = {0};
    cr_assert_eq(read_row(5, row, sizeof row, SECTION_FINAL, &t), REFRAIN_OK);
    const struct group *g = &t.shapes.items[0].entries.items[0].groups.items[0];
    for (uint64_t rank = 0; rank < 2; rank++) {
        const uint64_t third = 2 - 3 * (rank + 1), fourth = third - 6,
                       expected[] = {rank + 1, 2, third, fourth, fourth + large * third};
        for (int i = 0; i < 5; i++)
            cr_expect_eq((uint64_t)rankfn_at(row_slot(&g->rows.items[0], i), rank, (int64_t)rank),
                         expected[i], "slot %d", i);
    }
    trace_free(&t);
}

Test(prefix_sums, damaged_sums_with_a_factor)
{
    static const uint8_t first[] = {SCALED, 2, 4, 8, 8}, far[] = {8, 8, SCALED, 3, 4},
                         near[] = {8, 8, SCALED, 1, 4}, zero[] = {8, 8, SCALED, 2, 0},
                         one[] = {8, 8, SCALED, 2, 2}, cut_off[] = {8, 8, SCALED, 2},
                         good[] = {8, 8, SCALED, 2, 4};
    const unsigned flags = SECTION_FINAL;
    struct trace t = {0};
    cr_assert_eq(read_row(3, first, sizeof first, flags, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, far, sizeof far, flags, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, near, sizeof near, flags, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, zero, sizeof zero, flags, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, one, sizeof one, flags, &t), REFRAIN_ERR_FORMAT, "that has a code of its own");
    cr_assert_eq(read_row(3, cut_off, sizeof cut_off, flags, &t), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_row(3, good, sizeof good, 0, &t), REFRAIN_ERR_FORMAT, "in a part");
    cr_assert_eq(read_row(3, good, sizeof good, flags, &t), REFRAIN_OK);
    trace_free(&t);
}

/* Two arrays of N elements, on two ranks. */
enum { N = 4, PAIR = 2 * N + 2 };
typedef int64_t arrays[2][2 * N];

static struct rankfn on_two_ranks(int64_t a, int64_t b)
{
    struct series *list = series_create();
    if (a == b) {
        series_free(list);
        return (struct rankfn){.forms = RANKFN_CONSTANT, .constant = a};
    }
    cr_assert_eq(series_append(list, a), REFRAIN_OK);
    cr_assert_eq(series_append(list, b), REFRAIN_OK);
    return (struct rankfn){.forms = RANKFN_PLAIN, .plain = list};
}

static struct row *only_row(struct trace *t)
{
    return &t->shapes.items[0].entries.items[0].groups.items[0].rows.items[0];
}

/* The factor that is found; 0 if the second array is not a running sum of the first. Also checks
 * that the file reads back equal. */
static int64_t factor_of(const arrays values)
{
    static const uint8_t zeros[] = {0, 0x89, 0x01}; /* a slot, and 8 + 1 more like it */
    struct trace t = {0}, back = {0};
    struct prefix_sums sums = {.arrays = {0}};
    struct bytes image = {0};
    cr_assert_eq(read_row(PAIR, zeros, sizeof zeros, SECTION_FINAL, &t), REFRAIN_OK);
    struct row *row = only_row(&t);
    row_slot_own(row, 0)->constant = row_slot_own(row, N + 1)->constant = N;
    for (int k = 0; k < 2 * N; k++)
        *row_slot_own(row, (uint32_t)(1 + k + k / N)) = on_two_ranks(values[0][k], values[1][k]);

    cr_assert_eq(prefix_sums_find(&t, &sums), REFRAIN_OK);
    const struct prefix_sum *sum = prefix_sums_get(&sums, row_slot(row, PAIR - 1));
    const int64_t factor = sum ? sum->factor : 0;
    for (int k = 0; k < PAIR; k++) {
        const struct prefix_sum *here = prefix_sums_get(&sums, row_slot(row, (uint32_t)k));
        cr_expect_eq(here != NULL, sum && k > N + 2, "slot %d", k);
        cr_expect(!here || (here->distance == N + 2 && here->factor == factor), "slot %d", k);
    }
    prefix_sums_free(&sums);

    cr_assert_eq(codec_encode(&t, CODEC_FINAL, &image), REFRAIN_OK);
    cr_assert_eq(codec_decode("pair", image.data, image.n, &back, NULL), REFRAIN_OK);
    for (int k = 0; k < PAIR; k++) {
        for (int rank = 0; rank < 2; rank++)
            cr_expect_eq(rankfn_at(row_slot(only_row(&back), k), (uint64_t)rank, rank),
                         rankfn_at(row_slot(row, (uint32_t)k), (uint64_t)rank, rank), "slot %d", k);
    }
    trace_free(&back);
    trace_free(&t);
    bytes_free(&image);
    return factor;
}

Test(prefix_sums, one_factor_for_the_array_on_all_ranks)
{
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 3, 4, 8}, {2, 7, 1, 8, 5, 7, 14, 15}}), 1);
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 24, 32, 64}, {2, 7, 1, 8, 5, 21, 77, 85}}), 8);
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, -12, -16, -32}, {2, 7, 1, 8, 90, 82, 54, 50}}), -4);
    cr_expect_eq(factor_of((arrays){{3, -1, 4, 9, 0, -3, -2, -6}, {0, 7, 1, 8, 9, 9, 2, 1}}), -1);
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 24, 32, 64}, {2, 7, 1, 8, 5, 21, 77, 84}}), 0,
                 "not at the end of rank 1");
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 24, 32, 64}, {2, 7, 1, 8, 5, 13, 41, 45}}), 0,
                 "4 on rank 1");
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 24, 32, 65}, {2, 7, 1, 8, 5, 21, 77, 85}}), 0,
                 "no multiple");
}

Test(prefix_sums, counts_of_0_say_nothing_of_the_factor)
{
    cr_expect_eq(factor_of((arrays){{0, 0, 2, 9, 5, 5, 5, 13}, {2, 0, 1, 8, 5, 13, 13, 17}}), 4);
    cr_expect_eq(factor_of((arrays){{0, 0, 0, 0, 5, 5, 5, 5}, {0, 7, 1, 8, 5, 5, 33, 37}}), 4,
                 "rank 0 sends nothing");
    cr_expect_eq(factor_of((arrays){{0, 0, 2, 9, 5, 6, 6, 14}, {2, 0, 1, 8, 5, 13, 13, 17}}), 0,
                 "it goes on without a count");
    cr_expect_eq(factor_of((arrays){{0, 0, 0, 9, 5, 5, 5, 5}, {0, 0, 0, 3, 6, 6, 6, 6}}), 1, "all 0");
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 5, 5, 5, 5}, {2, 7, 1, 8, 6, 6, 6, 6}}), 0, "all equal");
    cr_expect_eq(factor_of((arrays){{3, 1, 4, 9, 0, 24, 32, 64}, {3, 1, 4, 9, 0, 24, 32, 64}}), 0,
                 "short constants are shorter");
}

Test(prefix_sums, factors_wrap)
{
    const int64_t least = INT64_MIN, most = INT64_MAX, half = INT64_C(1) << 62;
    cr_expect_eq(factor_of((arrays){{5, 1, 1, 9, most, least + 39, least + 47, least + 55},
                                    {1, half, 2, 8, 0, 8, 8, 24}}),
                 8);
    cr_expect_eq(factor_of((arrays){{-1, 1, 2, 9, 0, least, 0, 0}, {1, 3, 4, 0, 5, 5 + least, 5, 5}}), least);
    cr_expect_eq(factor_of((arrays){{half, 0, 0, 9, 0, least, least, least}, {4, 1, 2, 0, 5, 13, 15, 19}}), 0,
                 "2 is taken for -2");
}
