/* SPDX-License-Identifier: BSD-3-Clause */
/* A registry has the live handles of one kind. Requests and messages have several registries,
 * chosen by value.
 *
 *     live      0x55d0 -> 3        0x7f10 -> 0
 *     handles   [0: 0x7f10] [1: free] [2: 0x55d0, previous 3] [3: 0x55d0, next 2, last 2]
 *                                     a chain: 3, then 2
 *
 * If other threads may use the registry, the caller must have locked it. */
#ifndef REFRAIN_HANDLE_REGISTRY_H
#define REFRAIN_HANDLE_REGISTRY_H

#include <assert.h>

#include "handle.h"

/* A live handle. When it is freed, another handle may take its place in the array. */
struct handle {
    uint64_t value;
    struct handle_numbers *numbers; /* where its number is from */
    uint32_t symbol;
    uint32_t references;     /* how often the application has got it */
    uint64_t made;           /* 0: not live */
    bool busy;               /* requests: a call that may complete it has not returned yet */
    uint32_t next, previous; /* in the chain of the same value; HANDLE_NONE at the ends */
    /* only for the first handle of a chain: */
    uint32_t last;                   /* end of the chain */
    const struct handle_user *asked; /* thread of the call that last looked the value up, … */
    uint64_t serial;                 /* … the number of that call … */
    uint32_t visited;                /* … and the handle that it got */
    /* only for requests: */
    enum handle_status status;
    bool persistent, active;
};

struct registry {
    atomic_bool lock;
    struct map live; /* value -> first handle of its chain */
    ARRAY(struct handle) handles;
    uint32_t free; /* handles that are not live, linked by `next`, + 1; 0 at the end */
    uint64_t made; /* so far */
    struct handle_numbers numbers;
};

void registry_init(struct registry *r);
void registry_clear(struct registry *r);

/* The work under the lock is short, and two threads rarely need it at once. So this lock is cheap to take
 * when it is free. */
void registry_lock(struct registry *r);
void registry_unlock(struct registry *r);

static inline struct handle *registry_at(struct registry *r, uint32_t handle)
{
    assert(handle < r->handles.n);
    return &r->handles.items[handle];
}

/* Return a place for a handle; HANDLE_NONE when memory is short (logged). */
static inline uint32_t registry_take(struct registry *r)
{
    if (r->free) {
        const uint32_t handle = r->free - 1;
        r->free = registry_at(r, handle)->next;
        return handle;
    }
    return array_reserve(&r->handles, 1) ? (uint32_t)r->handles.n++ : HANDLE_NONE;
}

/* Make the second handle of a chain its first. */
void registry_promote(struct registry *r, const struct handle *first);
/* Remove a handle from its chain; not for the first of the chain. */
void registry_unchain(struct registry *r, const struct handle *h);

/* Append a handle, which has no neighbours yet, to the chain of its value. False when memory is short
 * (logged). */
static inline __attribute__((always_inline)) bool registry_link(struct registry *r, uint32_t new)
{
    assert(registry_at(r, new)->next == HANDLE_NONE && registry_at(r, new)->previous == HANDLE_NONE);
    struct handle *h = registry_at(r, new);
    size_t place;
    const uint32_t first_of_value = map_first(&r->live, h->value, &place);
    if (first_of_value == HANDLE_NONE)
        return map_add_at(&r->live, h->value, new, place);
    struct handle *first = registry_at(r, first_of_value);
    h->previous = first->last;
    registry_at(r, first->last)->next = new;
    first->last = new;
    return true;
}

/* End the life of a handle, and free its place. */
static inline __attribute__((always_inline)) void registry_unlink(struct registry *r, uint32_t handle)
{
    assert(registry_at(r, handle)->made > 0);
    struct handle *h = registry_at(r, handle);
    if (h->previous != HANDLE_NONE)
        registry_unchain(r, h);
    else if (h->next != HANDLE_NONE)
        registry_promote(r, h);
    else
        map_remove(&r->live, h->value, handle);
    h->made = 0;
    h->next = r->free;
    r->free = handle + 1;
}

/* Find the request that call number `serial` of this thread means by a value, in the chain that starts at
 * `head` (several requests, or one that another call is about to complete). The k-th look-up finds the
 * k-th request created by this thread, otherwise the k-th of any thread. HANDLE_NONE: the call has passed
 * the value more often than there are live requests. */
uint32_t registry_find_chained(struct registry *r, uint32_t head, uint64_t serial);

#endif
