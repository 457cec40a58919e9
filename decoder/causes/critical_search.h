/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path and the delays of a run, found by listening to the search for waiting. */
#ifndef REFRAIN_CRITICAL_SEARCH_H
#define REFRAIN_CRITICAL_SEARCH_H

#include "cause_listener.h"
#include "critical_path.h"

struct critical_search {
    struct critical_path path; /* the result, when the search is over */
    struct cause_listener listener;
};

/* From zeros on; the search has to listen (struct wait_search), and *c to stay. */
const struct wait_listener *critical_search_open(struct critical_search *c);
/* When the search is over: the path begins where the run does (efficiency.h), behind MPI_Init. */
enum refrain_status critical_search_leave_init_out(struct critical_search *c, const struct wait_search *s);
void critical_search_free(struct critical_search *c); /* also of a zeroed struct */

#endif
