/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns operations on windows into events. */
#include "wait_search_impl.h"

/* Settles a call that may have waited for these partners: those that came before its end. `waits`: an event with the
 * call, and with the last one. */
static enum refrain_status settle(struct wait_search *s, struct wait_event *waits, const struct half_epoch *h)
{
    struct meeting_causes *m = &s->causes;
    enum refrain_status status = REFRAIN_OK;
    const struct call_ref *last = NULL;
    if (!s->listener)
        return REFRAIN_OK;
    m->calls.n = 0;
    for (size_t i = 0; i < h->partners.n; i++) {
        const struct call_ref *partner = &h->partners.items[i];
        if (partner->timestamp.enter > waits->call.timestamp.leave + s->slack)
            continue;
        last = last && last->timestamp.enter >= partner->timestamp.enter ? last : partner;
        if (!array_push(&m->calls, partner))
            return REFRAIN_ERR_MEMORY;
    }
    if (!last)
        return wait_listener_settle(s->listener, &waits->call, NULL);
    struct wait_event e = *waits;
    e.cause = *last;
    if (m->calls.n > 1)
        status = s->listener->join(s->listener->context, m->calls.items, m->calls.n, 0, &e.joint);
    if (status == REFRAIN_OK)
        status = wait_listener_settle(s->listener, &e.call, &e);
    wait_listener_part(s->listener, e.joint);
    return status;
}

static enum refrain_status tell_epoch(struct wait_search *s, struct wait_event *e, const struct half_epoch *h)
{
    const enum refrain_status status = settle(s, e, h);
    return status == REFRAIN_OK && h->partners.n > 0 ? wait_search_publish(s, e) : status;
}

/* The call that begins an access epoch waits for the targets to post. If a post comes after that
 * call, the call that ends the epoch waits. */
static enum refrain_status tell_access(struct wait_search *s, const struct half_epoch *h)
{
    struct wait_event e = {.kind = EVENT_POST,
                           .call = h->opened,
                           .cause = h->cause,
                           .has_cause = true,
                           .begin = h->opened.timestamp.enter,
                           .until = h->cause.timestamp.enter};
    const enum refrain_status status = tell_epoch(s, &e, h);
    e.call = h->closed;
    e.begin = h->closed.timestamp.enter;
    return status == REFRAIN_OK ? tell_epoch(s, &e, h) : status;
}

static enum refrain_status tell_exposure(struct wait_search *s, const struct half_epoch *h)
{
    struct wait_event e = {.kind = EVENT_COMPLETE,
                           .call = h->closed,
                           .cause = h->cause,
                           .has_cause = true,
                           .begin = h->begin,
                           .until = h->cause.timestamp.enter,
                           .last_access = h->last_access};
    return tell_epoch(s, &e, h);
}

/* Others may come to depend on the begins of the partners' calls until the epoch is reported (take_epoch). */
static void release(struct wait_search *s, struct half_epoch *h)
{
    for (size_t i = 0; i < h->partners.n; i++)
        wait_listener_release(s->listener, &h->partners.items[i]);
    array_free(&h->partners);
}

/* An access that ended before the post did not wait. */
static enum refrain_status tell_posted(struct wait_search *s, const struct posted_access *a)
{
    const struct wait_event e = {.kind = EVENT_POST,
                                 .which = POST_ACCESS,
                                 .call = a->call,
                                 .cause = a->post,
                                 .has_cause = true,
                                 .begin = a->call.timestamp.enter,
                                 .until = a->post.timestamp.enter};
    const bool depends = a->post.timestamp.enter <= a->call.timestamp.leave + s->slack;
    const enum refrain_status status = wait_listener_settle(s->listener, &a->call, depends ? &e : NULL);
    return status == REFRAIN_OK && depends && e.until > e.begin ? wait_search_publish(s, &e) : status;
}

static enum refrain_status tell_lock(struct wait_search *s, const struct lock_wait *w)
{
    const struct wait_event e = {.kind = EVENT_LOCK,
                                 .call = w->call,
                                 .cause = w->unlock,
                                 .has_cause = true,
                                 .begin = w->call.timestamp.enter,
                                 .until = w->unlock.timestamp.leave};
    enum refrain_status status = REFRAIN_OK;
    if (w->is_awaited)
        status = wait_listener_settle(s->listener, &w->call, w->has_unlock ? &e : NULL);
    return status == REFRAIN_OK && w->has_unlock ? wait_search_publish(s, &e) : status;
}

static enum refrain_status tell_locks(struct wait_search *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->locks.waits.n && status == REFRAIN_OK; i++)
        status = tell_lock(s, &s->locks.waits.items[i]);
    for (size_t i = 0; i < s->locks.forgotten.n; i++)
        wait_listener_release(s->listener, &s->locks.forgotten.items[i]);
    s->locks.waits.n = s->locks.forgotten.n = 0;
    return status;
}

enum refrain_status wait_search_tell_locks(struct wait_search *s, uint64_t until)
{
    return wait_locks_compare(&s->locks, until) ? tell_locks(s) : REFRAIN_ERR_MEMORY;
}

/* Returns the time until which all lanes have reported their calls. */
static uint64_t known_until(const struct wait_search *s)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < s->lanes.n; i++) {
        const struct wait_lane *l = &s->lanes.items[i];
        if (!l->finalize.there && l->last < least)
            least = l->last;
    }
    return least;
}

enum refrain_status wait_search_take_lock(struct wait_search *s, const struct operation *op)
{
    enum refrain_status status = REFRAIN_OK;
    if (!wait_locks_take(&s->locks, op))
        return REFRAIN_ERR_MEMORY;
    if (op->epoch == ROLE_LOCK || op->epoch == ROLE_LOCK_ALL)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    if (s->locks.is_awaited)
        wait_listener_expect(s->listener, &op->call);
    for (uint32_t i = 0; i < s->locks.n_holds && status == REFRAIN_OK; i++)
        status = wait_listener_hold(s->listener, &op->call);
    if (status == REFRAIN_OK && s->locks.waits.n > 0)
        status = tell_locks(s);
    return status == REFRAIN_OK && wait_locks_are_due(&s->locks) ? wait_search_tell_locks(s, known_until(s))
                                                                 : status;
}

enum refrain_status wait_search_take_epoch(struct wait_search *s, const struct operation *op)
{
    enum refrain_status status = REFRAIN_OK;
    struct wait_epochs *e = &s->epochs;
    struct wait_shares shares;
    if (op->kind != OPERATION_RMA && op->kind != OPERATION_OPEN && op->kind != OPERATION_CLOSE)
        return REFRAIN_OK;
    if (op->epoch == ROLE_ACCESS || op->epoch == ROLE_EXPOSURE)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    if (!wait_epochs_take(e, op,
                          wait_lane_begin(wait_search_lane_of(s, &op->call), &op->call, true, &shares)))
        return REFRAIN_ERR_MEMORY;
    if (e->is_reported)
        wait_listener_expect(s->listener, &op->call);
    for (uint32_t i = 0; i < e->n_partners && status == REFRAIN_OK; i++)
        status = wait_listener_hold(s->listener, &op->call);
    for (size_t i = 0; i < e->posted.n && status == REFRAIN_OK; i++)
        status = tell_posted(s, &e->posted.items[i]);
    for (size_t i = 0; i < e->whole_access.n && status == REFRAIN_OK; i++)
        status = tell_access(s, &e->whole_access.items[i]);
    for (size_t i = 0; i < e->whole_exposure.n && status == REFRAIN_OK; i++)
        status = tell_exposure(s, &e->whole_exposure.items[i]);
    for (size_t i = 0; i < e->whole_access.n; i++)
        release(s, &e->whole_access.items[i]);
    for (size_t i = 0; i < e->whole_exposure.n; i++)
        release(s, &e->whole_exposure.items[i]);
    e->whole_access.n = e->whole_exposure.n = e->posted.n = 0;
    return status;
}
