/* SPDX-License-Identifier: BSD-3-Clause */
/* Bins add up to what was put into them, wherever it ends; so do the columns made from them. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "decoder/timeline/bins.h"
#include "tests/unit/support/random.h"

enum { LINES = 3, BINS = 16, COLUMNS = 7, CALLS = 200 };

static uint64_t width(const struct bins *b)
{
    return UINT64_C(1) << b->shift;
}

static uint64_t sum(const struct bins *b, uint32_t line, unsigned kind)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        n += b->items[(size_t)line * b->n + i].time[kind];
    return n;
}

/* The part of a call that lies in a bin. */
static uint64_t common(const struct bins *b, uint32_t i, uint64_t enter, uint64_t leave)
{
    const uint64_t begin = b->from + i * width(b), end = begin + width(b);
    const uint64_t first = enter > begin ? enter : begin, last = leave < end ? leave : end;
    return first < last ? last - first : 0;
}

Test(bins, have_what_was_added_where_it_was)
{
    for (unsigned seed = 0; seed < 200; seed++) {
        uint64_t state = random_seed(seed), last = 0, from;
        struct bins b;
        struct call {
            uint32_t line;
            unsigned kind;
            uint64_t enter, leave;
        } calls[CALLS];
        from = random_below(&state, 1000);
        cr_assert_eq(bins_create(&b, LINES, BINS, from), REFRAIN_OK);
        for (unsigned i = 0; i < CALLS; i++) {
            const uint64_t enter = from + random_below(&state, 100 * (uint64_t)(i + 1));
            calls[i] = (struct call){(uint32_t)random_below(&state, LINES),
                                     (unsigned)random_below(&state, CALL_KINDS), enter,
                                     enter + random_below(&state, 50)};
            bins_add(&b, calls[i].line, calls[i].kind, calls[i].enter, calls[i].leave);
            last = calls[i].leave > last ? calls[i].leave : last;
        }
        cr_assert_leq(last, b.from + BINS * width(&b));
        cr_assert(b.shift == 0 || last >= b.from + BINS / 2 * width(&b), "seed %u: half is empty", seed);
        for (uint32_t line = 0; line < LINES; line++) {
            for (uint32_t i = 0; i < BINS; i++) {
                struct bin expected = {0};
                for (unsigned c = 0; c < CALLS; c++) {
                    if (calls[c].line == line)
                        expected.time[calls[c].kind] += common(&b, i, calls[c].enter, calls[c].leave);
                }
                cr_assert_eq(memcmp(&expected, &b.items[line * BINS + i], sizeof expected), 0,
                             "seed %u, bin %u of line %u", seed, i, line);
            }
        }
        bins_free(&b);
    }
}

Test(bins, hold_the_longest_time)
{
    struct bins b;
    cr_assert_eq(bins_create(&b, 1, BINS, 0), REFRAIN_OK);
    bins_add(&b, 0, CALL_FILE, 0, UINT64_MAX);
    bins_add(&b, 0, CALL_OTHER, UINT64_MAX - 5, UINT64_MAX);
    bins_add(&b, 0, CALL_OTHER, 7, 7);
    cr_assert_eq(sum(&b, 0, CALL_FILE), UINT64_MAX);
    cr_assert_eq(b.items[BINS - 1].time[CALL_OTHER], 5);
    cr_assert_eq(sum(&b, 0, CALL_OTHER), 5);
    bins_free(&b);
}

static double sum_of_columns(const struct bin_column *columns, uint32_t n, unsigned kind)
{
    double all = 0;
    for (uint32_t i = 0; i < n; i++)
        all += columns[i].time[kind];
    return all;
}

Test(bins, columns_have_the_time_of_their_bins)
{
    struct bin_column columns[COLUMNS];
    struct bins b;
    cr_assert_eq(bins_create(&b, 1, BINS, 100), REFRAIN_OK);
    bins_add(&b, 0, CALL_WAITING, 130, 155);
    bins_add(&b, 0, CALL_COLLECTIVE, 155, 199);
    memset(columns, 0, sizeof columns);
    bins_columns(&b, 0, 100, 200, COLUMNS, columns);
    cr_assert(fabs(sum_of_columns(columns, COLUMNS, CALL_WAITING) - 25) < 1e-9);
    cr_assert_float_eq(columns[0].time[CALL_WAITING], 0, 1e-9);

    /* Part of the bins: a bin is 8 wide, and a quarter of the bin from 196 on, which has 3, is
     * inside. */
    memset(columns, 0, sizeof columns);
    cr_assert_eq(width(&b), 8);
    bins_columns(&b, 0, 160, 198, COLUMNS, columns);
    cr_assert(fabs(sum_of_columns(columns, COLUMNS, CALL_COLLECTIVE) - 36.75) < 1e-9, "%f",
              sum_of_columns(columns, COLUMNS, CALL_COLLECTIVE));
    cr_assert_float_eq(sum_of_columns(columns, COLUMNS, CALL_WAITING), 0, 1e-9);
    bins_free(&b);
}

Test(bins, a_call_is_divided_among_columns)
{
    struct bin_column columns[4] = {0};
    bins_column_add(columns, 4, 1000, 1400, CALL_BLOCKING, 1050, 1225);
    bins_column_add(columns, 4, 1000, 1400, CALL_BLOCKING, 500, 1010);
    bins_column_add(columns, 4, 1000, 1400, CALL_BLOCKING, 1390, 9000);
    bins_column_add(columns, 4, 1000, 1400, CALL_BLOCKING, 1300, 1300);
    const double expected[] = {60, 100, 25, 10};
    for (unsigned i = 0; i < 4; i++)
        cr_assert_float_eq(columns[i].time[CALL_BLOCKING], expected[i], 1e-9, "column %u: %f", i,
                           columns[i].time[CALL_BLOCKING]);
}
