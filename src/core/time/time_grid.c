/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_grid.h"

#include <stdlib.h>

#include "src/core/base/array.h"
#include "src/core/base/log.h"

#define LAST (UINT64_C(1) << 63) /* no time is longer: 292 years */

/* floor(value * base), but at least one more than value. */
static uint64_t next_value(uint64_t value, uint32_t base)
{
    const unsigned __int128 next = (unsigned __int128)value * base / TIME_BASE_ONE;
    return next > LAST ? LAST : next > value ? (uint64_t)next : value + 1;
}

static void fill_start(struct time_grid *g)
{
    uint32_t i = 0;
    for (unsigned length = 0; length < 64; length++) {
        for (uint64_t part = 0; part < 8; part++) {
            const uint64_t t = length < 3 ? (8 + part) >> (3 - length) : (8 + part) << (length - 3);
            while (i + 1 < g->n && g->values[i + 1] <= t)
                i++;
            g->start[8 * length + part] = length == 0 ? 0 : i; /* 0 has the length of 1 */
        }
    }
}

enum refrain_status time_grid_create(struct time_grid *g, uint32_t base, uint64_t floor)
{
    ARRAY(uint64_t) values = {0};
    bool fine = array_push(&values, 0);
    uint64_t value = floor > 0 ? floor : 1;
    if (floor > 1)
        fine = fine && array_push(&values, (floor + 7) / 8);
    for (; fine && value < LAST; value = next_value(value, base))
        fine = array_push(&values, value);
    fine = fine && array_push(&values, LAST);
    if (values.n % 2 > 0) /* the last one has an odd number, too */
        fine = fine && array_push(&values, LAST + LAST / 128);
    if (!fine) {
        array_free(&values);
        return REFRAIN_ERR_MEMORY;
    }
    *g = (struct time_grid){.base = base,
                            .floor = floor,
                            .n = (uint32_t)values.n,
                            .values = values.items,
                            .slack = (uint32_t)(((uint64_t)(base - TIME_BASE_ONE) << 17) / TIME_BASE_ONE)};
    while ((UINT32_C(1) << g->bits) <= g->n)
        g->bits++;
    g->alone = floor > 1 ? 2 : 0; /* the floor's number */
    for (uint64_t i = g->alone; (unsigned __int128)g->values[i] * base / TIME_BASE_ONE < g->values[i + 1];
         i++)
        g->n_alone++;
    fill_start(g);
    return REFRAIN_OK;
}

void time_grid_free(struct time_grid *g)
{
    free(g->values);
    *g = (struct time_grid){0};
}
