/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of growth share: a growing placement of one graph's nodes on another graph. */
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
    uint32_t *seen;              /* those whose tally is not 0 */
    uint32_t *order;             /* g's nodes as they were placed, n_order of them */
    uint32_t n_order, n_wanted;  /* nodes that have edges */
    uint64_t differences;        /* between nodes that are placed */
    ARRAY(uint32_t) * waiting;   /* by number of placed neighbours: nodes to be looked at */
    uint32_t most_waiting;       /* no longer list is used */
    uint32_t largest;            /* degree of g */
    uint32_t *best;              /* the places that were found */
    bool found;
};

/* Steps that were taken, of those that may be. */
void growth_spend(struct growing *s, uint64_t steps);
enum refrain_status growth_put(struct growing *s, uint32_t node, uint32_t at);
/* Back to how it was when so many nodes were placed; but for the differences. */
void growth_take_back(struct growing *s, uint32_t n_order);
/* Places all other nodes, each beside those that are placed, as long as there are not too many differences. */
enum refrain_status growth_grow(struct growing *s);

/* All nodes are placed; two that do not fit change places as long as that makes them fit better. (growth_exchange.c) */
void growth_exchange(struct growing *s);

/* Tries first nodes that look alike by what is so many steps around them, and grows from there. (growth_begin.c) */
enum refrain_status growth_begin(struct growing *s, unsigned rounds);

#endif
