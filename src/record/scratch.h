/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the call that a thread is recording: used again and again, for one call after the other. While
 * the library runs a callback of the application, which makes a call of its own, what the thread remembers of
 * the call around that waits:
 *
 *     thread.scratch  MPI_Send, in a callback  ──around──>  MPI_Comm_dup  ──around──>  NULL
 *
 * Changed while the thread is inside (thread.h). */
#ifndef REFRAIN_SCRATCH_H
#define REFRAIN_SCRATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "handle.h"
#include "src/core/base/array.h"
#include "src/core/base/placement.h"
#include "src/memory/arena.h"

/* A handle that the application lets the call change (or a request whose status the call tells). */
struct watched {
    const void *at; /* where the application has it; NULL if the call does not change it */
    int64_t slot;   /* before the call; from call_settle on, after it */
    struct handle_ref handle;
    uint32_t size; /* of the handle there */
};

/* A call that the library has not returned from: its part before the call, the first slots below. */
struct open_call {
    bool open;              /* not so any more: it was left by a jump, and another call has used its slots */
    bool left_out;          /* it is only followed (recording.h) … */
    bool told;              /* … as it is in the lane already, unreturned, since the program was to end */
    uint32_t n;             /* slots of the part before the call */
    _Atomic uint64_t enter; /* nanoseconds; 0: just about to. Set while others may look */
    uint32_t site;          /* number of the call site in the thread's table */
};

/* The wrapper of a call, to find out whether its frame is there still (call.c). */
struct wrapper {
    const char *frame;          /* NULL: in no call, or in one of Fortran */
    const void *return_address; /* as it stands in the frame, if frames have it there (call.c) */
};

struct scratch {
    struct scratch *around; /* owned */
    struct wrapper wrapper;
    const void *call;     /* the one that it is of, or was last; to be compared only */
    ARRAY(int64_t) slots; /* how many of them are used, the call knows (call.h, next) */
    struct open_call open;
    ARRAY(struct watched) watched;
    ARRAY(MPI_Status) statuses; /* in place of MPI_STATUSES_IGNORE */
    struct arena arena;         /* Fortran's arguments as C has them */
};

/* Is there nothing of the call before? */
static inline bool scratch_is_empty(const struct scratch *s)
{
    return s->arena.used == 0;
}
/* Empties it and makes room for so many slots at least. False when memory is short, which is logged. */
bool scratch_prepare(struct scratch *s, size_t room);
/* For a call in a callback: the call around waits. False when memory is short, which is logged. */
COLD bool scratch_put_aside(struct scratch *s);
/* Back to the call around, which must be there. */
COLD void scratch_resume(struct scratch *s);
/* Gives the memory back, also that of calls around. */
void scratch_clear(struct scratch *s);

#endif
