/* SPDX-License-Identifier: BSD-3-Clause */
/* Aggregate times of one (site, row): of the calls themselves and of the gaps before them, in nanoseconds. */
#ifndef REFRAIN_TIMING_H
#define REFRAIN_TIMING_H

#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

#define TIMING_BINS 64 /* bin b holds values v with floor(log2(v)) == b; v = 0 goes to bin 0 */

struct timing_moments {
    uint64_t sum, min, max; /* min is UINT64_MAX while there is nothing */
    double squares;         /* sum of squares */
    uint32_t bins[TIMING_BINS];
};

struct timing {
    uint64_t count;
    struct timing_moments duration, gap;
};

static inline unsigned timing_bin(uint64_t v)
{
    return 63u - (unsigned)__builtin_clzll(v | 1);
}

/* Sums and counts stay at their limit instead of wrapping: a million ranks waiting for a day are more than
 * 2^64 ns. */
static inline uint64_t timing_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint32_t timing_count(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static inline void timing_moments_add(struct timing_moments *m, uint64_t v)
{
    const double x = (double)(int64_t)v; /* no time is as long as 292 years */
    if (__builtin_add_overflow(m->sum, v, &m->sum))
        m->sum = UINT64_MAX;
    if (v < m->min)
        m->min = v;
    if (v > m->max)
        m->max = v;
    m->squares += x * x;
    uint32_t *bin = &m->bins[timing_bin(v)];
    if (__builtin_add_overflow(*bin, 1, bin))
        *bin = UINT32_MAX;
}

static inline void timing_add(struct timing *t, uint64_t gap, uint64_t duration)
{
    t->count++;
    timing_moments_add(&t->duration, duration);
    timing_moments_add(&t->gap, gap);
}

void timing_clear(struct timing *t);
void timing_merge(struct timing *into, const struct timing *t);
double timing_mean(const struct timing_moments *m, uint64_t count);
double timing_variance(const struct timing_moments *m, uint64_t count);

/* Times in the form in which they can be merged again: all numbers are exact, except a variance, which has
 * the bits of a float. Final files contain rounded times instead (codec_times.h). */
void timing_encode(const struct timing *t, struct bytes *out);
enum refrain_status timing_decode(struct bytes_reader *in, struct timing *out);

#endif
