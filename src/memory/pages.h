/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of memory.c: it is told of an allocation by the allocator, or by mmap that the allocator called
 * with its locks taken, and may not call it again. Small blocks are cut off chunks and never used twice,
 * which for arrays that grow by doubling costs as much again at most; others have pages of their own.
 *
 * One thread at a time: with the lock of memory.c. Each block was asked for here. */
#ifndef REFRAIN_PAGES_H
#define REFRAIN_PAGES_H

#include <stddef.h>

void *pages_malloc(size_t n); /* zero; NULL, with errno, when memory is short */
void *pages_realloc(void *block, size_t n);
void pages_free(void *block);

#endif
