/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that call*.c share; not for other files. */
#ifndef REFRAIN_CALL_IMPL_H
#define REFRAIN_CALL_IMPL_H

#include <assert.h>

#include "call.h"
#include "src/record/thread.h"
#include "src/record/tracer.h"

/* The call site. The call must not have failed. */
static inline const struct callsite *call_site(const struct call *call)
{
    assert(!call->failed);
    const struct thread *t = call->thread;
    return &t->sites.sites.items[t->scratch.open.site];
}

/* The first part of the class of requests and memory. */
static inline uint64_t call_caller(const struct call *call)
{
    return call->failed ? 0 : call_site(call)->caller;
}

/* Like call_reserve, but mostly without a function call. */
static inline bool call_has_room(struct call *call, size_t n)
{
    const struct scratch *s = &call->thread->scratch;
    const size_t room = (size_t)(s->slots.items + s->slots.cap - call->next);
    return (room >= CALL_ROOM && n <= room - CALL_ROOM) || call_reserve(call, n);
}

/* Begin an array of n elements with `each` slots; n may be an ARRAY_ code. True if the caller must
 * put the elements. */
bool call_put_count(struct call *call, const void *array, int64_t n, size_t each);

#endif
