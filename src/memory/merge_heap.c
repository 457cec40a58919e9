/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_heap.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages are used up from their beginning. A block has its size in front, which is that of its class; one that
 * has come back is the first in the list of its class, and the next to be given out.
 *
 *     pages   | size | block …       | size | block … | size | next ──> … | free …        |
 *                      ^ 16 bytes aligned                                  ^ at            ^ end
 *
 * Classes, with the size in front: each multiple of UNIT up to 8, then four in each doubling, so that a
 * seventh or less of a block is not used. */
#define UNIT     ((size_t)16)
#define HEAD     sizeof(size_t)
#define MOST     ((size_t)128 << 10) /* of a block; what is larger the C library takes from pages of its own */
#define CLASSES  48
#define RETURNED ((size_t)1) /* in a size */
#define STEP     ((size_t)1 << 20)
#define ROOM     ((size_t)64 << 20) /* addresses: they become memory a STEP at a time */

struct returned {
    struct returned *next;
};

_Thread_local bool merge_heap_open;
struct merge_heap_pages merge_heap_pages;

static struct {
    uint8_t *at, *end;
    uint8_t *first; /* block; the others follow, up to `at` */
    struct returned *lists[CLASSES];
} heap;

/* The class of a block of so many units; *size is that of all its blocks. */
static unsigned class_of(size_t units, size_t *size)
{
    if (units <= 8) {
        *size = units * UNIT;
        return (unsigned)units - 1;
    }
    const unsigned shift =
        61u - (unsigned)__builtin_clzll(units - 1);  /* a quarter of the doubling is 2^shift */
    const size_t steps = ((units - 1) >> shift) + 1; /* 5 … 8 */
    *size = (steps << shift) * UNIT;
    return 8 + 4 * (shift - 1) + (unsigned)(steps - 5);
}

void merge_heap_begin(void)
{
    void *pages = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return;
    madvise(pages, ROOM, MADV_NOHUGEPAGE); /* most of them are never used */
    merge_heap_pages = (struct merge_heap_pages){(uintptr_t)pages, ROOM};
    heap.first = heap.at = (uint8_t *)pages + UNIT - HEAD;
    heap.end = (uint8_t *)pages;
    merge_heap_open = true;
}

/* The size in front of those that have come back gets a mark, by which a walk over all blocks finds them. */
static void mark_returned(void)
{
    for (unsigned c = 0; c < CLASSES; c++) {
        for (struct returned *block = heap.lists[c]; block; block = block->next) {
            size_t *const size = (size_t *)((uint8_t *)block - HEAD);
            *size |= RETURNED;
        }
    }
}

/* Pages between two blocks that are still in use. */
static void give_back(uint8_t *from, uint8_t *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = ((uintptr_t)from + page - 1) & ~(page - 1), end = (uintptr_t)to & ~(page - 1);
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

void merge_heap_end(void)
{
    if (!merge_heap_open)
        return;
    merge_heap_open = false;
    mark_returned();
    /* From here to the block that is looked at nothing is used. */
    uint8_t *unused = (uint8_t *)merge_heap_pages.start;
    size_t size;
    for (uint8_t *block = heap.first; block < heap.at; block += size) {
        memcpy(&size, block, sizeof size);
        if (size & RETURNED) {
            size -= RETURNED;
        } else {
            give_back(unused, block);
            unused = block + size;
        }
    }
    give_back(unused, heap.end);
    /* What lies behind the last block is addresses again; nobody asks whether a block is there. */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    last = ((uintptr_t)unused + page - 1) & ~(page - 1);
    const size_t rest = merge_heap_pages.start + merge_heap_pages.size - last;
    merge_heap_pages.size -= rest;
    if (rest > 0)
        munmap((void *)last, rest);
}

/* Memory for addresses, a step at a time: what is not used counts for no limit but that of addresses. */
static bool grow(void)
{
    if ((uintptr_t)heap.end == merge_heap_pages.start + merge_heap_pages.size ||
        mprotect(heap.end, STEP, PROT_READ | PROT_WRITE) != 0)
        return false;
    heap.end += STEP;
    return true;
}

void *merge_heap_malloc(size_t n)
{
    if (n > MOST - HEAD)
        return NULL;
    size_t size;
    const unsigned class = class_of((n + HEAD + UNIT - 1) / UNIT, &size);
    struct returned *block = heap.lists[class];
    if (block) {
        heap.lists[class] = block->next;
    } else if ((heap.at < heap.end && size <= (size_t)(heap.end - heap.at)) || grow()) {
        block = (struct returned *)(heap.at + HEAD);
        memcpy(heap.at, &size, sizeof size);
        heap.at += size;
    } else {
        return NULL;
    }
    return block;
}

size_t merge_heap_size(const void *block)
{
    size_t size;
    memcpy(&size, (const uint8_t *)block - HEAD, sizeof size);
    return size - HEAD;
}

/* Once it is closed nobody asks for blocks any more, and other threads may be here. */
void merge_heap_free(void *block)
{
    size_t size;
    if (!merge_heap_open)
        return;
    const unsigned class = class_of((merge_heap_size(block) + HEAD) / UNIT, &size);
    struct returned *const first = block;
    first->next = heap.lists[class];
    heap.lists[class] = first;
}
