/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>

#include "address_offset.h"
#include "device.h"
#include "src/core/base/blocks.h"
#include "src/core/base/id_allocator.h"
#include "src/core/base/intervals.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"
#include "src/core/base/placement.h"
#include "src/core/trace/functable.h"

/* blocks of at least this size are stored as intervals */
#define BIG ((size_t)64 << 10)

/* If several segments contain an address, the kind that comes first here is taken: MPI, heaps and device
 * drivers take their memory from segments of later kinds. */
enum segment_kind { KIND_WINDOW, KIND_MPI, KIND_HEAP, KIND_DEVICE, KIND_MAP, KINDS };

static const int64_t forms[KINDS] = {
    [KIND_WINDOW] = ADDRESS_WINDOW, [KIND_MPI] = ADDRESS_MPI,       [KIND_HEAP] = ADDRESS_HEAP,
    [KIND_MAP] = ADDRESS_MAP,       [KIND_DEVICE] = ADDRESS_DEVICE,
};

HOT_DATA _Atomic bool memory_tracking = true;
_Atomic bool memory_sizes_known = true;
_Thread_local bool memory_inside;

static struct blocks small;

static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct map marked;    /* small blocks with a number: granule -> number */
    struct intervals segments[KINDS];
    struct id_allocator numbers[KINDS];
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Intervals of the heap; while there are none, free() need not search them. */
HOT_DATA static _Atomic size_t n_big;
HOT_DATA _Atomic uint64_t memory_changes;

static bool enter(void)
{
    if (memory_inside)
        return false;
    memory_inside = true;
    pthread_mutex_lock(&memory.lock);
    return true;
}

static void leave(void)
{
    pthread_mutex_unlock(&memory.lock);
    memory_inside = false;
}

static bool is_tracking(void)
{
    return atomic_load_explicit(&memory_tracking, memory_order_relaxed) && !memory_inside;
}

/* ---- numbers and intervals; with the lock ---------------------------------------------------- */

/* If `symbol` is a number, the addresses that had it have lost it, so all threads must clear what they
 * remember. */
static void forget(uint32_t symbol)
{
    if (symbol != INTERVALS_NO_SYMBOL)
        atomic_fetch_add(&memory_changes, 1);
}

static void release(enum segment_kind kind, uint32_t symbol)
{
    if (symbol != INTERVALS_NO_SYMBOL)
        id_allocator_release(&memory.numbers[kind], symbol);
    forget(symbol);
}

static enum refrain_status number(enum segment_kind kind, uint64_t class_key, uint32_t *symbol)
{
    bool is_new;
    return id_allocator_acquire(&memory.numbers[kind], mix(class_key, kind), symbol, &is_new);
}

static void count_big(void)
{
    atomic_store_explicit(&n_big, memory.segments[KIND_HEAP].n, memory_order_relaxed);
}

/* Remove the addresses [start, end) from the segments of a kind. The part of a segment before
 * `start` keeps its number. A part after `end` gets a new number when an MPI call first uses it. If there is
 * no memory for that part (this is logged), it is left out, and its addresses have no symbol. */
static void cut(enum segment_kind kind, uintptr_t start, uintptr_t end)
{
    struct intervals *t = &memory.segments[kind];
    for (const struct interval *i; (i = intervals_first(t, start, end));) {
        const struct interval was = *i;
        intervals_remove(t, was.start);
        if (was.start < start) {
            intervals_add(t, (struct interval){was.start, start, was.symbol, was.owner});
            forget(was.symbol);
        } else {
            release(kind, was.symbol);
        }
        if (was.end > end)
            intervals_add(t, (struct interval){end, was.end, INTERVALS_NO_SYMBOL, was.owner});
    }
}

static void add(enum segment_kind kind, const void *start, size_t size, uint32_t symbol, uint64_t owner)
{
    const uintptr_t first = (uintptr_t)start, end = first + size;
    if (first < end) {
        cut(kind, first, end);
        intervals_add(&memory.segments[kind], (struct interval){first, end, symbol, owner});
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void make_big(void *block, size_t size, uint32_t symbol)
{
    const int saved_errno = errno;
    if (enter()) {
        /* A module may have been at these addresses before. If nobody noticed that it was unloaded, threads
         * still remember its symbols; counting a change makes them forget these. */
        atomic_fetch_add(&memory_changes, 1);
        add(KIND_HEAP, block, size, symbol, 0);
        count_big();
        leave();
    }
    errno = saved_errno;
}

HOT void memory_block_made(void *block, size_t size)
{
    if (!block || !is_tracking())
        return;
    if (size < BIG)
        blocks_add(&small, (uintptr_t)block);
    else
        make_big(block, size, INTERVALS_NO_SYMBOL);
}

static uint32_t take_marked(void *block)
{
    uint32_t symbol = MEMORY_NO_SYMBOL;
    if (enter()) {
        const uint64_t granule = (uintptr_t)block / BLOCKS_GRANULE;
        symbol = map_get(&memory.marked, granule);
        if (symbol != MAP_NONE)
            map_remove(&memory.marked, granule, symbol);
        leave();
    }
    return symbol;
}

static uint32_t take_big(void *block)
{
    uint32_t symbol = MEMORY_NO_SYMBOL;
    if (atomic_load_explicit(&n_big, memory_order_relaxed) == 0 || malloc_usable_size(block) < BIG ||
        !enter())
        return symbol;
    struct intervals *t = &memory.segments[KIND_HEAP];
    const struct interval *i = intervals_first(t, (uintptr_t)block, (uintptr_t)block + 1);
    if (i && i->start == (uintptr_t)block) {
        symbol = i->symbol;
        intervals_remove(t, i->start);
        count_big();
    }
    leave();
    return symbol;
}

HOT uint32_t memory_block_leaves(void *block)
{
    bool marked;
    if (!block || !is_tracking())
        return MEMORY_NO_SYMBOL;
    if (!blocks_remove(&small, (uintptr_t)block, &marked)) {
        const int saved_errno = errno;
        const uint32_t symbol = take_big(block);
        errno = saved_errno;
        return symbol;
    }
    return marked ? take_marked(block) : MEMORY_NO_SYMBOL;
}

HOT void memory_symbol_gone(uint32_t symbol)
{
    if (symbol != MEMORY_NO_SYMBOL && enter()) {
        release(KIND_HEAP, symbol);
        leave();
    }
}

HOT void memory_block_gone(void *block)
{
    memory_symbol_gone(memory_block_leaves(block));
}

/* Mark a block and enter it in the table. The lock must be held. */
static enum refrain_status mark(uintptr_t block, uint32_t symbol)
{
    if (!map_set(&memory.marked, block / BLOCKS_GRANULE, symbol))
        return REFRAIN_ERR_MEMORY;
    blocks_mark(&small, block);
    return REFRAIN_OK;
}

void memory_block_comes(void *block, size_t size, uint32_t symbol)
{
    if (symbol == MEMORY_NO_SYMBOL || !is_tracking()) {
        memory_block_made(block, size);
        return;
    }
    atomic_fetch_add(&memory_changes, 1);
    if (size >= BIG) {
        make_big(block, size, symbol);
    } else if (!blocks_add(&small, (uintptr_t)block)) {
        memory_symbol_gone(symbol);
    } else if (enter()) {
        mark((uintptr_t)block, symbol);
        leave();
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

void memory_pages_come(void *start, size_t size, uint32_t symbol)
{
    if (!is_tracking() || !enter())
        return;
    add(KIND_MAP, start, size, symbol, 0);
    leave();
}

void memory_pages_made(void *start, size_t size)
{
    memory_pages_come(start, size, INTERVALS_NO_SYMBOL);
}

uint32_t memory_pages_leave(void *start, size_t size)
{
    uint32_t symbol = INTERVALS_NO_SYMBOL;
    const uintptr_t first = (uintptr_t)start, end = first + size;
    if (first >= end || !is_tracking() || !enter())
        return symbol;
    struct interval *i = intervals_first(&memory.segments[KIND_MAP], first, end);
    if (i && i->start == first) {
        symbol = i->symbol;
        i->symbol = INTERVALS_NO_SYMBOL;
        atomic_fetch_add(&memory_changes, 1);
    }
    cut(KIND_MAP, first, end);
    leave();
    return symbol;
}

void memory_pages_gone(void *start, size_t size)
{
    const uintptr_t first = (uintptr_t)start, end = first + size;
    if (first < end && is_tracking() && enter()) {
        cut(KIND_MAP, first, end);
        leave();
    }
}

/* ---- MPI ------------------------------------------------------------------------------------- */

static void made_by_mpi(enum segment_kind kind, const void *place, size_t size, uint64_t owner)
{
    const void *start;
    memcpy(&start, place, sizeof start);
    if (!enter())
        return;
    /* Each MPI_Win_shared_query for the same process and window returns the same memory: from the second
     * query on, the segment exists already. Otherwise the addresses may have had another symbol, as part of
     * a mapped region. */
    const struct interval *i =
        intervals_first(&memory.segments[kind], (uintptr_t)start, (uintptr_t)start + 1);
    if (!i || i->start != (uintptr_t)start || i->end - i->start != size || i->owner != owner) {
        atomic_fetch_add(&memory_changes, 1);
        add(kind, start, size, INTERVALS_NO_SYMBOL, owner);
    }
    leave();
}

void memory_mpi_made(const void *place, size_t size)
{
    made_by_mpi(KIND_MPI, place, size, 0);
}

void memory_mpi_gone(const void *base)
{
    const uintptr_t start = (uintptr_t)base;
    if (!enter())
        return;
    const struct interval *i = intervals_first(&memory.segments[KIND_MPI], start, start + 1);
    if (i && i->start == start)
        cut(KIND_MPI, start, i->end);
    leave();
}

void memory_window_made(const void *place, size_t size, uint64_t window)
{
    made_by_mpi(KIND_WINDOW, place, size, window);
}

void memory_window_gone(uint64_t window)
{
    const struct interval *i;
    if (!enter())
        return;
    for (uintptr_t at = 0; (i = intervals_first(&memory.segments[KIND_WINDOW], at, UINTPTR_MAX));) {
        const struct interval is = *i;
        at = is.end;
        if (is.owner == window)
            cut(KIND_WINDOW, is.start, is.end);
    }
    leave();
}

/* ---- finding --------------------------------------------------------------------------------- */

static struct memory_symbol numbered(enum segment_kind kind, uint32_t symbol, uintptr_t offset)
{
    return (struct memory_symbol){3, {forms[kind], symbol, (int64_t)offset}};
}

/* The small block that contains the address; 0 if there is none. Call it without the lock:
 * malloc_usable_size may take the allocator's. */
static uintptr_t small_block(uintptr_t address)
{
    const uintptr_t block = blocks_find(&small, address, BIG - 1);
    return block && address - block < malloc_usable_size((void *)block) ? block : 0;
}

/* The lock must be held. */
static enum refrain_status find_small(uintptr_t block, uintptr_t address, uint64_t class_key,
                                      struct memory_symbol *out)
{
    uint32_t symbol = map_get(&memory.marked, block / BLOCKS_GRANULE);
    if (symbol == MAP_NONE) {
        enum refrain_status status = number(KIND_HEAP, class_key, &symbol);
        if (!status)
            status = mark(block, symbol);
        if (status)
            return status;
    }
    *out = numbered(KIND_HEAP, symbol, address - block);
    return REFRAIN_OK;
}

static enum refrain_status find_interval(enum segment_kind kind, uintptr_t address, uint64_t class_key,
                                         struct memory_symbol *out)
{
    struct interval *i = intervals_first(&memory.segments[kind], address, address + 1);
    if (!i)
        return REFRAIN_OK;
    if (i->symbol == INTERVALS_NO_SYMBOL) {
        enum refrain_status status = number(kind, class_key, &i->symbol);
        if (status)
            return status;
    }
    *out = numbered(kind, i->symbol, address - i->start);
    return REFRAIN_OK;
}

/* Find the address in the kinds from `first` to `last`. */
static enum refrain_status find_tracked(enum segment_kind first, enum segment_kind last, uintptr_t address,
                                        uint64_t class_key, struct memory_symbol *out)
{
    const uintptr_t block = first <= KIND_HEAP ? small_block(address) : 0;
    enum refrain_status status = REFRAIN_OK;
    if (!enter())
        return REFRAIN_OK;
    for (enum segment_kind kind = first; kind <= last && !out->n && !status; kind++) {
        if (kind == KIND_HEAP && block)
            status = find_small(block, address, class_key, out);
        if (!out->n && !status)
            status = find_interval(kind, address, class_key, out);
    }
    leave();
    return status;
}

static enum refrain_status find_static(uintptr_t address, struct memory_symbol *out)
{
    uint32_t module;
    int64_t offset;
    const enum refrain_status status = address_offset_static(address, &module, &offset);
    if (!status && module)
        *out = (struct memory_symbol){3, {ADDRESS_STATIC, module, offset}};
    return status;
}

/* Find an address of a device. The tracer sees no call that frees device memory, but it recognizes other
 * memory at the same place by its other id. */
static enum refrain_status find_device(uintptr_t address, uint64_t class_key, struct memory_symbol *out)
{
    struct device_memory m;
    struct memory_symbol found = {0};
    if (!device_find(address, &m) || !enter())
        return REFRAIN_OK;
    const struct interval *i = intervals_first(&memory.segments[KIND_DEVICE], address, address + 1);
    if (!i || i->start != m.start || i->end - i->start != m.size || i->owner != m.id)
        add(KIND_DEVICE, (void *)m.start, m.size, INTERVALS_NO_SYMBOL, m.id);
    const enum refrain_status status =
        find_interval(KIND_DEVICE, address, mix(class_key, (uint64_t)m.device), &found);
    leave();
    if (!status && found.n)
        *out = (struct memory_symbol){4, {found.slots[0], m.device, found.slots[1], found.slots[2]}};
    return status;
}

enum refrain_status memory_find(uintptr_t address, uintptr_t stack, uint64_t class_key,
                                struct memory_symbol *out)
{
    struct memory_symbol found = {0};
    int64_t offset;
    if (address_offset_on_stack(address, stack, &offset)) {
        *out = (struct memory_symbol){2, {ADDRESS_STACK, offset}};
        return REFRAIN_OK;
    }
    enum refrain_status status = find_tracked(KIND_WINDOW, KIND_HEAP, address, class_key, &found);
    if (!found.n && !status)
        status = find_static(address, &found);
    if (!found.n && !status)
        status = find_device(address, class_key, &found);
    if (!found.n && !status)
        status = find_tracked(KIND_MAP, KIND_MAP, address, class_key, &found);
    if (status)
        return status;
    *out = found.n ? found : (struct memory_symbol){1, {ADDRESS_UNKNOWN}};
    return REFRAIN_OK;
}
