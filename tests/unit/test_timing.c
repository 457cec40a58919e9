#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "timing.h"

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
        timing_encode(&t, false, &b);
        struct bytes_reader r = bytes_reader_of(b.data, b.n);
        cr_assert_eq(timing_decode(&r, false, &back), REFRAIN_OK);
        cr_assert_eq(bytes_left(&r), 0);
        cr_assert_eq(back.count, t.count);
        cr_assert(same(&back.duration, &t.duration));
        cr_assert(same(&back.gap, &t.gap));
        for (size_t cut = 0; cut < b.n; cut++) {
            r = bytes_reader_of(b.data, cut);
            cr_assert_eq(timing_decode(&r, false, &back), REFRAIN_ERR_FORMAT);
        }
        bytes_free(&b);
    }
}

Test(timing, few_values_cost_few_bytes)
{
    static const uint64_t values[] = {100, 90};
    struct timing t = timing_of(values, 1);
    struct bytes b = {0};
    timing_encode(&t, false, &b);
    cr_assert_eq(b.n, 1 + 1 + 1);
    b.n = 0;
    t = timing_of(values, 2);
    timing_encode(&t, false, &b);
    cr_assert_eq(b.n, 1 + 2 + 2);
    bytes_free(&b);
}

/* Encoded times of three values with one 32-bit or 8-bit field overwritten. */
static enum refrain_status decode_damaged(size_t at, const void *field, size_t n)
{
    static const uint64_t three[] = {5, 5, 7};
    struct timing t = timing_of(three, 3), back;
    struct bytes b = {0};
    timing_encode(&t, false, &b);
    memcpy(b.data + at, field, n);
    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    enum refrain_status status = timing_decode(&r, false, &back);
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

/* A row whose calls took `count` times 100 ns and once 200 ns. */
static struct timing rounded_times(uint32_t count)
{
    struct timing t, back = {0};
    timing_clear(&t);
    for (uint32_t i = 0; i < count; i++)
        timing_add(&t, 7, 100);
    timing_add(&t, 7, 200);
    struct bytes b = {0};
    timing_encode(&t, true, &b);
    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    cr_assert_eq(timing_decode(&r, true, &back), REFRAIN_OK);
    cr_assert_eq(bytes_left(&r), 0);
    cr_assert_eq(back.duration.sum, t.duration.sum);
    cr_assert_eq(back.duration.max, 200);
    cr_assert_float_eq(timing_variance(&back.duration, back.count), timing_variance(&t.duration, t.count),
                       timing_variance(&t.duration, t.count) / 256);
    bytes_free(&b);
    return back;
}

Test(timing, rounding_keeps_four_bits_of_a_count)
{
    for (uint32_t count = 2; count < 3000; count += 1 + count / 50) {
        int64_t bin = rounded_times(count).duration.bins[6], off = bin - count;
        cr_assert_leq((off < 0 ? -off : off) * 16, count < 16 ? 0 : count, "%u became %d", count, (int)bin);
    }
}

Test(timing, the_largest_count_has_the_last_code)
{
    struct timing t, back;
    timing_clear(&t);
    timing_add(&t, 1, 1);
    t.count = t.duration.sum = t.gap.sum = UINT32_MAX;
    t.duration.bins[0] = UINT32_MAX;
    struct bytes b = {0};
    timing_encode(&t, true, &b);
    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    cr_assert_eq(timing_decode(&r, true, &back), REFRAIN_OK);
    cr_assert_eq(back.duration.bins[0], UINT32_C(15) << 28);
    for (unsigned code = 240; code < 256;
         code++) { /* codes beyond are refused: the last byte but those of gap */
        size_t at = 5 + 1 + 1 + 5 + 2;
        b.data[at] = (uint8_t)code;
        r = bytes_reader_of(b.data, b.n);
        cr_assert_eq(timing_decode(&r, true, &back), REFRAIN_ERR_FORMAT);
    }
    bytes_free(&b);
}
