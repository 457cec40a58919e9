/* SPDX-License-Identifier: BSD-3-Clause */
#include "handle_registry.h"

#include <assert.h>
#include <sched.h>

#include "thread.h"

void registry_init(struct registry *r)
{
    handle_numbers_init(&r->numbers, HANDLE_NONE);
}

void registry_clear(struct registry *r)
{
    map_free(&r->live);
    array_free(&r->handles);
    r->free = 0;
    handle_numbers_clear(&r->numbers);
}

void registry_lock(struct registry *r)
{
    while (atomic_exchange_explicit(&r->lock, true, memory_order_acquire))
        sched_yield();
}

void registry_unlock(struct registry *r)
{
    assert(atomic_load(&r->lock));
    atomic_store_explicit(&r->lock, false, memory_order_release);
}

void registry_promote(struct registry *r, const struct handle *first)
{
    assert(first->previous == HANDLE_NONE && first->next != HANDLE_NONE);
    struct handle *second = registry_at(r, first->next);
    second->previous = HANDLE_NONE;
    second->last = first->last;
    second->asked = NULL;
    map_set(&r->live, first->value, first->next); /* the key is there: nothing is allocated */
}

void registry_unchain(struct registry *r, const struct handle *h)
{
    assert(h->previous != HANDLE_NONE);
    struct handle *first = registry_at(r, map_get(&r->live, h->value));
    registry_at(r, h->previous)->next = h->next;
    if (h->next != HANDLE_NONE)
        registry_at(r, h->next)->previous = h->previous;
    else
        first->last = h->previous;
    first->asked = NULL;
}

/* Find the first request from `start` on that is not busy: created by this thread (`own`), or by any
 * thread. */
static uint32_t find_idle(struct registry *r, uint32_t start, bool own)
{
    const struct handle_numbers *numbers = &thread_self->handles.requests;
    uint32_t h = start;
    while (h != HANDLE_NONE && (registry_at(r, h)->busy || (own && registry_at(r, h)->numbers != numbers)))
        h = registry_at(r, h)->next;
    return h;
}

uint32_t registry_find_chained(struct registry *r, uint32_t head, uint64_t serial)
{
    assert(registry_at(r, head)->previous == HANDLE_NONE);
    struct handle *first = registry_at(r, head);
    const bool again = first->asked == &thread_self->handles && first->serial == serial;
    const uint32_t start =
        again && first->visited != HANDLE_NONE ? registry_at(r, first->visited)->next : head;
    uint32_t found = find_idle(r, start, true);
    if (found == HANDLE_NONE)
        found = find_idle(r, head, false);
    if (found == HANDLE_NONE && !again) /* all are busy: the first is the best guess */
        found = head;
    first->asked = &thread_self->handles;
    first->serial = serial;
    first->visited = found;
    return found;
}
