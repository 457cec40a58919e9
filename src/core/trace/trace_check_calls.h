/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of trace_check: checks how often each rank calls each site, if loops, orders or fillers make the
 * counts differ.
 *
 * The sum and the largest value of each column are computed once, so the cost of a rank does not depend on
 * its number of calls, which may be 2^60. Ranks with the same columns are checked together: a file of a
 * few bytes may have 2^26 ranks. */
#ifndef REFRAIN_TRACE_CHECK_CALLS_H
#define REFRAIN_TRACE_CHECK_CALLS_H

#include "trace.h"

struct column_facts {
    bool counts; /* no value is negative, and the sum is < 2^62; only then: */
    uint64_t sum, most;
};

struct calls_check {
    const struct trace *trace;
    uint64_t *work, work_max; /* number of ranks that trace_check has visited, and its limit */
    /* Of the trace's columns; this and the following are NULL until needed. */
    struct column_facts *columns;
    uint64_t *skeleton; /* calls of each site in the current skeleton */
    /* Calls of the current site by each rank of the trace; or, if … */
    uint64_t *calls;
    bool alike; /* … all ranks of the shape have the same number: */
    uint64_t calls_alike;
};

/* Check the shape's loops; its ranks and skeleton have been checked. Returns what is wrong, or
 * NULL. */
const char *trace_check_loops(const struct trace *t, const struct shape *s);
/* Check counts, streams and columns of the groups for which group_varies; everything else of the
 * shape has been checked. REFRAIN_ERR_CHECK with the error in *what; REFRAIN_ERR_MEMORY, logged. */
enum refrain_status trace_check_calls(struct calls_check *c, const struct shape *s, const char **what);
void calls_check_free(struct calls_check *c); /* frees its members */

/* The column of each rank: a rank function of columns' numbers, walked rank by rank. */
struct column_choice {
    const struct rankfn *f;
    struct series_cursor plain, relative;
};

void column_choice_start(struct column_choice *c, const struct rankfn *f);
/* The column of the next rank. False if it does not exist, or if the forms of the function
 * disagree. */
bool column_choice_next(struct column_choice *c, const struct trace *t, int64_t rank, uint64_t *column);

#endif
