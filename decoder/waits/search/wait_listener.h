/* SPDX-License-Identifier: BSD-3-Clause */
/* Who wants to know of all calls what each could not end before, whether it has waited or not: as the search finds it out, in
 * an order that causes allow (matching.h).
 *
 *     call, operation …, expect …     a lane's next call; what it does; so many things will be known of it
 *     settle                          one of these: it depends on the beginning of another call, or on none
 *     join                            many will each depend on all of these beginnings: one joint of them (causal_stream.h)
 *     hold                            others may be found to depend on this beginning, although its operation is released
 *     release                         of an operation that begins a message or is collective, or of a hold: no others will */
#ifndef REFRAIN_WAIT_LISTENER_H
#define REFRAIN_WAIT_LISTENER_H

#include "wait_event.h"

struct wait_search;

struct wait_listener {
    void *context;
    /* Before all others, also when all is walked again. */
    enum refrain_status (*start)(void *context, const struct wait_search *s);
    /* With the time of its span (wait_lanes.h). If it `continues`, that is the span of the call before it, with it. */
    enum refrain_status (*call)(void *context, const struct call_ref *call, bool continues);
    enum refrain_status (*operation)(void *context, const struct operation *op);
    void (*expect)(void *context, const struct call_ref *call);
    /* `waits`: an event with this call and its cause, whether it waits or not; NULL: it depends on none. */
    enum refrain_status (*settle)(void *context, const struct call_ref *call, const struct wait_event *waits);
    /* Calls that are held; with those of an earlier joint, or of none (0). *joint is not 0, and kept once. */
    enum refrain_status (*join)(void *context, const struct call_ref *const *calls, size_t n, uint32_t before,
                                uint32_t *joint);
    void (*keep)(void *context, uint32_t joint);
    void (*part)(void *context, uint32_t joint);
    enum refrain_status (*hold)(void *context, const struct call_ref *call);
    void (*release)(void *context, const struct call_ref *call);
    enum refrain_status (*end)(void *context);
};

/* What follows is also of nobody, NULL, and of no joint, 0. */
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
