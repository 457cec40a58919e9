/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks a row stream by runs (row, count) instead of call by call.
 *
 *     (0 1^2)^2 2       0^1  1^2  0^1  1^2  2^1
 *
 * The rows may also come from a series, and a filler may come between them (trace.h).
 *
 * Two neighbouring runs may have the same row, if a rule ends with the row with which the next item
 * begins. */
#ifndef REFRAIN_STREAM_WALK_H
#define REFRAIN_STREAM_WALK_H

#include "trace.h"

struct stream_walk {
    const struct rules *rules;  /* NULL: row 0 always, or there is an order */
    const struct series *order; /* NULL: none */
    struct series_cursor next;  /* cursor in `order` */
    uint64_t calls;             /* calls left; not counted if there are rules but no filler */
    const struct series *fills; /* NULL: no filler */
    struct series_cursor fill;  /* cursor in `fills` */
    uint32_t filler, row;
    uint64_t count; /* calls of `row` left before the next row of the stream */
    bool filled;    /* the filler before the next call of `row` has been returned */
    uint32_t depth;
    struct stream_frame {
        uint32_t item, end; /* the item being walked, and the end of its body */
        uint64_t done;      /* repetitions of the item that are complete */
    } * stack;              /* a body refers to earlier rules only, so n_rules frames are enough */
};

/* Start a walk. If `stream` is NULL, it is row 0, `calls` times. `stream` must outlive the walk. */
enum refrain_status stream_walk_start(struct stream_walk *w, const struct rules *stream, uint64_t calls);
/* Take the rows from a series; call it right after a start without rules. */
void stream_walk_order(struct stream_walk *w, const struct series *order);
/* Use a filler; call it right after the start, whose `calls` must then be correct. `filler` comes fills[i]
 * times before the i-th row of the stream, and all calls after the stream's end are the filler. */
void stream_walk_fill(struct stream_walk *w, uint32_t filler, const struct series *fills);
/* Start a walk for a group and its `ordinal`-th rank, `rank`, which calls the site `calls` times. */
enum refrain_status stream_walk_group(struct stream_walk *w, const struct trace *t, const struct group *g,
                                      uint64_t ordinal, int64_t rank, uint64_t calls);
bool stream_walk_next(struct stream_walk *w, uint32_t *row, uint64_t *count); /* false at the end */
void stream_walk_stop(struct stream_walk *w);

#endif
