/* Handles in the rows of calls, and what calls do to them. */
#include "call_impl.h"

#include "datatype.h"
#include "mix.h"
#include "tracer.h"

/* ---- IN ------------------------------------------------------------------------------------------------ */

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

void call_communicator(struct call *call, uint64_t value)
{
    put_communicator(call, value, handle_find(&call->thread->handles, HANDLE_COMMUNICATOR, value)->slot);
}

void call_datatype(struct call *call, uint64_t value)
{
    const struct handle_cached *known = handle_find(&call->thread->handles, HANDLE_DATATYPE, value);
    if (known->handle == HANDLE_NONE && known->slot != HANDLE_UNKNOWN)
        datatype_used(value, known->slot);
    call_put(call, known->slot);
}

void call_other_handle(struct call *call, enum handle_kind kind, uint64_t value)
{
    struct handle_ref ref;
    call_put(call, kind == HANDLE_REQUEST ? handle_meet(kind, value, call->serial, false, &ref)
                                          : handle_find(&call->thread->handles, kind, value)->slot);
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

/* ---- INOUT --------------------------------------------------------------------------------------------- */

static inline void watch(struct call *call, enum handle_kind kind, const void *at, size_t size,
                         uint64_t value)
{
    struct scratch *s = &call->thread->scratch;
    if (call->failed || (s->watched.n == s->watched.cap && !array_reserve(&s->watched, 1))) {
        call_fail(call);
        return;
    }
    struct watched *w = &s->watched.items[s->watched.n++];
    w->at = at;
    w->size = size;
    w->slot = handle_meet(kind, value, call->serial, true, &w->handle);
    if (kind == HANDLE_COMMUNICATOR)
        put_communicator(call, value, w->slot);
    else
        call_put(call, w->slot);
}

void call_handle_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size)
{
    if (handle)
        watch(call, kind, handle, size, handle_load(handle, size));
    else
        call_put(call, HANDLE_UNKNOWN); /* MPI will refuse it */
}

void call_handles_watch(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle_watch(call, kind, (const char *)array + (size_t)i * size, size);
}

void call_request_peek(struct call *call, uint64_t value)
{
    watch(call, HANDLE_REQUEST, NULL, 0, value);
}

/* The call has ended: what it replaced by the null handle, or by something else, is free. Done for failed
 * calls as well, which may free what they were given. Another thread may have been given the same value since
 * then; call_handle_new has freed the old handle in that case. */
void call_settle(struct call *call)
{
    const struct scratch *s = &call->thread->scratch;
    for (size_t i = 0; i < s->watched.n && !call->failed; i++) {
        struct watched *w = &s->watched.items[i];
        const uint64_t value = w->at ? handle_load(w->at, w->size) : w->handle.value;
        if (value != w->handle.value || w->handle.handle != HANDLE_NONE)
            handle_settle(&w->handle, value, &w->slot);
    }
}

void call_handle_after(struct call *call)
{
    if (!call->failed)
        call_put(call, call->thread->scratch.watched.items[call->watched++].slot);
}

void call_handles_after(struct call *call, const void *array, int64_t n)
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

/* ---- OUT ----------------------------------------------------------------------------------------------- */

/* Classes of handles other than requests (docs/TEXT.md): datatypes are the same when all that came before the
 * call is. */
static uint64_t class_of(const struct call *call, enum handle_kind kind)
{
    uint64_t key = call->thread->sites.sites.items[call->site].hash;
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

void call_request_new(struct call *call, uint64_t value, enum handle_status status, bool persistent)
{
    int64_t slot = HANDLE_UNKNOWN;
    if (!call->failed && handle_make_request(value, call->class_key, status, persistent, &slot) != REFRAIN_OK)
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
