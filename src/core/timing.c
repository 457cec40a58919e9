#include "timing.h"

#include "log.h"

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
    return variance > 0 ? variance : 0; /* rounding may take it below */
}

/* A count of 4 significant bits in a byte: itself below 16, then 8 codes for each power of two.
 *
 *     count   0 … 15    16, 18, 20 … 30    32, 36 … 60    64, 72 … 120
 *     code    0 … 15    16 … 23            24 … 31        32 … 39           15/16 2^32: 239 */
#define CODE_MAX 239

static uint8_t count_code(uint32_t count)
{
    if (count < 16)
        return (uint8_t)count;
    unsigned shift = timing_bin(count) - 3;                                       /* 4 bits are left */
    uint64_t rounded = ((uint64_t)count + (UINT64_C(1) << (shift - 1))) >> shift; /* 8 … 16 */
    uint64_t code = 8 * (uint64_t)shift + rounded; /* 16 is the next power's 8 */
    return (uint8_t)(code < CODE_MAX ? code : CODE_MAX);
}

static uint32_t count_of_code(uint8_t code)
{
    return code < 16 ? code : (uint32_t)(8 + code % 8) << (code / 8 - 1);
}

/* A variance as the bits of a float, or the upper half of them. */
static void put_variance(float variance, bool rounded, struct bytes *out)
{
    uint32_t bits;
    memcpy(&bits, &variance, sizeof bits);
    if (!rounded) {
        bytes_put_u32(out, bits);
        return;
    }
    bits = (bits + 0x8000) >> 16;
    bytes_put_u8(out, (uint8_t)bits);
    bytes_put_u8(out, (uint8_t)(bits >> 8));
}

static float get_variance(struct bytes_reader *in, bool rounded)
{
    uint32_t bits;
    if (rounded) {
        bits = (uint32_t)bytes_get_u8(in) << 16;
        bits |= (uint32_t)bytes_get_u8(in) << 24;
    } else {
        bits = bytes_get_u32(in);
    }
    float variance;
    memcpy(&variance, &bits, sizeof variance);
    return variance;
}

/* What the others determine is not written: of one value min tells all, of two min and max. */
static void moments_encode(const struct timing_moments *m, uint64_t count, bool rounded, struct bytes *out)
{
    bytes_put_uint(out, m->min);
    if (count == 1)
        return;
    bytes_put_uint(out, m->max - m->min);
    if (count == 2)
        return;
    bytes_put_uint(out, m->sum);
    put_variance((float)timing_variance(m, count), rounded, out);
    for (unsigned b = timing_bin(m->min); b <= timing_bin(m->max); b++) {
        if (rounded)
            bytes_put_u8(out, count_code(m->bins[b]));
        else
            bytes_put_uint(out, m->bins[b]);
    }
}

static bool get_bin(struct bytes_reader *in, bool rounded, uint32_t *count)
{
    uint64_t n = rounded ? bytes_get_u8(in) : bytes_get_uint(in);
    if (n > (rounded ? CODE_MAX : UINT32_MAX))
        return false;
    *count = rounded ? count_of_code((uint8_t)n) : (uint32_t)n;
    return true;
}

static bool moments_decode(struct bytes_reader *in, uint64_t count, bool rounded, struct timing_moments *m)
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
    float variance = get_variance(in, rounded);
    if (!isfinite(variance) || variance < 0)
        return false;
    double mean = timing_mean(m, count);
    m->squares = (double)count * (variance + mean * mean);
    for (unsigned b = timing_bin(m->min); b <= timing_bin(m->max); b++) {
        if (!get_bin(in, rounded, &m->bins[b]))
            return false;
    }
    return !in->failed && m->sum >= m->max;
}

void timing_encode(const struct timing *t, bool rounded, struct bytes *out)
{
    bytes_put_uint(out, t->count);
    if (t->count == 0)
        return;
    moments_encode(&t->duration, t->count, rounded, out);
    moments_encode(&t->gap, t->count, rounded, out);
}

enum refrain_status timing_decode(struct bytes_reader *in, bool rounded, struct timing *out)
{
    struct timing t;
    timing_clear(&t);
    t.count = bytes_get_uint(in);
    bool sound = !in->failed;
    if (sound && t.count > 0)
        sound =
            moments_decode(in, t.count, rounded, &t.duration) && moments_decode(in, t.count, rounded, &t.gap);
    if (!sound) {
        log_error("damaged data: the times of a row do not fit together");
        return REFRAIN_ERR_FORMAT;
    }
    *out = t;
    return REFRAIN_OK;
}
