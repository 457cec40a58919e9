/* SPDX-License-Identifier: BSD-3-Clause */
/* The search: one walk over all calls of all ranks, matched on the way (match/matching.h), that fills the
 * values of all metrics.
 *
 *     matching ── call ─────────────> profile of sites and lanes
 *              ── operation ────────> counts, bytes; completions by one call (wait_completions.h)
 *              ── message, sent ────> EVENT_RECEIVE, EVENT_SEND
 *              ── collective ───────> EVENT_BARRIER … of each member (wait_meeting.h)
 *                                        └──> metrics that subscribe ── publish ──> metrics that subscribe to those …
 *
 * A call's time counts for the metric of its function. If the call waits for an operation that another call
 * has begun (MPI_Wait for an MPI_Ibarrier), the waiting part is moved to the metric of that other call. So at
 * each site, all waiting is a part of the metric above it.
 *
 * Memory grows with pending operations and with the values, not with calls. */
#ifndef REFRAIN_WAIT_SEARCH_H
#define REFRAIN_WAIT_SEARCH_H

#include "decoder/times/timestamps.h"
#include "decoder/trace/ranges.h"
#include "decoder/waits/values/call_times.h"
#include "decoder/waits/values/severities.h"
#include "decoder/waits/values/wait_grid.h"
#include "decoder/waits/values/wait_instances.h"
#include "decoder/waits/values/wait_places.h"
#include "decoder/waits/windows/wait_epochs.h"
#include "decoder/waits/windows/wait_locks.h"
#include "wait_lanes.h"
#include "wait_listener.h"
#include "wait_meeting.h"
#include "wait_metric.h"
#include "wait_overlaps.h"
#include "wait_progress.h"

/* What the tallies count for each metric and call site; used as "lanes" of the tallies. */
enum wait_tally {
    TALLY_INSTANCES,
    TALLY_INEXACT, /* events that, within the precision of the times, may have waited or not */
    TALLIES
};

/* One member of a non-blocking collective operation, while its completion or its cause is not known
 * (wait_search_meeting.c). */
struct begun_member {
    struct call_ref begun, completed;
    uint32_t function; /* the function that defines the operation */
    bool is_met, is_completed, has_event, second;
    struct wait_event event;
    struct arrivals *later; /* the cause has to be found in these; NULL: the event has the cause */
};

/* Properties of a metric that are needed for each wait. */
struct metric_use {
    bool is_wanted;
    uint32_t home; /* of a cause (metrics_is_cause): its parent, which has the time that it is a part of;
                      otherwise METRIC_NONE */
};

/* Operations that are not matched, for one reason. */
struct wait_unmatched {
    uint64_t n;
    uint32_t rank, site; /* of the first one */
};

struct wait_search {
    const struct reader *reader;
    const struct metrics *metrics;
    const struct wait_grid *grid;         /* the grid of the ranks; NULL: none */
    struct wait_places *places;           /* rows of the values; NULL: a row for each call site */
    const struct ranges *ranks;           /* ranks whose values are wanted; NULL: all. They may wait for any
                                             rank */
    uint64_t from, to;                    /* nanoseconds since the beginning of the run */
    uint64_t slack;                       /* ns: the largest error of a difference of two times */
    const struct wait_listener *listener; /* NULL: none */
    struct call_times *times; /* of the same calls, and of messages that were sent in the examined time; NULL:
                                 not wanted */
    uint32_t worst_of; /* metric whose single waits `worst` keeps; METRIC_NONE: all (metrics_is_wanted) */
    /* Results: */
    uint64_t begin;           /* of the run (run_begin.h): earlier times count for MPI_Init only */
    struct severities values; /* each metric's own values */
    struct severities blame;  /* waiting, by the lane that was waited for */
    struct severities
        directions;            /* waiting, by the direction (wait_grid.h) of the lane that was waited for */
    struct severities tallies; /* enum wait_tally */
    struct severities polling; /* one "metric": the part of the time at a site that is between polls */
    struct severities
        held_up_by; /* EVENT_OVERLAP, one "metric": by the call site of the other thread's call */
    struct wait_lanes lanes;
    struct wait_instances worst; /* the longest single waits; sorted at the end */
    uint64_t early;              /* ns: the largest time by which a message arrived before it was sent */
    struct wait_unmatched unmatched[MATCHING_REASONS];
    /* Internal, while the search runs: */
    struct roles roles;
    struct groups groups;
    uint32_t *profile_of_site; /* the metric that counts the time of the site's calls */
    bool *is_standard;         /* by function: it sends in standard mode */
    struct metric_use uses[METRICS_MAX];
    uint32_t execution, visits;
    void **states;               /* by metric, then by lane */
    struct severities computing; /* computing time before calls at a site; one "metric" */
    struct meeting_causes causes;
    struct wait_epochs epochs;
    struct wait_locks locks;
    struct wait_overlaps overlaps;
    struct wait_progress progress;
    struct map begun_by_call;
    ARRAY(struct begun_member) begun;
    ARRAY(uint32_t) begun_unused;
};

/* `grid`, `places`, `ranks`, `from`, `to`, `slack`, `listener`, `worst_of` and `worst.most` must be set by
 * the caller before. */
enum refrain_status wait_search_run(struct wait_search *s, const struct reader *r,
                                    const struct definitions *d, const struct metrics *metrics,
                                    const struct timestamps_source *timestamps);
void wait_search_free(struct wait_search *s); /* a zeroed struct is allowed */

/* ---- for metrics ------------------------------------------------------------------------------- */

/* Are the rank's values wanted? */
static inline bool wait_search_has(const struct wait_search *s, uint32_t rank)
{
    return !s->ranks || ranges_has(s->ranks, rank);
}

/* Returns the part of the run that the search examines: from the begin of the run (or `from`) to the end of
 * the last call (or `to`); ns, the same for all threads. */
void wait_search_run_span(const struct wait_search *s, uint64_t *begin, uint64_t *end);
/* Adds an interval at a call, cut to the examined time. *length is the length of the part that was added;
 * ns. */
enum refrain_status wait_search_add(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                    uint64_t begin, uint64_t end, uint64_t *length);
/* Returns the row of the values for a call: its site, or its place. */
uint32_t wait_search_place(const struct wait_search *s, const struct call_ref *call);
/* Adds a number at a call, if the call begins in the examined time. */
enum refrain_status wait_search_count(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                      uint64_t value);
/* Adds the waiting of an event to a metric, then publishes the metric's event. Default for metrics without
 * `take`. */
enum refrain_status wait_search_wait(struct wait_search *s, uint32_t metric, const struct wait_event *e);
/* Gives the event to all metrics that subscribe to its kind. */
enum refrain_status wait_search_publish(struct wait_search *s, const struct wait_event *e);
/* Returns the metric's state for a lane, zeroed at first; NULL when memory is short. */
void *wait_search_state(struct wait_search *s, uint32_t metric, uint32_t lane);

static inline uint32_t wait_search_lane(const struct wait_search *s, const struct call_ref *call)
{
    return wait_lane_number(&s->lanes, call->rank, call->thread);
}

static inline struct wait_lane *wait_search_lane_of(struct wait_search *s, const struct call_ref *call)
{
    return &s->lanes.items[wait_search_lane(s, call)];
}

#endif
