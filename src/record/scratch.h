/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the call that a thread is recording; it is reused for each call. If the library runs a
 * callback of the application, and the callback makes a call, the scratch memory of the outer call is put
 * aside:
 *
 *     thread.scratch  MPI_Send, in a callback  ──around──>  MPI_Comm_dup  ──around──>  NULL
 *
 * It may be changed only while the thread is inside the tracer (thread.h). */
#ifndef REFRAIN_SCRATCH_H
#define REFRAIN_SCRATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "handle.h"
#include "src/core/base/array.h"
#include "src/core/base/placement.h"
#include "src/memory/arena.h"

/* A handle that the call may change (or a request whose status the call returns). */
struct watched {
    const void *at; /* where the application stores it; NULL if the call does not change it */
    int64_t slot;   /* before the call; from call_settle on, after it */
    struct handle_ref handle;
    uint32_t size; /* of the handle there */
};

/* A call that the library has not returned from yet. Its part before the call is the first `n` slots
 * below. */
struct open_call {
    bool open;              /* false: a jump left the call, and another call has used its slots */
    bool left_out;          /* not recorded, only followed (recording.h) … */
    bool told;              /* … because the lane already has it as unreturned: the program was to end */
    uint32_t n;             /* slots of the part before the call */
    _Atomic uint64_t enter; /* start, nanoseconds; 0: not started. Other threads may read it */
    uint32_t site;          /* number of the call site in the thread's table */
};

/* The wrapper of a call, used to find out whether its stack frame still exists (call.c). */
struct wrapper {
    const char *frame;          /* NULL: in no call, or in a Fortran call */
    const void *return_address; /* as stored in the frame, if frames store it (call.c) */
};

struct scratch {
    struct scratch *around; /* owned */
    struct wrapper wrapper;
    const void *call;     /* the current or last call; only compared, never dereferenced */
    ARRAY(int64_t) slots; /* the call knows how many are used (`next` in call.h) */
    struct open_call open;
    ARRAY(struct watched) watched;
    ARRAY(MPI_Status) statuses; /* in place of MPI_STATUSES_IGNORE */
    struct arena arena;         /* Fortran's arguments, converted to C */
};

/* Is the scratch memory empty? */
static inline bool scratch_is_empty(const struct scratch *s)
{
    return s->arena.used == 0;
}
/* Empty it, and make room for at least `room` slots. False when memory is short (logged). */
bool scratch_prepare(struct scratch *s, size_t room);
/* Put the outer call's scratch memory aside, for a call in a callback. False when memory is short
 * (logged). */
COLD bool scratch_put_aside(struct scratch *s);
/* Return to the outer call, which must exist. */
COLD void scratch_resume(struct scratch *s);
/* Free the memory, also that of outer calls. */
void scratch_clear(struct scratch *s);

#endif
