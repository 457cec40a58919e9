/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracer's heap, on pages of its own. So the program's heap has the same layout as without the
 * tracer, and damage to one heap does not affect the other.
 *
 *     malloc of the tracer (src/memory/emergency.c)        ──> tracer_heap_malloc
 *     malloc of the C and MPI libraries and of zstd
 *       while they work on the tracer's behalf             ──> interpose.c ──> tracer_heap_malloc_block
 *     malloc of the program                                ──> the program's allocator
 *
 * A library may free such a block at any later time. interpose.c recognizes it by its address, so
 * the block must be in the heap's range (tracer_heap_malloc_block), not on pages of its own.
 *
 * Thread-safe; not for signal handlers. */
#ifndef REFRAIN_TRACER_HEAP_H
#define REFRAIN_TRACER_HEAP_H

#include <assert.h>

#include "block_heap.h"
#include "guard.h"

/* Allocate a block of any size; tracer_heap_calloc zeroes it. NULL, with errno, if memory is short. */
void *tracer_heap_malloc(size_t n);
void *tracer_heap_calloc(size_t n);
void tracer_heap_free(void *block); /* not NULL */
size_t tracer_heap_size(const void *block);

/* Allocate a block in the heap's range; tracer_heap_free also frees it. NULL if it is too large or
 * no room is left. */
void *tracer_heap_malloc_block(size_t n);

/* Cut off the last n addresses, a multiple of the page size, as memory that no longer belongs to
 * the heap; NULL if there are none. For an emergency in which the program has used up its memory.
 * It takes no lock: no other thread is here, and this thread may have been interrupted while it
 * held the lock. */
void *tracer_heap_cut(size_t n);

extern GUARD_HIDDEN struct block_heap tracer_heap;
static inline bool tracer_heap_has(const void *p)
{
    return block_heap_has(&tracer_heap, p);
}

/* Counts how often this thread began work for the tracer; if not 0, allocations of libraries come
 * from the tracer's heap. */
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

/* Call this in a child after fork(), which has only this thread: another thread may have held the
 * lock. */
void tracer_heap_forked(void);

#endif
