/* SPDX-License-Identifier: BSD-3-Clause */
/* A heap for merging traces. A merge allocates thousands of small arrays, on all ranks at once;
 * this heap returns their memory to the system in one piece. src/memory/emergency.c directs the
 * tracer's allocations here, as in an emergency.
 *
 * Only one thread has the heap open at a time. A block is freed to the heap that it came from, by
 * any thread at any time. */
#ifndef REFRAIN_MERGE_HEAP_H
#define REFRAIN_MERGE_HEAP_H

#include "block_heap.h"

/* this thread has the heap open */
extern _Thread_local bool merge_heap_open __attribute__((tls_model("initial-exec")));

extern struct block_heap merge_heap;

/* Open the heap; once in a process. If memory is short, nothing changes. */
void merge_heap_begin(void);
/* Close the heap. Pages without blocks in use return to the system. */
void merge_heap_end(void);

/* NULL if the block is too large or no room is left; then the tracer's heap must allocate it. */
void *merge_heap_malloc(size_t n);
/* The block must be from this heap. */
void merge_heap_free(void *block);

static inline bool merge_heap_has(const void *p)
{
    return block_heap_has(&merge_heap, p);
}

#endif
