/* The tracer of this process: when it records, and what its threads (thread.h) share.
 *
 *     ASLEEP ── first MPI call ──> RECORDING ── MPI_Finalize ──> FINISHING ── the trace is written ──>
 * FINISHED ├── an error of its own ──> STOPPED └── the program ends (ending.h) ──> FINISHED
 *
 * Calls pass through in all states behind RECORDING. */
#ifndef REFRAIN_TRACER_H
#define REFRAIN_TRACER_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "callsite.h"
#include "lane.h"
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
    MPI_Comm comm;         /* a duplicate of MPI_COMM_WORLD for the tracer's own messages, while connected */
    MPI_Group world;       /* of MPI_COMM_WORLD, while up */
    int threads;   /* the level that the MPI library provides, MPI_THREAD_MULTIPLE for one; while up */
    bool spawned;  /* another program started this one by MPI */
    time_t start;  /* when it woke up */
    pid_t process; /* that called MPI_Init; not a child of its */
};

extern struct tracer tracer;

/* Is the tracer to record? Wakes it at the first call. */
bool tracer_is_recording(void);
/* This thread, as one that records; NULL if nothing is recorded. */
static inline struct thread *tracer_thread(void);
/* After an error, whose cause has been logged: record nothing more. What there is is given back by each
 * thread, the next time that it calls MPI. */
void tracer_stop(void);
/* Frees lanes, registries and tables. Threads have to be paused. */
void tracer_clear(void);
/* One call of the thread, which is inside. */
void tracer_record(struct thread *t, const struct callsite *site, const int64_t *slots, uint32_t n,
                   uint64_t enter, uint64_t leave);
/* One that is not recorded has ended. */
void tracer_pass(struct thread *t, uint64_t leave);

struct thread *tracer_new_thread(void);
static inline struct thread *tracer_thread(void)
{
    return thread_self ? thread_self : tracer_new_thread();
}

#endif
