/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_heap.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNIT     ((size_t)16)
#define RETURNED ((size_t)1) /* flag in a block's size */
#define STEP     ((size_t)1 << 20)
/* From this size on, a system call to return the pages pays off. */
#define LARGE ((size_t)256 << 10)

struct block_returned {
    struct block_returned *next;
};

/* Return the class of a block of so many units; *size is the size of all its blocks. */
static unsigned class_of(size_t units, size_t *size)
{
    if (units <= 8) {
        *size = units * UNIT;
        return (unsigned)units - 1;
    }
    const unsigned shift =
        /* 2^shift is a quarter of the distance to the next power of two. */
        61u - (unsigned)__builtin_clzll(units - 1);
    const size_t steps = ((units - 1) >> shift) + 1; /* 5 … 8 */
    *size = (steps << shift) * UNIT;
    return 8 + 4 * (shift - 1) + (unsigned)(steps - 5);
}

bool block_heap_start(struct block_heap *h, size_t room)
{
    assert(h->size == 0 && room > 0 && room % (size_t)sysconf(_SC_PAGESIZE) == 0);
    void *pages = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    madvise(pages, room, MADV_NOHUGEPAGE); /* most of them are never used */
    *h = (struct block_heap){.start = (uintptr_t)pages, .size = room};
    h->first = h->at = (uint8_t *)pages + UNIT - BLOCK_HEAP_HEAD;
    h->end = (uint8_t *)pages;
    return true;
}

/* Mark the sizes of all returned blocks, so that a walk over all blocks recognizes them. */
static void mark_returned(struct block_heap *h)
{
    for (unsigned c = 0; c < BLOCK_HEAP_CLASSES; c++) {
        for (struct block_returned *block = h->lists[c]; block; block = block->next) {
            size_t *const size = (size_t *)((uint8_t *)block - BLOCK_HEAP_HEAD);
            *size |= RETURNED;
        }
    }
}

/* Give back the pages between two blocks that are in use. */
static void give_back(uint8_t *from, uint8_t *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = ((uintptr_t)from + page - 1) & ~(page - 1), end = (uintptr_t)to & ~(page - 1);
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

void block_heap_finish(struct block_heap *h)
{
    mark_returned(h);
    /* No block between `unused` and `block` is in use. */
    uint8_t *unused = (uint8_t *)h->start;
    size_t size;
    for (uint8_t *block = h->first; block < h->at; block += size) {
        memcpy(&size, block, sizeof size);
        if (size & RETURNED) {
            size -= RETURNED;
        } else {
            give_back(unused, block);
            unused = block + size;
        }
    }
    give_back(unused, h->end);
    /* Release the addresses after the last block in use; no address there is looked up any more. */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    last = ((uintptr_t)unused + page - 1) & ~(page - 1);
    const size_t rest = h->start + h->size - last;
    h->size -= rest;
    if (rest > 0)
        munmap((void *)last, rest);
}

/* Make reserved addresses usable. Reserved pages count only for the limit of addresses. */
static bool grow(struct block_heap *h, size_t least)
{
    const size_t left = h->start + h->size - (uintptr_t)h->end, step = (least + STEP - 1) / STEP * STEP;
    if (step > left || mprotect(h->end, step, PROT_READ | PROT_WRITE) != 0)
        return false;
    h->end += step;
    return true;
}

void *block_heap_cut(struct block_heap *h, size_t n)
{
    assert(n % (size_t)sysconf(_SC_PAGESIZE) == 0);
    const size_t left = h->start + h->size - (uintptr_t)h->end;
    void *last = (void *)(h->start + h->size - n);
    if (h->size == 0 || n > left || mprotect(last, n, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    h->size -= n;
    return last;
}

void *block_heap_malloc(struct block_heap *h, size_t n)
{
    if (n > BLOCK_HEAP_MOST - BLOCK_HEAP_HEAD || h->size == 0)
        return NULL;
    size_t size;
    const unsigned class = class_of((n + BLOCK_HEAP_HEAD + UNIT - 1) / UNIT, &size);
    struct block_returned *block = h->lists[class];
    if (block) {
        h->lists[class] = block->next;
    } else if ((h->at < h->end && size <= (size_t)(h->end - h->at)) || grow(h, size)) {
        block = (struct block_returned *)(h->at + BLOCK_HEAP_HEAD);
        memcpy(h->at, &size, sizeof size);
        h->at += size;
    }
    return block;
}

size_t block_heap_size(const void *block)
{
    size_t size;
    memcpy(&size, (const uint8_t *)block - BLOCK_HEAP_HEAD, sizeof size);
    return size - BLOCK_HEAP_HEAD;
}

void block_heap_free(struct block_heap *h, void *block)
{
    assert(block_heap_has(h, block));
    size_t size;
    const unsigned class = class_of((block_heap_size(block) + BLOCK_HEAP_HEAD) / UNIT, &size);
    struct block_returned *const first = block;
    if (size >= LARGE)
        give_back((uint8_t *)block + sizeof *first, (uint8_t *)block + size - BLOCK_HEAP_HEAD);
    first->next = h->lists[class];
    h->lists[class] = first;
}
