/* SPDX-License-Identifier: BSD-3-Clause */
#include "single_times.h"

#include "decoder/times/lane_times.h"
#include "decoder/util/progress.h"

static void add_single(struct tally *t, uint64_t duration, bool is_extreme)
{
    t->time += duration;
    t->shortest = is_extreme && duration < t->shortest ? duration : t->shortest;
    t->longest = is_extreme && duration > t->longest ? duration : t->longest;
    t->singly++;
}

/* Adds the calls of one thread of a rank. of_rank: NULL if sums by rank are not needed; `some`:
 * are sums of functions and sites needed? */
static enum refrain_status sum_lane(struct statistics *s, const struct reader *r, const struct lane_ref *lane,
                                    struct tally *of_rank, bool some, struct progress *progress)
{
    struct lane_times times;
    struct timestamp local;
    uint64_t left = UINT64_MAX; /* end of the previous call */
    bool there;
    enum refrain_status status = lane_times_start(&times, r, lane, &there);
    if (status != REFRAIN_OK || !there)
        return status;
    for (uint64_t i = 0; lane_times_next(&times, &local, &status); i++) {
        const struct timestamp at =
            lane_times_since(&times, 0, local); /* by rank 0's clock, as in the text output */
        const uint64_t duration = at.leave - at.enter;
        const uint64_t gap = at.enter > left ? at.enter - left : 0;
        left = at.leave;
        if (some)
            s->outside += gap;
        struct tally *function = &s->functions[r->trace.sites.items[times.site].function];
        if (of_rank)
            add_single(of_rank, function->is_init ? 0 : duration, !function->is_init);
        if (some)
            add_single(function, duration, true);
        if (some && s->sites)
            add_single(&s->sites[times.site], duration, true);
        progress_call(progress, i);
    }
    lane_times_stop(&times);
    return status;
}

/* If some calls have no times of their own, the sum of the others means nothing. */
static void settle(struct tally *tallies, size_t n)
{
    for (size_t i = 0; tallies && i < n; i++) {
        struct tally *t = &tallies[i];
        if (t->singly > 0 && t->singly == t->calls)
            t->timed = true;
        else if (t->singly > 0)
            t->time = 0;
    }
}

enum refrain_status single_times_sum(struct statistics *s, const struct reader *r, const struct ranges *ranks)
{
    const struct trace *trace = &r->trace;
    const bool some = ranks->items.n > 0;
    enum refrain_status status = REFRAIN_OK;
    struct progress progress;
    struct lane_ref lane;
    progress_start(&progress, "stat", reader_calls(r));
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        if (!ranges_has(ranks, rank))
            continue;
        struct tally *of_rank = s->ranks ? &s->ranks[rank - trace->first_rank] : NULL;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            status = sum_lane(s, r, &lane, of_rank, some, &progress);
    }
    progress_end(&progress);
    if (status != REFRAIN_OK)
        return status;
    settle(s->ranks, trace->n_ranks);
    settle(s->functions, trace->functions.functions.n);
    settle(s->sites, trace->sites.n);
    return REFRAIN_OK;
}
