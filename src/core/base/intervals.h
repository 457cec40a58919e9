/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of addresses that do not overlap, in order: each may have a symbol and an owner.
 *
 * A treap: a binary search tree by `start`, and a heap by `priority`, which is a hash of the start. So its
 * shape depends on the members alone, and its depth is O(log n) with all likelihood.
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
    uintptr_t start, end; /* the first address, and the one behind the last; start < end */
    uint32_t symbol;      /* INTERVALS_NO_SYMBOL until it has one */
    uint64_t owner;       /* whatever the caller knows it by */
};

struct intervals {
    ARRAY(struct intervals_node {
        struct interval interval;
        uint64_t priority;
        uint32_t left; /* index + 1; of a free node the next free one */
        uint32_t right;
    })
    nodes;
    uint32_t root, free; /* index + 1 */
    size_t n;
};

void intervals_free(struct intervals *t);
/* It must not overlap any other. O(log n). */
enum refrain_status intervals_add(struct intervals *t, struct interval new);
/* The interval that starts there is removed; false if there is none. O(log n). */
bool intervals_remove(struct intervals *t, uintptr_t start);
/* The first interval that has an address of [start, end); NULL if none has. Its start and end are not the
 * caller's to change; it is valid until the next change. O(log n). */
struct interval *intervals_first(const struct intervals *t, uintptr_t start, uintptr_t end);

#endif
