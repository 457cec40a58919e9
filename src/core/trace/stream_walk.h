/* SPDX-License-Identifier: BSD-3-Clause */
/* Walking a row stream by runs: (row, how often) instead of call by call.
 *
 *     (0 1^2)^2 2       0^1  1^2  0^1  1^2  2^1
 *
 * The rows may be those of a series instead, and a filler may come in between (trace.h).
 *
 * Two neighbouring runs may be of the same row, where a rule ends as the next begins. */
#ifndef REFRAIN_STREAM_WALK_H
#define REFRAIN_STREAM_WALK_H

#include "trace.h"

struct stream_walk {
    const struct rules *rules;  /* NULL: row 0 always, or there is an order */
    const struct series *order; /* NULL: none */
    struct series_cursor next;  /* in it */
    uint64_t calls;             /* still to come; not kept when there are rules but no filler */
    const struct series *fills; /* NULL: no filler */
    struct series_cursor fill;  /* in them */
    uint32_t filler, row;
    uint64_t count; /* calls of `row` still to come, before the next row of the stream */
    bool filled;    /* the filler before the next call of `row` has been given out */
    uint32_t depth;
    struct stream_frame {
        uint32_t item, end; /* the item being walked, and the end of its body */
        uint64_t done;      /* repetitions of the item that are complete */
    } * stack;              /* a body refers to earlier rules only, so n_rules frames are enough */
};

/* `stream` may be NULL and is then row 0, `calls` times; it must outlive the walk. */
enum refrain_status stream_walk_start(struct stream_walk *w, const struct rules *stream, uint64_t calls);
/* Right after a start without rules: the rows come from a series. */
void stream_walk_order(struct stream_walk *w, const struct series *order);
/* Right after the start, whose `calls` has to be right then: `filler` comes fills[i] times before row i of
 * the stream, and is all that comes behind it. */
void stream_walk_fill(struct stream_walk *w, uint32_t filler, const struct series *fills);
/* All of this for a group and one of its ranks, its `ordinal`-th, which calls the site so often. */
enum refrain_status stream_walk_group(struct stream_walk *w, const struct trace *t, const struct group *g,
                                      uint64_t ordinal, int64_t rank, uint64_t calls);
bool stream_walk_next(struct stream_walk *w, uint32_t *row, uint64_t *count); /* false at the end */
void stream_walk_stop(struct stream_walk *w);

#endif
