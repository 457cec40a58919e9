/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/codec/codec_times.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MANY = 40 };

static void check_near(uint64_t value, uint64_t kept, uint64_t part, const char *what)
{
    const uint64_t off = value > kept ? value - kept : kept - value;
    cr_expect_leq(off, value / part, "%s: %llu became %llu", what, (unsigned long long)value,
                  (unsigned long long)kept);
}

static void check_moments(const struct timing_moments *a, const struct timing_moments *b, uint64_t count)
{
    const double mean = timing_mean(a, count);
    if (mean >= 1)
        cr_expect_leq(fabs(timing_mean(b, count) - mean), mean / 500, "mean: %g became %g", mean,
                      timing_mean(b, count));
    if (count == 1) {
        cr_expect_eq(b->min, b->max);
        cr_expect_eq(b->min, b->sum);
        return;
    }
    cr_expect_leq(b->min, a->min);
    check_near(a->min, b->min, 16, "least");
    if (count == 2) {
        cr_expect_eq(b->sum, b->min + b->max);
        return;
    }
    cr_expect_geq(b->max, a->max);
    check_near(a->max, b->max, 16, "most");
    const double deviation = sqrt(timing_variance(a, count));
    cr_expect_leq(fabs(sqrt(timing_variance(b, count)) - deviation), deviation / 32 + a->max / 1e6 + 1);
    for (unsigned i = 0; i < TIMING_BINS; i++)
        check_near(a->bins[i], b->bins[i], 8, "bin");
}

/* Encode n times: they come back nearly equal, and exactly equal from then on. */
static void check_times(const struct timing *times, size_t n)
{
    const struct timing *list[MANY];
    struct timing back[MANY] = {{0}}, again[MANY] = {{0}};
    struct bytes b = {0}, c = {0};
    for (size_t i = 0; i < n; i++)
        list[i] = &times[i];
    cr_assert_eq(codec_times_encode(list, n, &b), REFRAIN_OK);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(codec_times_decode(&in, back, n), REFRAIN_OK);
    cr_assert_eq(bytes_left(&in), 0);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(back[i].count, times[i].count);
        check_moments(&times[i].duration, &back[i].duration, times[i].count);
        check_moments(&times[i].gap, &back[i].gap, times[i].count);
        list[i] = &back[i];
    }
    cr_assert_eq(codec_times_encode(list, n, &c), REFRAIN_OK);
    cr_assert_eq(b.n, c.n);
    cr_assert(b.n == 0 || memcmp(b.data, c.data, b.n) == 0);
    for (size_t cut = 0; cut < b.n; cut++) {
        in = bytes_reader_of(b.data, cut);
        cr_assert_eq(codec_times_decode(&in, again, n), REFRAIN_ERR_FORMAT);
    }
    bytes_free(&b);
    bytes_free(&c);
}

static const uint64_t values[] = {0,
                                  1,
                                  2,
                                  3,
                                  5,
                                  31,
                                  32,
                                  33,
                                  63,
                                  64,
                                  1000,
                                  1023,
                                  1024,
                                  99999,
                                  1234567,
                                  UINT64_C(5000000000),
                                  UINT64_C(1) << 62};
enum { VALUES = sizeof values / sizeof values[0] };

Test(times, of_single_calls)
{
    struct timing times[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        timing_clear(&times[i]);
        timing_add(&times[i], values[i], values[VALUES - 1 - i]);
    }
    check_times(times, VALUES);
}

/* Times of short calls keep a fraction, so that the sum of many is right. */
Test(times, of_short_calls)
{
    struct timing times[MANY];
    for (size_t i = 0; i < MANY; i++) {
        timing_clear(&times[i]);
        for (size_t k = 0; k < 1000; k++)
            timing_add(&times[i], i + (k % 100 < 60), 20 + i + (k % 10 < 9));
    }
    check_times(times, MANY);
}

Test(times, of_two_calls)
{
    struct timing times[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        timing_clear(&times[i]);
        timing_add(&times[i], values[i], values[VALUES - 1 - i] / 2);
        timing_add(&times[i], values[i], values[i] / 2);
    }
    check_times(times, VALUES);
}

Test(times, of_many_calls)
{
    struct timing times[MANY];
    uint64_t x = 1;
    for (size_t i = 0; i < MANY; i++) {
        timing_clear(&times[i]);
        for (size_t k = 0; k < 1 + i * i; k++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            timing_add(&times[i], x >> 33 >> (x >> 30 & 15), 100 + (x >> 40) % (1 + 10 * i));
        }
    }
    check_times(times, MANY);
    check_times(times, 1);
    check_times(times, 0);
}

static struct timing written_and_read(const struct timing *t)
{
    struct bytes b = {0};
    struct timing back;
    cr_assert_eq(codec_times_encode(&t, 1, &b), REFRAIN_OK);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(codec_times_decode(&in, &back, 1), REFRAIN_OK);
    bytes_free(&b);
    return back;
}

/* Times that a final file has rounded are written again when traces are merged further. */
static void check_goes_on(const struct timing *t)
{
    const struct timing rounded = written_and_read(t);
    struct bytes b = {0};
    struct timing back;
    timing_encode(&rounded, &b);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(timing_decode(&in, &back), REFRAIN_OK);
    cr_assert_eq(back.duration.max, rounded.duration.max);
    cr_assert_eq(back.gap.sum, rounded.gap.sum);
    bytes_free(&b);
}

/* One long time among many times of 0: the mean is rounded down, even to 0, and the longest up. */
Test(times, the_most_above_the_mean_of_all)
{
    for (uint64_t most = 1; most < UINT64_C(1) << 60; most += most / 3 + 1) {
        struct timing t;
        timing_clear(&t);
        timing_add(&t, most, 0);
        for (int i = 0; i < 40; i++) {
            timing_add(&t, 0, most);
            check_goes_on(&t);
        }
    }
}

Test(times, a_sum_at_its_limit)
{
    struct timing t;
    timing_clear(&t);
    for (int i = 0; i < 3; i++)
        timing_add(&t, UINT64_C(1) << 63, 0);
    t.count = UINT64_C(1) << 40;
    t.gap.squares = 0x1p126 * 0x1p40;
    t.duration.max = UINT64_MAX;
    t.duration.sum = UINT64_MAX;
    t.duration.squares = 0x1.fp127 * 0x1p40;
    check_goes_on(&t);
}

Test(times, at_the_limit)
{
    struct timing t;
    timing_clear(&t);
    for (int i = 0; i < 3; i++)
        timing_add(&t, UINT64_MAX, UINT64_MAX - (uint64_t)i);
    const struct timing back = written_and_read(&t);
    cr_assert_eq(back.duration.sum, UINT64_MAX);
    cr_assert_eq(back.gap.bins[63], 3);
}

Test(times, large_counts_keep_three_bits)
{
    struct timing t;
    timing_clear(&t);
    timing_add(&t, 1, 1);
    t.count = t.duration.sum = t.gap.sum = UINT32_MAX;
    t.duration.bins[0] = UINT32_MAX;
    const struct timing back = written_and_read(&t);
    cr_assert_eq(back.duration.bins[0], UINT32_C(7) << 29);
}

/* Five calls of 5, 5, 7, 7 and 7 ns; the gaps are 1. Count | durations and gaps: lengths of means,
 * less, more, deviations (less), bins 2 and 0 | mantissas of means, of least and most and
 * deviations, two in a byte. */
static enum refrain_status read_damaged(size_t at, uint8_t byte)
{
    static const uint8_t good[] = {5, 3, 1, 0, 0, 0, 0, 2, 1, 5, 5, 0x8D, 0, 4, 12, 0};
    uint8_t bytes[sizeof good];
    struct timing t = {0}, back;
    const struct timing *list[] = {&t};
    struct bytes b = {0};
    timing_clear(&t);
    for (int i = 0; i < 5; i++)
        timing_add(&t, 1, i < 2 ? 5 : 7);
    cr_assert_eq(codec_times_encode(list, 1, &b), REFRAIN_OK);
    cr_assert_eq(b.n, sizeof good);
    cr_assert_eq(memcmp(b.data, good, sizeof good), 0);
    memcpy(bytes, good, sizeof good);
    bytes[at] = byte;
    struct bytes_reader in = bytes_reader_of(bytes, sizeof bytes);
    enum refrain_status status = codec_times_decode(&in, &back, 1);
    bytes_free(&b);
    return status;
}

Test(times, what_contradicts_itself_is_refused)
{
    cr_assert_eq(read_damaged(0, 5), REFRAIN_OK);
    cr_assert_eq(read_damaged(0, 0), REFRAIN_ERR_FORMAT, "times of no call");
    cr_assert_eq(read_damaged(1, 65), REFRAIN_ERR_FORMAT, "65 bits");
    cr_assert_eq(read_damaged(3, 4), REFRAIN_ERR_FORMAT, "less than no bits");
    cr_assert_eq(read_damaged(5, 70), REFRAIN_ERR_FORMAT, "73 bits");
    cr_assert_eq(read_damaged(9, 124), REFRAIN_ERR_FORMAT, "no code of a bin");
    cr_assert_eq(read_damaged(13, 12), REFRAIN_ERR_FORMAT, "the least is above the mean");
}

/* Three calls of 1 ns on average, of which the longest has `more` more bits; the gaps are 1. */
static enum refrain_status read_longest(uint8_t more)
{
    uint8_t bytes[32] = {3, 1, 1, 0, 0, more};
    const size_t n = 9 + (more + 1) + 1 + 5; /* lengths and count; bins; mantissas */
    struct bytes_reader in = bytes_reader_of(bytes, n);
    struct timing back;
    return codec_times_decode(&in, &back, 1);
}

Test(times, the_longest_is_not_more_than_all)
{
    cr_assert_eq(read_longest(3), REFRAIN_OK, "8 ns of 2 times 3 times 2");
    cr_assert_eq(read_longest(4), REFRAIN_ERR_FORMAT, "16 ns");
}
