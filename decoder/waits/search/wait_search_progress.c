/* SPDX-License-Identifier: BSD-3-Clause */
/* Late progress (wait_progress.h): which calls may have waited for their partner's next call. */
#include "wait_search_impl.h"

enum refrain_status wait_search_start_progress(struct wait_search *s)
{
    const struct wait_lanes *l = &s->lanes;
    const enum refrain_status status = wait_progress_create(&s->progress, l->first_rank, l->n_ranks);
    for (uint32_t i = 0; status == REFRAIN_OK && i < l->n_ranks; i++)
        s->progress.lanes[i].alone = l->first[i + 1] - l->first[i] == 1;
    return status;
}

/* Tells what a call waited for besides its completions. */
static enum refrain_status tell(struct wait_search *s, const struct wait_event *e)
{
    const enum refrain_status status = wait_listener_settle(s->listener, &e->call, e->has_cause ? e : NULL);
    return status == REFRAIN_OK && e->has_cause ? wait_search_publish(s, e) : status;
}

static enum refrain_status go_on(struct wait_search *s, uint32_t call)
{
    struct wait_event e;
    return wait_progress_go_on(&s->progress, call, &e) ? tell(s, &e) : REFRAIN_OK;
}

/* The rank has been walked up to `reach`. */
static enum refrain_status reach(struct wait_search *s, uint32_t rank, uint64_t to)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t next, call = wait_progress_reach(&s->progress, rank, to);
         call != PROGRESS_NONE && status == REFRAIN_OK; call = next) {
        next = s->progress.calls.items[call].next;
        status = go_on(s, call);
    }
    return status;
}

/* The call is held as long as it is kept: others may come to depend on it. */
static enum refrain_status keep(struct wait_search *s, const struct lane_return *r)
{
    struct call_ref dropped;
    const enum refrain_status status = wait_listener_hold(s->listener, &r->call);
    if (wait_progress_return(&s->progress, r, &dropped))
        wait_listener_release(s->listener, &dropped);
    return status;
}

enum refrain_status wait_search_take_return(struct wait_search *s, uint32_t lane, const struct call *call,
                                            const struct timestamp *t, const struct call_fields *f,
                                            bool begins)
{
    const struct wait_lane *l = &s->lanes.items[lane];
    struct progress_lane *p = &s->progress.lanes[l->rank - s->lanes.first_rank];
    enum refrain_status status = REFRAIN_OK;
    if (!p->alone)
        return REFRAIN_OK;
    if (!wait_call_is_local(f->role)) {
        const struct lane_return this = {
            p->outside,
            {.rank = l->rank, .thread = l->thread, .call = call->index, .site = call->site, .timestamp = *t}};
        /* The name of a poll changes when its state goes on. */
        if (p->outside > 0 && t->enter >= p->outside + PROGRESS_LEAST && begins && !l->state.polls)
            status = keep(s, &this);
        p->outside = t->leave > p->outside ? t->leave : p->outside;
    }
    return status == REFRAIN_OK ? reach(s, l->rank, t->leave) : status;
}

enum refrain_status wait_search_look_for_progress(struct wait_search *s, const struct wait_event *e)
{
    const bool message = e->kind == EVENT_RECEIVE || e->kind == EVENT_SEND;
    const uint64_t leave = e->call.timestamp.leave, until = e->until > e->begin ? e->until : e->begin;
    struct wait_event late = {.kind = message ? EVENT_LATE_PROGRESS : EVENT_MEMBER_LATE,
                              .call = e->call,
                              .begin =
                                  until < leave ? leave - wait_search_own_part(e, leave - until) : until};
    struct wait_partners partners = {.any = e->deferred};
    if ((!message && !e->deferred) || late.begin + PROGRESS_LEAST > leave)
        return REFRAIN_OK;
    if (e->partners)
        partners = *e->partners;
    else
        wait_partners_add(&partners, e->cause.rank);
    const uint32_t call = wait_progress_begin(&s->progress, &late, &partners);
    if (call == PROGRESS_NONE)
        return REFRAIN_ERR_MEMORY;
    wait_listener_expect(s->listener, &e->call);
    return go_on(s, call);
}

enum refrain_status wait_search_end_progress(struct wait_search *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < s->lanes.n_ranks && status == REFRAIN_OK; i++)
        status = reach(s, s->lanes.first_rank + i, UINT64_MAX);
    for (uint32_t i = 0; i < s->lanes.n_ranks; i++) {
        for (struct call_ref dropped; wait_progress_drop(&s->progress, s->lanes.first_rank + i, &dropped);)
            wait_listener_release(s->listener, &dropped);
    }
    return status;
}
