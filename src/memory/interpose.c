/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpose the allocator. The program's calls of malloc, free … go on to the next definition in
 * the search order of the dynamic linker: the C library's, or that of an allocator that the program
 * brings. The results are noted (memory.h), except with REFRAIN_MEMORY=off.
 *
 * The first call, which comes before all constructors, asks the dynamic linker for the next
 * definitions. Memory that the linker allocates for this answer comes from a small area that is
 * never reused.
 *
 * In librefrain.a these symbols are weak (local.mk): a statically linked program has the C
 * library's own functions instead, at least malloc and free, and there is no next definition. Calls
 * that come here then go on to the C library by its inner names. Nothing is noted, and libraries
 * that work for the tracer get no blocks of the tracer's heap, since the C library's free could not
 * recognize them.
 *
 * While libraries work for the tracer (tracer_heap_begin), that thread allocates from the tracer's
 * heap. free and realloc recognize such blocks by their addresses. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "memory.h"
#include "src/core/base/placement.h"
#include "tracer_heap.h"

/* ---- the next definitions -------------------------------------------------------------------- */

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
} next HOT_DATA;

void *__libc_malloc(size_t) __attribute__((weak));
void *__libc_calloc(size_t, size_t) __attribute__((weak));
void *__libc_realloc(void *, size_t) __attribute__((weak));
void __libc_free(void *) __attribute__((weak));
void *__libc_memalign(size_t, size_t) __attribute__((weak));
void *__libc_valloc(size_t) __attribute__((weak));
void *__libc_pvalloc(size_t) __attribute__((weak));

static int libc_posix_memalign(void **place, size_t alignment, size_t n)
{
    if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
        return EINVAL;
    void *block = __libc_memalign(alignment, n);
    if (!block)
        return ENOMEM;
    *place = block;
    return 0;
}

static void take_inner_names(void)
{
    atomic_store(&memory_tracking, false);
    next.malloc = __libc_malloc;
    next.calloc = __libc_calloc;
    next.realloc = __libc_realloc;
    next.free = __libc_free;
    next.posix_memalign = libc_posix_memalign;
    next.aligned_alloc = next.memalign = __libc_memalign;
    next.valloc = __libc_valloc;
    next.pvalloc = __libc_pvalloc;
}

/* All functions of an allocator must be in one module. Without malloc_usable_size a block's end is
 * unknown, so addresses in the heap get no symbols. */
static void compare_sizes(void)
{
    Dl_info allocator, sizes;
    void *const function = dlsym(RTLD_DEFAULT, "malloc_usable_size");
    void *found;
    memcpy(&found, &next.malloc, sizeof found);
    if (dladdr(found, &allocator) && dladdr(function, &sizes) && allocator.dli_fbase == sizes.dli_fbase)
        return;
    atomic_store(&memory_sizes_known, false);
    atomic_store(&memory_tracking, false);
}

HOT_DATA static _Atomic bool ready;
static _Thread_local bool asking __attribute__((tls_model("initial-exec")));
static bool is_inner; /* take_inner_names has been called */

static void ask(void)
{
    static const struct {
        const char *name;
        void *to;
    } wanted[] = {
        {"malloc", &next.malloc},
        {"calloc", &next.calloc},
        {"realloc", &next.realloc},
        {"free", &next.free},
        {"posix_memalign", &next.posix_memalign},
        {"aligned_alloc", &next.aligned_alloc},
        {"memalign", &next.memalign},
        {"valloc", &next.valloc},
        {"pvalloc", &next.pvalloc},
    };
    const int saved_errno = errno;
    asking = true;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *const found = dlsym(RTLD_NEXT, wanted[i].name);
        /* ISO C has no cast from object to function pointer. */
        memcpy(wanted[i].to, &found, sizeof found);
    }
    is_inner = !next.malloc;
    if (is_inner)
        take_inner_names();
    else
        compare_sizes();
    asking = false;
    atomic_store(&ready, true);
    errno = saved_errno;
}

static __attribute__((noinline)) bool learn_next(void)
{
    if (asking)
        return false;
    ask();
    return true;
}

/* Make sure that the next definitions are known. False while this thread asks for them. */
static inline bool know_next(void)
{
    return atomic_load_explicit(&ready, memory_order_acquire) || learn_next();
}

/* ---- allocation until the next definitions are known ----------------------------------------- */

/* The area is used from its beginning; each block has its size in front. Two threads may allocate
 * at once. */
#define ALIGN ((size_t)16)
static struct {
    _Alignas(16) unsigned char bytes[1 << 14];
    _Atomic size_t used;
} area;

static void *take(size_t n)
{
    const size_t whole =
        n < sizeof area.bytes ? ALIGN + (n + ALIGN - 1) / ALIGN * ALIGN : sizeof area.bytes + 1;
    const size_t at = atomic_fetch_add(&area.used, whole);
    if (whole > sizeof area.bytes || at > sizeof area.bytes - whole) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(area.bytes + at, &n, sizeof n);
    return area.bytes + at + ALIGN;
}

static bool is_from_area(const void *p)
{
    return (uintptr_t)p - (uintptr_t)area.bytes < sizeof area.bytes;
}

static void *out_of_area(const void *p, size_t n)
{
    size_t old;
    memcpy(&old, (const unsigned char *)p - ALIGN, sizeof old);
    void *moved = malloc(n);
    return moved ? memcpy(moved, p, old < n ? old : n) : NULL;
}

/* ---- the heap -------------------------------------------------------------------------------- */

/* Tested before any function call: a program without tracking, or in MPI_Finalize, pays for one
 * branch. */
static bool is_noted(void)
{
    return atomic_load_explicit(&memory_tracking, memory_order_relaxed);
}

static void *noted(void *block, size_t n)
{
    if (is_noted())
        memory_block_made(block, n);
    return block;
}

/* Allocate for a library that works for the tracer. NULL if the program's allocator must do it. */
static inline void *on_behalf(size_t n)
{
    return tracer_heap_on_behalf && know_next() && !is_inner ? tracer_heap_malloc_block(n) : NULL;
}

/* Resize such a block, possibly after the library's work for the tracer has ended. */
static void *grow_on_behalf(void *p, size_t n)
{
    const size_t old = tracer_heap_size(p);
    if (n > 0 && n <= old)
        return p;
    void *moved = n > 0 ? on_behalf(n) : NULL;
    if (!moved && n > 0)
        moved = malloc(n);
    if (moved)
        memcpy(moved, p, old);
    if (moved || n == 0)
        tracer_heap_free(p);
    return moved;
}

HOT GUARD_EXPORT void *malloc(size_t n)
{
    void *block = on_behalf(n);
    if (block)
        return block;
    return know_next() ? noted(next.malloc(n), n) : take(n);
}

HOT GUARD_EXPORT void *calloc(size_t n, size_t size)
{
    const size_t whole = size && n > SIZE_MAX / size ? SIZE_MAX : n * size;
    void *block = on_behalf(whole);
    if (block)
        return memset(block, 0, whole);
    return know_next() ? noted(next.calloc(n, size), whole) : take(whole);
}

HOT GUARD_EXPORT void free(void *p)
{
    if (is_from_area(p) || !know_next())
        return;
    if (tracer_heap_has(p)) {
        tracer_heap_free(p);
        return;
    }
    if (is_noted())
        memory_block_gone(p);
    next.free(p);
}

GUARD_EXPORT void *realloc(void *p, size_t n)
{
    if (is_from_area(p))
        return out_of_area(p, n);
    if (tracer_heap_has(p))
        return grow_on_behalf(p, n);
    if (!p && tracer_heap_on_behalf)
        return malloc(n);
    if (!know_next())
        return p ? NULL : take(n);
    const size_t old = p && atomic_load(&memory_sizes_known) ? malloc_usable_size(p) : 0;
    const uint32_t symbol = memory_block_leaves(p);
    void *moved = next.realloc(p, n);
    if (moved)
        memory_block_comes(moved, n, symbol);
    else if (p && n > 0)
        memory_block_comes(p, old, symbol); /* the block did not move */
    else
        memory_symbol_gone(symbol);
    return moved;
}

GUARD_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, n * size);
}

GUARD_EXPORT int posix_memalign(void **place, size_t alignment, size_t n)
{
    if (!know_next())
        return ENOMEM;
    const int result = next.posix_memalign(place, alignment, n);
    if (result == 0)
        memory_block_made(*place, n);
    return result;
}

GUARD_EXPORT void *aligned_alloc(size_t alignment, size_t n)
{
    return know_next() ? noted(next.aligned_alloc(alignment, n), n) : NULL;
}

GUARD_EXPORT void *memalign(size_t alignment, size_t n)
{
    return know_next() ? noted(next.memalign(alignment, n), n) : NULL;
}

GUARD_EXPORT void *valloc(size_t n)
{
    return know_next() ? noted(next.valloc(n), n) : NULL;
}

GUARD_EXPORT void *pvalloc(size_t n)
{
    return know_next() ? noted(next.pvalloc(n), n) : NULL;
}
