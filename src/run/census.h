/* SPDX-License-Identifier: BSD-3-Clause */
/* Have all ranks of the job the tracer? A rank that has none, as a program of its own beside the others or where
 * nothing could be preloaded, would be waited for in MPI_Init for ever, since the tracer's communicator is made by
 * all. MPI can say that only by waiting. So ranks of one node count themselves in memory that they share:
 *
 *     count, verdict      OPEN ──┬─ the last rank has come ───────────────> COMPLETE
 *                                └─ REFRAIN_INIT_TIMEOUT is over, for one ─> INCOMPLETE
 *
 * The verdict is given once, and holds for all. Of a job on several nodes nobody knows: it is taken to be
 * complete, and so is one whose launcher does not say how many ranks are on a node. */
#ifndef REFRAIN_CENSUS_H
#define REFRAIN_CENSUS_H

#include <stdbool.h>

/* In MPI_Init, before anything collective, once tracer.size is known. Waits for the verdict. The rank that finds
 * the job incomplete says so. */
bool census_is_complete(void);

#endif
