/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that are known only after all calls: which rank was last to enter MPI_Init and
 * MPI_Finalize, and how evenly threads compute. */
#include "wait_search_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Each rank's call waits for the last rank's call. */
static enum refrain_status meet_world(struct wait_search *s, enum wait_event_kind kind,
                                      const struct wait_world_call *(*call_of)(const struct wait_lane *))
{
    const struct wait_world_call *last = NULL;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->lanes.n; i++) {
        const struct wait_world_call *c = call_of(&s->lanes.items[i]);
        if (c->there && (!last || c->call.timestamp.enter > last->call.timestamp.enter))
            last = c;
    }
    for (size_t i = 0; last && i < s->lanes.n && status == REFRAIN_OK; i++) {
        const struct wait_world_call *c = call_of(&s->lanes.items[i]);
        if (c->there && c != last)
            status = wait_search_publish(s, &(struct wait_event){.kind = kind,
                                                                 .call = c->call,
                                                                 .cause = last->call,
                                                                 .has_cause = true,
                                                                 .begin = c->call.timestamp.enter,
                                                                 .until = last->call.timestamp.enter});
    }
    return status;
}

static const struct wait_world_call *init_of(const struct wait_lane *l)
{
    return &l->init;
}

static const struct wait_world_call *finalize_of(const struct wait_lane *l)
{
    return &l->finalize;
}

static enum refrain_status tell_computing(struct wait_search *s, uint32_t site, const uint64_t *by_lane)
{
    struct computing c = {0};
    uint64_t sum = 0;
    enum refrain_status status = REFRAIN_OK;
    bool *shares = calloc(s->lanes.n + 1, sizeof *shares);
    if (!shares) {
        log_error("out of memory: %zu threads", s->lanes.n);
        return REFRAIN_ERR_MEMORY;
    }
    const size_t n = wait_lanes_sharing(&s->lanes, by_lane, shares);
    for (size_t i = 0; i < s->lanes.n; i++) {
        sum += by_lane[i];
        c.threads += by_lane[i] > 0;
    }
    c.mean = n > 0 ? sum / n : 0;
    for (size_t i = 0; i < s->lanes.n && status == REFRAIN_OK; i++) {
        const struct wait_lane *l = &s->lanes.items[i];
        c.own = by_lane[i];
        if (!shares[i])
            continue;
        status = wait_search_publish(
            s, &(struct wait_event){.kind = EVENT_COMPUTING,
                                    .call = {.rank = l->rank, .thread = l->thread, .site = site},
                                    .computing = &c});
    }
    free(shares);
    return status;
}

static enum refrain_status tell_lanes(struct wait_search *s, enum wait_event_kind kind)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->lanes.n && status == REFRAIN_OK; i++) {
        const struct wait_lane *l = &s->lanes.items[i];
        status = wait_search_publish(
            s, &(struct wait_event){.kind = kind, .call = {.rank = l->rank, .thread = l->thread}});
    }
    return status;
}

/* Each thread visits the program once: profilers list only regions that are visited, and the program has time
 * of its own. */
static enum refrain_status visit_program(struct wait_search *s, uint32_t lane)
{
    const struct wait_lane *l = &s->lanes.items[lane];
    return l->has_calls && wait_search_has(s, l->rank)
               ? severities_add(&s->values, s->visits, s->values.n_sites - 1, lane, 1)
               : REFRAIN_OK;
}

/* Ends everything that is still open and reports what is known only at the end. */
enum refrain_status wait_search_end(struct wait_search *s)
{
    enum refrain_status status = REFRAIN_OK;
    struct wait_event out;
    for (size_t i = 0; i < s->lanes.n && status == REFRAIN_OK; i++) {
        if (s->lanes.items[i].has_calls)
            status = wait_search_end_span(s, (uint32_t)i, &s->lanes.items[i].span);
        if (status == REFRAIN_OK)
            status = visit_program(s, (uint32_t)i);
        if (status == REFRAIN_OK)
            status = wait_search_tell_sends(s, &s->lanes.items[i], true);
        for (bool any = true; any && status == REFRAIN_OK;) {
            if (wait_completions_give_up(&s->lanes.items[i], &out, &any))
                status = wait_search_publish_completion(s, &out);
        }
    }
    if (status == REFRAIN_OK)
        status = wait_search_end_progress(s);
    if (status == REFRAIN_OK)
        status = wait_search_tell_locks(s, UINT64_MAX);
    if (status == REFRAIN_OK)
        status = wait_search_end_overlaps(s);
    if (status == REFRAIN_OK)
        status = tell_lanes(s, EVENT_END);
    if (status == REFRAIN_OK)
        status = tell_lanes(s, EVENT_LAST);
    if (status == REFRAIN_OK)
        status = meet_world(s, EVENT_INIT, init_of);
    if (status == REFRAIN_OK)
        status = meet_world(s, EVENT_FINALIZE, finalize_of);
    for (uint32_t i = 0; i < s->computing.n_sites && status == REFRAIN_OK; i++) {
        const uint64_t *by_lane = severities_row(&s->computing, 0, i);
        if (by_lane)
            status = tell_computing(s, i, by_lane);
    }
    wait_instances_sort(&s->worst);
    return status;
}
