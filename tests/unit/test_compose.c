/* Lists over ranks that are written as something smaller: compositions and whole lists. */
#include "codec.h"
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

/* They grow by at most one part in `parts` of what 3 x 3 x 3 ranks take. */
static void check_growth(void (*program)(struct synthetic_rank *), uint64_t parts)
{
    uint64_t small = lists_size(program, 3);
    for (uint32_t side = 4; side <= 6; side++) {
        uint64_t n = lists_size(program, side);
        cr_assert_leq(n, small + small / parts, "%u ranks a side: %llu bytes, 3 ranks: %llu", side,
                      (unsigned long long)n, (unsigned long long)small);
    }
}

Test(compose, borders_left_out_cost_the_same_on_any_grid)
{
    check_growth(synthetic_grid_if, 20);
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
    check_growth(synthetic_grid_if_loop, 5);
}

Test(compose, lists_are_composed)
{
    struct bytes image = grid(synthetic_grid_if_loop, 5);
    cr_assert_gt(count_compositions(&image), 0);
    bytes_free(&image);
}
