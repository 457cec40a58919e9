/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections 10 and 11: times, of signatures and of ranks. */
#include "steps.h"

#include <stdlib.h>

static unsigned log_2(uint64_t v)
{
    unsigned b = 0;
    while (v >>= 1)
        b++;
    return b;
}

static void get_moments(struct input *in, uint64_t count)
{
    uint64_t min = get_uint(in), range = count >= 2 ? get_uint(in) : 0, n = 0;
    refuse_if(in, range > UINT64_MAX - min, "a time is too long");
    if (count < 3)
        return;
    refuse_if(in, get_uint(in) < min + range, "a sum is less than one of its values");
    /* The float 0x7F800000 is infinite; larger bit patterns are NaNs and negative numbers. */
    refuse_if(in, get_fixed(in, 4) >= 0x7F800000, "a variance that is none");
    bool full = false; /* a bin with the largest value may stand for more */
    for (unsigned b = log_2(min); b <= log_2(min + range); b++) {
        uint64_t bin = get_uint(in);
        refuse_if(in, bin > UINT32_MAX, "a bin is too large");
        full = full || bin == UINT32_MAX;
        n += bin;
    }
    refuse_if(in, !full && n != count, "the bins of a timing are not as many values as it has");
}

static void get_timing(struct input *in)
{
    uint64_t count = get_uint(in);
    if (count > 0) {
        get_moments(in, count);
        get_moments(in, count);
    }
}

static void read_group_times(struct trace *t, struct input *in)
{
    for (size_t i = 0; i < t->n_shapes; i++)
        for (size_t e = 0; e < t->shapes[i].n_entries; e++)
            for (size_t g = 0; g < t->shapes[i].entries[e].n_groups; g++)
                for (uint64_t n = t->shapes[i].entries[e].groups[g].n_timings; n > 0; n--)
                    get_timing(in);
}

/* Durations or gaps of a class: the bits of its numbers; for two calls mean and minimum, for one
 * call the mean. */
struct rounded {
    uint64_t count;
    struct {
        unsigned length, mantissa;
    } mean, least, most, deviation;
};

static unsigned get_length(struct input *in, int64_t from, int sign)
{
    int64_t length = from + sign * (int64_t)get_fixed(in, 1);
    refuse_if(in, length < 0 || length > 64, "a time has more than 64 bits, or less than none");
    return (unsigned)length;
}

static uint64_t rounded_value(unsigned length, unsigned mantissa, unsigned bits)
{
    uint64_t v = (uint64_t)1 << bits | mantissa;
    return length == 0 ? 0 : length > bits ? v << (length - 1 - bits) : v >> (bits + 1 - length);
}

static void get_bins(struct input *in, const struct rounded *r)
{
    unsigned first = r->least.length ? r->least.length - 1 : 0,
             last = r->most.length ? r->most.length - 1 : 0;
    uint64_t n = 0;
    bool full = false;
    for (unsigned b = first; b <= last; b++) {
        uint64_t code = get_fixed(in, 1), bin = code < 8 ? code : (4 + code % 4) << (code / 4 - 1);
        refuse_if(in, code > 123, "a bin has a code that is none");
        full = full || code == 123;
        n += bin;
    }
    uint64_t off = n > r->count ? n - r->count : r->count - n;
    refuse_if(in, !full && off > r->count / 8, "the bins of a timing are not as many values as it has");
}

/* Returns the 4 bits of a mantissa. The first of two is in a byte's lower half. */
static unsigned get_half(struct input *in, unsigned *byte, bool *second)
{
    unsigned half = *second ? *byte >> 4 : (*byte = (unsigned)get_fixed(in, 1)) & 15;
    *second = !*second;
    return half;
}

static void get_columns(struct input *in, struct rounded *r, size_t n)
{
    struct rounded *end = r + n;
    unsigned byte = 0;
    bool second = false;
    for (struct rounded *m = r; m < end; m++)
        m->mean.length = get_length(in, 0, 1);
    for (struct rounded *m = r; m < end; m++)
        m->least.length = m->count >= 2 ? get_length(in, m->mean.length, -1) : 0;
    for (struct rounded *m = r; m < end; m++)
        m->most.length = m->count >= 3 ? get_length(in, m->mean.length, 1) : 0;
    for (struct rounded *m = r; m < end; m++)
        m->deviation.length = m->count >= 3 ? get_length(in, m->most.length, -1) : 0;
    for (struct rounded *m = r; m < end; m++)
        if (m->count >= 3)
            get_bins(in, m);
    for (struct rounded *m = r; m < end; m++)
        m->mean.mantissa = (unsigned)get_fixed(in, 1);
    for (struct rounded *m = r; m < end; m++)
        m->least.mantissa = m->count >= 2 ? get_half(in, &byte, &second) : 0;
    refuse_if(in, second && byte >> 4, "half a byte too much");
    second = false;
    for (struct rounded *m = r; m < end; m++)
        m->most.mantissa = m->count >= 3 ? get_half(in, &byte, &second) : 0;
    refuse_if(in, second && byte >> 4, "half a byte too much");
    second = false;
    for (struct rounded *m = r; m < end; m++)
        m->deviation.mantissa = m->count >= 3 ? get_half(in, &byte, &second) : 0;
    refuse_if(in, second && byte >> 4, "half a byte too much");
}

/* Runs after the expansion of lanes: the timing of each class has the calls of its signatures. */
static void read_folded_times(struct trace *t, struct input *in)
{
    uint64_t *calls = zeroed(t->n_rows, sizeof *calls);
    struct rounded *times = zeroed(2 * t->n_rows, sizeof *times);
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        uint64_t k = get_uint(in);
        refuse_if(in, k >= n + 2, "a signature has a class of times that is not there");
        if (k > 0)
            calls[k == 1 ? n++ : k - 2] += t->calls[i];
    }
    for (size_t i = 0; i < n; i++) {
        times[i].count = times[n + i].count = get_uint(in);
        refuse_if(in, times[i].count != calls[i], "a timing does not count the calls of its signatures");
    }
    get_columns(in, times, 2 * n);
    for (struct rounded *m = times; m < times + 2 * n; m++) {
        uint64_t mean = rounded_value(m->mean.length, m->mean.mantissa, 8),
                 most = m->count >= 3 ? rounded_value(m->most.length, m->most.mantissa, 4) : mean;
        refuse_if(in, m->count >= 2 && rounded_value(m->least.length, m->least.mantissa, 4) > mean,
                  "the least time is above the mean");
        refuse_if(in, most < mean, "the longest time is below the mean");
        refuse_if(in, mean < UINT64_MAX / m->count && (most + 1) / 2 > m->count * (mean + 1),
                  "the longest time is more than all of them together");
    }
    free(times);
    free(calls);
}

void read_times(struct trace *t)
{
    struct input *in = section(t, TIME);
    if (in) {
        (t->final ? read_folded_times : read_group_times)(t, in);
        section_end(in);
    }
    if ((in = section(t, RTIM))) {
        for (size_t n = get_count(in, 3); n > 0; n--) {
            get_below(in, t->n_functions);
            const struct body *ranks = get_ranks(in, t, get_uint(in));
            struct body values = get_body(in, 0, &(uint64_t){0});
            refuse_if(in, body_length(&values) != body_length(ranks), "there are not as many times as ranks");
        }
        section_end(in);
    }
}
