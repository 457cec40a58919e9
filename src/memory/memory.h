/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses as symbols, which are equal on every rank and in every iteration, unlike the addresses
 * themselves.
 *
 * Memory is divided into segments: blocks of the heap, regions of mmap, memory from MPI,
 * allocations on a device. A segment gets a number when an MPI call first uses an address in it:
 * the number belongs to its kind and to the call's class (src/core/base/id_allocator.h). It keeps
 * the number through realloc and mremap and returns it when it is freed. Allocation itself is not
 * recorded and costs a bit in a table:
 *
 *     small blocks     beginnings in a set of bits (blocks.h), no lock    marked ──> number, by address
 *     all others       intervals of each kind (intervals.h), with their numbers, under a lock
 *
 * Addresses on the stack and in a module (static variables, functions) are offsets
 * (address_offset.h); device memory is looked up (device.h). Other addresses have no symbol.
 *
 * The caller needs no lock. While this module holds its own lock, it calls nothing that may take
 * another one; so its allocations come from pages.h. The functions …_made and …_gone are called by
 * the program's threads at any time, also before constructors and while an allocator holds its
 * locks. errno is kept. */
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

/* an ADDRESS as in functable.h */
struct memory_symbol {
    uint32_t n;
    int64_t slots[MEMORY_SLOTS_MAX];
};

/* An address that a thread has found recently. It is valid until something with a number changes. */
struct memory_recent {
    uintptr_t address;
    uint64_t changes;            /* value of memory_changes at that time */
    struct memory_symbol symbol; /* n is 0: unused */
};

#define MEMORY_RECENTS 32 /* a power of two */

extern GUARD_HIDDEN _Atomic uint64_t memory_changes; /* counts changes of found symbols */

static inline size_t memory_recent_index(uintptr_t address)
{
    return (address >> 12 ^ address >> 7 ^ address >> 3) & (MEMORY_RECENTS - 1);
}

/* Remember that memory_find found `symbol`; `changes` is memory_changes as read before. Addresses
 * of devices are not remembered, since changes of their memory are not seen. */
static inline void memory_remember(struct memory_recent *recents, uintptr_t address, uint64_t changes,
                                   const struct memory_symbol *symbol)
{
    assert(symbol->n > 0);
    const int64_t form = symbol->slots[0];
    if (form != ADDRESS_STACK && form != ADDRESS_DEVICE && form != ADDRESS_UNKNOWN)
        recents[memory_recent_index(address)] = (struct memory_recent){address, changes, *symbol};
}

/* Return what memory_find would find, if the thread remembers it; otherwise NULL. */
static inline const struct memory_symbol *memory_recall(const struct memory_recent *recents,
                                                        uintptr_t address)
{
    const struct memory_recent *r = &recents[memory_recent_index(address)];
    return r->address == address && r->symbol.n &&
                   r->changes == atomic_load_explicit(&memory_changes, memory_order_acquire)
               ? &r->symbol
               : NULL;
}

/* Find the symbol of an address. `stack` is the stack pointer at the call, `class_key` the class
 * for a new number. */
enum refrain_status memory_find(uintptr_t address, uintptr_t stack, uint64_t class_key,
                                struct memory_symbol *out);

/* this thread has the module's lock, or is about to take it */
extern _Thread_local bool memory_inside __attribute__((tls_model("initial-exec")));

/* ---- the heap and mmap: see interpose.c ------------------------------------------------------ */

/* Whether allocations are tracked: from the start, until it is switched off. */
extern _Atomic bool memory_tracking;
/* Whether malloc_usable_size works for blocks of the allocator after the tracer. It does not if a
 * preloaded or linked allocator lacks the function: the C library's version would misread its
 * blocks. */
extern _Atomic bool memory_sizes_known;

#define MEMORY_NO_SYMBOL UINT32_MAX

void memory_block_made(void *block, size_t size);
void memory_block_gone(void *block); /* call it before the block is freed */
/* Call these around realloc: the number moves from the old block to the new one. */
uint32_t memory_block_leaves(void *block);
void memory_block_comes(void *block, size_t size, uint32_t symbol);
void memory_symbol_gone(uint32_t symbol); /* the block does not exist any more */

void memory_pages_made(void *start, size_t size);
void memory_pages_gone(void *start, size_t size);
/* Call these around mremap, for a whole region; a part of a region gets no number. */
uint32_t memory_pages_leave(void *start, size_t size);
void memory_pages_come(void *start, size_t size, uint32_t symbol);

/* ---- memory that MPI gives out: see special.def ---------------------------------------------- */

/* `place` is the variable in which MPI has stored the address. */
void memory_mpi_made(const void *place, size_t size);
void memory_mpi_gone(const void *base);
void memory_window_made(const void *place, size_t size, uint64_t window);
void memory_window_gone(uint64_t window);

#endif
