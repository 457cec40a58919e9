/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses in the rows of calls (docs/TEXT.md). Only fields that the MPI standard defines are read. */
#include <string.h>

#include "call_impl.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/record/status_field.h"

static int64_t ask_bytes(struct call *call, const MPI_Status *status)
{
    int64_t bytes = 0;
    if (!status_field_ask_bytes(status, &bytes)) {
        log_error("MPI_Get_elements_x failed for the status of a finished call");
        call_fail(call);
    }
    return bytes;
}

static bool ask_cancelled(struct call *call, const MPI_Status *status)
{
    bool cancelled = false;
    if (!status_field_ask_cancelled(status, &cancelled)) {
        log_error("MPI_Test_cancelled failed for the status of a finished call");
        call_fail(call);
    }
    return cancelled;
}

static inline void put_status(struct call *call, int64_t form, int64_t source, int64_t tag, int64_t error,
                              int64_t bytes, int64_t cancelled)
{
    int64_t *slot = call->next;
    slot[STATUS_FORM] = form;
    slot[STATUS_SOURCE] = source;
    slot[STATUS_TAG] = tag;
    slot[STATUS_ERROR] = error;
    slot[STATUS_BYTES] = bytes;
    slot[STATUS_CANCELLED] = cancelled;
    call->next = slot + STATUS_SLOTS;
}

/* Put the fields of a status that are defined; error, bytes and cancelled come from the caller. */
static inline void put_known(struct call *call, const MPI_Status *status, bool ignored,
                             enum handle_status meaning, int error, int64_t bytes, bool cancelled)
{
    const int64_t form = ignored ? STATUS_IGNORED : 0;
    if (meaning == HANDLE_STATUS_WHOLE)
        put_status(call, form, status->MPI_SOURCE, status->MPI_TAG, error, bytes, cancelled);
    else if (meaning == HANDLE_STATUS_PROBED)
        put_status(call, form, status->MPI_SOURCE, status->MPI_TAG, error, bytes, 0);
    else if (meaning == HANDLE_STATUS_ERROR)
        put_status(call, form | STATUS_PARTIAL, 0, 0, error, 0, cancelled);
    else /* the other fields as in an empty status */
        put_status(call, form, MPI_ANY_SOURCE, MPI_ANY_TAG, error, bytes, 0);
}

static __attribute__((noinline)) void ask_and_put(struct call *call, const MPI_Status *status, bool ignored,
                                                  enum handle_status meaning, int error)
{
    const int64_t bytes = meaning == HANDLE_STATUS_ERROR ? 0 : ask_bytes(call, status);
    const bool cancelled =
        meaning != HANDLE_STATUS_BYTES && meaning != HANDLE_STATUS_PROBED && ask_cancelled(call, status);
    put_known(call, status, ignored, meaning, error, bytes, cancelled);
}

static inline void put(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning,
                       int error)
{
    if (status_fields_known)
        put_known(call, status, ignored, meaning, error, status_field_bytes(status),
                  status_field_cancelled(status));
    else
        ask_and_put(call, status, ignored, meaning, error);
}

/* Put a status that the library has filled in. */
static inline void put_filled(struct call *call, const MPI_Status *status, bool ignored,
                              enum handle_status meaning, int error)
{
    if (call->thread->partial.n > 0 && meaning == HANDLE_STATUS_WHOLE)
        partial_status_forget(&call->thread->partial, status);
    put(call, status, ignored, meaning, error);
}

HOT MPI_Status *call_statuses_target(struct call *call, MPI_Status *statuses, int64_t n)
{
    if (statuses != MPI_STATUSES_IGNORE)
        return statuses;
    call->thread->scratch.statuses.n = 0;
    if (!call->failed && n > 0 && !array_reserve(&call->thread->scratch.statuses, (size_t)n)) {
        call_fail(call);
        return MPI_STATUSES_IGNORE;
    }
    if (call->failed || n <= 0)
        return MPI_STATUSES_IGNORE;
    memset(call->thread->scratch.statuses.items, 0,
           (size_t)n * sizeof call->thread->scratch.statuses.items[0]);
    return call->thread->scratch.statuses.items;
}

/* Whether the status contains more than is recorded of it. */
static bool is_partial(struct call *call, const MPI_Status *status, enum handle_status meaning)
{
    if (meaning == HANDLE_STATUS_BYTES &&
        (status->MPI_SOURCE != MPI_ANY_SOURCE || status->MPI_TAG != MPI_ANY_TAG))
        return true;
    return status_fields_known ? status_field_cancelled(status) : ask_cancelled(call, status);
}

/* The error of the only status of a call. */
static inline int error_of(int result)
{
    return result == MPI_SUCCESS ? MPI_SUCCESS : call_error_class(result);
}

HOT void call_status(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning,
                     int result)
{
    put_filled(call, status, ignored, meaning, error_of(result));
    if (!ignored && meaning != HANDLE_STATUS_WHOLE && is_partial(call, status, meaning))
        partial_status_note(&call->thread->partial, status, meaning);
}

void call_status_in(struct call *call, const MPI_Status *status)
{
    if (!status || status == MPI_STATUS_IGNORE)
        call_status_unset(call, true, false);
    else
        put(call, status, false,
            call->thread->partial.n > 0 ? partial_status_find(&call->thread->partial, status)
                                        : HANDLE_STATUS_WHOLE,
            MPI_SUCCESS);
}

void call_status_converted(struct call *call, bool converted, const MPI_Status *status)
{
    if (converted)
        call_status_in(call, status);
    else
        call_status_unset(call, false, false);
}

HOT void call_status_unset(struct call *call, bool ignored, bool cancelled)
{
    put_status(call, STATUS_PARTIAL | (ignored ? STATUS_IGNORED : 0), 0, 0, MPI_SUCCESS, 0, cancelled);
}

/* Put the status of watched request number `request`: the request is complete and, if persistent,
 * no longer active. If there is no such request, put the status alone. */
static inline void put_completion(struct call *call, const MPI_Status *status, bool ignored, int request,
                                  int error)
{
    const struct scratch *s = &call->thread->scratch;
    if (call->failed || request < 0 || (size_t)request >= s->watched.n) {
        put_filled(call, status, ignored, HANDLE_STATUS_WHOLE, error);
        return;
    }
    const struct watched *w = &s->watched.items[request];
    put_filled(call, status, ignored, w->handle.status, error);
    if (w->handle.persistent && w->at)
        handle_completed(&w->handle);
}

HOT void call_status_of(struct call *call, const MPI_Status *status, bool ignored, int request, int result)
{
    if (ignored && request == MPI_UNDEFINED) /* the empty status; MPICH 4.0 does not write it */
        put_status(call, STATUS_IGNORED, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0);
    else
        put_completion(call, status, ignored, request, error_of(result));
}

HOT void call_statuses_of(struct call *call, const MPI_Status *statuses, bool ignored, int64_t n,
                          const int *indices, int result)
{
    if (statuses == MPI_STATUSES_IGNORE && n > 0) { /* memory was short */
        call->failed = true;
        return;
    }
    if (!call_put_count(call, statuses ? (const void *)statuses : "", n, STATUS_SLOTS))
        return;
    for (int64_t i = 0; i < n; i++) {
        const int error = result == MPI_ERR_IN_STATUS ? call_error_class(statuses[i].MPI_ERROR) : MPI_SUCCESS;
        if (error == MPI_ERR_PENDING)
            put_status(call, STATUS_PARTIAL | (ignored ? STATUS_IGNORED : 0), 0, 0, error, 0, 0);
        else
            put_completion(call, &statuses[i], ignored, indices ? indices[i] : (int)i, error);
    }
}
