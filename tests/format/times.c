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

/* What a rounded bin stands for. */
static uint64_t get_rounded_bin(struct input *in)
{
    uint64_t code = get_fixed(in, 1);
    refuse_if(in, code > 239, "a bin has a code that is none");
    return code < 16 ? code : (8 + code % 8) << (code / 8 - 1);
}

static void get_moments(struct input *in, bool final, uint64_t count)
{
    uint64_t min = get_uint(in), range = count >= 2 ? get_uint(in) : 0, n = 0;
    refuse_if(in, range > UINT64_MAX - min, "a time is too long");
    if (count < 3)
        return;
    refuse_if(in, get_uint(in) < min + range, "a sum is less than one of its values");
    /* The float 0x7F800000 is infinite; behind it are NaNs and those below 0. */
    uint64_t variance = final ? get_fixed(in, 2) << 16 : get_fixed(in, 4);
    refuse_if(in, variance >= 0x7F800000, "a variance that is none");
    bool full = false; /* a bin that is at its largest value does not tell how many there were */
    for (unsigned b = log_2(min); b <= log_2(min + range); b++) {
        uint64_t bin = final ? get_rounded_bin(in) : get_uint(in);
        refuse_if(in, bin > UINT32_MAX, "a bin is too large");
        full = full || bin == UINT32_MAX;
        n += bin;
    }
    uint64_t off = n > count ? n - count : count - n, allowed = final ? count / 16 : 0;
    refuse_if(in, !full && off > allowed, "the bins of a timing are not as many values as it has");
}

static uint64_t get_timing(struct input *in, bool final)
{
    uint64_t count = get_uint(in);
    if (count > 0) {
        get_moments(in, final, count);
        get_moments(in, final, count);
    }
    return count;
}

static void read_group_times(struct trace *t, struct input *in)
{
    for (size_t i = 0; i < t->n_shapes; i++)
        for (size_t e = 0; e < t->shapes[i].n_entries; e++)
            for (size_t g = 0; g < t->shapes[i].entries[e].n_groups; g++)
                for (uint64_t n = t->shapes[i].entries[e].groups[g].n_timings; n > 0; n--)
                    get_timing(in, false);
}

/* After the lanes are expanded: the timing of each class has the calls of its signatures. */
static void read_folded_times(struct trace *t, struct input *in)
{
    uint64_t *calls = zeroed(t->n_rows, sizeof *calls);
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        uint64_t k = get_uint(in);
        refuse_if(in, k >= n + 2, "a signature has a class of times that is not there");
        if (k > 0)
            calls[k == 1 ? n++ : k - 2] += t->calls[i];
    }
    for (size_t i = 0; i < n; i++)
        refuse_if(in, get_timing(in, true) != calls[i],
                  "a timing does not count the calls of its signatures");
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
