/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds messages that arrive before they were sent, because clocks are slightly wrong. Also finds the
 * corrections that must be added to the ranks' times so that no message arrives too early: a controlled
 * logical clock (clock_correction.h).
 *
 *     rank 0   send ■                    at 100 by the clock of rank 0
 *     rank 1           ■ received        at 97 by the clock of rank 1: its times get 4 more, later times less
 *
 * Ranks are walked so that causes come before effects (matching.h). So the correction of a rank's time is
 * known before other ranks depend on this time. If this order is not possible, a second walk follows, which
 * uses hints of the first one (match_hints.h). A collective operation counts if, by the data that it moves,
 * no rank can leave before all have entered: a rank does not wait for a rank that has no data for it. Threads
 * of a rank have one clock, so their times are moved together. But lossy times may reverse the order of the
 * calls of two threads. If a thread would have to be both before and after another thread, only its own times
 * are moved at the end. Within a thread time ascends (timestamps.h), so the dependencies have no cycle. */
#ifndef REFRAIN_LOGICAL_CLOCK_H
#define REFRAIN_LOGICAL_CLOCK_H

#include "decoder/times/clock_correction.h"
#include "decoder/trace/definitions.h"
#include "decoder/trace/rma_record_counts.h"
#include "decoder/times/timestamps.h"

/* The least time that a message takes, in nanoseconds. */
#define LOGICAL_CLOCK_LATENCY 100

struct logical_clock {
    uint32_t n_ranks;
    struct rank_corrections *of_rank;     /* from the trace's first rank on; owned */
    struct rank_rma_records *rma_records; /* the same; NULL: none are needed */
    uint64_t arrivals;                    /* of messages, and of ranks in collective operations */
    uint64_t early_before;                /* arrivals that are too early by the clocks alone */
    uint64_t early_after;                 /* arrivals that are too early with the correction */
    uint64_t early_most;                  /* nanoseconds: the most that one of early_before is too early */
    unsigned walks;                       /* number of walks that were needed */
};

/* The timestamps must not have a correction yet. */
enum refrain_status logical_clock_find(struct logical_clock *c, const struct reader *r,
                                       const struct definitions *d,
                                       const struct timestamps_source *timestamps);
void logical_clock_free(struct logical_clock *c); /* also of a zeroed struct */

/* Applies the option --clock. "linear": the timestamps do not change. "causal": finds the correction and adds
 * it to the timestamps. NULL: the same, but only if some message arrives too early without a correction. A
 * message says how many arrivals are moved, and by how much; it is a warning if that is more than the times'
 * precision. Any other word is an error, which is logged. */
enum refrain_status logical_clock_apply(struct logical_clock *c, const char *clock, const struct reader *r,
                                        const struct definitions *d, struct timestamps_source *timestamps);

#endif
