/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_begin.h"

#include "decoder/times/timed_lane.h"

static bool is_init(const struct reader *r, const struct roles *roles, uint32_t site)
{
    return roles->items[r->trace.sites.items[site].function].actions & ROLE_INIT;
}

static bool has_init(const struct reader *r, const struct roles *roles, const struct shape *shape)
{
    size_t i = 0;
    while (i < shape->entries.n && !is_init(r, roles, shape->entries.items[i].site))
        i++;
    return i < shape->entries.n;
}

/* Finds when the lane left MPI_Init. If that is the lane's last call, it may not have returned;
 * then *there is false. */
static enum refrain_status find_leave(const struct reader *r, const struct timestamps_source *source,
                                      const struct roles *roles, const struct lane_ref *lane, uint64_t *leave,
                                      bool *there)
{
    struct timed_lane l;
    enum refrain_status status = timed_lane_start(&l, r, source, lane);
    bool passed = false;
    *there = false;
    if (status != REFRAIN_OK)
        return status;
    while (!*there && timed_lane_next(&l, &status)) {
        *there = passed;
        if (!passed)
            *leave = l.timestamp.leave;
        passed = passed || is_init(r, roles, l.call.site);
    }
    timed_lane_stop(&l);
    return status;
}

enum refrain_status run_begin_find(uint64_t *begin, const struct reader *r,
                                   const struct timestamps_source *source, const struct roles *roles)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    *begin = 0;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            uint64_t leave = 0;
            bool there = false;
            if (has_init(r, roles, lane.shape))
                status = find_leave(r, source, roles, &lane, &leave, &there);
            if (there && leave > *begin)
                *begin = leave;
        }
    }
    return status;
}

static enum refrain_status find_last(const struct reader *r, const struct lane_ref *lane, uint64_t *last)
{
    struct lane_times times;
    struct timestamp t;
    struct time_piece *piece;
    bool there;
    enum refrain_status status = lane_times_start(&times, r, lane, &there);
    if (status != REFRAIN_OK || !there)
        return status;
    piece = times.piece;
    if (piece->calls > 0)
        status = lane_times_seek(&times, piece->calls - 1);
    if (status == REFRAIN_OK && lane_times_next(&times, &t, &status))
        *last = rank_clock_global(times.clock, t.leave);
    lane_times_stop(&times);
    return status;
}

enum refrain_status run_end_find(uint64_t *end, const struct reader *r,
                                 const struct timestamps_source *source)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    *end = 0;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            uint64_t last = 0;
            status = find_last(r, &lane, &last);
            if (last > source->origin && last - source->origin > *end)
                *end = last - source->origin;
        }
    }
    return status;
}
