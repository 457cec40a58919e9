/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_places.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status wait_places_create(struct wait_places *p, size_t n_lanes)
{
    *p = (struct wait_places){.lanes = calloc(n_lanes + 1, sizeof *p->lanes), .n_lanes = n_lanes};
    if (p->lanes)
        return REFRAIN_OK;
    log_error("out of memory: %zu threads", n_lanes);
    return REFRAIN_ERR_MEMORY;
}

void wait_places_free(struct wait_places *p)
{
    for (size_t i = 0; p->lanes && i < p->n_lanes; i++)
        array_free(&p->lanes[i].changes);
    free(p->lanes);
    *p = (struct wait_places){0};
}

enum refrain_status wait_places_add(struct wait_places *p, size_t lane, uint64_t call, uint32_t place)
{
    struct wait_lane_places *l = &p->lanes[lane];
    struct wait_place_change *last = l->changes.n > 0 ? &l->changes.items[l->changes.n - 1] : NULL;
    const struct wait_place_change change = {call, place};
    if (last && last->place == place)
        return REFRAIN_OK;
    if (last && last->call == call) {
        *last = change;
        return REFRAIN_OK;
    }
    if (array_push(&l->changes, change))
        return REFRAIN_OK;
    log_error("out of memory: where threads are");
    return REFRAIN_ERR_MEMORY;
}

uint32_t wait_places_find(const struct wait_places *p, size_t lane, uint64_t call)
{
    const struct wait_lane_places *l = &p->lanes[lane];
    size_t low = 0, high = l->changes.n; /* the answer is the one before the first beyond the call */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (l->changes.items[middle].call <= call)
            low = middle;
        else
            high = middle;
    }
    return l->changes.items[low].place;
}
