/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded behind the tracer: counts the blocks of a thread in the program's heap. */
#include <stddef.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void __libc_free(void *block);

static _Thread_local long allocated, freed;

void *malloc(size_t n)
{
    allocated++;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    allocated++;
    return __libc_calloc(n, size);
}

void *realloc(void *block, size_t n)
{
    if (!block)
        allocated++;
    return __libc_realloc(block, n);
}

void free(void *block)
{
    if (block)
        freed++;
    __libc_free(block);
}

void heap_blocks(long *all, long *there)
{
    *all = allocated;
    *there = allocated - freed;
}
