/* SPDX-License-Identifier: BSD-3-Clause */
/* A listener gets the dependencies of all calls, whether the call has waited or not, in the order in which
 * the search finds them. Causes come before effects (matching.h).
 *
 *     call, operation …, expect …     a lane's next call; its operations; once per result to come
 *     settle                          one result: it depends on the begin of another call, or on none
 *     join                            one joint of begins, for many calls that depend on all (causal_stream.h)
 *     hold                            others may still depend on this begin after its operation's release
 *     release                         ends a hold, or that of a message or collective operation */
#ifndef REFRAIN_WAIT_LISTENER_H
#define REFRAIN_WAIT_LISTENER_H

#include "wait_event.h"

struct wait_search;
struct thread_pool;

struct wait_listener {
    void *context;
    struct thread_pool *pool; /* created by this thread; its other threads help the search, too; NULL: none */
    /* Called before all others, and again before each further walk. */
    enum refrain_status (*start)(void *context, const struct wait_search *s);
    /* `call` has the time of its span (wait_lanes.h). `continues`: the span of the call before it goes on,
     * and includes this call. */
    enum refrain_status (*call)(void *context, const struct call_ref *call, bool continues);
    enum refrain_status (*operation)(void *context, const struct operation *op);
    void (*expect)(void *context, const struct call_ref *call);
    /* `waits`: an event with this call and its cause, even if the call does not wait; NULL: the call depends
     * on none. */
    enum refrain_status (*settle)(void *context, const struct call_ref *call, const struct wait_event *waits);
    /* Makes a joint of held calls and of the members of an earlier joint (`before`; 0: none). *joint is not
     * 0, and kept once. */
    enum refrain_status (*join)(void *context, const struct call_ref *const *calls, size_t n, uint32_t before,
                                uint32_t *joint);
    void (*keep)(void *context, uint32_t joint);
    void (*part)(void *context, uint32_t joint);
    enum refrain_status (*hold)(void *context, const struct call_ref *call);
    void (*release)(void *context, const struct call_ref *call);
    enum refrain_status (*end)(void *context);
};

/* The functions below accept no listener (NULL) and no joint (0). */
static inline enum refrain_status wait_listener_settle(const struct wait_listener *l,
                                                       const struct call_ref *call,
                                                       const struct wait_event *waits)
{
    return l ? l->settle(l->context, call, waits) : REFRAIN_OK;
}

static inline void wait_listener_expect(const struct wait_listener *l, const struct call_ref *call)
{
    if (l)
        l->expect(l->context, call);
}

static inline enum refrain_status wait_listener_hold(const struct wait_listener *l,
                                                     const struct call_ref *call)
{
    return l ? l->hold(l->context, call) : REFRAIN_OK;
}

static inline void wait_listener_release(const struct wait_listener *l, const struct call_ref *call)
{
    if (l)
        l->release(l->context, call);
}

static inline void wait_listener_keep(const struct wait_listener *l, uint32_t joint)
{
    if (l && joint)
        l->keep(l->context, joint);
}

static inline void wait_listener_part(const struct wait_listener *l, uint32_t joint)
{
    if (l && joint)
        l->part(l->context, joint);
}

#endif
