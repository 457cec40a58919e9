/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path and the delays of a run, found by listening to the search for waiting; and the run once more (resimulation.h), as it was and in
 * a network that takes no time. */
#ifndef REFRAIN_CRITICAL_SEARCH_H
#define REFRAIN_CRITICAL_SEARCH_H

#include "causal_log.h"
#include "cause_listener.h"
#include "critical_path.h"
#include "efficiency.h"
#include "resimulation.h"

struct critical_search {
    struct critical_path path;   /* the result, when the search is over */
    struct resimulation anew;    /* the cases critical_cases; it is told what the path is */
    bool keeps_log;              /* the caller's to set before: */
    struct causal_log log;       /* what was told, if it could be kept */
    bool *keeps;                 /* by site: its calls take their time in any network */
    struct causal_sink sinks[3]; /* who is told */
    struct cause_listener listener;
};

enum { CRITICAL_AS_IT_WAS, CRITICAL_IDEAL, CRITICAL_CASES };

/* From zeros on, but for keeps_log; the search has to listen (struct wait_search), and *c to stay. */
const struct wait_listener *critical_search_open(struct critical_search *c);
/* When the search is over: the path begins where the run does (efficiency.h), behind MPI_Init. */
enum refrain_status critical_search_leave_init_out(struct critical_search *c, const struct wait_search *s);
/* efficiency_find, with the ideal network. */
enum refrain_status critical_search_efficiency(const struct critical_search *c, const struct wait_search *s,
                                               struct efficiency *e);
void critical_search_free(struct critical_search *c); /* also of a zeroed struct */

#endif
