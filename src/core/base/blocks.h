/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the small blocks of a heap begin: a set of addresses, to which threads add and from which they remove
 * without a lock, in a few nanoseconds each, whatever their number. A member may carry a mark.
 *
 *     address    | 46 … 34 | 33 … 20 | 19 … 4  | 3 … 0 |
 *                   top       middle    granule    0
 *
 *     top[8192] ──> middle[16384] ──> leaf, of 1 MiB of addresses:
 *                                         begins   0 1 0 0 0 1 …    a bit for each granule of 16 bytes
 *                                         marks    0 0 0 0 0 1 …    a subset of these
 *
 * Leaves come from mmap, never from the heap whose blocks they tell of, and stay. So the set takes 1/64 of
 * the addresses in use, half of that where nothing is marked. Zero-initialised is empty. */
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

/* False when it cannot be a member: it is no multiple of a granule or lies beyond the top, or memory is
 * short. */
bool blocks_add(struct blocks *b, uintptr_t address);
/* Was it a member? *marked: with a mark, which is removed as well. */
bool blocks_remove(struct blocks *b, uintptr_t address, bool *marked);
/* Mark a member; false if it was marked. */
bool blocks_mark(struct blocks *b, uintptr_t address);
/* The member that is nearest to the address, at most `reach` bytes below it; 0 if there is none. */
uintptr_t blocks_find(const struct blocks *b, uintptr_t address, uintptr_t reach);

#endif
