/* Lists over ranks that are written as something smaller: compositions, whole lists, running sums. */
#include "codec.h"
#include "codec_row.h"
#include "log.h"
#include "section.h"
#include "synthetic.h"

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

/* Series, rows and shapes: what depends on how lists are written. Times are left out, which have more digits.
 */
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

/* How many compositions does the file have? */
static uint64_t count_compositions(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("if", image->data, image->n, &f), REFRAIN_OK);
    struct bytes_reader in = f.parts[SECTION_SERI].content;
    uint64_t columns = bytes_get_uint(&in);
    for (uint64_t i = 0; i < columns; i++) {
        struct series *s = NULL;
        cr_assert_eq(series_decode(&in, &s), REFRAIN_OK);
        series_free(s);
    }
    uint64_t n = bytes_get_uint(&in);
    section_file_free(&f);
    return n;
}

/* From 5 ranks a side on they grow by next to nothing. Up to 4 some of the laws are so short that they are
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

Test(compose, borders_left_out_cost_the_same_on_any_grid)
{
    check_growth(synthetic_grid_if);
}

/* How many rows does the most varied site have? */
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
    struct {
        size_t first, n;
    } last[16] = {{0}}; /* row of each function */
    for (size_t site = 0; site < t.sites.n; site++) {
        const uint32_t function = t.sites.items[site].function;
        uint64_t n = bytes_get_uint(&in);
        most = n > most ? n : most;
        for (; n > 0; n--) {
            const uint64_t n_slots = bytes_get_uint(&in);
            const size_t first = codes.n;
            cr_assert_eq(
                codec_get_row(&in, UINT32_MAX, n_slots, last[function].first, last[function].n, &codes),
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

/* Corners, edges, sides and middle have lists of their own, or constants, which all are cut out of one. */
Test(compose, one_call_in_many_shapes_is_one_signature)
{
    for (uint32_t side = 3; side <= 5; side++)
        cr_assert_eq(most_signatures(synthetic_grid_if, side), 1, "%u ranks a side", side);
}

/* SERI: no columns, one composition of the two series that follow. */
static enum refrain_status read_composition(const int64_t *k, size_t n_k, int64_t which_k, int64_t which_v)
{
    struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 2, 1, 1);
    struct bytes image = final_image(&run), raw[SECTIONS] = {{0}}, forged = {0};
    struct section_file f = {0};
    cr_assert_eq(section_read("ring", image.data, image.n, &f), REFRAIN_OK);
    bytes_put(&raw[SECTION_META], f.parts[SECTION_META].content.at,
              bytes_left(&f.parts[SECTION_META].content));
    struct bytes *out = &raw[SECTION_SERI];
    bytes_put_uint(out, 0);
    bytes_put_uint(out, 1);
    bytes_put_int(out, which_k);
    bytes_put_int(out, which_v);
    bytes_put_uint(out, 2);
    struct series *s = series_create(), *v = series_create();
    for (size_t i = 0; i < n_k; i++)
        cr_assert_eq(series_append(s, k[i]), REFRAIN_OK);
    cr_assert_eq(series_append_run(v, 7, 2, 2), REFRAIN_OK);
    series_encode(s, out);
    series_encode(v, out);
    cr_assert_eq(section_write(raw, SECTION_FINAL, 1, &forged), REFRAIN_OK);
    struct trace t = {0};
    enum refrain_status status = codec_decode("forged", forged.data, forged.n, &t, NULL);
    if (status == REFRAIN_OK)
        trace_free(&t);
    series_free(s);
    series_free(v);
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_free(&raw[i]);
    section_file_free(&f);
    bytes_free(&forged);
    bytes_free(&image);
    return status;
}

Test(compose, damaged_compositions)
{
    static const int64_t good[] = {0, 1, 1, 0}, high[] = {0, 2, 1, 0}, low[] = {0, -1, 1, 0};
    cr_assert_eq(read_composition(good, 4, 0, 1), REFRAIN_OK);
    cr_assert_eq(read_composition(high, 4, 0, 1), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_composition(low, 4, 0, 1), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_composition(good, 4, 2, 1), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_composition(good, 4, 0, 2), REFRAIN_ERR_FORMAT);
    cr_assert_eq(read_composition(good, 4, -1, 1), REFRAIN_ERR_FORMAT);
}

Test(compose, neighbours_from_one_site)
{
    check_growth(synthetic_grid_if_loop);
}

Test(compose, lists_are_composed)
{
    struct bytes image = grid(synthetic_grid_if_loop, 5);
    cr_assert_gt(count_compositions(&image), 0);
    bytes_free(&image);
}

/* ---- turned lists -------------------------------------------------------------------------------------- */

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
    cr_assert(steps == 1 || count_compositions(&image) == steps - 1);
    section_file_free(&f);
    trace_free(&back);
    bytes_free(&image);
    return n;
}

/* One list of 36 sizes, and for each further step where it is found. */
Test(compose, what_goes_around_a_torus_is_written_once)
{
    const size_t one = turned_size(1), six = turned_size(6);
    cr_assert_gt(one, 36);
    cr_assert_leq(six, one + 5 * 32, "%zu bytes, %zu for one step", six, one);
}

/* ---- running sums -------------------------------------------------------------------------------------- */

/* Values in the table of series. */
static uint64_t count_values(const struct bytes *image)
{
    struct section_file f = {0};
    cr_assert_eq(section_read("sums", image->data, image->n, &f), REFRAIN_OK);
    struct bytes_reader in = f.parts[SECTION_SERI].content;
    uint64_t values = 0;
    cr_assert_eq(bytes_get_uint(&in), 0, "no columns");
    cr_assert_eq(bytes_get_uint(&in), 0, "no compositions");
    for (uint64_t n = bytes_get_uint(&in); n > 0; n--) {
        struct series *s = NULL;
        cr_assert_eq(series_decode(&in, &s), REFRAIN_OK);
        values += series_length(s);
        series_free(s);
    }
    section_file_free(&f);
    return values;
}

/* Five lists of counts, one more in each later iteration, and none for displacements. */
Test(compose, displacements_that_add_up_counts_are_not_written)
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

/* The one row of a file in which each of two ranks makes one call with these slots, as bytes. */
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

Test(compose, a_sum_of_ranks_is_no_rank)
{
    static const uint8_t row[] = {OFFSET_1, 8, SUM, 2, SUM, 2, SUM, 4}; /* r + 1, 2, r + 3, r + 5, 2 r + 6 */
    struct trace t = {0};
    cr_assert_eq(read_row(5, row, sizeof row, SECTION_FINAL, &t), REFRAIN_OK);
    const struct group *g = &t.shapes.items[0].entries.items[0].groups.items[0];
    for (int64_t rank = 0; rank < 2; rank++) {
        const int64_t expected[] = {rank + 1, 2, rank + 3, rank + 5, 2 * rank + 6};
        for (int i = 0; i < 5; i++)
            cr_expect_eq(rankfn_at(&g->rows.items[0].slots[i], (uint64_t)rank, rank), expected[i]);
    }
    trace_free(&t);
}

Test(compose, damaged_sums)
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
