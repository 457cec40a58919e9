/* SPDX-License-Identifier: BSD-3-Clause */
/* A heap for the time in which the tracer merges traces: it allocates thousands of small arrays on all ranks at once, and returns their memory to the system in one piece. src/memory/emergency.c directs the
 * tracer's allocations here, as it does in an emergency.
 *
 * Only one thread has it open at a time. A block is freed to the heap that it came from, by any thread at any time.
 */
#ifndef REFRAIN_MERGE_HEAP_H
#define REFRAIN_MERGE_HEAP_H

#include "block_heap.h"

/* This thread has it open. */
extern _Thread_local bool merge_heap_open __attribute__((tls_model("initial-exec")));

extern struct block_heap merge_heap;

/* Once in a process. Without memory for it nothing changes. */
void merge_heap_begin(void);
/* Pages on which no block is left go back to the system. */
void merge_heap_end(void);

/* NULL if the block is too large for it, or there is no room left: then it is for the tracer's heap. */
void *merge_heap_malloc(size_t n);
/* Of a block that is from here. */
void merge_heap_free(void *block);

static inline bool merge_heap_has(const void *p)
{
    return block_heap_has(&merge_heap, p);
}

#endif
