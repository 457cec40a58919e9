/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the critical path and the delays of a run by listening to the search for waiting. On demand, it
 * simulates the run (resimulation.h) as it was, and with a network that takes no time. */
#ifndef REFRAIN_CRITICAL_SEARCH_H
#define REFRAIN_CRITICAL_SEARCH_H

#include "decoder/causes/stream/causal_relay.h"
#include "decoder/causes/stream/causal_tee.h"
#include "decoder/causes/stream/cause_listener.h"
#include "critical_path.h"
#include "efficiency.h"
#include "part_times.h"

struct critical_search {
    struct critical_path path; /* the result, when the search is over */
    struct resimulation anew;  /* simulates critical_cases; gets the same stream as `path` */
    bool simulates;           /* set by the caller before: fill `anew`, for critical_search_efficiency, … */
    bool keeps_log;           /* … keep `log` … */
    bool keeps_route;         /* … and path.route */
    struct part_times *parts; /* likewise: filled; NULL: not wanted */
    struct causal_log log;    /* the stream, if it could be stored */
    bool *keeps;              /* by site: its calls keep their duration in any network */
    struct causal_tee tee;    /* tells path, anew and log, … */
    struct causal_relay relay; /* … in another thread, if there is one, … */
    struct thread_pool *pool;  /* … of these */
    struct causal_tee before;  /* tells parts, and then the others */
    struct cause_listener listener;
};

enum { CRITICAL_AS_IT_WAS, CRITICAL_IDEAL, CRITICAL_CASES };

/* From zeros on, but for simulates, keeps_log, keeps_route and parts; the search has to listen (struct
 * wait_search), and *c to stay. */
const struct wait_listener *critical_search_open(struct critical_search *c);
/* efficiency_find; with the ideal network if the search simulates. */
enum refrain_status critical_search_efficiency(const struct critical_search *c, const struct wait_search *s,
                                               struct efficiency *e);
void critical_search_free(struct critical_search *c); /* also of a zeroed struct */

#endif
