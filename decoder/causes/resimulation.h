/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the recorded run with a change: each lane keeps its computing times and call durations, but its
 * waiting is computed again, for the same calls of other lanes (causal_stream.h).
 *
 *     as it was              lane 0   ── computes 4 ──┤ waits 3   ├ 1 ├         a call lasts as long after the last of what it
 *                            lane 1   ── computes 7 ──────────────┤             depends on, or after its own beginning, as it did
 *
 *     lane 1 only computes   lane 0   ── computes 4 ──┤ 1 ├
 *     half of it             lane 1   ── 3.5 ───────┤
 *
 * Several cases are simulated side by side in one pass over the stream. Waiting that is no dependency in the
 * stream keeps its duration: for locks of all targets of a window, and in files. A send depends on its receive if
 * the wait search counts it as waiting for a late receiver. */
#ifndef REFRAIN_RESIMULATION_H
#define REFRAIN_RESIMULATION_H

#include "decoder/causes/stream/causal_stream.h"
#include "critical_path.h"
#include "decoder/waits/search/wait_event.h"

/* Work that ends in the stretch (from < end <= to) is multiplied by `left`, 0 to 1. */
struct resim_stretch {
    uint64_t from, to;
    double left;
};

struct resim_stretches {
    struct resim_stretch *items; /* ascending */
    size_t n, cap;
};

/* Work of at least `least` that ends in the stretch takes `most` at most; ns. */
struct resim_limit {
    uint64_t from, to, least, most;
};

struct resim_limits {
    struct resim_limit *items; /* ascending */
    size_t n, cap;
};

enum resim_change {
    RESIM_NOTHING,
    RESIM_IDEAL,   /* calls (at a site) take no time, except for those that keep theirs; data moves at once */
    RESIM_SHORTER, /* stretches of places are shorter */
    RESIM_APART    /* calls at a site do not wait, in waiting of some kinds */
};

/* Waiting inside of the MPI library, which RESIM_IDEAL does not have: data moves at once. */
#define RESIM_INSIDE (EVENTS(EVENT_LATE_PROGRESS) | EVENTS(EVENT_MEMBER_LATE))

#define RESIM_ANYWHERE UINT32_MAX
#define RESIM_CASES    32 /* at most, side by side */

/* What becomes shorter at a place, the computing before a site or its calls. */
struct resim_place {
    uint32_t place;                  /* critical_key >> 32 */
    struct resim_stretches *of_lane; /* by lane */
    struct resim_limits limits;      /* for late lanes, also in their stretches */
};

struct resim_case {
    enum resim_change change;
    struct resim_place *places; /* RESIM_SHORTER: n_places > 0; the caller's */
    size_t n_places;
    bool *is_late;  /* RESIM_SHORTER: by lane; NULL if there are no limits; the caller's */
    uint32_t site;  /* RESIM_IDEAL, RESIM_APART: a site, or RESIM_ANYWHERE */
    uint64_t kinds; /* RESIM_APART: kinds of waiting (EVENTS of wait_event.h) */
};

/* Sets of cases, one bit each: `changed` change the work at a site, `apart` may remove the waiting of calls
 * there. */
struct resim_site {
    bool known;
    uint32_t changed[CRITICAL_ACTIVITIES], apart;
};

struct resimulation {
    size_t n_lanes, n_cases;
    size_t stride;                       /* n_cases, rounded up to an even number */
    const struct resim_case *cases;      /* the caller's; must stay valid */
    const bool *keeps;                   /* by site: its calls keep their duration; the caller's; NULL: none
                                       does */
    uint64_t slack;                      /* ns: as of the critical path */
    uint64_t *left;                      /* recorded: when the lane left its last call */
    uint64_t *now;                       /* by lane, then by case (a row of `stride`): current time */
    size_t first_place[RESIM_CASES + 1]; /* number of the case's first place; at the end: of all places */
    size_t *stretch, *limit;             /* by lane, then by place: the current or next stretch, and limit */
    ARRAY(uint64_t) of_mark;             /* by mark, then by case */
    ARRAY(struct resim_site) sites;
};

/* All lanes start at 0 ns, the beginning of the run. */
enum refrain_status resimulation_create(struct resimulation *r, size_t n_lanes,
                                        const struct resim_case *cases, size_t n_cases);
void resimulation_free(struct resimulation *r); /* also of a zeroed struct */
struct causal_sink resimulation_sink(struct resimulation *r);
/* Returns the time at which the last lane ends in case `number`; ns. */
uint64_t resimulation_end(const struct resimulation *r, size_t number);

#endif
