/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a phase of a random program takes place: a thread's communicator. All members throw the same `plan`, so each knows what all
 * do; `own` decides what concerns nobody else, such as how to wait.
 *
 * A phase is correct by construction: it ends without waiting for more than what its own plan sends, and leaves no message behind
 * that a later phase could take. */
#ifndef TESTS_RANDOM_PLACE_H
#define TESTS_RANDOM_PLACE_H

#include "dice.h"
#include "log.h"

#include <mpi.h>
#include <sched.h>

enum { MOST_RANKS = 16 };

struct place {
    struct log *log;
    MPI_Comm comm;
    uint64_t id; /* in the log */
    int rank, size;
    int world[MOST_RANKS]; /* its ranks in the run */
    struct dice plan, own;
    bool threads; /* others communicate at the same time */
    bool more;    /* kinds of phases that came later, too: programs before them stay what they were */
};

/* A member's rank in the run; MPI_PROC_NULL and wildcards stay what they are. */
static inline int place_world(const struct place *p, int rank)
{
    return rank < 0 ? rank : p->world[rank];
}

static inline void place_barrier(struct place *p)
{
    CALL(p->log, MPI_Barrier, p->comm);
    log_sync(p->log, p->id);
}

/* In a loop that polls, `idle` times: others have the processor, too. */
static inline void place_yield(bool idle)
{
    if (idle)
        sched_yield();
}

/* Messages from one to one: topologies, modes, wildcards, probes, persistent requests. */
void phase_messages(struct place *p);
/* Each sends one and receives one in the same call. */
void phase_shift(struct place *p);
/* A receive that is taken back. */
void phase_cancel(struct place *p);
/* A few collective operations, which may be under way together. */
void phase_collectives(struct place *p);
/* Neighbourhood collectives, on a communicator that is made for them. */
void phase_neighbors(struct place *p);
/* Persistent collective operations; without MPI 4 a barrier. */
void phase_persistent(struct place *p);
/* An intercommunicator. */
void phase_inter(struct place *p);
/* A window, and epochs of all sorts on it. */
void phase_window(struct place *p);

#endif
