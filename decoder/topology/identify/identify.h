/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pattern a graph is, whatever its nodes are numbered like. Tests from cheap to dear leave fewer and fewer
 * candidates; what is left is proved by an isomorphism, which also says which node is where. */
#ifndef REFRAIN_IDENTIFY_H
#define REFRAIN_IDENTIFY_H

#include "candidate.h"

enum topology_test {
    TEST_NODES,
    TEST_EDGES,
    TEST_DEGREES,
    TEST_COLOURS,   /* of refined neighbourhoods */
    TEST_DISTANCES, /* from a node of the rarest colour */
    TEST_ISOMORPHISM,
    TOPOLOGY_TESTS
};
extern const char *const topology_tests[TOPOLOGY_TESTS]; /* in words */

struct topology {
    bool found;
    bool given; /* the coordinates were known */
    bool exact; /* otherwise it is the nearest one: see `missing` and `extra` */
    struct candidate best;
    struct candidates synonyms; /* the same graph under other names */
    uint32_t n_holes;           /* places of the pattern where no node is */
    bool in_order;              /* nodes are numbered as those of the pattern */
    uint32_t
        *image; /* by node: which node of the pattern it is, or IMAGE_NONE; itself if no pattern was found */
    struct graph_edges missing;         /* what the pattern has and the graph has not, by the graph's nodes */
    struct graph_edges extra;           /* the other way round */
    uint64_t left[TOPOLOGY_TESTS];      /* how many candidates a test left */
    struct bytes names[TOPOLOGY_TESTS]; /* of these, each with a NUL, if they are at most TOPOLOGY_NAMES */
};

#define TOPOLOGY_NAMES 12

/* Of a graph with at least two nodes and no node without an edge. */
enum refrain_status topology_identify(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l);
/* The same, but found only if it is exactly one of the patterns. */
enum refrain_status topology_match(struct topology *t, const struct graph *g,
                                   const struct pattern_library *l);
void topology_free(struct topology *t); /* also of a zeroed struct */

/* ---- what the files share -------------------------------------------------------------------- */

/* The nearest pattern, if few edges are different: of plainly numbered nodes, or else grown (growth.h). (nearest.c) */
enum refrain_status topology_find_nearest(struct topology *t, const struct graph *g,
                                          const struct pattern_library *l);
/* A lattice with holes, where nodes without edges would be: otherwise the graph is the lattice, or its nearest one. The
 * topology is empty at first, and the caller's to free, whatever was found. (nearest.c) */
enum refrain_status topology_find_with_holes(struct topology *t, const struct graph *g,
                                             const struct pattern_library *l);

#endif
