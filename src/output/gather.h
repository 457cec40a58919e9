/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the traces of all ranks on rank 0, in a binomial tree over the tracer's communicator.
 *
 *     0   1   2   3   4   5        step 1:  1 -> 0   3 -> 2   5 -> 4
 *     0 <─┘   2 <─┘   4 <─┘        step 2:  2 -> 0
 *     0 <─────┘       4            step 4:  4 -> 0
 *     0 <─────────────┘
 *
 * Waiting ranks sleep most of the time: if several ranks share a core, it is free for those that work.
 *
 * A rank without a trace, because its recording stopped, sends an empty message; then there is no trace of
 * the run, but no rank waits forever. */
#ifndef REFRAIN_GATHER_H
#define REFRAIN_GATHER_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>

#include "src/core/trace/trace.h"

/* Wait until all ranks have called this. Collective. */
void gather_meet(MPI_Comm comm);

/* Merge `t` (used up) with the traces of the other ranks. `own` says whether this rank has a trace. On
 * rank 0 the result is REFRAIN_OK if `t` has become the trace of all ranks; on other ranks the result
 * means nothing. Pieces of the annex stay on their ranks. Collective. */
enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t,
                                  enum refrain_status own);

/* The message that rank 0 sends down the tree. */
struct gather_word {
    uint8_t verdict;
    bool whole;          /* no rank on the way has lost part of the index */
    uint32_t sum;        /* checksum of the beginning of the file, to recognise the file; … */
    uint64_t length;     /* … and its length as rank 0 has written it */
    uint64_t at;         /* where the annex, or its part described by *index, begins */
    uint64_t index;      /* bytes of *index, encoded */
    char path[PATH_MAX]; /* only its used length is sent */
};

/* Send *word from rank 0 to all ranks; it is all 0 where it does not arrive. *index, on rank 0 the index
 * of all ranks, goes with it: each rank gets the part for itself, which comes first, and for the ranks
 * below it in the tree; the caller frees it there. Returns false if the word has not arrived, or if part
 * of it could not be passed on. Collective. */
bool gather_tell(MPI_Comm comm, int rank, int size, struct gather_word *word, struct annex *index);
/* On rank 0: did all ranks pass `yes`? Collective. */
bool gather_agree(MPI_Comm comm, int rank, int size, bool yes);

/* Send n bytes to rank 0, from another rank, when rank 0 asks for them. */
enum refrain_status gather_give(MPI_Comm comm, const void *data, uint64_t n);
/* On rank 0: receive n bytes from a rank that sends them; decline them if `wanted` is false. The caller
 * frees *data. */
enum refrain_status gather_take(MPI_Comm comm, int from, uint64_t n, bool wanted, uint8_t **data);

#endif
