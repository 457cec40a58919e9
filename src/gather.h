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

#include "trace.h"

#define GATHER_STEPS 32 /* of the tree, at most */

/* Lengths of annexes of the ranks from this one on, 2^i of them: where in the annex of its subtree those of
 * the i-th child begin. */
struct gather_sizes {
    uint64_t before[GATHER_STEPS];
};

/* Merges `t` (used up) with those of the other ranks. `own` says whether this rank has one. On rank 0 the
 * result is REFRAIN_OK when `t` is that of all ranks; elsewhere it says nothing of interest. Pieces of the
 * annex stay where they are. Collective. */
enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t, enum refrain_status own,
                                  struct gather_sizes *sizes);

/* What rank 0 says goes back down the tree. */
struct gather_word {
    uint8_t verdict;
    uint32_t sum;        /* of the beginning of the file, so that it is known again; … */
    uint64_t length;     /* … which is so long as rank 0 has written it */
    uint64_t at;         /* for each rank, where its part of the annex begins; rank 0 says where all begins */
    char path[PATH_MAX]; /* as long as it is */
};

/* *word of rank 0 is everywhere, or all 0 where it does not arrive. Collective. */
void gather_tell(MPI_Comm comm, int rank, int size, const struct gather_sizes *sizes,
                 struct gather_word *word);
/* On rank 0: did all say yes? Collective. */
bool gather_agree(MPI_Comm comm, int rank, int size, bool yes);

/* To rank 0, from another, when that asks for it: n bytes. */
enum refrain_status gather_give(MPI_Comm comm, const void *data, uint64_t n);
/* On rank 0, so many bytes from a rank that gives them; `wanted` false: they are declined. *data is the
 * caller's to free. */
enum refrain_status gather_take(MPI_Comm comm, int from, uint64_t n, bool wanted, uint8_t **data);

#endif
