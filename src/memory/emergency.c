/* SPDX-License-Identifier: BSD-3-Clause */
#include "emergency.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"
#include "merge_heap.h"
#include "pages.h"

/* Chunks of pages are used up from their beginning; each block has its size in front. Nothing is used twice,
 * so every block is zero at first.
 *
 *     chunk   | next, end | size | block … | size | block … | free …           |
 *                                                            ^ at               ^ end */
#define CHUNK ((size_t)4 << 20)
#define ALIGN sizeof(max_align_t)

struct chunk {
    _Alignas(max_align_t) struct chunk *next;
    uint8_t *end;
};

/* One thread adds chunks; others may look whether a block is in one. */
static _Atomic(struct chunk *) chunks; /* the newest first */
static uint8_t *at;                    /* in the first chunk */

static _Thread_local bool active __attribute__((tls_model("initial-exec")));

void emergency_begin(void)
{
    active = true;
}

void emergency_end(void)
{
    active = false;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static bool add_chunk(size_t least)
{
    const size_t size = round_up(sizeof(struct chunk) + least, CHUNK);
    struct chunk *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (chunk == MAP_FAILED)
        return false;
    chunk->next = atomic_load(&chunks);
    chunk->end = (uint8_t *)chunk + size;
    atomic_store(&chunks, chunk);
    at = (uint8_t *)(chunk + 1);
    return true;
}

static void *take(size_t n)
{
    const struct chunk *chunk = atomic_load(&chunks);
    const size_t whole = n < SIZE_MAX / 2 ? ALIGN + round_up(n, ALIGN) : SIZE_MAX / 2;
    if (whole == SIZE_MAX / 2 || ((!chunk || whole > (size_t)(chunk->end - at)) && !add_chunk(whole))) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = at + ALIGN;
    memcpy(at, &n, sizeof n);
    at += whole;
    return block;
}

/* Is the block from here, not from the heap? As long as nothing was taken here that is told at once. */
static bool is_ours(const void *p)
{
    for (const struct chunk *c = atomic_load_explicit(&chunks, memory_order_acquire); c; c = c->next) {
        if ((const uint8_t *)p > (const uint8_t *)c && (const uint8_t *)p < c->end)
            return true;
    }
    return false;
}

/* Does malloc_usable_size know the sizes of the heap's blocks? A program may define malloc, and not that. */
static bool sizes_known;

/* At most `max`. Of a block whose size is not known it is that: what lies behind the block is read with it,
 * and is no harm. */
static size_t size_of(void *p, size_t max)
{
    size_t n;
    if (merge_heap_has(p)) {
        n = merge_heap_size(p);
        return n < max ? n : max;
    }
    if (!is_ours(p) && !sizes_known)
        return max;
    if (!is_ours(p)) {
        n = malloc_usable_size(p);
        return n < max ? n : max;
    }
    memcpy(&n, (uint8_t *)p - ALIGN, sizeof n);
    return n < max ? n : max;
}

/* ---- what the linker puts in the place of the C library's ------------------------------------ */

/* The names are the linker's (ld --wrap). */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
char *__real_strdup(const char *s);
void __real_qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);
char *__wrap_strdup(const char *s);
void __wrap_qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));

/* The heap is the program's own, or that of the module of malloc_usable_size, or what comes after ours. */
void emergency_prepare(void)
{
    Dl_info allocator, sizes, ours;
    if (!dladdr((const void *)(uintptr_t)__real_malloc, &allocator) ||
        !dladdr((const void *)(uintptr_t)malloc_usable_size, &sizes) ||
        !dladdr((const void *)(uintptr_t)emergency_prepare, &ours))
        return;
    sizes_known = allocator.dli_fbase == sizes.dli_fbase ||
                  (allocator.dli_fbase == ours.dli_fbase && atomic_load(&memory_sizes_known));
}

void *__wrap_malloc(size_t n)
{
    if (active)
        return take(n);
    if (memory_inside)
        return pages_malloc(n);
    void *block = merge_heap_open ? merge_heap_malloc(n) : NULL;
    return block ? block : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    const size_t whole = size > 0 && n > SIZE_MAX / size ? SIZE_MAX : n * size;
    if (active)
        return take(whole);
    if (memory_inside)
        return pages_malloc(whole);
    void *block = merge_heap_open ? merge_heap_malloc(whole) : NULL;
    return block ? memset(block, 0, whole) : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    if (!active && memory_inside)
        return pages_realloc(p, n);
    const bool is_own = merge_heap_has(p);
    if (is_own && !active && n <= merge_heap_size(p))
        return p;
    if (!active && !is_own && !is_ours(p) && (p || !merge_heap_open))
        return __real_realloc(p, n);
    void *moved = __wrap_malloc(n);
    if (moved && p) {
        memcpy(moved, p, size_of(p, n));
        __wrap_free(p);
    }
    return moved;
}

void __wrap_free(void *p)
{
    if (!active && memory_inside)
        pages_free(p);
    else if (!active && merge_heap_has(p))
        merge_heap_free(p);
    else if (!active && !is_ours(p))
        __real_free(p);
}

char *__wrap_strdup(const char *s)
{
    if (!active && !merge_heap_open)
        return __real_strdup(s);
    const size_t n = strlen(s) + 1;
    char *copy = __wrap_malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

/* The C library's allocates. What is sorted on the way to a file is short, or almost in order already. */
void __wrap_qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    uint8_t *a = items;
    if (!active) {
        __real_qsort(items, n, size, compare);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        for (size_t k = i; k > 0 && compare(a + (k - 1) * size, a + k * size) > 0; k--) {
            for (size_t b = 0; b < size; b++) {
                const uint8_t kept = a[k * size + b];
                a[k * size + b] = a[(k - 1) * size + b];
                a[(k - 1) * size + b] = kept;
            }
        }
    }
}
