/* SPDX-License-Identifier: BSD-3-Clause */
/* One recorded call, and the pieces of its row (functable.h), in the order in which the wrappers put them:
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
 * The thread is inside the tracer (thread.h) from call_begin to call_enter and from call_leave to call_end.
 * Nothing here fails towards the caller: the first error stops the tracer, and the rest of the call records
 * nothing. errno is as the MPI library left it. */
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
    struct thread *thread; /* that makes it */
    int64_t *next;         /* where the next slot goes, among those of the thread's scratch */
    uint32_t function;
    int saved_errno;
    uint32_t watched;      /* watched handles whose value after has been put */
    uint32_t addresses;    /* among the parameters so far */
    bool failed;           /* an error has stopped the tracer */
    bool inner;            /* made in a callback: a call around it waits */
    bool comm_given;       /* there is a communicator among the parameters so far */
    uint64_t class_key;    /* of requests: communicator and ranks among the parameters so far */
    MPI_Comm comm;         /* the first communicator, if it is given, */
    int64_t comm_slot;     /* and its slot */
    uint64_t enter, leave; /* nanoseconds */
    uintptr_t stack;       /* the caller's stack pointer */
};

/* `frame` is the wrapper's, `stack` where its caller's begins, on the thread's stack. */
bool call_begin_at(struct call *call, uint32_t function, const void *return_address, const void *frame,
                   const void *stack);
#define call_begin(call, function, return_address)                                                           \
    call_begin_at((call), (function), (return_address), __builtin_frame_address(0), __builtin_dwarf_cfa())
/* In a Fortran wrapper: what the library does in C on behalf of the call is nested in it, however close to
 * the wrapper's frame. */
#define call_begin_f(call, function, return_address)                                                         \
    call_begin_at((call), (function), (return_address), NULL, __builtin_dwarf_cfa())
void call_enter(struct call *call);
/* After the call: call_returned takes the time, call_settle looks at what it did to watched handles, which by
 * then are what they are in C. call_leave is both. */
void call_leave(struct call *call);
void call_returned(struct call *call);
void call_settle(struct call *call);
/* After call_leave: the call lasts until now. What the tracer has done since is its own, and would be the program's
 * computation. */
COLD void call_prolong(struct call *call);
/* Instead of all these, of what is no call of the library's: it takes no time. */
void call_instant(struct call *call);
void call_end(struct call *call);
/* An error that has been logged: the tracer stops. */
COLD void call_fail(struct call *call);

/* ---- plain values ---------------------------------------------------------------------------- */

/* What a call puts one by one always has room: of each parameter before and after the call no more than a
 * status, and the result. Only who puts arrays and strings asks for more. */
#define CALL_ROOM (2 * STATUS_SLOTS * FUNCTION_PARAMS_MAX + 1)

/* Room for n more slots, and for CALL_ROOM after them. False when the tracer has failed, by now at least. */
COLD bool call_reserve(struct call *call, size_t n);

static inline void call_put(struct call *call, int64_t slot)
{
    *call->next++ = slot;
}

static inline void call_int(struct call *call, int64_t value)
{
    call_put(call, value);
}

/* The meaning of an error code: its class, which has a name and is the same in all runs, unlike MPICH's codes. For a class that the program has added it is the code. */
COLD int call_error_class(int code);

/* What a procedure has returned that returns an error code. */
static inline void call_result(struct call *call, int code)
{
    call_put(call, code == MPI_SUCCESS ? MPI_SUCCESS : call_error_class(code));
}

/* source, dest or root: requests' classes depend on it */
static inline void call_rank(struct call *call, int64_t rank)
{
    call_put(call, rank);
    call->class_key = mix_lightly(call->class_key, (uint64_t)rank);
}

void call_real(struct call *call, double value);
void call_address(struct call *call, const void *address);
void call_callback(struct call *call, uintptr_t function);
/* The program's own: an attribute, whatever it is, never is MPI_IN_PLACE. */
void call_value(struct call *call, const void *value);
/* The same of the address that the call has stored at `place`, a pointer to a pointer of any type. */
void call_stored_address(struct call *call, const void *place);
void call_stored_value(struct call *call, const void *place);
/* A pointer to an int that may be null. */
void call_nullable_int(struct call *call, const int *value);

/* The length of an array that the application gave: 0 for what MPI will refuse. */
static inline int64_t call_length(int64_t n)
{
    return n > 0 ? n : 0;
}

/* Elements that MPI has put into an array that has room for `max`; n may be an ARRAY_ code. */
static inline int64_t call_least(int64_t max, int64_t n)
{
    return n >= 0 && n > call_length(max) ? call_length(max) : n;
}

int64_t call_sum(const int *lengths, int64_t n);
/* n, or the ARRAY_ code of the sentinel (MPI_UNWEIGHTED) that stands in place of an array of a kind. */
int64_t call_array_length(const char *kind, const void *array, int64_t n);

/* n is a length, or an ARRAY_ code: then the array is not touched. Integers and handles of `size` bytes each.
 */
void call_ints(struct call *call, const void *array, size_t size, int64_t n);

/* A string of at most `max` bytes; max may be an ARRAY_ code. */
void call_string(struct call *call, const char *s, int64_t max);
#define CALL_STRING_MAX INT64_MAX
/* n strings, or as many as stand before a null pointer. */
void call_strings(struct call *call, char *const *strings, int64_t n);
#define CALL_TO_NULL INT64_MAX
/* n arrays of strings, each ended by a null pointer. */
void call_string_lists(struct call *call, char **const *lists, int64_t n);

/* ---- handles --------------------------------------------------------------------------------- */

/* IN: look the value up. */
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
/* The call's result: the handle that it was given, of another language. */
void call_handle_returned(struct call *call, enum handle_kind kind, uint64_t value);
void call_handles(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n);
/* INOUT: and watch what the call does to it. */
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
/* IN: a request, or n, that the call does not change, but reports the status of. */
void call_request_peek(struct call *call, uint64_t value);
void call_requests_peek(struct call *call, const MPI_Request *requests, int64_t n);
/* The values afterwards of what was watched, in the same order. */
void call_handle_after(struct call *call);
void call_handles_after(struct call *call, const void *array, int64_t n);
void call_nullable_handle_watch(struct call *call, enum handle_kind kind, const void *handle, size_t size);
void call_nullable_handle_after(struct call *call, const void *handle);

/* OUT: how a procedure comes by the handle that it returns. */
enum call_origin {
    CALL_MADE,   /* it is a new object */
    CALL_SHARED, /* perhaps one more reference to an object that the application has already */
    CALL_LENT    /* an object that need not be freed: no reference is counted */
};
void call_handle_new(struct call *call, enum handle_kind kind, uint64_t value, enum call_origin origin);
void call_handles_new(struct call *call, enum handle_kind kind, const void *array, size_t size, int64_t n,
                      enum call_origin origin);
void call_nullable_handle_new(struct call *call, enum handle_kind kind, const void *handle, size_t size,
                              enum call_origin origin);
void call_request_new(struct call *call, uint64_t value, enum handle_status status, bool persistent);
/* MPI_Start, MPI_Startall: the watched requests are active from now on. */
void call_requests_started(struct call *call);

/* How members agree on a new communicator's name without talking (comm.h). */
enum call_naming {
    CALL_BY_PARENT,  /* collective over the first communicator parameter: by its calls in order */
    CALL_PROMISED,   /* the same, of MPI_Comm_idup: it may not be asked yet, but it is like the parent */
    CALL_BY_MEMBERS, /* collective over the new communicator's members: by them and a tag */
    CALL_LENT_COMM   /* the same at first sight; later it is the one that is known */
};
void call_communicator_new(struct call *call, MPI_Comm comm, enum call_naming naming, uint64_t tag);
uint64_t call_tag_of_string(const char *tag);

/* ---- statuses -------------------------------------------------------------------------------- */

/* Where the library shall put a status: `own` where the application does not want it. */
#define call_status_target(status, own) ((status) == MPI_STATUS_IGNORE ? (own) : (status))
/* The same for an array; MPI_STATUSES_IGNORE still when memory is short. */
MPI_Status *call_statuses_target(struct call *call, MPI_Status *statuses, int64_t n);

/* A status that the call filled in itself (MPI_Recv, MPI_Probe, MPI_File_read), as far as it means something.
 */
void call_status(struct call *call, const MPI_Status *status, bool ignored, enum handle_status meaning);
/* A status that the application passes to be read. */
void call_status_in(struct call *call, const MPI_Status *status);
/* A Fortran status that was turned into one of C, if that was possible. */
void call_status_converted(struct call *call, bool converted, const MPI_Status *status);
/* The status of the completion of watched request number `request`; MPI_UNDEFINED for none. */
void call_status_of(struct call *call, const MPI_Status *status, bool ignored, int request);
/* n statuses; of the requests that `indices` tells, or number 0 … n - 1 if it is NULL. `result` is the
 * call's. */
void call_statuses_of(struct call *call, const MPI_Status *statuses, bool ignored, int64_t n,
                      const int *indices, int result);
/* A status that nobody has set. */
void call_status_unset(struct call *call, bool ignored, bool cancelled);

#endif
