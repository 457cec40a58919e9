/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns operations on windows into events. */
#include "wait_search_impl.h"

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
    enum refrain_status status = wait_search_publish(s, &e);
    e.call = h->closed;
    e.begin = h->closed.timestamp.enter;
    return status == REFRAIN_OK ? wait_search_publish(s, &e) : status;
}

static enum refrain_status tell_exposure(struct wait_search *s, const struct half_epoch *h)
{
    return wait_search_publish(s, &(struct wait_event){.kind = EVENT_COMPLETE,
                                                       .call = h->closed,
                                                       .cause = h->cause,
                                                       .has_cause = true,
                                                       .begin = h->begin,
                                                       .until = h->cause.timestamp.enter,
                                                       .last_access = h->last_access});
}

/* An access that ended before the post did not wait. */
static enum refrain_status tell_early_access(struct wait_search *s, const struct early_access *a)
{
    if (a->post.timestamp.enter > a->call.timestamp.leave + s->slack)
        return REFRAIN_OK;
    return wait_search_publish(s, &(struct wait_event){.kind = EVENT_POST,
                                                       .which = POST_ACCESS,
                                                       .call = a->call,
                                                       .cause = a->post,
                                                       .has_cause = true,
                                                       .begin = a->call.timestamp.enter,
                                                       .until = a->post.timestamp.enter});
}

enum refrain_status wait_search_tell_locks(struct wait_search *s, uint64_t until)
{
    enum refrain_status status = REFRAIN_OK;
    if (!wait_locks_compare(&s->locks, until))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < s->locks.waits.n && status == REFRAIN_OK; i++) {
        const struct lock_wait *w = &s->locks.waits.items[i];
        status = wait_search_publish(s, &(struct wait_event){.kind = EVENT_LOCK,
                                                             .call = w->call,
                                                             .cause = w->unlock,
                                                             .has_cause = true,
                                                             .begin = w->call.timestamp.enter,
                                                             .until = w->unlock.timestamp.leave});
    }
    s->locks.waits.n = 0;
    return status;
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
    if (!wait_locks_take(&s->locks, op))
        return REFRAIN_ERR_MEMORY;
    if (op->epoch == ROLE_LOCK || op->epoch == ROLE_LOCK_ALL)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    return wait_locks_are_many(&s->locks) ? wait_search_tell_locks(s, known_until(s)) : REFRAIN_OK;
}

enum refrain_status wait_search_take_epoch(struct wait_search *s, const struct operation *op)
{
    enum refrain_status status = REFRAIN_OK;
    struct wait_epochs *e = &s->epochs;
    if (op->kind != OPERATION_RMA && op->kind != OPERATION_OPEN && op->kind != OPERATION_CLOSE)
        return REFRAIN_OK;
    if (op->epoch == ROLE_ACCESS || op->epoch == ROLE_EXPOSURE)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    if (!wait_epochs_take(e, op, wait_lane_begin(wait_search_lane_of(s, &op->call), &op->call)))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < e->whole_access.n && status == REFRAIN_OK; i++)
        status = tell_access(s, &e->whole_access.items[i]);
    for (size_t i = 0; i < e->whole_exposure.n && status == REFRAIN_OK; i++)
        status = tell_exposure(s, &e->whole_exposure.items[i]);
    for (size_t i = 0; i < e->early.n && status == REFRAIN_OK; i++)
        status = tell_early_access(s, &e->early.items[i]);
    e->whole_access.n = e->whole_exposure.n = e->early.n = 0;
    return status;
}
