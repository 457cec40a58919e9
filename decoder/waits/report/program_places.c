/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_places.h"

#include "decoder/region/region_walk.h"
#include "decoder/waits/search/wait_lanes.h"

/* Place 0 is outside of all regions. */
static enum refrain_status take_change(void *context, size_t lane, const struct call *call,
                                       const struct region_stack *stack, bool ended)
{
    const uint32_t place = stack->open.n > 0 ? region_stack_innermost(stack)->name + 1 : 0;
    return wait_places_add(context, lane, call->index + ended, place);
}

/* Puts all lanes at place 0 of n. */
static enum refrain_status start(struct wait_places *p, const struct wait_lanes *lanes, size_t n)
{
    enum refrain_status status = wait_places_create(p, lanes->n);
    p->n = n;
    for (size_t i = 0; i < lanes->n && status == REFRAIN_OK; i++)
        status = wait_places_add(p, i, 0, 0);
    return status;
}

enum refrain_status region_places_create(struct wait_places *p, struct text_table *names,
                                         const struct reader *r)
{
    const struct region_walk walk = {.names = names, .change = take_change, .context = p};
    struct wait_lanes lanes;
    enum refrain_status status = wait_lanes_create(&lanes, r);
    if (status != REFRAIN_OK)
        return status;
    status = start(p, &lanes, 0);
    if (status == REFRAIN_OK)
        status = region_walk_all(&walk, r);
    p->n = names->items.n + 1;
    wait_lanes_free(&lanes);
    return status;
}

enum refrain_status phase_places_create(struct wait_places *p, const struct reader *r)
{
    struct wait_lanes lanes;
    enum refrain_status status = wait_lanes_create(&lanes, r);
    if (status != REFRAIN_OK)
        return status;
    status = start(p, &lanes, r->trace.sites.n + 1);
    p->by_meetings = true;
    wait_lanes_free(&lanes);
    return status;
}
