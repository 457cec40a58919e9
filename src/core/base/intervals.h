/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of addresses that do not overlap, in order: each may have a symbol and an owner.
 *
 * A treap: a binary search tree by `start`, and a heap by `priority`, which is a hash of the start. So its
 * shape depends on the members alone, and its depth is very likely O(log n).
 *
 *                 [40, 50) p9
 *                /           \
 *       [10, 20) p5        [60, 99) p7        nodes lie in an array; links are indices + 1, 0 for none
 *
 * Zero-initialised is empty. */
#ifndef REFRAIN_INTERVALS_H
#define REFRAIN_INTERVALS_H

#include "array.h"
#include "status.h"

#include <stdint.h>

#define INTERVALS_NO_SYMBOL UINT32_MAX

struct interval {
    uintptr_t start, end; /* the first address, and the one after the last; start < end */
    uint32_t symbol;      /* INTERVALS_NO_SYMBOL: none yet */
    uint64_t owner;       /* chosen by the caller */
};

struct intervals {
    ARRAY(struct intervals_node {
        struct interval interval;
        uint64_t priority;
        uint32_t left; /* index + 1; for a free node, the next free node */
        uint32_t right;
    })
    nodes;
    uint32_t root, free; /* index + 1 of each */
    size_t n;
};

void intervals_free(struct intervals *t);
/* Add an interval, which must not overlap any other. O(log n). */
enum refrain_status intervals_add(struct intervals *t, struct interval new);
/* Remove the interval that starts at `start`; false if there is none. O(log n). */
bool intervals_remove(struct intervals *t, uintptr_t start);
/* Find the first interval that overlaps [start, end); NULL if none does. The caller must not change its
 * start and end. The pointer is valid until the next change. O(log n). */
struct interval *intervals_first(const struct intervals *t, uintptr_t start, uintptr_t end);

#endif
