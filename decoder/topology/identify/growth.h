/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the nodes of a graph are in a pattern that it almost is, whatever they are numbered like.
 *
 *     a node whose surroundings are those of a node of the pattern       · · · ·      · · · ·      · 7 4 ·
 *     is put there, then its neighbours, so that what they have in       · 3 · ·  ->  5 3 8 ·  ->  5 3 8 1
 *     common fits; and then, one after the other, the node that has      · · · ·      · 2 · ·      · 2 9 ·
 *     the most neighbours that are placed, where it fits best
 *
 * Where edges are missing or too many, the other neighbours of a node tell where it is. What does not fit is counted, so that a
 * beginning that is wrong ends soon. */
#ifndef REFRAIN_GROWTH_H
#define REFRAIN_GROWTH_H

#include "graph.h"

struct growth {
    uint64_t most;   /* differences */
    uint64_t effort; /* steps that may be taken; what is left */
};

/* image[node of g] becomes its node of h, which has as many, or IMAGE_NONE for nodes without edges. *found: with how
 * many differences at most; otherwise places are not changed. */
enum refrain_status growth_place(struct growth *growth, const struct graph *g, const struct graph *h,
                                 uint32_t *image, bool *found);

#endif
