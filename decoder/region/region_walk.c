/* SPDX-License-Identifier: BSD-3-Clause */
#include "region_walk.h"

/* A call that begins or ends a region is part of that region. */
static enum refrain_status take_call(const struct region_walk *w, struct region_stack *stack, size_t lane,
                                     const struct call *call)
{
    struct region_step step = {0};
    if (!region_stack_concerns(stack, call->function))
        return REFRAIN_OK;
    enum refrain_status status = region_stack_look(stack, call, &step);
    for (size_t i = 0; i < step.ends && status == REFRAIN_OK; i++)
        region_stack_pop(stack);
    if (status == REFRAIN_OK && step.begins)
        status = region_stack_push(stack, &step, 0);
    return status == REFRAIN_OK ? w->change(w->context, lane, call, stack, step.ends > 0) : status;
}

static enum refrain_status walk_lane(const struct region_walk *w, struct region_stack *stack, size_t number,
                                     const struct reader *r, const struct lane_ref *lane)
{
    struct cursor cursor;
    struct call call;
    enum refrain_status status = cursor_start(&cursor, r, lane);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && cursor_next(&cursor, &call, &status))
        status = take_call(w, stack, number, &call);
    cursor_stop(&cursor);
    while (stack->open.n > 0)
        region_stack_pop(stack);
    stack->deep = 0;
    return status;
}

enum refrain_status region_walk_all(const struct region_walk *w, const struct reader *r)
{
    struct roles roles = {0};
    struct region_stack stack = {0};
    struct lane_ref lane;
    size_t number = 0;
    enum refrain_status status = roles_find(&roles, &r->trace.functions);
    region_stack_start(&stack, r, &roles, w->names);
    for (uint32_t i = 0; i < r->trace.n_ranks && status == REFRAIN_OK; i++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, r->trace.first_rank + i, LANE_THREAD, &at, &lane);)
            status = walk_lane(w, &stack, number++, r, &lane);
    }
    region_stack_stop(&stack);
    roles_free(&roles);
    return status;
}
