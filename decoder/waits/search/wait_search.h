/* SPDX-License-Identifier: BSD-3-Clause */
/* The search: one walk over all calls of all ranks, matched on the way (match/matching.h), that fills the values of all
 * metrics.
 *
 *     matching ── call ─────────────> profile of sites and lanes
 *              ── operation ────────> counts, bytes; completions by one call (wait_completions.h)
 *              ── message, sent ────> EVENT_RECEIVE, EVENT_SEND
 *              ── collective ───────> EVENT_BARRIER … of each member (wait_meeting.h)
 *                                        └──> metrics that subscribe ── publish ──> metrics that subscribe to those …
 *
 * A call's time is that of what it does. Where it waits for what another call has begun, as MPI_Wait for an MPI_Ibarrier,
 * that part goes over to the metric of the other call: so all waiting is a part of the time above it, at each site.
 *
 * Memory is that of what is in flight and of the values, not of the calls. */
#ifndef REFRAIN_WAIT_SEARCH_H
#define REFRAIN_WAIT_SEARCH_H

#include "decoder/times/timestamps.h"
#include "decoder/trace/ranges.h"
#include "severities.h"
#include "wait_epochs.h"
#include "wait_grid.h"
#include "wait_instances.h"
#include "wait_lanes.h"
#include "wait_listener.h"
#include "wait_meeting.h"
#include "wait_metric.h"
#include "wait_places.h"

/* How the seconds of a metric at a call site came about: "lanes" of the tallies. */
enum wait_tally {
    TALLY_INSTANCES,
    TALLY_INEXACT, /* events that may have been waiting, as exactly as times are */
    TALLIES
};

/* A collective operation that does not block: of one member, what is known first (wait_search_meeting.c). */
struct begun_member {
    struct call_ref begun, completed;
    uint32_t function; /* that says what it does */
    bool is_met, is_completed, has_event, second;
    struct wait_event event;
    struct arrivals *later; /* in which its cause is to be looked for; NULL: the event has it */
};

/* What is asked of each metric each time. */
struct metric_use {
    bool is_wanted;
    uint32_t home; /* of a cause: the metric that has the time it is a part of; otherwise METRIC_NONE */
};

struct wait_search {
    const struct reader *reader;
    const struct metrics *metrics;
    const struct wait_grid *grid;         /* that the ranks form; NULL: none */
    struct wait_places *places;           /* instead of call sites; NULL: call sites */
    const struct ranges *ranks;           /* whose values are wanted; NULL: all. They wait for any */
    uint64_t from, to;                    /* nanoseconds since the beginning of the run */
    uint64_t slack;                       /* how far a difference of two times may be off */
    const struct wait_listener *listener; /* NULL: nobody */
    uint32_t
        worst_of; /* whose single instances are wanted: of this metric, or METRIC_NONE (metrics_is_wanted); … */
    /* Results: */
    struct severities values; /* own ones */
    struct severities blame;  /* waiting, by the lane that it was for */
    struct severities
        directions; /* waiting, by the direction (wait_grid.h) in which the lane is that it was for */
    struct severities tallies; /* enum wait_tally */
    struct wait_lanes lanes;
    struct wait_instances worst; /* … the longest; sorted in the end */
    uint64_t early;              /* the most that a message arrived before it was sent */
    /* Meanwhile: */
    struct roles roles;
    struct groups groups;
    uint32_t *profile_of_site; /* the metric that has the time of its calls */
    bool *is_standard;         /* by function: it sends in the standard mode */
    struct metric_use uses[METRICS_MAX];
    uint32_t execution, visits;
    void **states;               /* metric by metric, in it lane by lane */
    struct severities computing; /* before calls at a site; one "metric" */
    struct meeting_causes causes;
    struct wait_epochs epochs;
    struct map begun_by_call;
    ARRAY(struct begun_member) begun;
    ARRAY(uint32_t) begun_unused;
};

/* `grid`, `places`, `ranks`, `from`, `to`, `slack`, `listener`, `worst_of` and `worst.most` are the caller's to set before. */
enum refrain_status wait_search_run(struct wait_search *s, const struct reader *r,
                                    const struct definitions *d, const struct metrics *metrics,
                                    const struct timestamps_source *timestamps);
void wait_search_free(struct wait_search *s); /* also of a zeroed struct */

/* ---- for metrics ------------------------------------------------------------------------------- */

/* Are the rank's values wanted? */
static inline bool wait_search_has(const struct wait_search *s, uint32_t rank)
{
    return !s->ranks || ranges_has(s->ranks, rank);
}

/* Add an interval at a call, as far as it lies in what is looked at. *length is what of it does. */
enum refrain_status wait_search_add(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                    uint64_t begin, uint64_t end, uint64_t *length);
/* Of the values, the row that a call is in: its site, or its place. */
uint32_t wait_search_place(const struct wait_search *s, const struct call_ref *call);
/* Add a number at a call that begins in what is looked at. */
enum refrain_status wait_search_count(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                      uint64_t value);
/* What a row without `take` does with an event. */
enum refrain_status wait_search_wait(struct wait_search *s, uint32_t metric, const struct wait_event *e);
/* Tell all that subscribe to the event's kind. */
enum refrain_status wait_search_publish(struct wait_search *s, const struct wait_event *e);
/* What the metric keeps of a lane; NULL when memory is short. */
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
