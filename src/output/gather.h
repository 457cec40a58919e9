/* SPDX-License-Identifier: BSD-3-Clause */
/* Bringing the traces of all ranks together on rank 0: a binomial tree over the tracer's communicator.
 *
 *     0   1   2   3   4   5        step 1:  1 -> 0   3 -> 2   5 -> 4
 *     0 <─┘   2 <─┘   4 <─┘        step 2:  2 -> 0
 *     0 <─────┘       4            step 4:  4 -> 0
 *     0 <─────────────┘
 *
 * Ranks that wait sleep most of the time: where several share a core, those that work have it.
 *
 * A rank that has nothing to give, because its recording stopped, says so with an empty message; then there
 * is no trace, but nobody waits for ever. */
#ifndef REFRAIN_GATHER_H
#define REFRAIN_GATHER_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>

#include "src/core/trace/trace.h"

/* Until all ranks have come here. Collective. */
void gather_meet(MPI_Comm comm);

/* Merges `t` (used up) with those of the other ranks. `own` says whether this rank has one. On rank 0 the
 * result is REFRAIN_OK when `t` is that of all ranks; elsewhere it says nothing of interest. Pieces of the
 * annex stay where they are. Collective. */
enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t,
                                  enum refrain_status own);

/* What rank 0 says goes back down the tree. */
struct gather_word {
    uint8_t verdict;
    bool whole;          /* nobody on the way has lost part of the index */
    uint32_t sum;        /* of the beginning of the file, so that it is known again; … */
    uint64_t length;     /* … which is so long as rank 0 has written it */
    uint64_t at;         /* where the annex begins, or what of it *index tells of */
    uint64_t index;      /* bytes of that, encoded */
    char path[PATH_MAX]; /* as long as it is */
};

/* *word of rank 0 is everywhere, or all 0 where it does not arrive. With it goes *index, on rank 0 that of
 * all ranks: to each rank what it says of this one, which comes first, and those below it in the tree; the
 * caller's to free there. False if it has not come, or not all of it could be passed on. Collective. */
bool gather_tell(MPI_Comm comm, int rank, int size, struct gather_word *word, struct annex *index);
/* On rank 0: did all say yes? Collective. */
bool gather_agree(MPI_Comm comm, int rank, int size, bool yes);

/* To rank 0, from another, when that asks for it: n bytes. */
enum refrain_status gather_give(MPI_Comm comm, const void *data, uint64_t n);
/* On rank 0, so many bytes from a rank that gives them; `wanted` false: they are declined. *data is the
 * caller's to free. */
enum refrain_status gather_take(MPI_Comm comm, int from, uint64_t n, bool wanted, uint8_t **data);

#endif
