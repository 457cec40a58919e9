/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_grid.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/array.h"
#include "src/core/base/log.h"

/* Return floor(value * base), but at least value + 1. */
static uint64_t next_value(uint64_t value, uint32_t base)
{
    const uint64_t next = (uint64_t)((unsigned __int128)value * base / TIME_BASE_ONE);
    return next > value ? next : value + 1;
}

static void fill_start(struct time_grid *g)
{
    uint32_t i = 0;
    for (unsigned length = 0; length < 64; length++) {
        for (uint64_t part = 0; part < 16; part++) {
            const uint64_t t = length < 4 ? (16 + part) >> (4 - length) : (16 + part) << (length - 4);
            while (i + 1 < g->n && g->values[i + 1] <= t)
                i++;
            /* 0 has the length of 1. */
            g->start[16 * length + part] = (uint16_t)(length == 0 ? 0 : i);
        }
    }
}

enum refrain_status time_grid_create(struct time_grid *g, uint32_t base, uint64_t floor, uint64_t bound)
{
    assert(base >= TIME_BASE_LEAST && base <= TIME_BASE_MOST);
    assert(bound >= 1 && bound <= TIME_BOUND_MOST);
    assert(floor <= TIME_FLOOR_MOST && floor <= 2 * bound);
    ARRAY(uint64_t) values = {0};
    const uint64_t step = 2 * bound;
    bool fine = array_push(&values, 0);
    uint64_t value = floor > 0 ? floor : 1;
    if (floor > 1)
        fine = fine && array_push(&values, (floor + 7) / 8);
    fine = fine && array_push(&values, value);
    for (; fine && next_value(value, base) - value < step; fine = array_push(&values, value))
        value = next_value(value, base);
    fine = fine && array_push(&values, UINT64_MAX); /* a sentinel that no value exceeds */
    if (!fine) {
        array_free(&values);
        return REFRAIN_ERR_MEMORY;
    }
    *g = (struct time_grid){.base = base,
                            .floor = floor,
                            .bound = bound,
                            .step = step,
                            .first = value / step + 1,
                            .n = (uint32_t)values.n - 1,
                            .values = values.items};
    g->alone = floor > 1 ? 2 : 0; /* the number of the floor */
    while (time_grid_value(g, g->alone + g->n_alone) * (base - TIME_BASE_ONE) < TIME_BASE_ONE)
        g->n_alone++;
    fill_start(g);
    return REFRAIN_OK;
}

void time_grid_free(struct time_grid *g)
{
    free(g->values);
    *g = (struct time_grid){0};
}
