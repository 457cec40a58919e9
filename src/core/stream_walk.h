/* Walking a row stream by runs: (row, how often) instead of call by call.
 *
 *     (0 1^2)^2 2       0^1  1^2  0^1  1^2  2^1
 *
 * Two neighbouring runs may be of the same row, where a rule ends as the next begins. */
#ifndef REFRAIN_STREAM_WALK_H
#define REFRAIN_STREAM_WALK_H

#include "rules.h"

struct stream_walk {
    const struct rules *rules; /* NULL: row 0 always */
    uint64_t calls;            /* of row 0 still to come, when there are no rules */
    uint32_t depth;
    struct stream_frame {
        uint32_t item, end; /* the item being walked, and the end of its body */
        uint64_t done;      /* repetitions of the item that are complete */
    } * stack;              /* a body refers to earlier rules only, so n_rules frames are enough */
};

/* `stream` may be NULL and is then row 0, `calls` times; it must outlive the walk. */
enum refrain_status stream_walk_start(struct stream_walk *w, const struct rules *stream, uint64_t calls);
bool stream_walk_next(struct stream_walk *w, uint32_t *row, uint64_t *count); /* false at the end */
void stream_walk_stop(struct stream_walk *w);

#endif
