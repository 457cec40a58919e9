/* SPDX-License-Identifier: BSD-3-Clause */
/* How this rank's clock (clock.h) goes against rank 0's.
 *
 *     rank's clock_now ── pairs, read at once ── CLOCK_MONOTONIC of its node ── messages ── that of rank 0's node
 *
 * Ranks of a node share CLOCK_MONOTONIC, so that what they have to find out is how the counter goes against
 * it: two clocks read one after the other, when MPI begins, whenever the rank's trace is stored, and when it
 * ends. No message could be as exact. Of the other nodes one rank each asks its parent in a binomial tree of
 * nodes for the time, in MPI_Init and in MPI_Finalize, and believes the answer that came soonest, halfway
 * between question and answer (Cristian, "Probabilistic clock synchronization", Distributed Computing 3,
 * 1989).
 *
 * Without a world, where only sessions are, nodes are not compared. */
#ifndef REFRAIN_CLOCK_SYNC_H
#define REFRAIN_CLOCK_SYNC_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"
#include "src/core/trace/trace.h"

/* What rank 0 says of its clock when the run starts; sent as bytes. */
struct clock_hello {
    uint64_t node;   /* the same for all who share its CLOCK_MONOTONIC */
    uint64_t wanted; /* are clocks to be compared? */
};
struct clock_hello clock_sync_hello(bool wanted);

/* Collective over the ranks, which have heard rank 0's hello. What goes wrong is logged; then this rank's
 * clock is not compared. */
void clock_sync_start(MPI_Comm comm, const struct clock_hello *hello);
/* Without others: the clock goes against its own node's. */
void clock_sync_start_alone(bool wanted);
/* In MPI_Finalize. Collective. */
void clock_sync_finish(void);
/* Adds the points of this rank's clock, up to now. In signal handlers, too. */
enum refrain_status clock_sync_store(uint32_t rank, struct trace *t);

#endif
