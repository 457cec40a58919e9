/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that record one call. They put the parts of its row (functable.h) in the order in
 * which the wrappers call them:
 *
 *     if (!call_begin(&call, FUNCTION_MPI_Irecv, __builtin_return_address(0)))
 *         return PMPI_Irecv(buf, count, …);            nested, or the tracer is off
 *     call_address(&call, buf);                        before: IN and INOUT parameters
 *     call_int(&call, count); …
 *     call_enter(&call);
 *     int returned = PMPI_Irecv(buf, count, …);
 *     call_leave(&call);
 *     call_int(&call, returned);
 *     if (returned == MPI_SUCCESS) {                   after: OUT and INOUT parameters
 *         call_request_new(&call, …);
 *     }
 *     call_end(&call);
 *
 * The thread is inside the tracer (thread.h) from call_begin to call_enter and from call_leave to
 * call_end. These functions report no errors to the caller: the first error stops the tracer, and
 * the rest of the call records nothing. errno keeps the value that the MPI library set. */
#ifndef REFRAIN_CALL_H
#define REFRAIN_CALL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "generated/functions.h"
#include "src/core/base/mix.h"
#include "src/core/base/placement.h"
#include "src/core/trace/functable.h"
#include "src/memory/guard.h"
#include "src/record/handle.h"
#include "src/record/scratch.h"

struct call {
    struct thread *thread; /* the thread that makes the call */
    int64_t *next;         /* next free slot in the thread's scratch */
    uint32_t function;
    int saved_errno;
    uint32_t watched;      /* watched handles whose value after the call has been put */
    uint32_t addresses;    /* number of address parameters so far */
    bool failed;           /* an error has stopped the tracer */
    bool inner;            /* made in a callback, within another call */
    bool comm_given;       /* a parameter so far is a communicator */
    uint64_t class_key;    /* class of requests, from communicator and ranks so far */
    MPI_Comm comm;         /* the first communicator, if comm_given … */
    int64_t comm_slot;     /* … and its slot */
    uint64_t enter, leave; /* nanoseconds */
    uintptr_t stack;       /* the caller's stack pointer */
};

/* `frame` is the wrapper's frame; `stack` is where the caller's frame begins. Both are on the
 * thread's stack. */
bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                   const void *stack);
#define call_begin(call, function, return_address)                                                           \
    call_begin_at((call), (function), (return_address), __builtin_frame_address(0), __builtin_dwarf_cfa())
/* For Fortran wrappers, without a frame: the C calls that the library makes for this call are
 * nested in it, even if their frames lie next to the wrapper's. */
#define call_begin_f(call, function, return_address)                                                         \
    call_begin_at((call), (function), (return_address), NULL, __builtin_dwarf_cfa())
void call_enter(struct call *call);
/* After the library's procedure: call_returned takes the time; call_settle looks up the new values
 * of watched handles, which must be C handles by then; call_leave does both. */
void call_leave(struct call *call);
void call_returned(struct call *call);
void call_settle(struct call *call);
/* After call_leave: extend the call until now, so that the tracer's work since then does not appear
 * as computation of the program. */
COLD void call_prolong(struct call *call);
/* Instead of call_enter and call_leave, for a procedure that does not call the library: the call
 * takes no time. */
void call_instant(struct call *call);
void call_end(struct call *call);
/* Stop the tracer after an error, which the caller has logged. */
COLD void call_fail(struct call *call);

/* ---- plain values ---------------------------------------------------------------------------- */

/* CALL_ROOM slots are always free: enough for the result and for each parameter, before and after
 * the call, as a status. Only functions that put arrays and strings reserve more. */
#define CALL_ROOM (2 * STATUS_SLOTS * FUNCTION_PARAMS_MAX + 1)

/* Make room for n more slots, and for CALL_ROOM after them. False if the tracer has failed. */
COLD bool call_reserve(struct call *call, size_t n);

static inline void call_put(struct call *call, int64_t slot)
{
    *call->next++ = slot;
}

static inline void call_int(struct call *call, int64_t value)
{
    call_put(call, value);
}

/* The class of an error code: classes have names and are equal in all runs, unlike MPICH's codes.
 * For a class that the program has added, the code itself. */
COLD int call_error_class(int code);

/* Put the result of a procedure that returns an error code. */
static inline void call_result(struct call *call, int code)
{
    call_put(call, code == MPI_SUCCESS ? MPI_SUCCESS : call_error_class(code));
}

/* Does the status of a call with this result mean something? Also that of a truncated receive: it says which
 * message the receive has taken. */
static inline bool call_has_status(int code)
{
    return code == MPI_SUCCESS || call_error_class(code) == MPI_ERR_TRUNCATE;
}

/* Put a source, dest or root; the class of requests depends on it. */
static inline void call_rank(struct call *call, int64_t rank)
{
    call_put(call, rank);
    call->class_key = mix_lightly(call->class_key, (uint64_t)rank);
}

void call_real(struct call *call, double value);
void call_address(struct call *call, const void *address);
void call_callback(struct call *call, uintptr_t function);
/* Put a value of the program, such as an attribute. It never means MPI_IN_PLACE. */
void call_value(struct call *call, const void *value);
/* Put the address or value that the call has stored at `place`, a pointer to a pointer of any type. */
void call_stored_address(struct call *call, const void *place);
void call_stored_value(struct call *call, const void *place);
/* Put the int to which `value` points; `value` may be null. */
void call_nullable_int(struct call *call, const int *value);

/* The length of an array from the application; 0 for a negative length, which MPI will refuse. */
static inline int64_t call_length(int64_t n)
{
    return n > 0 ? n : 0;
}

/* The number of elements that MPI has put into an array with room for `max`; n may be an ARRAY_
 * code. */
static inline int64_t call_least(int64_t max, int64_t n)
{
    return n >= 0 && n > call_length(max) ? call_length(max) : n;
}

int64_t call_sum(const int *lengths, int64_t n);
/* Return n, or the ARRAY_ code of a sentinel (MPI_UNWEIGHTED) that the program passes instead of an
 * array. */
int64_t call_array_length(const char *kind, const void *array, int64_t n);

/* Put n integers of `size` bytes; if n is an ARRAY_ code, the array is not read. */
void call_ints(struct call *call, const void *array, size_t size, int64_t n);

/* Put a string of at most `max` bytes; max may be an ARRAY_ code. */
void call_string(struct call *call, const char *s, int64_t max);
#define CALL_STRING_MAX INT64_MAX
/* Put n strings; with CALL_TO_NULL, those before the first null pointer. */
void call_strings(struct call *call, char *const *strings, int64_t n);
#define CALL_TO_NULL INT64_MAX
/* Put n arrays of strings, each ended by a null pointer. */
void call_string_lists(struct call *call, char **const *lists, int64_t n);

/* ---- handles --------------------------------------------------------------------------------- */

/* IN: put the handle's slot. */
void call_communicator(struct call *call, uint64_t value);
void call_datatype(struct call *call, uint64_t value);
void call_other_handle(struct call *call, enum handle_kind kind, uint64_t value);
static inline void call_handle(struct call *call, enum handle_kind kind, uint64_t value)
{
    if (kind == HANDLE_COMMUNICATOR)
        call_communicator(call, value);
    else if (kind == HANDLE_DATATYPE)
        call_datatype(call, value);
    else
        call_other_handle(call, kind, value);
}
/* Put the call's result: the handle of another language that it was given. */
void call_handle_returned(struct call *call, enum handle_kind kind, uint64_t value);
void call_handles(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n);
/* INOUT: put the slot, and watch how the call changes the handle. */
void call_request_watch(struct call *call, const void *request);
void call_other_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size);
static inline void call_handle_watch(struct call *call, enum handle_kind kind, const void *handle,
                                     size_t size)
{
    if (kind == HANDLE_REQUEST && size == sizeof(MPI_Request))
        call_request_watch(call, handle);
    else
        call_other_watch(call, kind, handle, size);
}
void call_handles_watch(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n);
/* IN: put one or n requests that the call does not change, but whose status it returns. */
void call_request_peek(struct call *call, uint64_t value);
void call_requests_peek(struct call *call, const MPI_Request *requests, int64_t n);
/* Put the values of watched handles after the call, in the same order. */
void call_handle_after(struct call *call);
void call_handles_after(struct call *call, const void *array, int64_t n);
void call_nullable_handle_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size);
void call_nullable_handle_after(struct call *call, const void *handle);

/* OUT: where a returned handle comes from. */
enum call_origin {
    CALL_MADE,   /* a new object */
    CALL_SHARED, /* perhaps one more reference to an object that the application already has */
    CALL_LENT    /* an object that need not be freed: references are not counted */
};
void call_handle_new(struct call *call, enum handle_kind kind, uint64_t value, enum call_origin origin);
void call_handles_new(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n,
                      enum call_origin origin);
void call_nullable_handle_new(struct call *call, enum handle_kind kind, const void *handle, size_t size,
                              enum call_origin origin);
void call_request_new(struct call *call, uint64_t value, enum handle_status status, bool persistent);
/* MPI_Start, MPI_Startall: the watched requests are active from now on. */
void call_requests_started(struct call *call);

/* How the members agree on a new communicator's name without communication (comm.h). */
enum call_naming {
    /* Collective over the first communicator parameter: by the order of its calls. */
    CALL_BY_PARENT,
    /* The same for MPI_Comm_idup: the new communicator cannot be queried yet, but equals its
     * parent. */
    CALL_PROMISED,
    /* Collective over the members of the new communicator: by the members and a tag. */
    CALL_BY_MEMBERS,
    CALL_LENT_COMM /* the same when first seen; later the communicator is known */
};
void call_communicator_new(struct call *call, MPI_Comm comm, enum call_naming naming, uint64_t tag);
uint64_t call_tag_of_string(const char *tag);

/* ---- statuses -------------------------------------------------------------------------------- */

/* The place for a status: `own` if the application ignores it. */
#define call_status_target(status, own) ((status) == MPI_STATUS_IGNORE ? (own) : (status))
/* The same for an array; still MPI_STATUSES_IGNORE if memory is short. */
MPI_Status *call_statuses_target(struct call *call, MPI_Status *statuses, int64_t n);

/* Put a status that the call itself filled in (MPI_Recv, MPI_Probe, MPI_File_read), as far as it is
 * defined. */
void call_status(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning,
                 int result);
/* Put a status that the application passes as input. */
void call_status_in(struct call *call, const MPI_Status *status);
/* Put a Fortran status that was converted to C; `converted` is false if that was impossible. */
void call_status_converted(struct call *call, bool converted, const MPI_Status *status);
/* Put the status of the completion of watched request number `request`; MPI_UNDEFINED for none. */
void call_status_of(struct call *call, const MPI_Status *status, bool ignored, int request, int result);
/* Put n statuses: of the requests in `indices`, or of requests 0 … n - 1 if it is NULL. `result` is
 * the call's result. */
void call_statuses_of(struct call *call, const MPI_Status *statuses, bool ignored, int64_t n,
                      const int *indices, int result);
/* Put a status that was not set. */
void call_status_unset(struct call *call, bool ignored, bool cancelled);

#endif
