/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges in which a graph and a pattern differ, when each node of the graph has a place in the pattern.
 * The pattern may have more nodes; edges at empty places do not count. */
#ifndef REFRAIN_DIFFERENCE_H
#define REFRAIN_DIFFERENCE_H

#include "graph.h"

struct difference {
    uint64_t missing; /* edges that only h has, between places that are taken */
    uint64_t extra;   /* edges that only g has */
};

#define IMAGE_NONE UINT32_MAX /* of a node that is nowhere: all its edges are extra */

enum refrain_status difference_count(const struct graph *g, const struct graph *h, const uint32_t *image,
                                     struct difference *d);
/* Lists these edges, by the numbers of g's nodes. */
enum refrain_status difference_list(const struct graph *g, const struct graph *h, const uint32_t *image,
                                    struct graph_edges *missing, struct graph_edges *extra);

#endif
