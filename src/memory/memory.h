/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses as symbols: the same on every rank and in every iteration, whatever the addresses are.
 *
 * Memory lies in segments: blocks of the heap, regions of mmap, memory that MPI gave out, allocations on a
 * device. A segment gets a number when an MPI call first uses an address in it, one of its kind and of the
 * call's class (src/core/base/id_allocator.h); it keeps it through realloc and mremap, and gives it back when
 * it is gone. To make and to free a block is not recorded, and costs a bit in a table:
 *
 *     small blocks     beginnings in a set of bits (blocks.h), no lock    marked ──> number, by address
 *     all others       intervals of each kind (intervals.h), with their numbers, under a lock
 *
 * Addresses on the stack and in a module (static variables, functions) are offsets, see address_offset.h;
 * device memory is asked for, see device.h. Whatever is found nowhere has no symbol.
 *
 * The tracer's lock is not needed; nothing is called that may take another lock while this module's own is
 * held: what it allocates is its own, too (pages.h). What is called "made" and "gone" is called by the
 * program's threads in whatever moment, also before constructors, and with an allocator's locks. errno is
 * kept. */
#ifndef REFRAIN_MEMORY_H
#define REFRAIN_MEMORY_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard.h"
#include "src/core/base/status.h"
#include "src/core/trace/functable.h"

#define MEMORY_SLOTS_MAX 4

/* An ADDRESS as functable.h has it. */
struct memory_symbol {
    uint32_t n;
    int64_t slots[MEMORY_SLOTS_MAX];
};

/* What a thread has found lately: it holds until anything has changed that had a number. */
struct memory_recent {
    uintptr_t address;
    uint64_t changes;            /* memory_changes then */
    struct memory_symbol symbol; /* without slots: nothing */
};

#define MEMORY_RECENTS 32 /* a power of two */

extern GUARD_HIDDEN _Atomic uint64_t memory_changes; /* of what was found */

static inline size_t memory_recent_index(uintptr_t address)
{
    return (address >> 12 ^ address >> 7 ^ address >> 3) & (MEMORY_RECENTS - 1);
}

/* memory_find has found `symbol`; memory_changes was read before. Devices are not remembered: what happens to
 * their memory is not seen. */
static inline void memory_remember(struct memory_recent *recents, uintptr_t address, uint64_t changes,
                                   const struct memory_symbol *symbol)
{
    assert(symbol->n > 0);
    const int64_t form = symbol->slots[0];
    if (form != ADDRESS_STACK && form != ADDRESS_DEVICE && form != ADDRESS_UNKNOWN)
        recents[memory_recent_index(address)] = (struct memory_recent){address, changes, *symbol};
}

/* What memory_find would find, if the thread remembers it; NULL: it has to look. */
static inline const struct memory_symbol *memory_recall(const struct memory_recent *recents,
                                                        uintptr_t address)
{
    const struct memory_recent *r = &recents[memory_recent_index(address)];
    return r->address == address && r->symbol.n &&
                   r->changes == atomic_load_explicit(&memory_changes, memory_order_acquire)
               ? &r->symbol
               : NULL;
}

/* The symbol of an address. `stack` is the stack pointer at the call, `class_key` the class of a number that
 * may have to be given. */
enum refrain_status memory_find(uintptr_t address, uintptr_t stack, uint64_t class_key,
                                struct memory_symbol *out);

/* This thread has the module's lock, or is about to. */
extern _Thread_local bool memory_inside __attribute__((tls_model("initial-exec")));

/* ---- the heap and mmap: see interpose.c ------------------------------------------------------ */

/* Are they looked at? From the start, until somebody who has read the environment says no. */
extern _Atomic bool memory_tracking;
/* Does malloc_usable_size know the blocks of the allocator that comes after the tracer's malloc? Not if an
 * allocator is preloaded or linked that has no such function: asked about its blocks, the C library's reads
 * what is not its own. */
extern _Atomic bool memory_sizes_known;

#define MEMORY_NO_SYMBOL UINT32_MAX

void memory_block_made(void *block, size_t size);
void memory_block_gone(void *block); /* before it is freed */
/* Around realloc: its number is taken from the old block and given to the new. */
uint32_t memory_block_leaves(void *block);
void memory_block_comes(void *block, size_t size, uint32_t symbol);
void memory_symbol_gone(uint32_t symbol); /* the block came nowhere */

void memory_pages_made(void *start, size_t size);
void memory_pages_gone(void *start, size_t size);
/* Around mremap; all of a region, otherwise it has no number. */
uint32_t memory_pages_leave(void *start, size_t size);
void memory_pages_come(void *start, size_t size, uint32_t symbol);

/* ---- memory that MPI gives out: see special.def ---------------------------------------------- */

/* `place` is where MPI has put the address. */
void memory_mpi_made(const void *place, size_t size);
void memory_mpi_gone(const void *base);
void memory_window_made(const void *place, size_t size, uint64_t window);
void memory_window_gone(uint64_t window);

#endif
