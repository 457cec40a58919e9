/* SPDX-License-Identifier: BSD-3-Clause */
/* Find out by messages whether all ranks of the job have the tracer (census.h), when they do not share
 * the memory of one node. MPI_COMM_WORLD is a binary tree:
 *
 *            0          up      "all ranks below me, and I": after both children have said so
 *          /   \        down    the verdict, to each child that has said so
 *         1     2
 *        / \   /        A rank without the tracer says nothing, so no rank above it does.
 *       3   4 5
 *
 * Only these messages are safe. A collective operation on MPI_COMM_WORLD that one rank does not take part
 * in makes later ones hang: some MPI libraries number them. A rank without the tracer gets a message, of no
 * bytes, only if a child's whole subtree has the tracer; only a receive with both wildcards can take it. */
#ifndef REFRAIN_CENSUS_TREE_H
#define REFRAIN_CENSUS_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* Wait for the verdict: `patience` nanoseconds for the children, twice that for the parent, whose own
 * patience is over by then. (Only a parent that is stopped between here and its return from PMPI_Init may
 * say "complete" to a rank that no longer waits.) Ranks that speak for the job report an incomplete one. */
bool census_tree_is_complete(uint64_t patience);
/* Call this before PMPI_Finalize: takes back the receives of messages that did not come. Until then they
 * keep late messages away from the program's receives. */
void census_tree_end(void);

#endif
