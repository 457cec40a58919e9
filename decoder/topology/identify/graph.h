/* SPDX-License-Identifier: BSD-3-Clause */
/* Undirected graphs without loops and parallel edges: which nodes communicate with each other, in a run or in
 * a pattern.
 *
 *     nodes 0-1-2, 1-3      first  0 1 4 5 6          where each node's neighbours begin in `near`
 *                           near   1 | 0 2 3 | 1 | 1  ascending */
#ifndef REFRAIN_GRAPH_H
#define REFRAIN_GRAPH_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <assert.h>
#include <stdint.h>

struct graph {
    uint32_t n; /* nodes */
    uint64_t n_edges;
    uint64_t *first; /* n + 1 of them */
    uint32_t *near;  /* two for each edge */
};

struct graph_edge {
    uint32_t a, b;
};
struct graph_edges {
    struct graph_edge *items;
    size_t n, cap;
};

/* Makes a graph of edges in any order and direction. Repeated edges, and edges from a node to itself, are
 * allowed and dropped. */
enum refrain_status graph_create(struct graph *g, uint32_t n, const struct graph_edges *edges);
void graph_free(struct graph *g); /* also of a zeroed struct */

static inline uint32_t graph_degree(const struct graph *g, uint32_t node)
{
    assert(node < g->n);
    return (uint32_t)(g->first[node + 1] - g->first[node]);
}

/* Writes the degrees of all n nodes, ascending. */
enum refrain_status graph_sorted_degrees(const struct graph *g, uint32_t *out);
bool graph_has_edge(const struct graph *g, uint32_t a, uint32_t b);
/* Returns a hash; equal graphs have equal hashes. */
uint64_t graph_hash(const struct graph *g);
/* Do both graphs have the same edges between the same node numbers? */
bool graph_equals(const struct graph *g, const struct graph *h);
/* Is each edge of g an edge of h? `image` gives the node of h for each node of g. */
bool graph_maps(const struct graph *g, const struct graph *h, const uint32_t *image);

#endif
