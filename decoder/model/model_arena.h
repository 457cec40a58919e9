/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is freed all at once: zeroed pieces of large chunks. It is for data that is made in many steps
 * and shares parts, so that no single part has a known end of life. */
#ifndef REFRAIN_MODEL_ARENA_H
#define REFRAIN_MODEL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena {
    struct arena_chunk *chunks; /* the one in use first */
    bool failed;                /* memory was short */
};

/* A place in the arena. */
struct arena_mark {
    struct arena_chunk *chunk;
    size_t used;
};

/* Returns n zeroed objects of `size` bytes, aligned for any type. Logs the cause once and returns NULL if memory
 * is short. */
void *arena_array(struct arena *a, size_t n, size_t size);
/* Returns the current place; arena_return frees all that was taken after it. No arena_join may come between. */
struct arena_mark arena_mark(const struct arena *a);
void arena_return(struct arena *a, struct arena_mark mark);
/* Moves the chunks of `from` to `a`; addresses do not change. `from` is empty afterwards. */
void arena_join(struct arena *a, struct arena *from);
void arena_free(struct arena *a); /* empty again */

#endif
