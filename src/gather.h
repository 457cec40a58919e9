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

#include <mpi.h>

#include "trace.h"

/* Merges `t` (used up) with those of the other ranks. `own` says whether this rank has one. On rank 0 the
 * result is REFRAIN_OK when `t` is that of all ranks; elsewhere it says nothing of interest. Collective. */
enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t,
                                  enum refrain_status own);

/* What rank 0 says goes back down the tree: `told` there is the result everywhere, or false where it does not
 * arrive. Collective. */
bool gather_tell(MPI_Comm comm, int rank, int size, bool told);

#endif
