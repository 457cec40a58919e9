/* SPDX-License-Identifier: BSD-3-Clause */
/* The live handles of a kind; of requests and messages, those whose values fall to it.
 *
 *     live      0x55d0 -> 3        0x7f10 -> 0
 *     handles   [0: 0x7f10] [1: free] [2: 0x55d0, previous 3] [3: 0x55d0, next 2, last 2]     a chain: 3, then 2
 *
 * Everything here is for who has locked the registry, if others may use it. */
#ifndef REFRAIN_HANDLE_REGISTRY_H
#define REFRAIN_HANDLE_REGISTRY_H

#include "handle.h"

/* A live handle; at its place another one may be afterwards. */
struct handle {
    uint64_t value;
    struct handle_numbers *numbers; /* that its number is from */
    uint32_t symbol;
    uint32_t references;     /* how often the application was given it */
    uint64_t made;           /* 0: not live */
    bool busy;               /* of requests: a call that may complete it has not returned yet */
    uint32_t next, previous; /* of the same value; HANDLE_NONE at the ends */
    /* of the first of a value: */
    uint32_t last;                   /* end of the chain */
    const struct handle_user *asked; /* the call that looked the value up last, as its thread … */
    uint64_t serial;                 /* … and its number there … */
    uint32_t visited;                /* … and what it was given then */
    /* of requests: */
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

/* What is done under the lock is short, and threads hardly ever meet there: so it is one that costs little to
 * take when it is free. */
void registry_lock(struct registry *r);
void registry_unlock(struct registry *r);

static inline struct handle *registry_at(struct registry *r, uint32_t handle)
{
    return &r->handles.items[handle];
}

/* A place for a handle; HANDLE_NONE without memory, which has been logged. */
static inline uint32_t registry_take(struct registry *r)
{
    if (r->free) {
        const uint32_t handle = r->free - 1;
        r->free = registry_at(r, handle)->next;
        return handle;
    }
    return array_reserve(&r->handles, 1) ? (uint32_t)r->handles.n++ : HANDLE_NONE;
}

/* The second of a chain becomes its first. */
void registry_promote(struct registry *r, const struct handle *first);
/* One behind the first of a chain leaves it. */
void registry_unchain(struct registry *r, const struct handle *h);

/* A handle at its place, which has no neighbours yet, goes behind those of the same value; false without
 * memory, which has been logged. */
static inline __attribute__((always_inline)) bool registry_link(struct registry *r, uint32_t new)
{
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

/* It is not live any more; its place is free. */
static inline __attribute__((always_inline)) void registry_unlink(struct registry *r, uint32_t handle)
{
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

/* The request that call number `serial` of this thread means by a value that several have from `head` on, or
 * one that another call is about to complete: at its k-th look-up the k-th of this thread's making, else of
 * anyone's. HANDLE_NONE: it has passed the value more often than it is live. */
uint32_t registry_find_chained(struct registry *r, uint32_t head, uint64_t serial);

#endif
