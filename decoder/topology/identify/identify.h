/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the pattern of a graph, for any numbering of its nodes. A series of tests, cheap ones first, reduces
 * the candidates. An isomorphism proves the last candidates, and gives the place of each node. */
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
    bool given; /* the coordinates are from the program or the user */
    bool exact; /* false: the pattern is only the nearest one; see `missing` and `extra` */
    struct candidate best;
    struct candidates synonyms; /* the same graph under other names */
    uint32_t n_holes;           /* places of the pattern without a node */
    bool in_order;              /* nodes are numbered as in the pattern */
    uint32_t
        *image; /* by node: which node of the pattern it is, or IMAGE_NONE; itself if no pattern was found */
    struct graph_edges missing;         /* edges that only the pattern has, by the graph's nodes */
    struct graph_edges extra;           /* edges that only the graph has */
    uint64_t left[TOPOLOGY_TESTS];      /* number of candidates after each test */
    struct bytes names[TOPOLOGY_TESTS]; /* their names, each with a NUL, if at most TOPOLOGY_NAMES */
};

#define TOPOLOGY_NAMES 12

/* Identifies a graph with at least two nodes, each of which has an edge. */
enum refrain_status topology_identify(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l);
/* The same, but finds only exact patterns. */
enum refrain_status topology_match(struct topology *t, const struct graph *g,
                                   const struct pattern_library *l);
void topology_free(struct topology *t); /* also of a zeroed struct */

/* ---- shared by the files --------------------------------------------------------------------- */

/* Finds the nearest pattern, if few edges differ: first with plain numberings of the nodes, then by growth
 * (growth.h). (nearest.c) */
enum refrain_status topology_find_nearest(struct topology *t, const struct graph *g,
                                          const struct pattern_library *l);
/* Finds a lattice with holes: places without nodes. Without holes the graph would be the lattice, or close to
 * it. The topology must be empty; the caller frees it, whatever the result. (nearest.c) */
enum refrain_status topology_find_with_holes(struct topology *t, const struct graph *g,
                                             const struct pattern_library *l);

#endif
