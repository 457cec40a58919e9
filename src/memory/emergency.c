/* SPDX-License-Identifier: BSD-3-Clause */
#include "emergency.h"

#include <errno.h>
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
#include "tracer_heap.h"

/* Chunks of pages are used from their beginning; each block has its size in front. No memory is
 * reused, so every block is initially zero.
 *
 *     chunk   | next, end | size | block … | size | block … | free …           |
 *                                                            ^ at               ^ end */
#define CHUNK ((size_t)4 << 20)
#define ALIGN sizeof(max_align_t)

struct chunk {
    _Alignas(max_align_t) struct chunk *next;
    uint8_t *end;
};

/* one thread adds chunks; other threads may search them */
static _Atomic(struct chunk *) chunks; /* newest first */
static uint8_t *at;                    /* next free byte in the first chunk */

/* realloc makes a block smaller in place, unless it loses more than half of more than SHRINKS
 * bytes. */
#define SHRINKS ((size_t)4096)

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

/* Map a chunk. The program may end because it has used up its memory: then the chunk is cut from
 * the tracer's heap. */
static struct chunk *new_chunk(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages != MAP_FAILED ? pages : tracer_heap_cut(size);
}

static bool add_chunk(size_t least)
{
    const size_t size = round_up(sizeof(struct chunk) + least, CHUNK);
    struct chunk *chunk = new_chunk(size);
    if (!chunk)
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

/* Whether the block is from a chunk, not from the heap. Without chunks, the answer takes one
 * comparison. */
static bool is_ours(const void *p)
{
    for (const struct chunk *c = atomic_load_explicit(&chunks, memory_order_acquire); c; c = c->next) {
        if ((const uint8_t *)p > (const uint8_t *)c && (const uint8_t *)p < c->end)
            return true;
    }
    return false;
}

/* The block's size, at most `max`. */
static size_t size_of(const void *p, size_t max)
{
    size_t n;
    if (is_ours(p))
        memcpy(&n, (const uint8_t *)p - ALIGN, sizeof n);
    else
        n = merge_heap_has(p) ? block_heap_size(p) : tracer_heap_size(p);
    return n < max ? n : max;
}

/* ---- what the linker puts in the place of the C library's ------------------------------------ */

/* ld --wrap chooses these names */
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
void __wrap_qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));

void *__wrap_malloc(size_t n)
{
    if (active)
        return take(n);
    if (memory_inside)
        return pages_malloc(n);
    void *block = merge_heap_open ? merge_heap_malloc(n) : NULL;
    return block ? block : tracer_heap_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    const size_t whole = size > 0 && n > SIZE_MAX / size ? SIZE_MAX : n * size;
    if (active)
        return take(whole);
    if (memory_inside)
        return pages_malloc(whole);
    void *block = merge_heap_open ? merge_heap_malloc(whole) : NULL;
    return block ? memset(block, 0, whole) : tracer_heap_calloc(whole);
}

void *__wrap_realloc(void *p, size_t n)
{
    if (!active && memory_inside)
        return pages_realloc(p, n);
    const size_t old = p && !active ? size_of(p, SIZE_MAX) : 0;
    if (n > 0 && n <= old && (n >= old / 2 || old <= SHRINKS))
        return p;
    void *moved = __wrap_malloc(n);
    if (moved && p) {
        memcpy(moved, p, size_of(p, n));
        __wrap_free(p);
    }
    return moved;
}

void __wrap_free(void *p)
{
    if (active || !p)
        return;
    if (memory_inside)
        pages_free(p);
    else if (merge_heap_has(p))
        merge_heap_free(p);
    else if (!is_ours(p))
        tracer_heap_free(p);
}

char *__wrap_strndup(const char *s, size_t most)
{
    const size_t n = strnlen(s, most);
    char *copy = __wrap_malloc(n + 1);
    if (copy)
        ((char *)memcpy(copy, s, n))[n] = '\0';
    return copy;
}

char *__wrap_strdup(const char *s)
{
    return __wrap_strndup(s, SIZE_MAX);
}

/* Merge two ascending runs, [from, middle) and [middle, to), from `items` into `other`. */
static void merge_runs(const uint8_t *items, uint8_t *other, size_t from, size_t middle, size_t to,
                       size_t size, int (*compare)(const void *, const void *))
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        const bool takes_left =
            left < middle && (right == to || compare(items + left * size, items + right * size) <= 0);
        memcpy(other + i * size, items + (takes_left ? left++ : right++) * size, size);
    }
}

/* The C library's qsort allocates from the program's heap. This one is a stable merge sort; if
 * memory is short, it is an insertion sort. */
void __wrap_qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    uint8_t *const memory = n > 1 ? __wrap_malloc((n + 1) * size) : NULL;
    uint8_t *a = items, *other = memory;
    for (size_t length = 1; memory && length < n; length *= 2) {
        for (size_t from = 0; from < n; from += 2 * length) {
            const size_t middle = n - from > length ? from + length : n;
            merge_runs(a, other, from, middle, n - middle > length ? middle + length : n, size, compare);
        }
        uint8_t *const sorted = other;
        other = a;
        a = sorted;
    }
    if (memory && a == memory)
        memcpy(items, a, n * size);
    __wrap_free(memory);
    for (size_t i = memory ? n : 1; i < n; i++) {
        for (size_t k = i; k > 0 && compare(a + (k - 1) * size, a + k * size) > 0; k--) {
            for (size_t b = 0; b < size; b++) {
                const uint8_t kept = a[k * size + b];
                a[k * size + b] = a[(k - 1) * size + b];
                a[(k - 1) * size + b] = kept;
            }
        }
    }
}
