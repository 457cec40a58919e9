/* SPDX-License-Identifier: BSD-3-Clause */
/* Find out whether all ranks of the job have the tracer. If a rank has none (it is another program,
 * or preloading failed), the others would wait forever in MPI_Init, where the tracer creates its
 * communicator collectively. MPI offers no test without waiting. So the ranks of one node count
 * themselves in shared memory:
 *
 *     count, verdict      OPEN ──┬─ the last rank arrives ──────────────────────────> COMPLETE
 *                                └─ REFRAIN_INIT_TIMEOUT expires on the first rank ──> INCOMPLETE
 *
 * The verdict is set once and holds for all ranks. If the job has several nodes, or if the launcher does
 * not say how many ranks a node has, they send each other messages (census_tree.h). */
#ifndef REFRAIN_CENSUS_H
#define REFRAIN_CENSUS_H

#include <stdbool.h>

/* Wait for the verdict. Call it in MPI_Init before any collective call, when tracer.size is known.
 * The rank that finds the job incomplete reports it. */
bool census_is_complete(void);

#endif
