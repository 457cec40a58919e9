/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_heap.h"

#include <assert.h>

/* Largest block with its head; larger ones come from the tracer's heap. */
#define MOST ((size_t)128 << 10)
#define ROOM ((size_t)64 << 20)

_Thread_local bool merge_heap_open;
struct block_heap merge_heap;

void merge_heap_begin(void)
{
    assert(!merge_heap_open);
    merge_heap_open = block_heap_start(&merge_heap, ROOM);
}

void merge_heap_end(void)
{
    if (merge_heap_open)
        block_heap_finish(&merge_heap);
    merge_heap_open = false;
}

void *merge_heap_malloc(size_t n)
{
    assert(merge_heap_open);
    return n > MOST - BLOCK_HEAP_HEAD ? NULL : block_heap_malloc(&merge_heap, n);
}

/* After the end, no block is allocated any more, and other threads may call this. So it does
 * nothing then. */
void merge_heap_free(void *block)
{
    assert(merge_heap_has(block));
    if (merge_heap_open)
        block_heap_free(&merge_heap, block);
}
