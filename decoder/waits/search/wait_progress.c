/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_progress.h"

#include "src/core/base/log.h"

#include <stdlib.h>

void wait_partners_add(struct wait_partners *p, uint32_t rank)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->ranks[i] == rank)
            return;
    }
    if (p->n == PARTNERS_MOST)
        p->any = true;
    else
        p->ranks[p->n++] = rank;
}

enum refrain_status wait_progress_create(struct wait_progress *p, uint32_t first_rank, uint32_t n_ranks)
{
    *p = (struct wait_progress){
        .first_rank = first_rank, .n_ranks = n_ranks, .lanes = calloc(n_ranks + (size_t)1, sizeof *p->lanes)};
    for (uint32_t i = 0; p->lanes && i < n_ranks; i++)
        p->lanes[i].waiting = PROGRESS_NONE;
    if (p->lanes)
        return REFRAIN_OK;
    log_error("out of memory: %u ranks", n_ranks);
    return REFRAIN_ERR_MEMORY;
}

void wait_progress_free(struct wait_progress *p)
{
    free(p->lanes);
    array_free(&p->calls);
    array_free(&p->unused);
    *p = (struct wait_progress){0};
}

static struct progress_lane *lane_of(const struct wait_progress *p, uint32_t rank)
{
    return &p->lanes[rank - p->first_rank];
}

bool wait_progress_return(struct wait_progress *p, const struct lane_return *r, struct call_ref *dropped)
{
    struct progress_lane *l = lane_of(p, r->call.rank);
    const bool drops = l->n - l->first == PROGRESS_KEPT && wait_progress_drop(p, r->call.rank, dropped);
    l->returns[l->n++ % PROGRESS_KEPT] = *r;
    return drops;
}

bool wait_progress_drop(struct wait_progress *p, uint32_t rank, struct call_ref *dropped)
{
    struct progress_lane *l = lane_of(p, rank);
    if (l->first == l->n)
        return false;
    *dropped = l->returns[l->first++ % PROGRESS_KEPT].call;
    return true;
}

uint32_t wait_progress_begin(struct wait_progress *p, const struct wait_event *event,
                             const struct wait_partners *partners)
{
    struct late_call call = {.event = *event, .partners = *partners, .next = PROGRESS_NONE};
    call.event.has_cause = false;
    call.event.until = event->begin;
    if (p->unused.n == 0) {
        if (!array_push(&p->calls, call) || !array_reserve(&p->unused, p->calls.n))
            return PROGRESS_NONE;
        return (uint32_t)(p->calls.n - 1);
    }
    const uint32_t number = p->unused.items[--p->unused.n];
    p->calls.items[number] = call;
    return number;
}

/* Takes the lane's last return before the call's end for the cause, if it can be and is the latest so far. */
static void look_at(const struct progress_lane *l, struct wait_event *e)
{
    const uint64_t leave = e->call.timestamp.leave;
    const double rest = PROGRESS_REST * (double)(leave - e->begin);
    for (uint64_t k = l->n; k > l->first; k--) {
        const struct lane_return *r = &l->returns[(k - 1) % PROGRESS_KEPT];
        const uint64_t enter = r->call.timestamp.enter;
        if (enter > leave)
            continue;
        if (enter > e->until && (double)r->since <= (double)e->begin + rest &&
            (double)(leave - e->begin) >= PROGRESS_SHARE * (double)(enter - r->since) &&
            late_is_cause(e->begin, enter, leave)) {
            e->cause = r->call;
            e->until = enter;
            e->has_cause = true;
        }
        return;
    }
}

/* The rank of the partner that the call looks at; false: there are no more. */
static bool partner_of(const struct wait_progress *p, const struct late_call *c, uint32_t *rank)
{
    const bool more = c->at < (c->partners.any ? p->n_ranks : c->partners.n);
    if (more)
        *rank = c->partners.any ? p->first_rank + c->at : c->partners.ranks[c->at];
    return more;
}

bool wait_progress_go_on(struct wait_progress *p, uint32_t call, struct wait_event *out)
{
    struct late_call *c = &p->calls.items[call];
    uint32_t rank;
    for (; partner_of(p, c, &rank); c->at++) {
        struct progress_lane *l = lane_of(p, rank);
        if (!l->alone || rank == c->event.call.rank)
            continue;
        if (l->reach < c->event.call.timestamp.leave) {
            l->ends = l->waiting == PROGRESS_NONE || c->event.call.timestamp.leave < l->ends
                          ? c->event.call.timestamp.leave
                          : l->ends;
            c->next = l->waiting;
            l->waiting = call;
            return false;
        }
        look_at(l, &c->event);
    }
    *out = c->event;
    p->unused.items[p->unused.n++] = call;
    return true;
}

uint32_t wait_progress_reach(struct wait_progress *p, uint32_t rank, uint64_t reach)
{
    struct progress_lane *l = lane_of(p, rank);
    uint32_t first = PROGRESS_NONE;
    l->reach = reach > l->reach ? reach : l->reach;
    if (l->waiting == PROGRESS_NONE || l->reach < l->ends)
        return PROGRESS_NONE;
    /* Calls that are not over yet stay; the others form a list of their own. */
    l->ends = UINT64_MAX;
    for (uint32_t *at = &l->waiting; *at != PROGRESS_NONE;) {
        struct late_call *c = &p->calls.items[*at];
        if (l->reach < c->event.call.timestamp.leave) {
            l->ends = c->event.call.timestamp.leave < l->ends ? c->event.call.timestamp.leave : l->ends;
            at = &c->next;
            continue;
        }
        const uint32_t this = *at;
        *at = c->next;
        c->next = first;
        first = this;
    }
    return first;
}
