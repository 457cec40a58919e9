/* The tracer of this process: when it records, and where it puts what it has recorded.
 *
 *     ASLEEP ── first MPI call ──> RECORDING ── MPI_Finalize ──> FINISHED
 *                                      └── an error of its own ──> STOPPED   (calls pass through)
 *
 * All that is recorded goes into one lane for now, whatever the thread, under one lock; the lock is never
 * held while the application's call runs. Lanes for each thread will replace `calls` and make the lock
 * needless on the way of a call; nothing outside call.c and this file knows that there is one. */
#ifndef REFRAIN_TRACER_H
#define REFRAIN_TRACER_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "callsite.h"
#include "lane.h"

enum tracer_state { TRACER_ASLEEP, TRACER_RECORDING, TRACER_STOPPED, TRACER_FINISHED };

struct tracer {
    _Atomic(enum tracer_state) state;
    pthread_mutex_t lock; /* guards everything below and the registries of handles */
    bool up;              /* from MPI_Init's return to MPI_Finalize: MPI may be asked about handles */
    int rank, size;       /* in MPI_COMM_WORLD, while up */
    MPI_Comm comm;        /* a duplicate of MPI_COMM_WORLD for the tracer's own messages, while up */
    MPI_Group world;      /* of MPI_COMM_WORLD, while up */
    bool spawned;         /* another program started this one by MPI */
    time_t start;         /* when it woke up */
    struct lane *calls, *definitions;
    struct callsite_table sites;
    uint64_t left;     /* when the lane's last call ended, in nanoseconds */
    uint64_t *busy;    /* nanoseconds in each function; NULL unless CONFIG_TIMING_RANK */
    uint64_t *n_calls; /* of each function; with busy */
};

extern struct tracer tracer;

/* Is the tracer to record? Wakes it at the first call. */
bool tracer_is_recording(void);
/* After an error, whose cause has been logged: record nothing more, give the memory back. Needs the lock. */
void tracer_stop(void);
/* Frees lanes, registries and tables. Needs the lock. */
void tracer_clear(void);
/* One call of a thread lane. Needs the lock. */
void tracer_record(const struct callsite *site, const int64_t *slots, uint32_t n, uint64_t enter,
                   uint64_t leave);

#endif
