/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_share.h"

#include "decoder/times/timed_lane.h"
#include "decoder/times/times_reach.h"
#include "run_begin.h"

/* Of one thread: calls, and the gaps between them. MPI_Init keeps its time, which is reported separately and is
 * no part of a rank's time. */
static enum refrain_status cut_lane(struct statistics *s, const struct reader *r,
                                    const struct timestamps_source *source, const struct lane_ref *lane,
                                    uint64_t begin)
{
    struct tally *of_rank = s->ranks ? &s->ranks[lane->rank - r->trace.first_rank] : NULL;
    struct timed_lane l;
    uint64_t left = UINT64_MAX; /* end of the previous call */
    enum refrain_status status = timed_lane_start(&l, r, source, lane);
    if (status != REFRAIN_OK)
        return status;
    while (timed_lane_next(&l, &status)) {
        const struct timestamp t = l.timestamp;
        const uint64_t gap = t.enter > left ? t.enter - left : 0,
                       late = run_part(begin, left < t.enter ? left : t.enter, t.enter),
                       inside = t.leave - t.enter, before = inside - run_part(begin, t.enter, t.leave);
        struct tally *function = &s->functions[l.call.function];
        s->outside_before += gap - late;
        if (!function->is_init) {
            function->before += before;
            if (s->sites)
                s->sites[l.call.site].before += before;
            if (of_rank)
                of_rank->before += before;
        }
        left = t.leave;
        if (t.leave >= begin)
            break;
    }
    timed_lane_stop(&l);
    return status;
}

/* The gap after the last examined call may also have begun before the run, but then that call had
 * ended by then. */
static enum refrain_status cut(struct statistics *s, const struct reader *r, const struct roles *roles,
                               const struct ranges *ranks)
{
    struct timestamps_source source;
    uint64_t begin = 0, end = 0;
    struct lane_ref lane;
    enum refrain_status status = timestamps_source_create(&source, r, false);
    if (status != REFRAIN_OK)
        return status;
    status = run_begin_find(&begin, r, &source, roles);
    if (status == REFRAIN_OK)
        status = run_end_find(&end, r, &source);
    s->begin = begin;
    s->length = end > begin ? end - begin : 0;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        if (!ranges_has(ranks, rank))
            continue;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            s->run += s->length;
            if (s->ranks)
                s->ranks[rank - r->trace.first_rank].run += s->length;
            status = cut_lane(s, r, &source, &lane, begin);
        }
    }
    timestamps_source_free(&source);
    return status;
}

/* Returns the sum of all times; 0 if some calls have no times. */
static uint64_t sum_of(const struct statistics *s, size_t n)
{
    uint64_t all = s->outside;
    for (size_t i = 0; i < n; i++) {
        if (s->functions[i].calls > 0 && !s->functions[i].timed)
            return 0;
        all += s->functions[i].is_init ? 0 : s->functions[i].time;
    }
    return all;
}

enum refrain_status run_share_find(struct statistics *s, const struct reader *r, const struct roles *roles,
                                   const struct ranges *ranks)
{
    struct times_reach reach = {0};
    enum refrain_status status = REFRAIN_OK;
    if (lane_times_exist(r))
        status = times_reach_find(&reach, r);
    if (status == REFRAIN_OK && reach.calls > 0 && reach.timed == reach.calls)
        return cut(s, r, roles, ranks);
    s->run = sum_of(s, r->trace.functions.functions.n);
    return status;
}
