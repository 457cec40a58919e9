/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_regions.h"

#include "decoder/util/text.h"
#include "otf2_events.h"

void otf2_regions_start(struct otf2_regions *r, const struct otf2_shared *x)
{
    *r = (struct otf2_regions){0};
    region_stack_start(&r->stack, x->reader, &x->source.roles, &r->names);
}

void otf2_regions_stop(struct otf2_regions *r)
{
    region_stack_stop(&r->stack);
    text_table_free(&r->names);
    array_free(&r->numbers);
}

/* Adds the archive's number of the name that was added last. */
static enum refrain_status add_number(const struct otf2_shared *x, struct otf2_regions *r)
{
    const uint32_t name = (uint32_t)r->numbers.n;
    uint32_t number = 0;
    struct bytes text = {0};
    text_put_word(&text, text_table_at(&r->names, name), r->names.items.items[name].n);
    bytes_put_u8(&text, '\0');
    enum refrain_status status = text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = otf2_objects_number(x->objects, OTF2_REGION, text.data, text.n, &number);
    if (status == REFRAIN_OK && !array_push(&r->numbers, x->first_own_region + number))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&text);
    return status;
}

static enum refrain_status enter(struct otf2_writer *w, uint32_t name, uint64_t time)
{
    struct otf2_regions *r = &w->regions;
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && r->numbers.n <= name)
        status = add_number(w->x, r);
    if (status == REFRAIN_OK)
        status = otf2_check(
            OTF2_EvtWriter_Enter(w->writer, NULL, otf2_timestamp(w, time), r->numbers.items[name]));
    r->entered += status == REFRAIN_OK;
    return status;
}

/* Ends the innermost open region. */
static enum refrain_status leave(struct otf2_writer *w, uint64_t time)
{
    struct otf2_regions *r = &w->regions;
    const uint32_t name = region_stack_innermost(&r->stack)->name;
    region_stack_pop(&r->stack);
    if (r->entered <= r->stack.open.n)
        return REFRAIN_OK;
    r->entered--;
    return otf2_check(OTF2_EvtWriter_Leave(w->writer, NULL, otf2_timestamp(w, time), r->numbers.items[name]));
}

static enum refrain_status begin(struct otf2_writer *w, uint64_t time, bool shown)
{
    struct otf2_regions *r = &w->regions;
    const enum refrain_status status = region_stack_push(&r->stack, &r->step, time);
    return status == REFRAIN_OK && shown ? enter(w, r->step.region.name, time) : status;
}

static bool begins_first(const struct region_step *step)
{
    return step->begins && step->ends == 0;
}

enum refrain_status otf2_regions_before(struct otf2_writer *w, const struct call *call, struct timestamp at,
                                        bool shown)
{
    struct otf2_regions *r = &w->regions;
    enum refrain_status status = REFRAIN_OK;
    r->step = (struct region_step){0};
    while (status == REFRAIN_OK && shown && r->entered < r->stack.open.n)
        status = enter(w, r->stack.open.items[r->entered].name, w->x->from);
    if (status == REFRAIN_OK && region_stack_concerns(&r->stack, call->function))
        status = region_stack_look(&r->stack, call, &r->step);
    return status == REFRAIN_OK && begins_first(&r->step) ? begin(w, at.enter, shown) : status;
}

enum refrain_status otf2_regions_behind(struct otf2_writer *w, struct timestamp at, bool shown)
{
    const struct region_step *step = &w->regions.step;
    const uint64_t time = at.leave < w->x->to ? at.leave : w->x->to;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; status == REFRAIN_OK && i < step->ends; i++)
        status = leave(w, time);
    return status == REFRAIN_OK && step->begins && !begins_first(step) ? begin(w, at.leave, shown) : status;
}

enum refrain_status otf2_regions_end(struct otf2_writer *w)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && w->regions.stack.open.n > 0)
        status = leave(w, w->last);
    return status;
}
