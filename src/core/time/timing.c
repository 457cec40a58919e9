/* SPDX-License-Identifier: BSD-3-Clause */
#include "timing.h"

#include "src/core/base/log.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void moments_clear(struct timing_moments *m)
{
    *m = (struct timing_moments){.min = UINT64_MAX};
}

static void moments_merge(struct timing_moments *into, const struct timing_moments *m)
{
    into->sum = timing_sum(into->sum, m->sum);
    if (m->min < into->min)
        into->min = m->min;
    if (m->max > into->max)
        into->max = m->max;
    into->squares += m->squares;
    for (unsigned b = 0; b < TIMING_BINS; b++)
        into->bins[b] = timing_count(into->bins[b], m->bins[b]);
}

void timing_clear(struct timing *t)
{
    t->count = 0;
    moments_clear(&t->duration);
    moments_clear(&t->gap);
}

void timing_merge(struct timing *into, const struct timing *t)
{
    into->count = timing_sum(into->count, t->count);
    moments_merge(&into->duration, &t->duration);
    moments_merge(&into->gap, &t->gap);
}

double timing_mean(const struct timing_moments *m, uint64_t count)
{
    return count == 0 ? 0 : (double)m->sum / (double)count;
}

double timing_variance(const struct timing_moments *m, uint64_t count)
{
    if (count == 0)
        return 0;
    double mean = timing_mean(m, count);
    double variance = m->squares / (double)count - mean * mean;
    return variance > 0 ? variance : 0; /* rounding may make it negative */
}

/* Values that follow from others are not written: a single value equals min; two values are min and
 * max. */
static void moments_encode(const struct timing_moments *m, uint64_t count, struct bytes *out)
{
    bytes_put_uint(out, m->min);
    if (count == 1)
        return;
    bytes_put_uint(out, m->max - m->min);
    if (count == 2)
        return;
    bytes_put_uint(out, m->sum);
    /* If the sum has reached its limit, the difference goes into the variance, which may exceed a
     * float. */
    const float variance = (float)fmin(timing_variance(m, count), (double)FLT_MAX);
    uint32_t bits;
    memcpy(&bits, &variance, sizeof bits);
    bytes_put_u32(out, bits);
    for (unsigned b = timing_bin(m->min); b <= timing_bin(m->max); b++)
        bytes_put_uint(out, m->bins[b]);
}

static bool moments_decode(struct bytes_reader *in, uint64_t count, struct timing_moments *m)
{
    moments_clear(m);
    uint64_t min = bytes_get_uint(in);
    timing_moments_add(m, min);
    if (count == 1)
        return !in->failed;
    uint64_t spread = bytes_get_uint(in);
    if (in->failed || spread > UINT64_MAX - min)
        return false;
    timing_moments_add(m, min + spread);
    if (count == 2)
        return true;
    m->sum = bytes_get_uint(in);
    const uint32_t bits = bytes_get_u32(in);
    float variance;
    memcpy(&variance, &bits, sizeof variance);
    if (!isfinite(variance) || variance < 0)
        return false;
    double mean = timing_mean(m, count);
    m->squares = (double)count * (variance + mean * mean);
    for (unsigned b = timing_bin(m->min); b <= timing_bin(m->max); b++) {
        const uint64_t n = bytes_get_uint(in);
        if (n > UINT32_MAX)
            return false;
        m->bins[b] = (uint32_t)n;
    }
    return !in->failed && m->sum >= m->max;
}

void timing_encode(const struct timing *t, struct bytes *out)
{
    bytes_put_uint(out, t->count);
    if (t->count == 0)
        return;
    moments_encode(&t->duration, t->count, out);
    moments_encode(&t->gap, t->count, out);
}

enum refrain_status timing_decode(struct bytes_reader *in, struct timing *out)
{
    struct timing t;
    timing_clear(&t);
    t.count = bytes_get_uint(in);
    bool sound = !in->failed;
    if (sound && t.count > 0)
        sound = moments_decode(in, t.count, &t.duration) && moments_decode(in, t.count, &t.gap);
    if (!sound) {
        log_error("damaged data: the times of a row do not fit together");
        return REFRAIN_ERR_FORMAT;
    }
    *out = t;
    return REFRAIN_OK;
}
