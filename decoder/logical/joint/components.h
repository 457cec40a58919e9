/* SPDX-License-Identifier: BSD-3-Clause */
/* The strongly connected components of a directed graph, in an order that follows its edges. */
#ifndef REFRAIN_COMPONENTS_H
#define REFRAIN_COMPONENTS_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdint.h>

struct component_edge {
    uint32_t from, to;
};

struct component_edges {
    struct component_edge *items;
    size_t n, cap;
};

/* Finds the components of n nodes; sorts the edges. When several components may come next, the one with the
 * lowest node comes first. *of is the component number by node; the caller frees it. *n_components is the
 * number of components. */
enum refrain_status components_find(uint32_t n, struct component_edges *edges, uint32_t **of,
                                    uint32_t *n_components);

#endif
