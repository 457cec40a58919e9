/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and sorts the results of a search: values of metrics, and the causes of waiting.
 *
 * The values of a metric are its own, and those of the metrics below that are no part of it
 * (wait_metric.h). */
#ifndef REFRAIN_WAIT_REPORT_H
#define REFRAIN_WAIT_REPORT_H

#include "decoder/waits/search/wait_search.h"

/* Waiting of one kind at one call site. */
struct wait_cause {
    uint32_t metric, site;
    uint64_t time;      /* ns, of all lanes */
    uint64_t instances; /* how often */
    uint64_t error;     /* ns: what the times' mode may make of it, at most */
};

struct wait_report {
    const struct wait_search *search;
    uint64_t length;                 /* ns: of the run (run_begin.h), as far as it is looked at; */
    uint64_t run;                    /* that of all lanes; */
    uint64_t waiting;                /* of it, whatever metric is wanted; */
    uint64_t starting;               /* and of that, what is apart (metrics_is_waiting) */
    uint64_t init;                   /* before it, in MPI_Init, of all lanes */
    uint64_t unreturned;             /* of the run, in calls that did not return */
    uint32_t ranks, threads;         /* wanted ranks and threads that made calls; at least 1 */
    uint64_t *scratch;               /* values of lanes */
    ARRAY(struct wait_cause) causes; /* the most expensive first */
};

/* With the causes that are wanted (metrics_is_wanted). */
enum refrain_status wait_report_create(struct wait_report *r, const struct wait_search *s, uint32_t metric);
void wait_report_free(struct wait_report *r); /* also of a zeroed struct */

#define WAIT_ALL_SITES UINT32_MAX
/* Adds the values of a metric by lane to by_lane[]. */
void wait_report_add_lanes(const struct wait_search *s, uint32_t metric, uint32_t site, uint64_t *by_lane);
/* The same by direction (wait_search.h), of waiting that is for somebody. */
void wait_report_add_directions(const struct wait_search *s, uint32_t metric, uint32_t site,
                                uint64_t *by_direction);
/* Returns the sum over all lanes. */
uint64_t wait_report_value(const struct wait_report *r, uint32_t metric, uint32_t site);
/* Returns the sum over the lanes of a rank. */
uint64_t wait_report_of_rank(const struct wait_search *s, const uint64_t *by_lane, uint32_t rank);
/* ns: what the times' mode may make of a metric, at most. */
uint64_t wait_report_error(const struct wait_search *s, uint32_t metric, uint32_t site);

#endif
