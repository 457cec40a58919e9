/* SPDX-License-Identifier: BSD-3-Clause */
/* Growable arrays: a pointer, a length and a capacity in any struct that has the fields
 *
 *     T *items; size_t n, cap;
 *
 * ARRAY(T) declares such a struct. A zero-initialised array is empty. */
#ifndef REFRAIN_ARRAY_H
#define REFRAIN_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "placement.h"

#define ARRAY(T)                                                                                             \
    struct {                                                                                                 \
        T *items;                                                                                            \
        size_t n, cap;                                                                                       \
    }

/* Make room for `extra` more items. False, with the cause logged and nothing changed, when memory is short.
 */
#define array_reserve(a, extra)                                                                              \
    ((size_t)(extra) <= (a)->cap - (a)->n ||                                                                 \
     array_grow((void **)&(a)->items, (a)->n, &(a)->cap, sizeof *(a)->items, (extra)))

/* Append one item. False when memory is short. */
#define array_push(a, item) (array_reserve((a), 1) ? ((a)->items[(a)->n++] = (item), true) : false)

/* Free the memory; the array is empty afterwards. */
#define array_free(a) array_release((void **)&(a)->items, &(a)->n, &(a)->cap)

COLD bool array_grow(void **items, size_t n, size_t *cap, size_t size, size_t extra);
void array_release(void **items, size_t *n, size_t *cap);

#endif
