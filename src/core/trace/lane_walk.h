/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the calls of one rank in a shape, site by site: the skeleton with its loops expanded (trace.h).
 *
 *     skeleton  a b c ; loop 0 { b }, 2 times here ; loop 1 { b c }, once here
 *
 *     a   b, then loop 0: b b   c, then loop 1: b (loop 0: none) c
 *
 * In this example each loop comes after its own last site. A site of the skeleton is expanded by all loops
 * that come after the site, the last loop outermost; a site in a loop is expanded by the loops before that
 * loop. The k-th occurrence of a loop's `after` takes the k-th of the loop's counts. */
#ifndef REFRAIN_LANE_WALK_H
#define REFRAIN_LANE_WALK_H

#include "src/core/series/series.h"
#include "trace.h"

/* A loop that is being walked. */
struct lane_walk_frame {
    uint32_t loop;
    uint32_t at;   /* index of its next site */
    uint64_t left; /* repetitions to come, this one included */
};

struct lane_walk {
    const struct shape *shape;
    uint64_t index; /* number of the next call */
    struct rules_cursor skeleton;
    struct series_cursor counts[LOOPS_MAX];
    struct lane_walk_frame frames[LOOPS_MAX];
    uint32_t depth; /* frames in use; the loop numbers descend */
};

/* Count how often a rank of the shape, its `ordinal`-th, calls each of the trace's sites: calls[site], and
 * *all in total. Returns REFRAIN_ERR_CHECK (logged) if the counts of the loops do not fit; the other
 * functions require that they fit. */
enum refrain_status lane_walk_count(const struct trace *t, const struct shape *s, uint64_t ordinal,
                                    uint32_t rank, uint64_t *calls, uint64_t *all);
/* Count how often each rank of a set, a subset of the shape's, calls a site. *calls has one number for
 * each rank; the caller frees it. */
enum refrain_status lane_walk_calls(const struct trace *t, const struct shape *s, uint32_t site,
                                    const struct series *ranks, uint64_t **calls);
enum refrain_status lane_walk_start(struct lane_walk *w, const struct trace *t, const struct shape *s,
                                    uint64_t ordinal, uint32_t rank);
bool lane_walk_next(struct lane_walk *w, uint32_t *site); /* false at the end */
/* Go to call number `index` (<= all calls). passed[site] becomes how often each of n sites was called before.
 */
enum refrain_status lane_walk_seek(struct lane_walk *w, uint64_t index, uint64_t *passed, uint32_t n);
/* About how many elements of grammars and series lane_walk_seek looks at. O(size of the loops' counts). */
uint64_t lane_walk_seek_cost(const struct lane_walk *w);
void lane_walk_stop(struct lane_walk *w);

#endif
