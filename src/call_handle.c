/* Handles in the rows of calls, and what calls do to them. */
#include "call_impl.h"

#include "comm.h"
#include "datatype.h"
#include "mix.h"
#include "tracer.h"

/* ---- IN ------------------------------------------------------------------------------------------------ */

static void note_communicator(struct call *call, uint64_t value, int64_t slot)
{
    call->class_key = mix(call->class_key, (uint64_t)slot);
    if (call->comm_given)
        return;
    call->comm_given = true;
    call->comm = comm_find((MPI_Comm)(intptr_t)value);
    call->comm_slot = slot;
}

/* One value that the call reads. */
static int64_t look_up(struct call *call, enum handle_kind kind, uint64_t value, uint32_t *handle)
{
    const int64_t slot = kind == HANDLE_REQUEST ? handle_find_next(kind, value, call->serial, handle)
                                                : handle_find(kind, value, handle);
    if (kind == HANDLE_COMMUNICATOR)
        note_communicator(call, value, slot);
    if (kind == HANDLE_DATATYPE && *handle == HANDLE_NONE && slot != HANDLE_UNKNOWN)
        datatype_used(value, slot);
    return slot;
}

void call_handle(struct call *call, enum handle_kind kind, uint64_t value)
{
    uint32_t handle;
    call_put(call, look_up(call, kind, value, &handle));
}

void call_handle_returned(struct call *call, enum handle_kind kind, uint64_t value)
{
    uint32_t handle;
    call_put(call, handle_find(kind, value, &handle));
}

void call_handles(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_handle(call, kind, handle_load((const char *)array + (size_t)i * size, size));
}

/* ---- INOUT --------------------------------------------------------------------------------------------- */

static void watch(struct call *call, enum handle_kind kind, const void *at, size_t size, uint64_t value)
{
    struct watched w = {.at = at, .size = size, .value = value, .kind = kind, .status = HANDLE_STATUS_WHOLE};
    w.slot = look_up(call, kind, value, &w.handle);
    if (w.handle != HANDLE_NONE) {
        struct handle *h = handle_at(kind, w.handle);
        w.made = h->made;
        h->busy = kind == HANDLE_REQUEST;
        if (h->busy && h->active) /* an inactive request gives the empty status, which is whole */
            w.status = h->status;
    }
    call_put(call, w.slot);
    if (!call->failed && !array_push(&scratch.watched, w))
        call_fail(call);
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
    for (size_t i = 0; i < scratch.watched.n && !call->failed; i++) {
        struct watched *w = &scratch.watched.items[i];
        const uint64_t value = w->at ? handle_load(w->at, w->size) : w->value;
        struct handle *h = w->handle == HANDLE_NONE ? NULL : handle_at(w->kind, w->handle);
        const bool live = h && h->made == w->made;
        if (live)
            h->busy = false;
        if (value == w->value)
            continue;
        uint32_t handle;
        if (live)
            handle_release(w->kind, w->handle);
        w->slot = handle_find(w->kind, value, &handle);
        w->handle = handle;
    }
}

void call_handle_after(struct call *call)
{
    if (!call->failed)
        call_put(call, scratch.watched.items[call->watched++].slot);
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

/* Classes of handles (docs/TEXT.md): datatypes are the same when all that came before the call is. */
static uint64_t class_of(const struct call *call, enum handle_kind kind)
{
    uint64_t key = tracer.sites.sites.items[call->site].hash;
    if (kind == HANDLE_REQUEST)
        return call->class_key;
    for (uint32_t i = 0; kind == HANDLE_DATATYPE && i < scratch.n_before; i++)
        key = mix(key, (uint64_t)scratch.slots.items[i]);
    return key;
}

/* Makes a value live; its slot, and HANDLE_NONE when that has failed. */
static int64_t make(struct call *call, enum handle_kind kind, uint64_t value, uint32_t *handle)
{
    bool is_new;
    *handle = HANDLE_NONE;
    if (call->failed)
        return HANDLE_UNKNOWN;
    if (handle_add(kind, value, class_of(call, kind), handle, &is_new) != REFRAIN_OK) {
        call_fail(call);
        return HANDLE_UNKNOWN;
    }
    const int64_t slot = (int64_t)handle_at(kind, *handle)->symbol << 1;
    if (kind == HANDLE_DATATYPE && is_new)
        datatype_define(value, slot);
    return slot;
}

void call_handle_new(struct call *call, enum handle_kind kind, uint64_t value, enum call_origin origin)
{
    uint32_t handle;
    int64_t slot = handle_find(kind, value, &handle);
    const bool live = handle != HANDLE_NONE;
    if (live && origin == CALL_SHARED)
        handle_at(kind, handle)->references++;
    if (live && origin == CALL_MADE)
        handle_release_value(kind, value);
    if (slot == HANDLE_UNKNOWN || (live && origin == CALL_MADE))
        slot = make(call, kind, value, &handle);
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
    uint32_t handle;
    if (handle_is_constant(HANDLE_REQUEST, value)) {
        call_put(call, handle_find(HANDLE_REQUEST, value, &handle));
        return;
    }
    const int64_t slot = make(call, HANDLE_REQUEST, value, &handle);
    if (handle != HANDLE_NONE) {
        struct handle *h = handle_at(HANDLE_REQUEST, handle);
        h->status = status;
        h->persistent = persistent;
        h->active = !persistent;
    }
    call_put(call, slot);
}

void call_requests_started(struct call *call)
{
    for (size_t i = 0; i < scratch.watched.n && !call->failed; i++) {
        const struct watched *w = &scratch.watched.items[i];
        if (w->handle != HANDLE_NONE)
            handle_at(HANDLE_REQUEST, w->handle)->active = true;
    }
}
