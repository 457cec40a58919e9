/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the sets that may come at the same time (model_schedule.c), so that the text of the model has few
 * lines. model_lines.h puts events of one template on one line if they have the same tag, or if their tags
 * grow by a constant step. */
#ifndef REFRAIN_MODEL_READY_H
#define REFRAIN_MODEL_READY_H

#include "model_sets.h"

/* A set that may come. */
struct ready {
    uint32_t set, first; /* number of the set, number of its first node */
    uint32_t depth;
    size_t size;
    const struct act *act; /* the act to sort by; NULL: the set has loops */
};

struct ready ready_of(const struct sets *s, uint32_t set);

/* Sets in an order. */
struct ready_list {
    struct ready *items;
    size_t n, cap;
};

/* Sets that may come and have not come yet. Similar sets are in one batch; all loops are one batch. Batches
 * are in order.
 *
 *     batches    send tag1: 3 of them      send tag2: 17      loops: 1 */
struct ready_set {
    ARRAY(struct ready_list) batches;
};

void ready_set_free(struct ready_set *p);
/* Adds a set. Returns false if memory is short; so do the functions below. */
bool ready_set_put(struct ready_set *p, struct ready r);
/* Moves all sets to a list: sorted by tag first, then events of one template together, loops last. */
bool ready_set_next(struct ready_set *p, struct ready_list *out);
/* Moves only the largest batch to a list. */
bool ready_set_next_batch(struct ready_set *p, struct ready_list *out);
/* Estimates the number of text lines that the items take in this order. */
size_t ready_lines(const struct ready *items, size_t n);

#endif
