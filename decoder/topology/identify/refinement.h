/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a graph's nodes that do not depend on their numbers: cheap tests whether two graphs can be
 * the same. */
#ifndef REFRAIN_REFINEMENT_H
#define REFRAIN_REFINEMENT_H

#include "graph.h"

/* Each node's colour: at first its degree; then, round by round, a hash of its own and its neighbours'
 * colours (colour refinement; Weisfeiler and Leman 1968). Each colour occurs equally often in all numberings
 * of a graph. */
struct refinement {
    uint32_t n;
    unsigned rounds;
    uint64_t *colours; /* by node */
    uint64_t *sorted;
};

/* `rounds` 0: until a round distinguishes no more nodes than the round before, at most 64. */
enum refrain_status refinement_create(struct refinement *r, const struct graph *g, unsigned rounds);
void refinement_free(struct refinement *r); /* also of a zeroed struct */
bool refinement_equals(const struct refinement *r, const struct refinement *s);
/* Returns the colour that the fewest nodes have. */
uint64_t refinement_rarest(const struct refinement *r);

/* Computes a hash of the number of nodes at each distance from a node, and of the edges between distances. */
enum refrain_status refinement_distances(const struct graph *g, uint32_t node, uint64_t *hash);

#endif
