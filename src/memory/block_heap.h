/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks on pages that are nobody else's. Addresses are reserved once; they become memory a step at a time.
 *
 * Pages are used up from their beginning. A block has its size in front, which is that of its class; one that
 * has come back is the first in the list of its class, and the next to be given out.
 *
 *     pages   | size | block …       | size | block … | size | next ──> … | free …        | addresses …
 *                      ^ 16 bytes aligned                                  ^ at            ^ end
 *
 * Classes, with the size in front: each multiple of 16 up to 128, then four in each doubling, so that a
 * seventh or less of a block is not used. Large blocks that come back give their pages to the system.
 *
 * One thread at a time; the caller sees to that. */
#ifndef REFRAIN_BLOCK_HEAP_H
#define REFRAIN_BLOCK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_HEAP_HEAD    sizeof(size_t)
#define BLOCK_HEAP_MOST    ((size_t)16 << 20) /* of a block with its head */
#define BLOCK_HEAP_CLASSES 76

struct block_heap {
    uintptr_t start; /* of the addresses; */
    size_t size;     /* 0: there are none */
    uint8_t *at, *end;
    uint8_t *first; /* block; the others follow, up to `at` */
    struct block_returned *lists[BLOCK_HEAP_CLASSES];
};

/* Of a zeroed struct; `room`: addresses, a multiple of the page. False, and nothing changes, without them. */
bool block_heap_start(struct block_heap *h, size_t room);
/* Pages on which no block is left go back to the system, and so do the addresses after the last block. No
 * block may be asked for or given back after that. */
void block_heap_finish(struct block_heap *h);

/* NULL if the block is too large, or there is no room left. */
void *block_heap_malloc(struct block_heap *h, size_t n);
void block_heap_free(struct block_heap *h, void *block);
/* Bytes of a block that may be used. */
size_t block_heap_size(const void *block);

/* The last n addresses, a multiple of the page, as memory that the heap has no more; NULL if they are in use. */
void *block_heap_cut(struct block_heap *h, size_t n);

static inline bool block_heap_has(const struct block_heap *h, const void *p)
{
    return (uintptr_t)p - h->start < h->size;
}

#endif
