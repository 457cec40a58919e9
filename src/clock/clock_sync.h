/* SPDX-License-Identifier: BSD-3-Clause */
/* This rank's clock (clock.h) compared with rank 0's.
 *
 *     clock_now ── pairs, read together ── CLOCK_MONOTONIC ── messages ── that of rank 0's node
 *
 * Ranks of a node share CLOCK_MONOTONIC, so a rank compares its counter with that: it reads both
 * clocks one after the other, when MPI begins, whenever the rank's trace is stored, and when MPI
 * ends. No message could be as exact. On each other node, one rank asks its parent in a binomial
 * tree of nodes for the time, in MPI_Init and in MPI_Finalize. It uses the answer that came
 * soonest, for the middle of question and answer (Cristian, "Probabilistic clock synchronization",
 * Distributed Computing 3, 1989).
 *
 * With sessions alone there is no world, and nodes are not compared. */
#ifndef REFRAIN_CLOCK_SYNC_H
#define REFRAIN_CLOCK_SYNC_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"
#include "src/core/trace/trace.h"

/* What rank 0 says about its clock when the run starts; sent as bytes. */
struct clock_hello {
    uint64_t node;   /* equal for all ranks that share its CLOCK_MONOTONIC */
    uint64_t wanted; /* whether clocks are to be compared */
};
struct clock_hello clock_sync_hello(bool wanted);

/* Compare the clocks, with rank 0's hello. Errors are logged; then this rank's clock is not
 * compared. Collective. */
void clock_sync_start(MPI_Comm comm, const struct clock_hello *hello);
/* Start without other ranks: only compare the clock with the node's. */
void clock_sync_start_alone(bool wanted);
/* Compare the clocks again, in MPI_Finalize. Collective. */
void clock_sync_finish(void);
/* Add the points of this rank's clock, up to now. Safe in signal handlers. */
enum refrain_status clock_sync_store(uint32_t rank, struct trace *t);

#endif
