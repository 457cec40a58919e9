/* SPDX-License-Identifier: BSD-3-Clause */
#include "times_reach.h"

#include <stdlib.h>

#include "src/core/base/log.h"

/* For a lane without times of its last calls that is up to where its last block of times begins; the origin of
 * time if there is no block. */
static enum refrain_status add_lane(struct times_reach *reach, const struct reader *r,
                                    const struct lane_ref *lane, uint64_t *passed)
{
    const struct trace *t = &r->trace;
    const struct annex_piece *p = lane_times_piece(r, lane->rank, lane->shape->number);
    struct time_piece piece = {0};
    uint64_t calls = 0, until = 0;
    enum refrain_status status = lane_walk_count(t, lane->shape, lane->ordinal, lane->rank, passed, &calls);
    if (status == REFRAIN_OK && p)
        status = time_piece_decode(r->path, r->annex + p->at, p->length, &piece);
    if (status != REFRAIN_OK)
        return status;
    if (piece.blocks.n > 0)
        until = rank_clock_global(rank_clocks_find(&t->clocks, lane->rank),
                                  piece.blocks.items[piece.blocks.n - 1].timestamp);
    reach->calls += calls;
    reach->timed += piece.calls;
    if (piece.calls < calls) {
        reach->until = until < reach->until ? until : reach->until;
        reach->least = piece.calls < reach->least ? piece.calls : reach->least;
    }
    time_piece_free(&piece);
    return status;
}

enum refrain_status times_reach_find(struct times_reach *out, const struct reader *r)
{
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
