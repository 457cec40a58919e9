/* SPDX-License-Identifier: BSD-3-Clause */
/* The waiting of a run, from a trace that has times of single calls. */
#ifndef REFRAIN_WAITS_H
#define REFRAIN_WAITS_H

#include "wait_report.h"

struct waits_request {
    uint64_t from, to; /* ns since the beginning of the run */
    const char *clock; /* --clock; NULL: the ranks' clocks, unless messages come too early by them */
    const struct wait_grid *grid;         /* that the ranks form; NULL: none */
    struct wait_places *places;           /* instead of call sites; NULL: call sites */
    const struct ranges *ranks;           /* whose waiting is wanted; NULL: all */
    uint32_t metric;                      /* that is wanted; METRIC_NONE: all waiting */
    size_t n_worst;                       /* how many single instances are wanted */
    const struct wait_listener *listener; /* of the search; NULL: nobody */
    struct call_times *times;             /* that are filled; NULL: not wanted */
};

struct waits {
    struct metrics metrics;
    struct wait_search search;
    struct wait_report report;
    uint64_t bound; /* ns: how far a time may be off */
    bool cut;       /* times of single calls end before the run */
    bool is_causal; /* the clocks were corrected (logical_clock.h) */
};

/* Is the time in calls that did not return large enough to be reported? */
static inline bool waits_have_unreturned(const struct waits *w)
{
    return w->report.unreturned > w->report.run / 2000;
}

/* Logs an error if the trace has no times of single calls. */
enum refrain_status waits_find(struct waits *w, const struct reader *r, const struct definitions *d,
                               const struct waits_request *request);
void waits_free(struct waits *w); /* also of a zeroed struct */

#endif
