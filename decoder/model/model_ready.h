/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order sets are written that may come at the same time (model_schedule.c): so that the text of the
 * model has few lines. A line is what model_lines.h makes one of: events of one template with one tag, or whose
 * tags grow by the same from one to the next. */
#ifndef REFRAIN_MODEL_READY_H
#define REFRAIN_MODEL_READY_H

#include "model_sets.h"

/* A set that may come. */
struct ready {
    uint32_t set, first; /* its number, and its first node's */
    uint32_t depth;
    size_t size;
    const struct act *act; /* that says most about it; NULL: it has loops */
};

struct ready ready_of(const struct sets *s, uint32_t set);

/* Sets in an order. */
struct ready_list {
    struct ready *items;
    size_t n, cap;
};

/* Sets that may come and have not: a batch of those that are alike, as all loops are; batches in order.
 *
 *     batches    send tag1: 3 of them      send tag2: 17      loops: 1 */
struct ready_set {
    ARRAY(struct ready_list) batches;
};

void ready_set_free(struct ready_set *p);
/* False when memory is short; so below. */
bool ready_set_put(struct ready_set *p, struct ready r);
/* All sets go to a list: events of one template side by side, by tag before all else, loops last. */
bool ready_set_next(struct ready_set *p, struct ready_list *out);
/* … or one batch, the largest. */
bool ready_set_next_batch(struct ready_set *p, struct ready_list *out);
/* How many lines they are in this order, about. */
size_t ready_lines(const struct ready *items, size_t n);

#endif
