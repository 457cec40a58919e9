/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of addresses: the beginnings of a heap's small blocks. Threads add and remove addresses without a
 * lock, in a few nanoseconds each, whatever the number of threads. A member may carry a mark.
 *
 *     address    | 46 … 34 | 33 … 20 | 19 … 4  | 3 … 0 |
 *                   top       middle    granule    0
 *
 *     top[8192] ──> middle[16384] ──> leaf, of 1 MiB of addresses:
 *                                         begins   0 1 0 0 0 1 …    a bit for each granule of 16 bytes
 *                                         marks    0 0 0 0 0 1 …    a subset of these
 *
 * Leaves come from mmap, never from the heap that they describe, and are never freed. So the set takes
 * 1/64 of the address range in use, or half of that if nothing is marked. Zero-initialised is empty. */
#ifndef REFRAIN_BLOCKS_H
#define REFRAIN_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BLOCKS_GRANULE   16 /* addresses are multiples of it */
#define BLOCKS_TOP_BITS  13
#define BLOCKS_MID_BITS  14
#define BLOCKS_LEAF_BITS 20
#define BLOCKS_WORDS     ((1 << BLOCKS_LEAF_BITS) / BLOCKS_GRANULE / 64)

struct blocks_leaf {
    _Atomic uint64_t begins[BLOCKS_WORDS];
    _Atomic uint64_t marks[BLOCKS_WORDS];
};

struct blocks_middle {
    _Atomic(struct blocks_leaf *) leaves[1 << BLOCKS_MID_BITS];
};

struct blocks {
    _Atomic(struct blocks_middle *) middles[1 << BLOCKS_TOP_BITS];
};

/* Add an address. False if it cannot be a member: it is not a multiple of a granule, it lies beyond the
 * top, or memory is short. */
bool blocks_add(struct blocks *b, uintptr_t address);
/* Remove an address. Returns whether it was a member. *marked: it had a mark, which is removed too. */
bool blocks_remove(struct blocks *b, uintptr_t address, bool *marked);
/* Mark a member; false if it was marked. */
bool blocks_mark(struct blocks *b, uintptr_t address);
/* Find the member nearest to the address, at most `reach` bytes below it; 0 if there is none. */
uintptr_t blocks_find(const struct blocks *b, uintptr_t address, uintptr_t reach);

#endif
