/* SPDX-License-Identifier: BSD-3-Clause */
/* A heap of the tracer's own for the time in which it merges traces: thousands of small arrays come and go
 * then, on all ranks at once, and what they took goes back to the system in one piece. src/memory/emergency.c
 * directs the tracer's allocations here, as it does in an emergency.
 *
 * One thread at a time has it open. Blocks are given back where they came from, whoever asks for that when.
 */
#ifndef REFRAIN_MERGE_HEAP_H
#define REFRAIN_MERGE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This thread has it open. */
extern _Thread_local bool merge_heap_open __attribute__((tls_model("initial-exec")));

/* Once in a process. Without memory for it nothing changes. */
void merge_heap_begin(void);
/* Pages on which no block is left go back to the system. */
void merge_heap_end(void);

/* NULL if the block is too large for it, or there is no room left: then it is for the allocator. */
void *merge_heap_malloc(size_t n);
/* Both of a block that is from here. */
size_t merge_heap_size(const void *block); /* bytes that may be used */
void merge_heap_free(void *block);

extern struct merge_heap_pages {
    uintptr_t start;
    size_t size;
} merge_heap_pages;

static inline bool merge_heap_has(const void *p)
{
    return (uintptr_t)p - merge_heap_pages.start < merge_heap_pages.size;
}

#endif
