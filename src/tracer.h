/* The tracer of this process: when it records, and where it puts what it has recorded.
 *
 *     ASLEEP ── first MPI call ──> RECORDING ── MPI_Finalize ──> FINISHING ── the trace is written ──>
 * FINISHED ├── an error of its own ──> STOPPED └── the program ends (ending.h) ──> FINISHED
 *
 * Calls pass through in all states behind RECORDING.
 *
 * All that is recorded goes into one lane for now, whatever the thread, under one lock; the lock is never
 * held while the application's call runs. Lanes for each thread will replace `calls` and make the lock
 * needless on the way of a call; nothing outside call.c and this file knows that there is one. */
#ifndef REFRAIN_TRACER_H
#define REFRAIN_TRACER_H

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "callsite.h"
#include "lane.h"

enum tracer_state { TRACER_ASLEEP, TRACER_RECORDING, TRACER_STOPPED, TRACER_FINISHING, TRACER_FINISHED };

/* A call that the library has not returned from: its part before the call. It lies in memory of the thread,
 * so that it is there still when an error handler of the program has jumped out of the call. */
struct open_call {
    struct open_call *next, **link; /* the pointer that points here; NULL: not in the list */
    uint32_t site;                  /* number of the call site in the tracer's table */
    const int64_t *slots;
    uint32_t n;
    bool recorded;  /* it is to be in the trace */
    uint64_t enter; /* 0: just about to */
};

struct tracer {
    _Atomic(enum tracer_state) state;
    pthread_mutex_t lock; /* by tracer_lock; guards everything below and the registries of handles */
    bool up;              /* from MPI_Init's return to MPI_Finalize, or while a session is open: MPI may be
                             asked about handles */
    bool connected;       /* from MPI_Init's return to MPI_Finalize: there is MPI_COMM_WORLD */
    int rank, size;       /* in MPI_COMM_WORLD; from when it is up first */
    MPI_Comm comm;        /* a duplicate of MPI_COMM_WORLD for the tracer's own messages, while connected */
    MPI_Group world;      /* of MPI_COMM_WORLD, while up */
    int threads;          /* the level that the MPI library provides, MPI_THREAD_MULTIPLE for one; while up */
    bool spawned;         /* another program started this one by MPI */
    time_t start;         /* when it woke up */
    pid_t process;        /* that called MPI_Init; not a child of its */
    struct lane *calls, *definitions;
    struct callsite_table sites;
    /* Lanes and sites are being changed: should the program end now, they are not fit to be stored. */
    volatile sig_atomic_t changing;
    struct open_call *open, **open_end; /* in the order in which they were entered */
    uint64_t left;  /* when the lane's last call ended, in nanoseconds; UINT64_MAX while recording is off */
    uint64_t *busy; /* nanoseconds in each function; NULL unless CONFIG_TIMING_RANK */
    uint64_t *n_calls; /* of each function; with busy */
};

extern struct tracer tracer;

/* Is the tracer to record? Wakes it at the first call. */
bool tracer_is_recording(void);
/* The lock. A signal that could end the program, and comes while this thread holds it, waits until it lets
 * go; only faults do not. In a handler, try. */
void tracer_lock(void);
bool tracer_try_lock(void);
void tracer_unlock(void);
bool tracer_holds_lock(void); /* or is about to */
/* After an error, whose cause has been logged: record nothing more, give the memory back. Needs the lock. */
void tracer_stop(void);
/* Frees lanes, registries and tables. Needs the lock. */
void tracer_clear(void);
/* One call of a thread lane. Needs the lock. */
void tracer_record(const struct callsite *site, const int64_t *slots, uint32_t n, uint64_t enter,
                   uint64_t leave);
/* One that is not recorded has ended. Needs the lock. */
void tracer_pass(uint64_t leave);

#endif
