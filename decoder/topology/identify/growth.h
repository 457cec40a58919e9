/* SPDX-License-Identifier: BSD-3-Clause */
/* Places the nodes of a graph on a pattern that differs from it by few edges, for any numbering of the nodes.
 *
 *     a node whose surroundings are those of a node of the pattern       · · · ·      · · · ·      · 7 4 ·
 *     is put there, then its neighbours, so that what they have in       · 3 · ·  ->  5 3 8 ·  ->  5 3 8 1
 *     common fits; and then, one after the other, the node that has      · · · ·      · 2 · ·      · 2 9 ·
 *     the most neighbours that are placed, where it fits best
 *
 * If edges are missing or extra, the other neighbours of a node determine its place. Differences are counted,
 * so that a wrong start is abandoned early. */
#ifndef REFRAIN_GROWTH_H
#define REFRAIN_GROWTH_H

#include "graph.h"

struct growth {
    uint64_t most;   /* differences */
    uint64_t effort; /* limit of steps; growth_place reduces it by the steps that it takes */
};

/* Sets image[node of g] to its node of h, or to IMAGE_NONE if it has no edges. g and h have equally many
 * nodes. *found says whether a placement within growth->most differences was found; if not, `image` is
 * unchanged. */
enum refrain_status growth_place(struct growth *growth, const struct graph *g, const struct graph *h,
                                 uint32_t *image, bool *found);

#endif
