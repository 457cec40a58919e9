/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is taken piece by piece and freed as a whole. Once the arena has reached its largest
 * size, taking allocates nothing. */
#ifndef REFRAIN_ARENA_H
#define REFRAIN_ARENA_H

#include <stddef.h>

struct arena_block;

/* All zero: empty. */
struct arena {
    struct arena_block *blocks; /* the current one, which is the largest, first */
    size_t used;                /* bytes used of the current block */
};

/* Take `size` bytes, aligned for any type, valid until arena_reset; also for size 0 not NULL. NULL
 * if memory is short (logged). */
void *arena_take(struct arena *a, size_t size);
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

#endif
