#include "timing.h"

#include "log.h"

#include <math.h>
#include <string.h>

static unsigned bin_of(uint64_t v)
{
    return v == 0 ? 0 : 63u - (unsigned)__builtin_clzll(v);
}

/* Sums and counts stay at their limit instead of wrapping: a million ranks waiting for a day are more than
 * 2^64 ns. */
static uint64_t add64(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint32_t add32(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void moments_clear(struct timing_moments *m)
{
    *m = (struct timing_moments){.min = UINT64_MAX};
}

static void moments_add(struct timing_moments *m, uint64_t v)
{
    m->sum = add64(m->sum, v);
    if (v < m->min)
        m->min = v;
    if (v > m->max)
        m->max = v;
    m->squares += (double)v * (double)v;
    unsigned bin = bin_of(v);
    m->bins[bin] = add32(m->bins[bin], 1);
}

static void moments_merge(struct timing_moments *into, const struct timing_moments *m)
{
    into->sum = add64(into->sum, m->sum);
    if (m->min < into->min)
        into->min = m->min;
    if (m->max > into->max)
        into->max = m->max;
    into->squares += m->squares;
    for (unsigned b = 0; b < TIMING_BINS; b++)
        into->bins[b] = add32(into->bins[b], m->bins[b]);
}

void timing_clear(struct timing *t)
{
    t->count = 0;
    moments_clear(&t->duration);
    moments_clear(&t->gap);
}

void timing_add(struct timing *t, uint64_t gap, uint64_t duration)
{
    t->count++;
    moments_add(&t->duration, duration);
    moments_add(&t->gap, gap);
}

void timing_merge(struct timing *into, const struct timing *t)
{
    into->count = add64(into->count, t->count);
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
    return variance > 0 ? variance : 0; /* rounding may take it below */
}

/* What the others determine is not written: of one value min tells all, of two min and max. The variance has
 * the precision of a float, which is enough for a deviation and half the bytes. */
static void moments_encode(const struct timing_moments *m, uint64_t count, struct bytes *out)
{
    bytes_put_uint(out, m->min);
    if (count == 1)
        return;
    bytes_put_uint(out, m->max - m->min);
    if (count == 2)
        return;
    bytes_put_uint(out, m->sum);
    float variance = (float)timing_variance(m, count);
    uint32_t bits;
    memcpy(&bits, &variance, sizeof bits);
    bytes_put_u32(out, bits);
    for (unsigned b = bin_of(m->min); b <= bin_of(m->max); b++)
        bytes_put_uint(out, m->bins[b]);
}

static bool moments_decode(struct bytes_reader *in, uint64_t count, struct timing_moments *m)
{
    moments_clear(m);
    uint64_t min = bytes_get_uint(in);
    moments_add(m, min);
    if (count == 1)
        return !in->failed;
    uint64_t spread = bytes_get_uint(in);
    if (in->failed || spread > UINT64_MAX - min)
        return false;
    moments_add(m, min + spread);
    if (count == 2)
        return true;
    m->sum = bytes_get_uint(in);
    uint32_t bits = bytes_get_u32(in);
    float variance;
    memcpy(&variance, &bits, sizeof bits);
    if (!isfinite(variance) || variance < 0)
        return false;
    double mean = timing_mean(m, count);
    m->squares = (double)count * (variance + mean * mean);
    for (unsigned b = bin_of(m->min); b <= bin_of(m->max); b++) {
        uint64_t n = bytes_get_uint(in);
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
