/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded run once more, with something changed: each lane computes and makes its calls for as long as it did, but waits anew, for the
 * same calls of others (causal_stream.h).
 *
 *     as it was              lane 0   ── computes 4 ──┤ waits 3   ├ 1 ├         a call lasts as long behind the last of what it
 *                            lane 1   ── computes 7 ──────────────┤             depends on, or behind its own beginning, as it did
 *
 *     lane 1 only computes   lane 0   ── computes 4 ──┤ 1 ├
 *     half of it             lane 1   ── 3.5 ───────┤
 *
 * Several cases are simulated side by side, in one telling of the stream. What is no dependency there keeps its duration: accesses to windows
 * between groups, locks, files. A send depends on its receive if it was over only behind that, and no larger one was over before. */
#ifndef REFRAIN_RESIMULATION_H
#define REFRAIN_RESIMULATION_H

#include "causal_stream.h"

/* Of what ends in it (from < end <= to), so much is left; 0 to 1. */
struct resim_stretch {
    uint64_t from, to;
    double left;
};

struct resim_stretches {
    struct resim_stretch *items; /* ascending */
    size_t n, cap;
};

enum resim_change {
    RESIM_NOTHING,
    RESIM_IDEAL,   /* calls take no time, but for those that keep theirs */
    RESIM_SHORTER, /* a place is: stretches of it */
    RESIM_APART    /* nobody waits in calls at a site, in waiting of some kinds */
};

#define RESIM_ANYWHERE UINT32_MAX

struct resim_case {
    enum resim_change change;
    uint32_t place;                        /* RESIM_SHORTER: critical_key >> 32, … */
    const struct resim_stretches *of_lane; /* … by lane */
    uint32_t site, kinds;                  /* RESIM_APART: or RESIM_ANYWHERE, and EVENTS of wait_event.h */
};

struct resimulation {
    size_t n_lanes, n_cases;
    const struct resim_case *cases; /* the caller's, to stay */
    const bool *keeps;              /* by site: its calls keep their time; the caller's; NULL: none does */
    uint64_t slack;                 /* ns: as of the critical path */
    uint64_t *left;                 /* recorded: when the lane left its last call */
    uint64_t *now;                  /* lane by lane, in it case by case: how far it is */
    size_t *stretch;                /* in the same order: the next one, or the one that it is in */
    ARRAY(uint64_t) of_mark;        /* mark by mark, in it case by case */
};

/* From the beginning of the run on, 0 ns. */
enum refrain_status resimulation_create(struct resimulation *r, size_t n_lanes,
                                        const struct resim_case *cases, size_t n_cases);
void resimulation_free(struct resimulation *r); /* also of a zeroed struct */
struct causal_sink resimulation_sink(struct resimulation *r);
/* When the last lane ends; ns. */
uint64_t resimulation_end(const struct resimulation *r, size_t number);

#endif
