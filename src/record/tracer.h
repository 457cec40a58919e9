/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracer of this process: its state, and the data that its threads (thread.h) share.
 *
 *     ASLEEP ── first MPI call ──> RECORDING ── MPI_Finalize ──> FINISHING ── trace written ──> FINISHED
 *                                      └── an error of its own ──> STOPPED
 *
 * In all states after RECORDING, calls are passed on unrecorded. Other ways to end the program
 * (ending.h) do not change the state: if the program continues after all, recording continues too. */
#ifndef REFRAIN_TRACER_H
#define REFRAIN_TRACER_H

#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "checkpoint_due.h"
#include "recording.h"
#include "src/core/base/placement.h"
#include "src/core/lane/lane.h"
#include "src/memory/guard.h"
#include "src/site/callsite.h"
#include "thread.h"

enum tracer_state { TRACER_ASLEEP, TRACER_RECORDING, TRACER_STOPPED, TRACER_FINISHING, TRACER_FINISHED };

/* Members that are not atomic are set in MPI_Init, in MPI_Finalize, and when the first session opens; no
 * other thread needs them at these times. */
struct tracer {
    _Atomic(enum tracer_state) state;
    atomic_bool up;        /* from MPI_Init's return to MPI_Finalize, or while a session is open: MPI may be
                              asked about handles */
    atomic_bool connected; /* from MPI_Init's return to MPI_Finalize: there is MPI_COMM_WORLD */
    int rank, size;        /* in MPI_COMM_WORLD; valid once `up` was first set */
    MPI_Comm comm;         /* a duplicate of MPI_COMM_WORLD for the tracer's own messages, while connected;
                              MPI_COMM_NULL where not all ranks have the tracer: nothing is done together */
    MPI_Group world;       /* group of MPI_COMM_WORLD, while up */
    int threads;           /* thread level of the MPI library, for example MPI_THREAD_MULTIPLE; while up */
    bool spawned;          /* another program started this one by MPI */
    time_t start;          /* when it woke up */
    uint64_t began, ended; /* by clock_now: when `up` was first set; at MPI_Finalize */
    pid_t process;         /* the process that called MPI_Init; not its child */
};

extern GUARD_HIDDEN struct tracer tracer;

/* Does the tracer record? The first call wakes the tracer up. */
bool tracer_is_recording(void);
/* Return this thread's recording state; NULL if nothing is recorded. */
static inline struct thread *tracer_thread(void);
/* Change to a state after RECORDING. */
void tracer_become(enum tracer_state state);
/* Stop recording after an error, which must have been logged. Each thread frees its data the next time
 * that it calls MPI. */
COLD void tracer_stop(void);
/* Free lanes, registries and tables. Threads must be paused. */
void tracer_clear(void);

COLD struct thread *tracer_new_thread(void);
static inline struct thread *tracer_thread(void)
{
    return thread_self ? thread_self : tracer_new_thread();
}

/* The time grid of each function (time_mode.h). */
extern GUARD_HIDDEN uint8_t tracer_grids[];
/* Empty the full stage of the thread's times. */
COLD enum refrain_status tracer_take_times(struct thread *t);
/* Record a call, and whatever else the configuration asks for. */
enum refrain_status tracer_note(struct thread *t, const struct callsite *site, const int64_t *slots,
                                uint32_t n, uint64_t gap, const struct timestamp *timestamps);
/* Make a checkpoint if it is due. */
COLD void tracer_check(uint64_t now);

static inline void tracer_left(struct thread *t, uint64_t leave)
{
    t->left = leave;
    t->changes = recording_now();
}

/* Record one call of the thread, which must be inside the tracer. A gap is the time between two calls,
 * recorded or not; after recording was off, the gap is 0. */
static inline __attribute__((always_inline)) void tracer_record(struct thread *t, const struct callsite *site,
                                                                const int64_t *slots, uint32_t n,
                                                                uint64_t enter, uint64_t leave)
{
    assert(atomic_load(&t->inside));
    const uint64_t gap = enter > t->left && recording_on_since(t->changes) ? enter - t->left : 0;
    const uint64_t duration = leave > enter ? leave - enter : 0;
    tracer_left(t, leave);
    t->changing = 1;
    const struct timestamp timestamps = {enter, enter + duration};
    enum refrain_status status = t->is_noted ? tracer_note(t, site, slots, n, gap, &timestamps)
                                             : lane_record(t->lane, site->site, slots, n, gap, duration);
    if (t->stage && !status && time_log_note(t->stage, site->site, tracer_grids[site->function], timestamps))
        status = tracer_take_times(t);
    t->changing = 0;
    if (status)
        tracer_stop();
    else if (leave >= atomic_load_explicit(&checkpoint_due, memory_order_relaxed))
        tracer_check(leave);
}

/* A call that is not recorded has ended; `told`: the lane already has it as unreturned. */
static inline void tracer_pass(struct thread *t, uint64_t leave, bool told)
{
    t->left_out += !told;
    tracer_left(t, leave);
}

#endif
