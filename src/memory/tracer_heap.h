/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracer's heap: pages of its own, so that the program's heap is laid out as without the tracer, and
 * damage to the one is no damage to the other.
 *
 *     malloc of the tracer (src/memory/emergency.c)        ──> tracer_heap_malloc
 *     malloc of the C and MPI libraries and of zstd
 *       while they work on the tracer's behalf             ──> interpose.c ──> tracer_heap_malloc_block
 *     malloc of the program                                ──> the program's allocator
 *
 * What a library has allocated on the tracer's behalf it may give back at any time later: interpose.c knows
 * such blocks by their addresses, so they are never of pages of their own (tracer_heap_malloc_block).
 *
 * From all threads; not in signal handlers. */
#ifndef REFRAIN_TRACER_HEAP_H
#define REFRAIN_TRACER_HEAP_H

#include <assert.h>

#include "block_heap.h"
#include "guard.h"

/* Any size; NULL, with errno, when memory is short. Zeroed is what tracer_heap_calloc gives. */
void *tracer_heap_malloc(size_t n);
void *tracer_heap_calloc(size_t n);
void tracer_heap_free(void *block); /* not NULL */
size_t tracer_heap_size(const void *block);

/* A block of the heap's range, also given back by tracer_heap_free; NULL if it is too large, or there is no
 * room. */
void *tracer_heap_malloc_block(size_t n);

/* The last n addresses, a multiple of the page, as memory that the heap has no more; NULL without them. For an
 * emergency, in which the program has used up all others: no other thread is here, and the lock may be held by
 * what this one has been doing. */
void *tracer_heap_cut(size_t n);

extern GUARD_HIDDEN struct block_heap tracer_heap;
static inline bool tracer_heap_has(const void *p)
{
    return block_heap_has(&tracer_heap, p);
}

/* This thread works for the tracer: what libraries allocate in it is the tracer's. Counted. */
extern _Thread_local int tracer_heap_on_behalf __attribute__((tls_model("initial-exec")));
static inline void tracer_heap_begin(void)
{
    tracer_heap_on_behalf++;
}
static inline void tracer_heap_end(void)
{
    assert(tracer_heap_on_behalf > 0);
    tracer_heap_on_behalf--;
}

/* In a child after fork(), which has this thread alone: others may have been here. */
void tracer_heap_forked(void);

#endif
