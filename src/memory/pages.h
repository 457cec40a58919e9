/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation for memory.c. An allocator, possibly with its locks held, calls memory.c, which must
 * not call it again. Small blocks are cut from chunks and never reused, which at most doubles the
 * memory of growing arrays; other blocks have pages of their own.
 *
 * The caller holds the lock of memory.c. Blocks must come from pages_malloc or pages_realloc. */
#ifndef REFRAIN_PAGES_H
#define REFRAIN_PAGES_H

#include <stddef.h>

void *pages_malloc(size_t n); /* zeroed; NULL, with errno, if memory is short */
void *pages_realloc(void *block, size_t n);
void pages_free(void *block);

#endif
