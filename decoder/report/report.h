/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a report, computed once, for its sections, its page and its summary. */
#ifndef REFRAIN_REPORT_H
#define REFRAIN_REPORT_H

#include "costs.h"
#include "decoder/causes/reasons/removals.h"
#include "decoder/matrix/matrix.h"
#include "decoder/parts/program_parts.h"
#include "decoder/stat/statistics.h"
#include "decoder/topology/survey/comparison.h"
#include "decoder/trace/endings.h"
#include "decoder/trace/hosts.h"
#include "decoder/trace/symbols.h"
#include "decoder/waits/report/call_paths.h"
#include "decoder/waits/report/wait_notices.h"
#include "decoder/waits/report/waits.h"
#include "decoder/waits/report/waits_topology.h"

enum {
    REPORT_WAITS = 5000, /* single waits that waits.search.worst keeps */
    REPORT_WORST = 20    /* of them that are put in words */
};

struct report {
    const struct reader *reader;
    const char *file; /* the trace's name without directories */
    struct definitions definitions;
    struct symbols symbols;
    struct hosts hosts;
    struct endings endings;
    struct statistics statistics;    /* by site */
    bool timed;                      /* the trace has times of single calls: */
    struct waits waits;              /* otherwise it is empty */
    struct critical_search critical; /* and why they wait; otherwise it is empty, … */
    struct program_parts parts;      /* and how efficient its phases are, if the model is wanted; likewise */
    struct notices notices;          /* and where numbers would mislead; likewise */
    struct removals removals;        /* … as what the run would take without the first reasons */
    struct call_times times;         /* of single calls and messages; otherwise it is empty */
    struct call_paths paths;
    struct costs costs;
    struct matrix matrix;
    struct pattern_library library;
    struct traffic traffic;
    struct communicators communicators;
    struct declared declared; /* what the program says of its topology, */
    struct comparisons comparisons;
    struct placement
        placement; /* and the coordinates that hold; no dimensions: none do. The report must not move */
    struct survey survey;
    struct waits_topology topology; /* of it, that waiting is looked at on */
    struct event_templates templates;
    struct loop_groups groups;
    struct model model;
};

/* Makes a report, without model and phases unless they are wanted: they take long, and the text needs neither.
 * The reader must outlive it. `modules` (may be NULL) is where the program and its libraries are searched
 * first. */
enum refrain_status report_create(struct report *r, const struct reader *reader, const char *modules,
                                  bool model);
/* The same for a run that is compared with others: without reasons and times of single calls, and without
 * topology and model unless they are wanted. */
enum refrain_status report_create_sums(struct report *r, const struct reader *reader, const char *modules,
                                       bool model);
void report_free(struct report *r); /* also of a zeroed struct */

/* Returns the number of nodes that the recorded ranks ran on. */
size_t report_nodes(const struct report *r);
/* Iterates over the longest single waits after MPI_Init, the longest first; *at is 0 at first. NULL: no more. */
const struct wait_instance *report_next_wait(const struct report *r, size_t *at);
/* ns: what a thread ran after MPI_Init, and what of it the costs are shares of. */
uint64_t report_run(const struct report *r);
/* Computes the efficiency. Returns false if the trace has no times of single calls. */
bool report_efficiency(const struct report *r, struct efficiency *e);
/* Below this name stands what the trace says of itself; "" if it is not there. */
const char *report_meta(const struct report *r, const char *key);
/* "exchange (halo.c:31)": the innermost location of a site; nothing for one that has none. */
void report_put_site(const struct report *r, uint32_t site, struct bytes *out);

#endif
