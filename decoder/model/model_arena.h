/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is given back all at once: pieces of large chunks, zeroed. For data that is made in many steps
 * and that shares parts, so that nothing can tell when one of them is not needed any more. */
#ifndef REFRAIN_MODEL_ARENA_H
#define REFRAIN_MODEL_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks; /* the one in use first */
};

/* n zeroed objects of `size` bytes, aligned for any type. NULL, with the cause logged, when memory is short.
 */
void *arena_array(struct arena *a, size_t n, size_t size);
/* All that is in `from` is in `a` now, where it was; `from` is empty. */
void arena_join(struct arena *a, struct arena *from);
void arena_free(struct arena *a); /* empty again */

#endif
