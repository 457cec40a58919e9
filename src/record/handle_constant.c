/* SPDX-License-Identifier: BSD-3-Clause */
#include "handle_constant.h"

#include "src/core/base/placement.h"

#include <assert.h>

HOT_DATA struct handle_constants handle_constants[HANDLE_KINDS];

enum refrain_status handle_add_constant(enum handle_kind kind, uint64_t value, int64_t index)
{
    assert(kind < HANDLE_KINDS && index >= 0);
    struct handle_constants *c = &handle_constants[kind];
    if (map_get(&c->indices, value) != MAP_NONE)
        return REFRAIN_OK;
    if (!map_set(&c->indices, value, (uint32_t)index))
        return REFRAIN_ERR_MEMORY;
    if (c->indices.n == 1 || value < c->least) {
        c->least = value;
        c->least_index = (uint32_t)index;
    }
    if (c->indices.n == 1 || value > c->most)
        c->most = value;
    return REFRAIN_OK;
}

bool handle_find_constant(enum handle_kind kind, uint64_t value, int64_t *slot)
{
    return handle_constant_find(kind, value, slot);
}

void handle_constants_clear(void)
{
    for (size_t i = 0; i < HANDLE_KINDS; i++)
        map_free(&handle_constants[i].indices);
}
