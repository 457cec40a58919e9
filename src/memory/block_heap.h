/* SPDX-License-Identifier: BSD-3-Clause */
/* A heap of blocks on pages of its own. Addresses are reserved once and become memory step by step.
 *
 * Pages are used from their beginning. A block has its size in front, which is the size of its
 * class. A freed block becomes the first of its class's list, and is the next one to be used.
 *
 *     pages   | size | block …       | size | block … | size | next ──> … | free …        | addresses …
 *                      ^ 16 bytes aligned                                  ^ at            ^ end
 *
 * Classes, with the size in front: each multiple of 16 up to 128, then four in each doubling, so
 * that at most a seventh of a block is unused. Large blocks that are freed return their pages to
 * the system.
 *
 * Not thread-safe: the caller allows one thread at a time. */
#ifndef REFRAIN_BLOCK_HEAP_H
#define REFRAIN_BLOCK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_HEAP_HEAD    sizeof(size_t)
#define BLOCK_HEAP_MOST    ((size_t)16 << 20) /* largest block, with its head */
#define BLOCK_HEAP_CLASSES 76

struct block_heap {
    uintptr_t start; /* of the addresses … */
    size_t size;     /* … and their number; 0: none */
    uint8_t *at, *end;
    uint8_t *first; /* first block; the others follow, up to `at` */
    struct block_returned *lists[BLOCK_HEAP_CLASSES];
};

/* Reserve `room` addresses, a multiple of the page size, for a zeroed struct. False, with nothing
 * changed, if that fails. */
bool block_heap_start(struct block_heap *h, size_t room);
/* Return to the system the pages without blocks in use, and the addresses after the last block. No
 * block may be allocated or freed afterwards. */
void block_heap_finish(struct block_heap *h);

/* NULL if the block is too large, or no room is left. */
void *block_heap_malloc(struct block_heap *h, size_t n);
void block_heap_free(struct block_heap *h, void *block);
/* The usable bytes of a block. */
size_t block_heap_size(const void *block);

/* Cut off the last n addresses, a multiple of the page size, as memory that no longer belongs to
 * the heap. NULL if they are in use. */
void *block_heap_cut(struct block_heap *h, size_t n);

static inline bool block_heap_has(const struct block_heap *h, const void *p)
{
    return (uintptr_t)p - h->start < h->size;
}

#endif
