/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined handles. They are known before anything is recorded and never change, so they need no
 * lock. */
#ifndef REFRAIN_HANDLE_CONSTANT_H
#define REFRAIN_HANDLE_CONSTANT_H

#include "handle.h"

struct handle_constants {
    struct map indices;   /* value -> index of the constant */
    uint64_t least, most; /* range of the values; usually one, or in the library's static memory */
    uint32_t least_index; /* index of the least value */
};

extern GUARD_HIDDEN struct handle_constants handle_constants[HANDLE_KINDS];

static inline uint32_t handle_constant_index(enum handle_kind kind, uint64_t value)
{
    const struct handle_constants *c = &handle_constants[kind];
    if (value == c->least)
        return c->indices.n > 0 ? c->least_index : MAP_NONE;
    return value < c->least || value > c->most ? MAP_NONE : map_get(&c->indices, value);
}

/* Is it a predefined one? Then *slot is its slot. */
static inline bool handle_constant_find(enum handle_kind kind, uint64_t value, int64_t *slot)
{
    const uint32_t constant = handle_constant_index(kind, value);
    if (constant != MAP_NONE)
        *slot = (int64_t)constant << 1 | 1;
    return constant != MAP_NONE;
}

/* The same for the least value only; usually that is the null handle. */
static inline bool handle_constant_is_least(enum handle_kind kind, uint64_t value, int64_t *slot)
{
    const struct handle_constants *c = &handle_constants[kind];
    *slot = (int64_t)c->least_index << 1 | 1;
    return value == c->least && c->indices.n > 0;
}

void handle_constants_clear(void);

#endif
