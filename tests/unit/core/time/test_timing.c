/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "src/core/time/timing.h"

static struct timing timing_of(const uint64_t *values, size_t n)
{
    struct timing t;
    timing_clear(&t);
    for (size_t i = 0; i < n; i++)
        timing_add(&t, values[i] / 2, values[i]);
    return t;
}

static const uint64_t VALUES[] = {0, 1, 2, 3, 4, 1000, 1023, 1024, 5000000000, 4};
#define N (sizeof VALUES / sizeof VALUES[0])

Test(timing, moments_are_those_of_the_values)
{
    static const uint64_t three[] = {2, 4, 9};
    struct timing t = timing_of(three, 3);
    cr_assert_eq(t.count, 3);
    cr_assert_eq(t.duration.sum, 15);
    cr_assert_eq(t.duration.min, 2);
    cr_assert_eq(t.duration.max, 9);
    cr_assert_eq(timing_mean(&t.duration, t.count), 5);
    cr_assert_float_eq(timing_variance(&t.duration, t.count), 26.0 / 3, 1e-9);
    cr_assert_eq(t.gap.sum, 1 + 2 + 4);
}

Test(timing, bins_are_powers_of_two)
{
    struct timing t = timing_of(VALUES, N);
    static const unsigned bins[][2] = {{0, 2}, {1, 2}, {2, 2}, {9, 2}, {10, 1}, {32, 1}};
    unsigned total = 0;
    for (size_t i = 0; i < sizeof bins / sizeof bins[0]; i++)
        cr_assert_eq(t.duration.bins[bins[i][0]], bins[i][1]);
    for (unsigned b = 0; b < TIMING_BINS; b++)
        total += t.duration.bins[b];
    cr_assert_eq(total, N);
}

Test(timing, nothing_has_mean_and_variance_zero)
{
    struct timing t;
    timing_clear(&t);
    cr_assert_eq(timing_mean(&t.gap, t.count), 0);
    cr_assert_eq(timing_variance(&t.gap, t.count), 0);
    cr_assert_eq(t.gap.min, UINT64_MAX);
}

Test(timing, merging_is_adding_all)
{
    for (size_t cut = 0; cut <= N; cut++) {
        struct timing left = timing_of(VALUES, cut), right = timing_of(VALUES + cut, N - cut);
        struct timing all = timing_of(VALUES, N);
        timing_merge(&left, &right);
        cr_assert_eq(left.count, all.count);
        cr_assert_eq(left.duration.sum, all.duration.sum);
        cr_assert_eq(left.duration.min, all.duration.min);
        cr_assert_eq(left.duration.max, all.duration.max);
        cr_assert_eq(memcmp(left.gap.bins, all.gap.bins, sizeof all.gap.bins), 0);
        cr_assert_float_eq(left.duration.squares, all.duration.squares, 1e-9 * all.duration.squares);
    }
}

Test(timing, sums_stop_at_the_limit)
{
    struct timing t;
    timing_clear(&t);
    timing_add(&t, 0, UINT64_MAX);
    timing_add(&t, 0, UINT64_MAX - 1);
    cr_assert_eq(t.duration.sum, UINT64_MAX);
    cr_assert_eq(t.duration.bins[63], 2);
    cr_assert_eq(timing_variance(&t.gap, t.count), 0);
}

static bool same(const struct timing_moments *a, const struct timing_moments *b)
{
    return a->sum == b->sum && a->min == b->min && a->max == b->max &&
           fabs(a->squares - b->squares) <= 1e-6 * a->squares &&
           memcmp(a->bins, b->bins, sizeof a->bins) == 0;
}

Test(timing, decoding_gives_what_was_encoded)
{
    for (size_t n = 0; n <= N; n++) {
        struct timing t = timing_of(VALUES, n), back;
        struct bytes b = {0};
        timing_encode(&t, &b);
        struct bytes_reader r = bytes_reader_of(b.data, b.n);
        cr_assert_eq(timing_decode(&r, &back), REFRAIN_OK);
        cr_assert_eq(bytes_left(&r), 0);
        cr_assert_eq(back.count, t.count);
        cr_assert(same(&back.duration, &t.duration));
        cr_assert(same(&back.gap, &t.gap));
        for (size_t cut = 0; cut < b.n; cut++) {
            r = bytes_reader_of(b.data, cut);
            cr_assert_eq(timing_decode(&r, &back), REFRAIN_ERR_FORMAT);
        }
        bytes_free(&b);
    }
}

Test(timing, few_values_cost_few_bytes)
{
    static const uint64_t values[] = {100, 90};
    struct timing t = timing_of(values, 1);
    struct bytes b = {0};
    timing_encode(&t, &b);
    cr_assert_eq(b.n, 1 + 1 + 1);
    b.n = 0;
    t = timing_of(values, 2);
    timing_encode(&t, &b);
    cr_assert_eq(b.n, 1 + 2 + 2);
    bytes_free(&b);
}

/* Encoded times of three values with one 32-bit or 8-bit field overwritten. */
static enum refrain_status decode_damaged(size_t at, const void *field, size_t n)
{
    static const uint64_t three[] = {5, 5, 7};
    struct timing t = timing_of(three, 3), back;
    struct bytes b = {0};
    timing_encode(&t, &b);
    memcpy(b.data + at, field, n);
    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    enum refrain_status status = timing_decode(&r, &back);
    bytes_free(&b);
    return status;
}

Test(timing, sum_and_variance_are_checked)
{
    /* count 3 | min 5, max - min 2, sum 17, variance … */
    const float good = 1, bad[] = {-1, INFINITY, NAN};
    const uint8_t small_sum = 6;
    cr_assert_eq(decode_damaged(4, &good, sizeof good), REFRAIN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_eq(decode_damaged(4, &bad[i], sizeof bad[i]), REFRAIN_ERR_FORMAT);
    cr_assert_eq(decode_damaged(3, &small_sum, 1), REFRAIN_ERR_FORMAT);
}

Test(timing, a_full_bin_stays_full)
{
    struct timing t;
    timing_clear(&t);
    t.duration.bins[3] = t.gap.bins[0] = UINT32_MAX - 1;
    for (int i = 0; i < 3; i++)
        timing_add(&t, 0, 8);
    cr_assert_eq(t.duration.bins[3], UINT32_MAX);
    cr_assert_eq(t.gap.bins[0], UINT32_MAX);
    cr_assert_eq(t.count, 3);
}
