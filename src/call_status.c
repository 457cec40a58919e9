/* Statuses in the rows of calls (docs/TEXT.md): only what the MPI standard says has been set is read. */
#include <string.h>

#include "call_impl.h"
#include "log.h"
#include "status_field.h"

static __attribute__((noinline)) int64_t ask_bytes(struct call *call, const MPI_Status *status)
{
    int64_t bytes = 0;
    if (!status_field_ask_bytes(status, &bytes)) {
        log_error("MPI_Get_elements_x failed for the status of a finished call");
        call_fail(call);
    }
    return bytes;
}

static __attribute__((noinline)) bool ask_cancelled(struct call *call, const MPI_Status *status)
{
    bool cancelled = false;
    if (!status_field_ask_cancelled(status, &cancelled)) {
        log_error("MPI_Test_cancelled failed for the status of a finished call");
        call_fail(call);
    }
    return cancelled;
}

static inline int64_t bytes_of(struct call *call, const MPI_Status *status)
{
    return status_fields_known ? status_field_bytes(status) : ask_bytes(call, status);
}

static inline bool cancelled_of(struct call *call, const MPI_Status *status)
{
    return status_fields_known ? status_field_cancelled(status) : ask_cancelled(call, status);
}

static inline void put_status(struct call *call, int64_t form, int64_t source, int64_t tag, int64_t error,
                              int64_t bytes, int64_t cancelled)
{
    int64_t *slot = call->next;
    slot[0] = form;
    slot[1] = source;
    slot[2] = tag;
    slot[3] = error;
    slot[4] = bytes;
    slot[5] = cancelled;
    call->next = slot + STATUS_SLOTS;
}

static inline void put(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning,
                       int error)
{
    const int64_t form = ignored ? STATUS_IGNORED : 0;
    switch (meaning) {
    case HANDLE_STATUS_WHOLE:
        put_status(call, form, status->MPI_SOURCE, status->MPI_TAG, error, bytes_of(call, status),
                   cancelled_of(call, status));
        break;
    case HANDLE_STATUS_ERROR:
        put_status(call, form | STATUS_PARTIAL, 0, 0, error, 0, cancelled_of(call, status));
        break;
    case HANDLE_STATUS_BYTES: /* the rest as in an empty status */
        put_status(call, form, MPI_ANY_SOURCE, MPI_ANY_TAG, error, bytes_of(call, status), 0);
        break;
    }
}

MPI_Status *call_statuses_target(struct call *call, MPI_Status *statuses, int64_t n)
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

void call_status(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning)
{
    put(call, status, ignored, meaning, MPI_SUCCESS);
}

void call_status_prepare(MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = MPI_ANY_SOURCE;
        status->MPI_TAG = MPI_ANY_TAG;
        PMPI_Status_set_cancelled(status, 0);
    }
}

void call_status_in(struct call *call, const MPI_Status *status)
{
    if (!status || status == MPI_STATUS_IGNORE)
        call_status_unset(call, true, false);
    else
        put(call, status, false, HANDLE_STATUS_WHOLE, MPI_SUCCESS);
}

void call_status_converted(struct call *call, bool converted, const MPI_Status *status)
{
    if (converted)
        call_status_in(call, status);
    else
        call_status_unset(call, false, false);
}

void call_status_unset(struct call *call, bool ignored, bool cancelled)
{
    put_status(call, STATUS_PARTIAL | (ignored ? STATUS_IGNORED : 0), 0, 0, MPI_SUCCESS, 0, cancelled);
}

/* The status that request number `request` of those watched has been given: it is complete then, and if it is
 * persistent no longer active. */
static inline enum handle_status complete(const struct call *call, int request)
{
    if (call->failed || request == MPI_UNDEFINED || request < 0 ||
        (size_t)request >= call->thread->scratch.watched.n)
        return HANDLE_STATUS_WHOLE; /* the empty status */
    const struct watched *w = &call->thread->scratch.watched.items[request];
    if (w->at && w->handle.persistent)
        handle_completed(&w->handle);
    return w->handle.status;
}

void call_status_of(struct call *call, const MPI_Status *status, bool ignored, int request)
{
    if (ignored && request == MPI_UNDEFINED) /* the empty status, which MPICH 4.0 does not put there */
        put_status(call, STATUS_IGNORED, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0);
    else
        put(call, status, ignored, complete(call, request), MPI_SUCCESS);
}

void call_statuses_of(struct call *call, const MPI_Status *statuses, bool ignored, int64_t n,
                      const int *indices, int result)
{
    if (statuses == MPI_STATUSES_IGNORE && n > 0) { /* memory was short */
        call->failed = true;
        return;
    }
    if (!call_put_count(call, statuses ? (const void *)statuses : "", n, STATUS_SLOTS))
        return;
    for (int64_t i = 0; i < n; i++) {
        const int error = result == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : MPI_SUCCESS;
        if (error == MPI_ERR_PENDING)
            put_status(call, STATUS_PARTIAL | (ignored ? STATUS_IGNORED : 0), 0, 0, error, 0, 0);
        else
            put(call, &statuses[i], ignored, complete(call, indices ? indices[i] : (int)i), error);
    }
}
