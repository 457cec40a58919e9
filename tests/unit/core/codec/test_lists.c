/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists over ranks that are written as something smaller: permuted lists, running sums. */
#include "src/core/base/log.h"
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "src/core/passes/codec_row.h"
#include "src/core/passes/permuted_table.h"
#include "src/core/passes/prefix_sums.h"
#include "src/core/trace/rankfn.h"
#include "tests/unit/support/synthetic.h"

#include <criterion/criterion.h>

static struct bytes final_image(const struct synthetic_run *run)
{
    struct trace t = {0};
    struct bytes image = {0};
    cr_assert_eq(synthetic_merge(run, SYNTHETIC_BINOMIAL, 1, true, &t), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_FINAL, &image), REFRAIN_OK);
    trace_free(&t);
    return image;
}

static struct bytes grid(void (*program)(struct synthetic_rank *), uint32_t side)
{
    struct synthetic_run run = synthetic_run_on("if", program, side * side * side, 100, 3);
    struct bytes image = final_image(&run);
    struct trace back = {0};
    cr_assert_eq(codec_decode("if", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(&run, &back), "side %u", side);
    trace_free(&back);
    return image;
}

/* The size of series, rows and shapes, which depends on how lists are written. Times are left out:
 * they have more digits. */
static uint64_t lists_size(void (*program)(struct synthetic_rank *), uint32_t side)
{
    struct bytes image = grid(program, side);
    struct section_file f = {0};
    cr_assert_eq(section_read("if", image.data, image.n, &f), REFRAIN_OK);
    uint64_t n = f.parts[SECTION_SERI].raw + f.parts[SECTION_SIGN].raw + f.parts[SECTION_SHAP].raw;
    section_file_free(&f);
    bytes_free(&image);
    return n;
}

/* The table of permuted lists at the end of section SERI. */
static struct permuted_table read_table(struct bytes_reader *in)
{
    struct permuted_table table = {.maps = {0}};
    uint64_t columns = bytes_get_uint(in);
    for (uint64_t i = 0; i < columns; i++) {
        struct series *s = NULL;
        cr_assert_eq(series_decode(in, &s), REFRAIN_OK);
        series_free(s);
    }
    cr_assert_eq(permuted_table_decode(in, UINT32_MAX, &table), REFRAIN_OK);
    return table;
}

static size_t count_permuted(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("if", image->data, image->n, &f), REFRAIN_OK);
    struct permuted_table table = read_table(&f.parts[SECTION_SERI].content);
    const size_t n = table.lists.n;
    permuted_table_free(&table);
    section_file_free(&f);
    return n;
}

/* From 5 ranks a side on, sizes hardly grow. Up to 4, some of the laws are so short that they are
 * written as single values. */
static void check_growth(void (*program)(struct synthetic_rank *))
{
    uint64_t small = lists_size(program, 5);
    for (uint32_t side = 6; side <= 7; side++) {
        uint64_t n = lists_size(program, side);
        cr_assert_leq(n, small + small / 50, "%u ranks a side: %llu bytes, 5 ranks: %llu", side,
                      (unsigned long long)n, (unsigned long long)small);
    }
}

Test(lists, borders_left_out_cost_the_same_on_any_grid)
{
    check_growth(synthetic_grid_if);
}

/* The number of rows of the site that has the most. */
static uint64_t most_signatures(void (*program)(struct synthetic_rank *), uint32_t side)
{
    struct bytes image = grid(program, side);
    struct trace t = {0};
    struct section_file f = {0};
    cr_assert_eq(codec_decode("if", image.data, image.n, &t, NULL), REFRAIN_OK);
    cr_assert_eq(section_read("if", image.data, image.n, &f), REFRAIN_OK);
    struct bytes_reader in = f.parts[SECTION_SIGN].content;
    slot_codes codes = {0};
    uint64_t most = 0;
    uint32_t next = 0;
    struct {
        size_t first, n;
    } last[16] = {{0}}; /* the row of each function */
    for (size_t site = 0; site < t.sites.n; site++) {
        const uint32_t function = t.sites.items[site].function;
        uint64_t n = bytes_get_uint(&in);
        most = n > most ? n : most;
        for (; n > 0; n--) {
            const uint64_t n_slots = bytes_get_uint(&in);
            const size_t first = codes.n;
            cr_assert_eq(codec_get_row(&in, UINT32_MAX, n_slots, last[function].first, last[function].n,
                                       &next, &codes),
                         REFRAIN_OK);
            last[function].first = first;
            last[function].n = n_slots;
        }
    }
    array_free(&codes);
    section_file_free(&f);
    trace_free(&t);
    bytes_free(&image);
    return most;
}

/* Corners, edges, sides and middle have their own lists, or constants; all are parts of one
 * list. */
Test(lists, one_call_in_many_shapes_is_one_signature)
{
    for (uint32_t side = 3; side <= 5; side++)
        cr_assert_eq(most_signatures(synthetic_grid_if, side), 1, "%u ranks a side", side);
}

/* ---- permuted lists -------------------------------------------------------------------------- */

static size_t turned_size(uint32_t steps)
{
    struct synthetic_run run = synthetic_run_on("turn", synthetic_turn, 36, steps, 2);
    struct bytes image = final_image(&run);
    struct trace back = {0};
    struct section_file f = {0};
    cr_assert_eq(codec_decode("turn", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(&run, &back));
    cr_assert_eq(section_read("turn", image.data, image.n, &f), REFRAIN_OK);
    const size_t n = f.parts[SECTION_SERI].raw;
    cr_assert_eq(count_permuted(&image), steps == 1 ? 0 : steps);
    section_file_free(&f);
    trace_free(&back);
    bytes_free(&image);
    return n;
}

/* The file has one list of 36 sizes, and for each further step the place in it. */
Test(lists, what_goes_around_a_torus_is_written_once)
{
    const size_t one = turned_size(1), six = turned_size(6);
    cr_assert_gt(one, 36);
    cr_assert_leq(six, one + 5 * 16, "%zu bytes, %zu for one step", six, one);
}

/* Each step has two lists; all of them are permutations of one. */
Test(lists, cells)
{
    enum { RANKS = 36, STEPS = 6 };
    struct synthetic_run run = synthetic_run_on("cells", synthetic_cells, RANKS, STEPS, 2);
    struct bytes image = final_image(&run);
    struct trace back = {0};
    cr_assert_eq(codec_decode("cells", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(&run, &back));
    cr_assert_eq(count_permuted(&image), 2 * STEPS);
    trace_free(&back);
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

Test(lists, damaged_permuted_lists)
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

/* ---- references to the next list ------------------------------------------------------------- */

#define LIST_CODE(form, field, number)                                                                       \
    {                                                                                                        \
        .forms = (form), .field = (number)                                                                   \
    }

Test(lists, the_next_list_has_a_code)
{
    static const struct slot_code rows[2][4] = {
        {LIST_CODE(RANKFN_PLAIN, plain, 90), LIST_CODE(RANKFN_RELATIVE, relative, 91),
         LIST_CODE(RANKFN_PLAIN, plain, 92), LIST_CODE(RANKFN_PLAIN, plain, 90)},
        {LIST_CODE(RANKFN_PLAIN, plain, 91),
         {.forms = SLOT_NATURAL, .constant = 4},
         LIST_CODE(RANKFN_PLAIN, plain, 92),
         LIST_CODE(RANKFN_PLAIN, plain, 90)}};
    static const uint64_t expected[] = {90 << 4 | 3,  34 << 4 | 11, 33 << 4 | 11, 90 << 4 | 3,
                                        33 << 4 | 11, 16,           1 << 4 | 7};
    struct bytes out = {0};
    slot_codes codes = {0};
    uint32_t next = 0;
    codec_put_row(&out, rows[0], 4, NULL, 0, &next);
    codec_put_row(&out, rows[1], 4, rows[0], 4, &next);
    struct bytes_reader in = bytes_reader_of(out.data, out.n);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_eq(bytes_get_uint(&in), expected[i], "code %zu", i);
    cr_assert_eq(bytes_left(&in), 0);

    in = bytes_reader_of(out.data, out.n);
    next = 0;
    cr_assert_eq(codec_get_row(&in, 93, 4, 0, 0, &next, &codes), REFRAIN_OK);
    cr_assert_eq(codec_get_row(&in, 93, 4, 0, 4, &next, &codes), REFRAIN_OK);
    for (size_t i = 0; i < 8; i++)
        cr_expect(slot_code_equal(&codes.items[i], &rows[i / 4][i % 4]), "slot %zu", i);

    in = bytes_reader_of(out.data, out.n);
    next = 0;
    cr_assert_eq(codec_get_row(&in, 92, 4, 0, 0, &next, &codes), REFRAIN_ERR_FORMAT, "there is no list 92");
    array_free(&codes);
    bytes_free(&out);
}

/* ---- running sums ---------------------------------------------------------------------------- */

/* The number of values in the table of series. */
static uint64_t count_values(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("sums", image->data, image->n, &f), REFRAIN_OK);
    struct bytes_reader in = f.parts[SECTION_SERI].content;
    uint64_t values = 0;
    struct permuted_table table = read_table(&in);
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
Test(lists, displacements_that_add_up_counts_are_not_written)
{
    enum { RANKS = 12, ITERATIONS = 5 };
    struct synthetic_run run = synthetic_run_on("exchange", synthetic_exchange, RANKS, ITERATIONS, 1);
    struct bytes image = final_image(&run);
    struct trace back = {0};
    cr_assert_eq(codec_decode("exchange", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(&run, &back));
    cr_assert_leq(count_values(&image), RANKS * (5 + ITERATIONS - 1));
    trace_free(&back);
    bytes_free(&image);
}

/* Two calls have the same counts; displacements in bytes, which follow from the counts, are
 * written for neither. */
Test(lists, nor_are_those_in_bytes)
{
    enum { RANKS = 12, ITERATIONS = 5 };
    struct synthetic_run run = synthetic_run_on("bytes", synthetic_bytes, RANKS, ITERATIONS, 1);
    struct bytes image = final_image(&run);
    struct trace back = {0};
    cr_assert_eq(codec_decode("bytes", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(&run, &back));
    cr_assert_leq(count_values(&image), RANKS * (5 + ITERATIONS - 1));
    trace_free(&back);
    bytes_free(&image);
}

/* A file with one row: each of two ranks makes one call with these slots, encoded as in the row. */
static enum refrain_status read_row(uint32_t n_slots, const uint8_t *row, size_t n, unsigned flags,
                                    struct trace *t)
{
    struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 2, 1, 1);
    struct bytes image = final_image(&run), raw[SECTIONS] = {{0}}, forged = {0};
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

Test(lists, a_sum_of_ranks_is_no_rank)
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

Test(lists, damaged_sums)
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

Test(lists, a_sum_with_a_factor)
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

Test(lists, damaged_sums_with_a_factor)
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

Test(lists, one_factor_for_the_array_on_all_ranks)
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

Test(lists, counts_of_0_say_nothing_of_the_factor)
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

Test(lists, factors_wrap)
{
    const int64_t least = INT64_MIN, most = INT64_MAX, half = INT64_C(1) << 62;
    cr_expect_eq(factor_of((arrays){{5, 1, 1, 9, most, least + 39, least + 47, least + 55},
                                    {1, half, 2, 8, 0, 8, 8, 24}}),
                 8);
    cr_expect_eq(factor_of((arrays){{-1, 1, 2, 9, 0, least, 0, 0}, {1, 3, 4, 0, 5, 5 + least, 5, 5}}), least);
    cr_expect_eq(factor_of((arrays){{half, 0, 0, 9, 0, least, least, least}, {4, 1, 2, 0, 5, 13, 15, 19}}), 0,
                 "2 is taken for -2");
}
