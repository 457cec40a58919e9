/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of growth: a growing placement of one graph's nodes on another graph. */
#ifndef REFRAIN_GROWTH_IMPL_H
#define REFRAIN_GROWTH_IMPL_H

#include "difference.h"
#include "growth.h"
#include "src/core/base/array.h"

struct growing {
    struct growth *growth;
    const struct graph *g, *h;
    uint32_t *image, *node_at;   /* of g's nodes; of h's */
    uint32_t *placed, *occupied; /* by node of g, of h: how many neighbours are placed, or taken */
    uint32_t *tally;             /* by node of h: scratch, 0 between uses */
    uint32_t *seen;              /* nodes whose tally is not 0 */
    uint32_t *order;             /* g's nodes as they were placed, n_order of them */
    uint32_t n_order, n_wanted;  /* nodes that have edges */
    uint64_t differences;        /* between nodes that are placed */
    ARRAY(uint32_t) * waiting;   /* by number of placed neighbours: nodes to look at */
    uint32_t most_waiting;       /* index of the last list in use */
    uint32_t largest;            /* degree of g */
    uint32_t *best;              /* the best places that were found */
    bool found;
};

/* Subtracts steps from the effort that is left. */
void growth_spend(struct growing *s, uint64_t steps);
enum refrain_status growth_put(struct growing *s, uint32_t node, uint32_t at);
/* Undoes placements until n_order nodes are placed. It does not restore `differences`. */
void growth_take_back(struct growing *s, uint32_t n_order);
/* Places all other nodes, each next to placed nodes. Stops if there are too many differences. */
enum refrain_status growth_grow(struct growing *s);

/* Improves a complete placement: swaps two nodes that do not fit, while this reduces the differences.
 * (growth_exchange.c) */
void growth_exchange(struct growing *s);

/* Tries pairs of first nodes whose surroundings, up to `rounds` steps away, look alike, and grows from each.
 * (growth_begin.c) */
enum refrain_status growth_begin(struct growing *s, unsigned rounds);

#endif
