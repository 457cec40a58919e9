/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the timestamps of a lane's calls, in order.
 *
 *     gap   duration   gap   duration
 *     ....|##########|.....|########|
 *       enter      leave
 *
 * A trace may have gap and duration of each call (lane_times.h), by the rank's own clock, which is converted
 * to rank 0's clock (rank_clock.h).
 *
 * If the times of a rank had a budget, the last calls of a lane have no times of their own. They get
 * synthetic times (below), which go on from the last call with its own.
 *
 * A trace without times of single calls has means only, of calls that are equal in all but time. Timestamps
 * made of means are *synthetic*: the order within a lane is right, and durations and gaps add up to what was
 * measured as far as the trace says whose they are. Nothing is right between lanes: a message may seem to
 * arrive before it was sent.
 *
 * Rounded times may put a call's two ends, and several calls, at one nanosecond. It would not be known which
 * of two such calls may wait for the other. So they are set apart: no call begins when the one before ends,
 * or is shorter than TIMESTAMPS_LEAST and half a nanosecond for each of its slots, in which each of its
 * operations has a time of its own (operation_timestamp), even when the little that a correction takes of it
 * is gone. Calls that are really made take longer.
 *
 * A call in which a callback made others (nesting.h) begins before these and ends after them. The trace does
 * not say this of calls without times of their own: they come one after the other. */
#ifndef REFRAIN_TIMESTAMPS_H
#define REFRAIN_TIMESTAMPS_H

#include "clock_correction.h"
#include "decoder/trace/cursor.h"
#include "lane_times.h"
#include "nesting.h"
#include "decoder/trace/rma_record_counts.h"
#include "src/core/base/timestamp.h"
#include "time_supply.h"

#define TIMESTAMPS_LEAST 4 /* ns */

/* What is the same for all lanes. */
struct timestamps_source {
    const struct reader *reader;
    bool synthetic;
    bool may_nest; /* some calls may have others inside */
    /* The corrections of each rank, from the trace's first rank on; NULL: none (logical_clock.h). */
    const struct rank_corrections *correction;
    const struct rank_rma_records *rma_records;
    const struct time_supply *supply; /* of lanes that are read ahead; NULL: none */
    uint64_t origin; /* of rank 0's clock: the first call of all, when timestamps are not synthetic */
    ARRAY(const struct timing *) times; /* of rows with a class (trace.h) */
    struct map by_class;                /* -> its place in `times` */
    struct timing *of_site;             /* all times of each site */
};

struct timestamps_means;

struct timestamps {
    const struct timestamps_source *source;
    struct timestamps_means *means; /* by entry of the shape */
    size_t n_means;
    uint64_t now;                               /* when the last call ended, for a synthetic one */
    uint64_t free;                              /* the earliest time that is not before an end */
    struct lane_times times;                    /* of the first calls, or of all; maybe of none */
    struct supplied_lane *supplied;             /* has these times; NULL: they are read here */
    const struct timestamp *next, *next_end;    /* of these, those that came and were not taken */
    struct nesting nesting;                     /* what is open is as timestamps_next has it */
    const struct rank_clock *clock;             /* NULL: it is taken for rank 0's */
    struct clock_step step;                     /* of the last time */
    const struct clock_correction *correction;  /* NULL: none */
    const struct rank_rma_records *rma_records; /* NULL: none; */
    size_t next_rma_record;                     /* of the thread's that are to come, or others' */
    uint32_t thread;
};

/* Has the trace times of single calls, or at least means? */
bool timestamps_exist(const struct reader *r);
/* Does the trace have the times of single calls, or, if `synthetic` ones will do, at least means? If not,
 * this is logged, with what to do, and REFRAIN_ERR_USAGE. */
enum refrain_status timestamps_check(const struct reader *r, bool synthetic);
/* *origin is the begin of the first call of the run, by rank 0's clock. The trace must have times of single
 * calls. */
enum refrain_status timestamps_find_origin(const struct reader *r, uint64_t *origin);
/* Call timestamps_check before. If the trace has the times of only some calls, this prints for how many calls
 * times are made up. */
enum refrain_status timestamps_source_create(struct timestamps_source *s, const struct reader *r,
                                             bool synthetic);
void timestamps_source_free(struct timestamps_source *s); /* also of a zeroed struct */

/* Starts at the first call of a lane. Several threads may walk different lanes at once. */
enum refrain_status timestamps_start(struct timestamps *s, const struct timestamps_source *source,
                                     const struct lane_ref *lane);
/* For each call of the lane's cursor, in order and without gaps: nanoseconds of rank 0's clock since the
 * beginning of the run. */
enum refrain_status timestamps_next(struct timestamps *s, const struct call *call, struct timestamp *out);
/* Before the first call: from now on the times are the source's supply's, if it has one. */
enum refrain_status timestamps_use_supply(struct timestamps *s);
void timestamps_stop(struct timestamps *s); /* also of a zeroed struct */

#endif
