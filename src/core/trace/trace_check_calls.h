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
    uint64_t *work, work_max;     /* ranks gone through so far, of all of trace_check; how many may be */
    struct column_facts *columns; /* of the trace's columns; NULL until they are needed, as the others */
    uint64_t *skeleton;           /* calls of each site in the skeleton at hand */
    uint64_t *calls;              /* calls of each of the trace's ranks, of the site at hand; or if these */
    bool alike;                   /* are the same for all ranks of the shape: */
    uint64_t calls_alike;
};

/* The shape's loops by themselves; its ranks and skeleton have been checked. What is wrong, or NULL. */
const char *trace_check_loops(const struct trace *t, const struct shape *s);
/* Counts, streams and columns of the groups for which group_varies; everything else of the shape has been
 * checked. REFRAIN_ERR_CHECK with what is wrong in *what; REFRAIN_ERR_MEMORY, logged. */
enum refrain_status trace_check_calls(struct calls_check *c, const struct shape *s, const char **what);
void calls_check_free(struct calls_check *c); /* what it holds */

/* Which column each rank has: a rank function of columns' numbers, rank after rank. */
struct column_choice {
    const struct rankfn *f;
    struct series_cursor plain, relative;
};

void column_choice_start(struct column_choice *c, const struct rankfn *f);
/* Of the next rank. False if there is no such column, or if the forms of the function do not agree. */
bool column_choice_next(struct column_choice *c, const struct trace *t, int64_t rank, uint64_t *column);

#endif
