/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline_regions.h"

#include <stdlib.h>

const char *const timeline_region_colours[TIMELINE_REGION_COLOURS] = {
    "#FBB4AE", "#B3CDE3", "#CCEBC5", "#DECBE4", "#FED9A6", "#E5D8BD", "#FDDAEC", "#F2F2A0"};

void timeline_regions_start(struct timeline_regions *x, const struct reader *r, const struct roles *roles,
                            uint64_t from, uint64_t to, size_t most)
{
    *x = (struct timeline_regions){.from = from, .to = to, .most = most};
    region_stack_start(&x->stack, r, roles, &x->names);
}

void timeline_regions_free(struct timeline_regions *x)
{
    region_stack_stop(&x->stack);
    text_table_free(&x->names);
    array_free(&x->items);
    *x = (struct timeline_regions){0};
}

/* Drops short regions until half of the places are free. */
static void coarsen(struct timeline_regions *x)
{
    while (x->items.n > x->most / 2) {
        size_t kept = 0;
        x->grain = x->grain > 0 ? 2 * x->grain : 1;
        for (size_t i = 0; i < x->items.n; i++) {
            const struct timeline_region region = x->items.items[i];
            if (region.leave - region.enter >= x->grain)
                x->items.items[kept++] = region;
        }
        x->items.n = kept;
    }
}

/* Ends the innermost region. */
static enum refrain_status take(struct timeline_regions *x, uint32_t lane, uint64_t leave)
{
    const struct region_open open = *region_stack_innermost(&x->stack);
    region_stack_pop(&x->stack);
    const struct timeline_region region = {.enter = open.enter > x->from ? open.enter : x->from,
                                           .leave = leave < x->to ? leave : x->to,
                                           .lane = lane,
                                           .name = open.name,
                                           .depth = (uint32_t)x->stack.open.n};
    if (region.enter >= region.leave || region.leave - region.enter < x->grain || x->most == 0)
        return REFRAIN_OK;
    if (x->items.n == x->most)
        coarsen(x);
    return array_push(&x->items, region) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status timeline_regions_follow(struct timeline_regions *x, uint32_t lane,
                                            const struct timed_lane *timed)
{
    const struct timestamp at = timed->timestamp;
    struct region_step step;
    if (!region_stack_concerns(&x->stack, timed->call.function))
        return REFRAIN_OK;
    enum refrain_status status = region_stack_look(&x->stack, &timed->call, &step);
    for (size_t i = 0; status == REFRAIN_OK && i < step.ends; i++)
        status = take(x, lane, at.leave);
    if (status != REFRAIN_OK || !step.begins)
        return status;
    return region_stack_push(&x->stack, &step, step.ends > 0 ? at.leave : at.enter);
}

enum refrain_status timeline_regions_end_lane(struct timeline_regions *x, uint32_t lane, uint64_t end)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && x->stack.open.n > 0)
        status = take(x, lane, end);
    x->stack.deep = 0;
    return status;
}

static int in_order(const void *a, const void *b)
{
    const struct timeline_region *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    if (x->enter != y->enter)
        return x->enter < y->enter ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

void timeline_regions_sort(struct timeline_regions *x)
{
    if (x->items.n > 0)
        qsort(x->items.items, x->items.n, sizeof *x->items.items, in_order);
}
