/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_lanes.h"

#include "src/core/base/log.h"
#include "wait_completions.h"

#include <stdlib.h>

enum refrain_status wait_lanes_create(struct wait_lanes *l, const struct reader *r)
{
    ARRAY(struct wait_lane) lanes = {0};
    struct lane_ref ref;
    *l = (struct wait_lanes){.first_rank = r->trace.first_rank, .n_ranks = r->trace.n_ranks};
    l->first = calloc(l->n_ranks + (size_t)1, sizeof *l->first);
    if (!l->first) {
        log_error("out of memory: %u ranks", l->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < l->n_ranks; i++) {
        const uint32_t rank = l->first_rank + i;
        l->first[i] = (uint32_t)lanes.n;
        for (size_t at = 0; reader_next_lane(r, rank, LANE_THREAD, &at, &ref);) {
            const struct wait_lane lane = {.rank = rank, .thread = ref.shape->number};
            if (!array_push(&lanes, lane)) {
                array_free(&lanes);
                wait_lanes_free(l);
                return REFRAIN_ERR_MEMORY;
            }
        }
    }
    l->first[l->n_ranks] = (uint32_t)lanes.n;
    l->items = lanes.items;
    l->n = lanes.n;
    return REFRAIN_OK;
}

void wait_lanes_free(struct wait_lanes *l)
{
    for (size_t i = 0; i < l->n; i++)
        array_free(&l->items[i].open);
    free(l->items);
    free(l->first);
    *l = (struct wait_lanes){0};
}

/* ---- polls and probes ------------------------------------------------------------------------ */

enum look { LOOK_NONE, LOOK_TEST, LOOK_PROBE };

/* Does the call look whether something is there? *found: it is. A blocking probe looks, too. */
static enum look look_of(const struct call *call, const struct call_fields *f, bool *found)
{
    const struct slot_range flag = f->row.after[FIELD_FLAG];
    const bool probes = f->role->kind == CALL_WAITING && !(f->role->actions & (ROLE_COMPLETE | ROLE_CLOSE)) &&
                        f->row.after[FIELD_STATUSES].n > 0;
    *found = f->row.returned && !f->row.failed && (flag.n == 0 || call->slots[flag.at] != 0);
    if (probes)
        return LOOK_PROBE;
    return f->role->actions & ROLE_TEST && flag.n > 0 ? LOOK_TEST : LOOK_NONE;
}

/* It does nothing that ends a state: MPI_Get_count between a probe and its receive. */
static bool is_local(const struct role *role)
{
    return role->actions == 0 && role->kind == CALL_OTHER;
}

static struct call_ref reference(const struct wait_lane *l, const struct call *call, struct timestamp t)
{
    return (struct call_ref){
        .rank = l->rank, .thread = l->thread, .call = call->index, .site = call->site, .timestamp = t};
}

void wait_lane_take(struct wait_lane *l, const struct call *call, const struct timestamp *t,
                    const struct call_fields *f)
{
    bool found;
    const enum look look = look_of(call, f, &found);
    l->receives_found = l->found && f->role->actions & (ROLE_RECEIVE | ROLE_RECEIVE_FOUND) &&
                        f->role->variant == VARIANT_BLOCKING;
    l->completes_poll = false;
    if (look != LOOK_NONE) {
        if (!l->polls)
            l->poll_begin = t->enter;
        else if (t->enter > l->last + WAIT_POLL_GAP)
            l->poll_begin += t->enter - l->last;
        l->completes_poll = found;
        l->polls = !found;
        l->found = look == LOOK_PROBE && found;
        if (l->found)
            l->probe = reference(l, call, (struct timestamp){l->poll_begin, t->leave});
    } else if (!is_local(f->role)) {
        l->polls = false;
        l->found = false;
    }
    if (f->role->actions & ROLE_INIT)
        l->init = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    if (f->role->actions & ROLE_FINALIZE)
        l->finalize = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    if (!l->has_calls)
        l->first = t->enter;
    l->has_calls = true;
    l->last = t->leave;
    l->call = call->index;
}

uint64_t wait_lane_begin(const struct wait_lane *l, struct call_ref *call)
{
    if (call->call != l->call)
        return call->timestamp.enter;
    if (l->receives_found) {
        *call = l->probe;
        return l->probe.timestamp.enter;
    }
    return l->completes_poll ? l->poll_begin : call->timestamp.enter;
}
