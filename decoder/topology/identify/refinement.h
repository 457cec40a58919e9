/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes of a graph look like, whatever their numbers: cheap tests of whether two graphs may be the same. */
#ifndef REFRAIN_REFINEMENT_H
#define REFRAIN_REFINEMENT_H

#include "graph.h"

/* Each node's colour: at first its degree; then, round by round, a hash of its own and its neighbours' colours (colour
 * refinement; Weisfeiler and Leman 1968). Two numberings of a graph have the same colours as often. */
struct refinement {
    uint32_t n;
    unsigned rounds;
    uint64_t *colours; /* by node */
    uint64_t *sorted;
};

/* `rounds` 0: until no round tells more nodes apart than the one before, up to 64. */
enum refrain_status refinement_create(struct refinement *r, const struct graph *g, unsigned rounds);
void refinement_free(struct refinement *r); /* also of a zeroed struct */
bool refinement_equals(const struct refinement *r, const struct refinement *s);
/* The colour that the fewest nodes have. */
uint64_t refinement_rarest(const struct refinement *r);

/* A hash of how many nodes are at each distance from a node, and of the edges between these. */
enum refrain_status refinement_distances(const struct graph *g, uint32_t node, uint64_t *hash);

#endif
