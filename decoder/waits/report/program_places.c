/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_places.h"

#include "decoder/region/region_stack.h"
#include "decoder/waits/search/wait_lanes.h"

/* A lane and its open regions. */
struct following {
    struct wait_places *places;
    struct region_stack stack;
    size_t lane;
};

static uint32_t innermost(const struct following *f)
{
    return f->stack.open.n > 0 ? region_stack_innermost(&f->stack)->name + 1 : 0;
}

/* A call that begins or ends a region is part of that region. */
static enum refrain_status take_call(struct following *f, const struct call *call)
{
    struct region_step step = {0};
    if (!region_stack_concerns(&f->stack, call->function))
        return REFRAIN_OK;
    enum refrain_status status = region_stack_look(&f->stack, call, &step);
    for (size_t i = 0; i < step.ends && status == REFRAIN_OK; i++)
        region_stack_pop(&f->stack);
    if (status == REFRAIN_OK && step.begins)
        status = region_stack_push(&f->stack, &step, 0);
    return status == REFRAIN_OK
               ? wait_places_add(f->places, f->lane, call->index + (step.ends > 0), innermost(f))
               : status;
}

static enum refrain_status follow_lane(struct following *f, const struct reader *r,
                                       const struct lane_ref *lane)
{
    struct cursor cursor;
    struct call call;
    enum refrain_status status = cursor_start(&cursor, r, lane);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && cursor_next(&cursor, &call, &status))
        status = take_call(f, &call);
    cursor_stop(&cursor);
    while (f->stack.open.n > 0)
        region_stack_pop(&f->stack);
    f->stack.deep = 0;
    f->lane++;
    return status;
}

/* The order of lanes must be that of wait_lanes_create. */
static enum refrain_status follow_all(struct following *f, const struct reader *r)
{
    struct lane_ref lane;
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < r->trace.n_ranks && status == REFRAIN_OK; i++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, r->trace.first_rank + i, LANE_THREAD, &at, &lane);)
            status = follow_lane(f, r, &lane);
    }
    return status;
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
    struct wait_lanes lanes;
    struct roles roles = {0};
    struct following f = {.places = p};
    enum refrain_status status = wait_lanes_create(&lanes, r);
    if (status != REFRAIN_OK)
        return status;
    status = roles_find(&roles, &r->trace.functions);
    if (status == REFRAIN_OK)
        status = start(p, &lanes, 0);
    region_stack_start(&f.stack, r, &roles, names);
    if (status == REFRAIN_OK)
        status = follow_all(&f, r);
    p->n = names->items.n + 1;
    region_stack_stop(&f.stack);
    roles_free(&roles);
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
