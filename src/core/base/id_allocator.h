/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for handles: small, stable from one iteration to the next, recycled.
 *
 * Handles of one class (a 64-bit key) share their free numbers. A class hands out its smallest free number;
 * when it has none, the next number of the whole allocator becomes its own for good. So in a loop every
 * iteration uses the same numbers, in whatever order the handles are freed.
 *
 *     acquire A -> 0 (new)   acquire B -> 1 (new)   acquire A -> 2 (new)
 *     release 2   release 0
 *     acquire A -> 0         acquire B -> 3 (new)
 *
 * After that:
 *
 *     ids      [A taken] [B taken] [A free] [B taken]        number -> class and whether it is in use
 *     classes  A: {ids 0 2; free heap: 2}   B: {free heap: empty}
 *
 * Zero-initialised is empty. */
#ifndef REFRAIN_ID_ALLOCATOR_H
#define REFRAIN_ID_ALLOCATOR_H

#include "array.h"
#include "map.h"
#include "status.h"

struct id_allocator_class {
    uint32_t ids;         /* numbers that belong to the class */
    ARRAY(uint32_t) free; /* binary heap, smallest first; always has room for all ids of the class */
};

struct id_allocator_id {
    uint32_t class; /* index into classes */
    bool taken;
};

struct id_allocator {
    struct map by_key; /* key of a class -> index into classes */
    ARRAY(struct id_allocator_class) classes;
    ARRAY(struct id_allocator_id) ids;
};

void id_allocator_free(struct id_allocator *p);
/* Take a number. *is_new: the number was never used before. O(log n). */
enum refrain_status id_allocator_acquire(struct id_allocator *p, uint64_t class_key, uint32_t *id,
                                         bool *is_new);
/* Free a number, so that its class can reuse it. Returns false and does nothing if the number is not in
 * use. O(log n). */
bool id_allocator_release(struct id_allocator *p, uint32_t id);

#endif
