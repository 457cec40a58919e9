/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is taken piece by piece and given back as a whole. Once it has been as large as it needs to be,
 * taking allocates nothing. */
#ifndef REFRAIN_ARENA_H
#define REFRAIN_ARENA_H

#include <stddef.h>

struct arena_block;

/* All zero: empty. */
struct arena {
    struct arena_block *blocks; /* the one in use first, which is the largest */
    size_t used;                /* bytes of it */
};

/* `size` bytes, aligned for anything, valid until arena_reset; not NULL for 0. NULL when memory is short,
 * which has been logged. */
void *arena_take(struct arena *a, size_t size);
void arena_reset(struct arena *a);
void arena_free(struct arena *a);

#endif
