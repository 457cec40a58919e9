/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* in front of each block: its size */
#define HEAD  ((size_t)16)
#define SMALL ((size_t)2 << 10) /* largest block in a chunk, with its head */
#define CHUNK ((size_t)64 << 10)

static uint8_t *at, *end; /* the rest of the newest chunk */

static void *map(size_t n)
{
    void *pages = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static size_t size_of(const void *block)
{
    size_t n;
    memcpy(&n, (const uint8_t *)block - HEAD, sizeof n);
    return n;
}

void *pages_malloc(size_t n)
{
    const size_t whole = n < SIZE_MAX / 2 ? HEAD + (n + HEAD - 1) / HEAD * HEAD : SIZE_MAX;
    uint8_t *start = NULL;
    if (whole == SIZE_MAX) {
        errno = ENOMEM;
    } else if (whole > SMALL) {
        start = map(whole);
    } else {
        if (whole > (size_t)(end - at) && (at = map(CHUNK)))
            end = at + CHUNK;
        if (!at)
            end = NULL;
        start = at;
        at += at ? whole : 0;
    }
    if (!start)
        return NULL;
    memcpy(start, &n, sizeof n);
    return start + HEAD;
}

void *pages_realloc(void *block, size_t n)
{
    void *moved = pages_malloc(n);
    if (moved && block) {
        const size_t old = size_of(block);
        memcpy(moved, block, old < n ? old : n);
        pages_free(block);
    }
    return moved;
}

void pages_free(void *block)
{
    if (!block)
        return;
    const size_t whole = HEAD + (size_of(block) + HEAD - 1) / HEAD * HEAD;
    if (whole > SMALL)
        munmap((uint8_t *)block - HEAD, whole);
}
