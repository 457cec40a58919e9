/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracer of this process: when it records, and what its threads (thread.h) share.
 *
 *     ASLEEP ── first MPI call ──> RECORDING ── MPI_Finalize ──> FINISHING ── the trace is written ──> FINISHED
 *                                      └── an error of its own ──> STOPPED
 *
 * Calls pass through in all states behind RECORDING. Other ends of the program (ending.h) are none for the
 * tracer: should it go on, so does recording. */
#ifndef REFRAIN_TRACER_H
#define REFRAIN_TRACER_H

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

/* What is not atomic is set in MPI_Init, MPI_Finalize, and when a session is the first; no other thread needs
 * it then. */
struct tracer {
    _Atomic(enum tracer_state) state;
    atomic_bool up;        /* from MPI_Init's return to MPI_Finalize, or while a session is open: MPI may be
                              asked about handles */
    atomic_bool connected; /* from MPI_Init's return to MPI_Finalize: there is MPI_COMM_WORLD */
    int rank, size;        /* in MPI_COMM_WORLD; from when it is up first */
    MPI_Comm comm;         /* a duplicate of MPI_COMM_WORLD for the tracer's own messages, while connected;
                              MPI_COMM_NULL where not all ranks have the tracer: nothing is done together */
    MPI_Group world;       /* of MPI_COMM_WORLD, while up */
    int threads;   /* the level that the MPI library provides, MPI_THREAD_MULTIPLE for one; while up */
    bool spawned;  /* another program started this one by MPI */
    time_t start;  /* when it woke up */
    pid_t process; /* that called MPI_Init; not a child of its */
};

extern GUARD_HIDDEN struct tracer tracer;

/* Is the tracer to record? Wakes it at the first call. */
bool tracer_is_recording(void);
/* This thread, as one that records; NULL if nothing is recorded. */
static inline struct thread *tracer_thread(void);
/* Behind RECORDING. */
void tracer_become(enum tracer_state state);
/* After an error, whose cause has been logged: record nothing more. What there is is given back by each
 * thread, the next time that it calls MPI. */
COLD void tracer_stop(void);
/* Frees lanes, registries and tables. Threads have to be paused. */
void tracer_clear(void);

COLD struct thread *tracer_new_thread(void);
static inline struct thread *tracer_thread(void)
{
    return thread_self ? thread_self : tracer_new_thread();
}

/* Grids of functions, for their times (time_mode.h). */
extern GUARD_HIDDEN uint8_t tracer_grids[];
/* The stage of the thread's times is full. */
COLD enum refrain_status tracer_take_times(struct thread *t);
/* A call, and what the configuration asks for beside its record and its times. */
enum refrain_status tracer_note(struct thread *t, const struct callsite *site, const int64_t *slots,
                                uint32_t n, uint64_t gap, const struct timestamp *timestamps);
/* Makes a checkpoint if it is due. */
COLD void tracer_check(uint64_t now);

static inline void tracer_left(struct thread *t, uint64_t leave)
{
    t->left = leave;
    t->changes = recording_now();
}

/* One call of the thread, which is inside. Gaps are between calls, recorded or not; there is none behind a
 * time when recording was off. */
static inline __attribute__((always_inline)) void tracer_record(struct thread *t, const struct callsite *site,
                                                                const int64_t *slots, uint32_t n,
                                                                uint64_t enter, uint64_t leave)
{
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

/* One that is not recorded has ended; `told`: it was recorded before. */
static inline void tracer_pass(struct thread *t, uint64_t leave, bool told)
{
    t->left_out += !told;
    tracer_left(t, leave);
}

#endif
