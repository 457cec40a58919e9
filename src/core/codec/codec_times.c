/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_times.h"

#include "src/core/base/log.h"

#include <math.h>
#include <stdlib.h>

#define MEAN_BITS  8 /* bits of the mantissas of means */
#define OTHER_BITS 4

/* ---- numbers --------------------------------------------------------------------------------- */

struct rounded {
    uint8_t length, mantissa;
};

static unsigned length_of(uint64_t v)
{
    return v == 0 ? 0 : 64u - (unsigned)__builtin_clzll(v);
}

/* The number of low bits of v that are lost. */
static unsigned lost_bits(uint64_t v, unsigned bits)
{
    const unsigned length = length_of(v);
    return length > bits + 1 ? length - 1 - bits : 0;
}

/* Round down. */
static struct rounded cut(uint64_t v, unsigned bits)
{
    const unsigned length = length_of(v), lost = lost_bits(v, bits);
    const uint64_t kept = length > bits ? v >> lost : v << (bits + 1 - length);
    return (struct rounded){(uint8_t)length, (uint8_t)(kept & ((1u << bits) - 1))};
}

/* The largest number that is exact with both lengths of mantissas; larger ones become this one. */
#define LARGEST (UINT64_C(31) << 59)

static uint64_t add(uint64_t v, uint64_t more)
{
    return v > LARGEST - more ? LARGEST : v + more;
}

static struct rounded up(uint64_t v, unsigned bits)
{
    return cut(add(v, (UINT64_C(1) << lost_bits(v, bits)) - 1), bits);
}

static struct rounded nearest(uint64_t v, unsigned bits)
{
    return cut(add(v, UINT64_C(1) << lost_bits(v, bits) >> 1), bits);
}

static uint64_t value_of(struct rounded r, unsigned bits)
{
    const uint64_t kept = UINT64_C(1) << bits | r.mantissa;
    if (r.length == 0)
        return 0;
    return r.length > bits ? kept << (r.length - 1 - bits) : kept >> (bits + 1 - r.length);
}

/* ---- means ----------------------------------------------------------------------------------- */

/* A number with fewer bits than the mantissa uses the other bits for a fraction:
 *
 *     40.375 = 101000.011b    length 6, mantissa 01000011b
 *
 * Means from 0.5 on that are below 1 become 1, smaller ones 0. */
static struct rounded round_mean(double mean)
{
    int length;
    if (mean >= (double)LARGEST)
        return cut(LARGEST, MEAN_BITS);
    long kept = lround(ldexp(frexp(mean, &length), MEAN_BITS + 1));
    if (kept == 2 << MEAN_BITS) {
        kept /= 2;
        length++;
    }
    if (length < 1)
        return cut(mean >= 0.5, MEAN_BITS);
    return (struct rounded){(uint8_t)length, (uint8_t)(kept - (1 << MEAN_BITS))};
}

/* Multiply the mean by the count and round to the nearest integer. */
static uint64_t sum_of(struct rounded r, uint64_t count)
{
    const unsigned fraction = r.length == 0 || r.length > MEAN_BITS ? 0 : MEAN_BITS + 1 - r.length;
    const uint64_t half = fraction > 0 ? UINT64_C(1) << (fraction - 1) : 0;
    uint64_t sum;
    if (fraction > 0 && !__builtin_mul_overflow(count, 1U << MEAN_BITS | r.mantissa, &sum) &&
        !__builtin_add_overflow(sum, half, &sum))
        return sum >> fraction;
    return __builtin_mul_overflow(count, value_of(r, MEAN_BITS), &sum) ? UINT64_MAX : sum;
}

/* Return the bin of times with so many bits. */
static unsigned bin_of(unsigned length)
{
    return length == 0 ? 0 : length - 1;
}

/* ---- counts of bins -------------------------------------------------------------------------- */

/* Codes of counts: a byte for 3 significant bits. Counts below 8 are their own code; then each
 * power of two has 4 codes.
 *
 *     count   0 … 7    8 10 12 14    16 20 24 28    32 40 48 56 …    7/8 of 2^32
 *     code    0 … 7    8  9 10 11    12 13 14 15    16 17 18 19      123 */
#define CODE_MAX 123

static uint8_t count_code(uint32_t count)
{
    if (count < 8)
        return (uint8_t)count;
    /* 3 significant bits remain. */
    const unsigned shift = length_of(count) - 3;
    const uint64_t kept = ((uint64_t)count + (UINT64_C(1) << (shift - 1))) >> shift; /* 4 … 8 */
    /* Kept = 8 gives the first code of the next power. */
    const uint64_t code = 4 * (uint64_t)shift + kept;
    return (uint8_t)(code < CODE_MAX ? code : CODE_MAX);
}

static uint32_t count_of_code(uint8_t code)
{
    return code < 8 ? code : (uint32_t)(4 + code % 4) << (code / 4 - 1);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Durations or gaps of a class. With one call, only the mean is written; with two calls, mean and
 * least, since the most has the same distance from the mean. */
struct moments {
    uint64_t count;
    struct rounded mean, least, most, deviation;
    uint8_t bins[TIMING_BINS];
};

/* Members with a mantissa of OTHER_BITS, and how many calls a class must have for each. */
static struct rounded *other_of(struct moments *m, unsigned which)
{
    return which == 0 ? &m->least : which == 1 ? &m->most : &m->deviation;
}

enum { OTHERS = 3 };
static const unsigned calls_for[OTHERS] = {2, 3, 3};

static void put_mantissas(struct moments *m, size_t n, unsigned which, struct bytes *out)
{
    unsigned byte = 0, half = 0;
    for (size_t i = 0; i < n; i++) {
        if (m[i].count < calls_for[which])
            continue;
        byte |= (unsigned)other_of(&m[i], which)->mantissa << half;
        if (half > 0) {
            bytes_put_u8(out, (uint8_t)byte);
            byte = 0;
        }
        half ^= OTHER_BITS;
    }
    if (half > 0)
        bytes_put_u8(out, (uint8_t)byte);
}

static bool get_mantissas(struct bytes_reader *in, struct moments *m, size_t n, unsigned which)
{
    unsigned byte = 0, half = 0;
    for (size_t i = 0; i < n; i++) {
        if (m[i].count < calls_for[which])
            continue;
        byte = half > 0 ? byte >> OTHER_BITS : bytes_get_u8(in);
        other_of(&m[i], which)->mantissa = byte & ((1u << OTHER_BITS) - 1);
        half ^= OTHER_BITS;
    }
    return half == 0 || byte >> OTHER_BITS == 0;
}

static void put_columns(struct moments *m, size_t n, struct bytes *out)
{
    for (size_t i = 0; i < n; i++)
        bytes_put_u8(out, m[i].mean.length);
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 2)
            bytes_put_u8(out, (uint8_t)(m[i].mean.length - m[i].least.length));
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 3)
            bytes_put_u8(out, (uint8_t)(m[i].most.length - m[i].mean.length));
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 3)
            bytes_put_u8(out, (uint8_t)(m[i].most.length - m[i].deviation.length));
    for (size_t i = 0; i < n; i++)
        for (unsigned b = bin_of(m[i].least.length); b <= bin_of(m[i].most.length) && m[i].count >= 3; b++)
            bytes_put_u8(out, m[i].bins[b]);
    for (size_t i = 0; i < n; i++)
        bytes_put_u8(out, m[i].mean.mantissa);
    for (unsigned which = 0; which < OTHERS; which++)
        put_mantissas(m, n, which, out);
}

static bool get_length(int length, uint8_t *to)
{
    *to = (uint8_t)length;
    return length >= 0 && length <= 64;
}

static bool get_columns(struct bytes_reader *in, struct moments *m, size_t n)
{
    bool fine = true;
    for (size_t i = 0; i < n; i++)
        fine = get_length(bytes_get_u8(in), &m[i].mean.length) && fine;
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 2)
            fine = get_length(m[i].mean.length - bytes_get_u8(in), &m[i].least.length) && fine;
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 3)
            fine = get_length(m[i].mean.length + bytes_get_u8(in), &m[i].most.length) && fine;
    for (size_t i = 0; i < n; i++)
        if (m[i].count >= 3)
            fine = get_length(m[i].most.length - bytes_get_u8(in), &m[i].deviation.length) && fine;
    for (size_t i = 0; i < n && fine; i++) {
        for (unsigned b = bin_of(m[i].least.length); b <= bin_of(m[i].most.length) && m[i].count >= 3; b++) {
            m[i].bins[b] = bytes_get_u8(in);
            fine = fine && m[i].bins[b] <= CODE_MAX;
        }
    }
    for (size_t i = 0; i < n; i++)
        m[i].mean.mantissa = bytes_get_u8(in);
    for (unsigned which = 0; which < OTHERS; which++)
        fine = get_mantissas(in, m, n, which) && fine;
    return fine && !in->failed;
}

/* ---- to and from timings --------------------------------------------------------------------- */

/* Values rounded to fewer bits are also values with more bits, so rounding keeps least <= mean <=
 * most. */
static struct moments round_moments(const struct timing_moments *t, uint64_t count)
{
    const double least = (double)t->min, most = (double)t->max, exact = (double)t->sum / (double)count,
                 mean = exact < least  ? least
                        : exact > most ? most
                                       : exact;
    const double deviation = sqrt(timing_variance(t, count));
    struct moments m = {.count = count,
                        .mean = round_mean(mean),
                        .least = cut(t->min, OTHER_BITS),
                        .most = up(t->max, OTHER_BITS)};
    m.deviation = deviation < (double)t->max ? nearest((uint64_t)(deviation + 0.5), OTHER_BITS) : m.most;
    if (m.deviation.length > m.most.length)
        m.deviation = m.most;
    for (unsigned b = 0; b < TIMING_BINS; b++)
        m.bins[b] = count_code(t->bins[b]);
    return m;
}

/* Whether `most` is possible. Rounding may take the most of a few values above the sum of all
 * (rounded mean times count), but not above twice this sum: the most grows by at most a sixteenth,
 * and the mean loses less than 1 + 1/256 of itself. */
static bool most_fits(uint64_t most, uint64_t mean, uint64_t count)
{
    uint64_t all;
    return __builtin_mul_overflow(mean + 1, count, &all) || most - most / 2 <= all;
}

/* Restore moments from rounded ones. False if the numbers contradict each other. */
static bool restore_moments(const struct moments *m, struct timing_moments *t)
{
    const uint64_t mean = value_of(m->mean, MEAN_BITS),
                   least = m->count >= 2 ? value_of(m->least, OTHER_BITS) : mean;
    if (least > mean)
        return false;
    const uint64_t sum = m->count == 1 ? mean : sum_of(m->mean, m->count),
                   most = m->count >= 3                        ? value_of(m->most, OTHER_BITS)
                          : m->count == 1 || sum == UINT64_MAX ? sum
                                                               : sum - least;
    *t = (struct timing_moments){.sum = sum < most ? most : sum, .min = least, .max = most};
    const double exact = timing_mean(t, m->count),
                 deviation =
                     m->count >= 3 ? (double)value_of(m->deviation, OTHER_BITS) : exact - (double)least;
    t->squares = (double)m->count * (deviation * deviation + exact * exact);
    for (unsigned b = 0; b < TIMING_BINS; b++)
        t->bins[b] = count_of_code(m->bins[b]);
    if (m->count <= 2)
        t->bins[bin_of(length_of(most))]++;
    if (m->count == 2)
        t->bins[bin_of(length_of(least))]++;
    return mean <= most && most_fits(most, mean, m->count);
}

enum refrain_status codec_times_encode(const struct timing *const *times, size_t n, struct bytes *out)
{
    struct moments *m = malloc((2 * n + 1) * sizeof *m); /* durations, then gaps */
    if (!m) {
        log_error("out of memory: %zu times", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        bytes_put_uint(out, times[i]->count);
        m[i] = round_moments(&times[i]->duration, times[i]->count);
        m[n + i] = round_moments(&times[i]->gap, times[i]->count);
    }
    put_columns(m, 2 * n, out);
    free(m);
    return REFRAIN_OK;
}

enum refrain_status codec_times_decode(struct bytes_reader *in, struct timing *times, size_t n)
{
    struct moments *m = calloc(2 * n + 1, sizeof *m);
    bool fine = true;
    if (!m) {
        log_error("out of memory: %zu times", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        times[i].count = m[i].count = m[n + i].count = bytes_get_uint(in);
        fine = fine && times[i].count > 0;
    }
    fine = fine && get_columns(in, m, 2 * n);
    for (size_t i = 0; i < n && fine; i++)
        fine = restore_moments(&m[i], &times[i].duration) && restore_moments(&m[n + i], &times[i].gap);
    free(m);
    if (fine)
        return REFRAIN_OK;
    log_error("damaged data: times do not fit together");
    return REFRAIN_ERR_FORMAT;
}
