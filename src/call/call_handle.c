/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles in the rows of calls, and what calls do to them. */
#include "call_impl.h"

#include "src/core/base/mix.h"
#include "src/core/base/placement.h"
#include "src/record/datatype.h"
#include "src/record/handle_constant.h"
#include "src/record/tracer.h"

#include <assert.h>

/* ---- IN -------------------------------------------------------------------------------------- */

static inline void put_communicator(struct call *call, uint64_t value, int64_t slot)
{
    call->class_key = mix_lightly(call->class_key, (uint64_t)slot);
    if (!call->comm_given) {
        call->comm_given = true;
        call->comm = (MPI_Comm)(intptr_t)value;
        call->comm_slot = slot;
    }
    call_put(call, slot);
}

/* Each kind has two functions: one searches only the thread's cache, so that it saves no registers;
 * the other one searches everything. */
static __attribute__((noinline)) void search_communicator(struct call *call, uint64_t value)
{
    put_communicator(call, value, handle_search(&call->thread->handles, HANDLE_COMMUNICATOR, value)->slot);
}

HOT void call_communicator(struct call *call, uint64_t value)
{
    const struct handle_cached *known = handle_recall(&call->thread->handles, HANDLE_COMMUNICATOR, value);
    if (known)
        put_communicator(call, value, known->slot);
    else
        search_communicator(call, value);
}

static __attribute__((noinline)) void search_datatype(struct call *call, uint64_t value)
{
    const struct handle_cached *found = handle_find(&call->thread->handles, HANDLE_DATATYPE, value);
    if (found->handle == HANDLE_NONE && found->slot != HANDLE_UNKNOWN)
        datatype_used(value, found->slot);
    call_put(call, found->slot);
}

HOT void call_datatype(struct call *call, uint64_t value)
{
    const struct handle_cached *known = handle_recall(&call->thread->handles, HANDLE_DATATYPE, value);
    if (known && (known->handle != HANDLE_NONE || datatype_is_defined(known->slot)))
        call_put(call, known->slot);
    else
        search_datatype(call, value);
}

static __attribute__((noinline)) void search_other_handle(struct call *call, enum handle_kind kind,
                                                          uint64_t value)
{
    struct handle_ref ref;
    call_put(call, kind == HANDLE_REQUEST ? handle_meet(kind, value, call->thread->serial, false, &ref)
                                          : handle_find(&call->thread->handles, kind, value)->slot);
}

HOT void call_other_handle(struct call *call, enum handle_kind kind, uint64_t value)
{
    const struct handle_cached *known = handle_recall(&call->thread->handles, kind, value);
    if (known) /* requests are not cached, so this is another kind */
        call_put(call, known->slot);
    else
        search_other_handle(call, kind, value);
}

void call_handle_returned(struct call *call, enum handle_kind kind, uint64_t value)
{
    struct handle_ref ref;
    call_put(call, handle_meet(kind, value, 0, false, &ref));
}

void call_handles(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle(call, kind, handle_load((const char *)array + (size_t)i * size, size));
}

/* ---- INOUT ----------------------------------------------------------------------------------- */

/* Add an entry to the watched handles; NULL if the tracer has failed. */
static inline struct watched *next_watched(struct call *call, const void *at, size_t size)
{
    struct scratch *s = &call->thread->scratch;
    if (call->failed || (s->watched.n == s->watched.cap && !array_reserve(&s->watched, 1))) {
        call_fail(call);
        return NULL;
    }
    struct watched *w = &s->watched.items[s->watched.n++];
    w->at = at;
    w->size = (uint32_t)size;
    return w;
}

void call_other_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size)
{
    if (!handle) {
        call_put(call, HANDLE_UNKNOWN); /* MPI will refuse the null pointer */
        return;
    }
    struct watched *w = next_watched(call, handle, size);
    if (!w)
        return;
    const uint64_t value = handle_load(handle, size);
    w->slot = handle_meet(kind, value, call->thread->serial, true, &w->handle);
    if (kind == HANDLE_COMMUNICATOR)
        put_communicator(call, value, w->slot);
    else
        call_put(call, w->slot);
}

HOT static __attribute__((noinline)) void watch_request(struct call *call, const void *at, uint64_t value)
{
    struct watched *w = next_watched(call, at, sizeof(MPI_Request));
    if (w)
        call_put(call, w->slot = handle_meet_busy(value, call->thread->serial, &w->handle));
}

/* A null request, as in a loop over MPI_Test, needs no search. */
HOT void call_request_watch(struct call *call, const void *request)
{
    struct scratch *s = &call->thread->scratch;
    int64_t slot;
    if (!request) {
        call_put(call, HANDLE_UNKNOWN);
        return;
    }
    const uint64_t value = handle_load(request, sizeof(MPI_Request));
    if (!handle_constant_is_least(HANDLE_REQUEST, value, &slot) || call->failed ||
        s->watched.n == s->watched.cap) {
        watch_request(call, request, value);
        return;
    }
    struct watched *w = &s->watched.items[s->watched.n++];
    w->at = request;
    w->size = sizeof(MPI_Request);
    w->slot = slot;
    handle_ref_none(&w->handle, HANDLE_REQUEST, value);
    call_put(call, slot);
}

HOT void call_handles_watch(struct call *call, enum handle_kind kind, const void *array, size_t size,
                            int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle_watch(call, kind, (const char *)array + (size_t)i * size, size);
}

void call_request_peek(struct call *call, uint64_t value)
{
    watch_request(call, NULL, value);
}

void call_requests_peek(struct call *call, const MPI_Request *requests, int64_t n)
{
    if (!call_put_count(call, requests, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_request_peek(call, HANDLE_VALUE(requests[i]));
}

/* The handle's value after the call. If the call replaced it by a null handle or another one, the
 * old handle is free. Failed calls are included, since they too may free handles. Another thread
 * may have received the same value meanwhile; call_handle_new has freed the old handle in that
 * case. */
static inline uint64_t value_now(const struct watched *w)
{
    return w->at ? handle_load(w->at, w->size) : w->handle.value;
}

HOT static __attribute__((noinline)) void settle(struct watched *w, const struct watched *end)
{
    for (; w < end; w++)
        handle_settle(&w->handle, value_now(w), &w->slot);
}

HOT void call_settle(struct call *call)
{
    const struct scratch *s = &call->thread->scratch;
    if (call->failed)
        return;
    struct watched *w = s->watched.items;
    const struct watched *end = w + s->watched.n;
    while (w < end && w->handle.handle == HANDLE_NONE && value_now(w) == w->handle.value)
        w++; /* a null handle that is still null */
    if (w < end)
        settle(w, end);
}

HOT void call_handle_after(struct call *call)
{
    assert(call->watched < call->thread->scratch.watched.n);
    if (!call->failed)
        call_put(call, call->thread->scratch.watched.items[call->watched++].slot);
}

HOT void call_handles_after(struct call *call, const void *array, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle_after(call);
}

void call_nullable_handle_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size)
{
    call_put(call, handle ? 1 : ARRAY_NULL);
    if (handle)
        call_handle_watch(call, kind, handle, size);
}

void call_nullable_handle_after(struct call *call, const void *handle)
{
    call_put(call, handle ? 1 : ARRAY_NULL);
    if (handle)
        call_handle_after(call);
}

/* ---- OUT ------------------------------------------------------------------------------------- */

/* The class of a handle other than a request (docs/TEXT.md). Datatypes have one class if all slots
 * before the call are equal. */
static uint64_t class_of(const struct call *call, enum handle_kind kind)
{
    uint64_t key = call_site(call)->hash;
    const struct scratch *s = &call->thread->scratch;
    for (uint32_t i = 0; kind == HANDLE_DATATYPE && i < s->open.n; i++)
        key = mix(key, (uint64_t)s->slots.items[i]);
    return key;
}

void call_handle_new(struct call *call, enum handle_kind kind, uint64_t value, enum call_origin origin)
{
    int64_t slot = HANDLE_UNKNOWN;
    bool is_new = false;
    if (call->failed)
        return;
    if (handle_find_constant(kind, value, &slot)) {
        call_put(call, slot);
        return;
    }
    const uint64_t key = class_of(call, kind);
    if ((origin == CALL_MADE
             ? handle_make(kind, value, key, &slot, &is_new)
             : handle_share(kind, value, origin == CALL_LENT, key, &slot, &is_new)) != REFRAIN_OK)
        call_fail(call);
    if (kind == HANDLE_DATATYPE && is_new)
        datatype_define(value, slot);
    call_put(call, slot);
}

void call_handles_new(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n,
                      enum call_origin origin)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle_new(call, kind, handle_load((const char *)array + (size_t)i * size, size), origin);
}

void call_nullable_handle_new(struct call *call, enum handle_kind kind, const void *handle, size_t size,
                              enum call_origin origin)
{
    call_put(call, handle ? 1 : ARRAY_NULL);
    if (handle)
        call_handle_new(call, kind, handle_load(handle, size), origin);
}

HOT void call_request_new(struct call *call, uint64_t value, enum handle_status status, bool persistent)
{
    int64_t slot = HANDLE_UNKNOWN;
    const uint64_t key = mix_lightly(call->class_key, call_caller(call));
    if (!call->failed && handle_make_request(value, key, status, persistent, &slot) != REFRAIN_OK)
        call_fail(call);
    call_put(call, slot);
}

void call_requests_started(struct call *call)
{
    const struct scratch *s = &call->thread->scratch;
    for (size_t i = 0; i < s->watched.n && !call->failed; i++) {
        const struct watched *w = &s->watched.items[i];
        if (w->handle.handle != HANDLE_NONE)
            handle_started(&w->handle);
    }
}
