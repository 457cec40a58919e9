/* SPDX-License-Identifier: BSD-3-Clause */
#include "times_reach.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"

/* Finds when the last call with a time ended, by rank 0's clock. */
static enum refrain_status find_until(const struct reader *r, const struct lane_ref *lane, uint64_t calls,
                                      uint64_t *until)
{
    struct lane_times times;
    struct timestamp last;
    bool there;
    enum refrain_status status = lane_times_start(&times, r, lane, &there);
    if (status != REFRAIN_OK)
        return status;
    status = lane_times_seek(&times, calls - 1);
    if (status == REFRAIN_OK && lane_times_next(&times, &last, &status))
        *until = rank_clock_global(times.clock, last.leave);
    lane_times_stop(&times);
    return status;
}

static enum refrain_status add_lane(struct times_reach *reach, const struct reader *r,
                                    const struct lane_ref *lane, uint64_t *passed)
{
    const struct annex_piece *p = lane_times_piece(r, lane->rank, lane->shape->number);
    struct time_piece piece = {0};
    uint64_t calls = 0, until = 0;
    enum refrain_status status =
        lane_walk_count(&r->trace, lane->shape, lane->ordinal, lane->rank, passed, &calls);
    if (status == REFRAIN_OK && p)
        status = time_piece_decode(r->path, r->annex + p->at, p->length, &piece);
    const uint64_t timed = status == REFRAIN_OK ? piece.calls : 0;
    time_piece_free(&piece);
    if (status == REFRAIN_OK && timed > 0 && timed < calls)
        status = find_until(r, lane, timed, &until);
    if (status != REFRAIN_OK)
        return status;
    reach->calls += calls;
    reach->timed += timed;
    if (timed < calls) {
        reach->until = until < reach->until ? until : reach->until;
        reach->least = timed < reach->least ? timed : reach->least;
        if (timed == 0 && !reach->has_none) {
            reach->has_none = true;
            reach->none = lane->rank;
            reach->none_thread = lane->shape->number;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status times_reach_find(struct times_reach *out, const struct reader *r)
{
    assert(lane_times_exist(r));
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    uint64_t *passed = calloc(r->trace.sites.n + 1, sizeof *passed); /* scratch */
    *out = (struct times_reach){.least = UINT64_MAX, .until = UINT64_MAX};
    if (!passed) {
        log_error("out of memory: the calls of %zu sites", r->trace.sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++)
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            status = add_lane(out, r, &lane, passed);
    free(passed);
    return status;
}
