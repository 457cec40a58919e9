/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds messages that, by slightly wrong clocks, arrive before they were sent, and what has to be added to
 * the ranks' times so that no message does: a controlled logical clock (clock_correction.h).
 *
 *     rank 0   send ■                    by its clock at 100
 *     rank 1           ■ received        by its clock at 97: from there on 4 are added, and less with time
 *
 * Ranks are walked so that causes come before effects (matching.h). So it is known what is added to a rank's
 * times before other ranks depend on them. If this order is not possible, another walk follows, which knows
 * what the first one has found out (match_hints.h). A collective operation counts if, by the data that it
 * moves, no rank can leave before all have entered: a rank does not wait for a rank that has no data for it.
 * Threads of a rank have one clock, so their times are moved together. But lossy times may reverse the order
 * of what two threads did; a thread that would have to be before and after another one is moved alone in the
 * end. Within a thread time ascends (timestamps.h), so the dependencies have no cycle. */
#ifndef REFRAIN_LOGICAL_CLOCK_H
#define REFRAIN_LOGICAL_CLOCK_H

#include "decoder/times/clock_correction.h"
#include "decoder/trace/definitions.h"
#include "decoder/trace/rma_record_counts.h"
#include "decoder/times/timestamps.h"

/* A message takes as long as this at least: nanoseconds. */
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

/* --clock: "linear" is the clocks as they are set; "causal" finds the correction and gives it to the
 * timestamps; NULL does that if something is too early without it. How many arrivals are put off, and by how
 * much, is said, as a warning. Other words are logged. */
enum refrain_status logical_clock_apply(struct logical_clock *c, const char *clock, const struct reader *r,
                                        const struct definitions *d, struct timestamps_source *timestamps);

#endif
