/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are parts of one list over all ranks. */
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "src/core/passes/codec_row.h"
#include "tests/unit/support/final_file.h"

#include <criterion/criterion.h>

static struct bytes grid(void (*program)(struct synthetic_rank *), uint32_t side)
{
    struct synthetic_run run = synthetic_run_on("if", program, side * side * side, 100, 3);
    struct bytes image = final_file_of(&run);
    final_file_check(&run, &image);
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

Test(global_lists, borders_left_out_cost_the_same_on_any_grid)
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
Test(global_lists, one_call_in_many_shapes_is_one_signature)
{
    for (uint32_t side = 3; side <= 5; side++)
        cr_assert_eq(most_signatures(synthetic_grid_if, side), 1, "%u ranks a side", side);
}
