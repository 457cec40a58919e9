/* SPDX-License-Identifier: BSD-3-Clause */
/* Which row each call of a site by one rank is of, call by call: from a stream or an order, with a filler
 * (trace.h) or without. What repeats can be passed (repetition.h). */
#ifndef REFRAIN_ROW_WALK_H
#define REFRAIN_ROW_WALK_H

#include "src/core/trace/trace.h"

struct row_walk {
    bool has_stream, has_order, has_fills; /* stream or order or none */
    struct rules_cursor stream;
    struct series_cursor order, fills; /* fills: before the next row of the stream or order */
    uint64_t fill, passed;             /* how often the filler comes there, and how often it has come */
    struct row_repetition {
        struct repetition all;   /* in calls */
        struct repetition rows;  /* of the stream or order, */
        struct repetition fills; /* and of the fills: */
        uint64_t length;         /* so many of them come in one time of `all` */
    } last[REPETITIONS_MAX];     /* what was listed */
};

/* For the group's `ordinal`-th rank. */
enum refrain_status row_walk_start(struct row_walk *w, const struct trace *t, const struct group *g,
                                   uint64_t ordinal, uint32_t rank);
/* Returns the next row. Does not check for the end of the calls. */
uint32_t row_walk_next(struct row_walk *w);
void row_walk_repetitions(struct row_walk *w, struct repetitions *out);
/* Returns the argument for row_walk_repeat, given a repetition of the last list. */
struct row_repetition row_walk_choose(const struct row_walk *w, const struct repetition *r);
/* Skips `times` times of a repetition, which must have more. */
void row_walk_repeat(struct row_walk *w, const struct row_repetition *r, uint64_t times);
void row_walk_stop(struct row_walk *w);

/* Of the first so many calls, how many are rows of the stream or order, and not the filler's? By bisection.
 */
uint64_t row_walk_unfilled(const struct series *fills, uint64_t calls);

#endif
