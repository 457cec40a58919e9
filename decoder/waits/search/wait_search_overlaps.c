/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns calls of several threads of a rank that overlap into events. */
#include "wait_search_impl.h"

static bool has_several(const struct wait_search *s, uint32_t lane)
{
    const uint32_t rank = s->lanes.items[lane].rank - s->lanes.first_rank;
    return s->lanes.first[rank + 1] - s->lanes.first[rank] > 1;
}

static enum refrain_status tell(struct wait_search *s)
{
    struct wait_overlaps *o = &s->overlaps;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < o->waits.n && status == REFRAIN_OK; i++) {
        const struct overlap_wait *w = &o->waits.items[i];
        status = wait_search_publish(s, &(struct wait_event){.kind = EVENT_OVERLAP,
                                                             .call = w->call,
                                                             .cause = w->cause,
                                                             .has_cause = true,
                                                             .begin = w->end - w->length,
                                                             .until = w->end});
    }
    o->waits.n = 0;
    return status;
}

/* The times of polls count as one state, not by call (wait_lanes.h). What a blocking probe waits becomes known when its
 * message is received, and what MPI_Init and MPI_Finalize wait, at the end. */
enum refrain_status wait_search_take_overlap(struct wait_search *s, uint32_t lane, const struct call *call,
                                             const struct timestamp *t, const struct call_fields *f)
{
    if (!has_several(s, lane))
        return REFRAIN_OK;
    const bool polls = s->lanes.items[lane].state.asked.n > 0,
               blocks = polls && f->row.after[FIELD_FLAG].n == 0 && !(f->role->actions & ROLE_TEST),
               is_world = f->role->actions & (ROLE_INIT | ROLE_FINALIZE),
               is_unknown = blocks || is_world || !f->row.returned;
    const struct overlap_call c = {.call = call->index,
                                   .enter = t->enter,
                                   .leave = t->leave,
                                   .site = call->site,
                                   .is_skipped = is_unknown || polls || f->row.failed,
                                   .is_unknown = is_unknown};
    return wait_overlaps_take(&s->overlaps, &s->lanes, lane, &c) ? tell(s) : REFRAIN_ERR_MEMORY;
}

enum refrain_status wait_search_end_overlaps(struct wait_search *s)
{
    return wait_overlaps_end(&s->overlaps, &s->lanes) ? tell(s) : REFRAIN_ERR_MEMORY;
}
