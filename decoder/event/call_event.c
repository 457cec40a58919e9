/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"

#include <assert.h>
#include <string.h>

#define ROLE_WINDOW_EVENT (ROLE_RMA | ROLE_OPEN | ROLE_CLOSE | ROLE_FLUSH)

static bool has_windows(const struct call_event_source *s)
{
    bool any = false;
    for (size_t i = 0; i < s->reader->trace.sites.n && !any; i++)
        any = s->roles.items[s->reader->trace.sites.items[i].function].actions & ROLE_WINDOW_EVENT;
    return any;
}

static bool has_partners(const struct call_event_source *s)
{
    bool any = false;
    for (size_t i = 0; i < s->reader->trace.sites.n && !any; i++) {
        const struct role *role = &s->roles.items[s->reader->trace.sites.items[i].function];
        any = role->actions & ROLE_OPEN && (role->epoch == ROLE_ACCESS || role->epoch == ROLE_EXPOSURE);
    }
    return any;
}

enum refrain_status call_event_source_create(struct call_event_source *s, const struct reader *r,
                                             const struct definitions *d, enum call_event_mode mode,
                                             struct event_templates *templates)
{
    *s = (struct call_event_source){.reader = r, .definitions = d, .mode = mode, .templates = templates};
    s->any_source = functable_value(&r->trace.functions, "RANK", "MPI_ANY_SOURCE");
    s->any_tag = functable_value(&r->trace.functions, "TAG", "MPI_ANY_TAG");
    s->proc_null = functable_value(&r->trace.functions, "RANK", "MPI_PROC_NULL");
    volume_source_start(&s->volumes, r, d, &s->roles);
    s->volumes.only_sent = mode == CALL_EVENT_SENT || mode == CALL_EVENT_LABELLED;
    failures_find(&s->failures, &r->trace.functions);
    enum refrain_status status = groups_create(&s->groups, r, d);
    if (status == REFRAIN_OK)
        status = renderer_create(&s->renderer, r, d);
    if (status == REFRAIN_OK)
        status = roles_find(&s->roles, &r->trace.functions);
    if (status != REFRAIN_OK) {
        call_event_source_free(s);
        return status;
    }
    s->has_windows = has_windows(s);
    s->has_partners = has_partners(s);
    return REFRAIN_OK;
}

void call_event_source_free(struct call_event_source *s)
{
    roles_free(&s->roles);
    renderer_free(&s->renderer);
    groups_free(&s->groups);
    event_draft_free(&s->draft);
    volume_sum_free(&s->volume);
    call_event_forget_requests(s);
    array_free(&s->requests);
    map_free(&s->started);
    map_free(&s->partitioned);
    array_free(&s->probes);
    map_free(&s->found);
    array_free(&s->windows);
    process_groups_free(&s->process_groups);
    array_free(&s->communicators);
    map_free(&s->named);
    *s = (struct call_event_source){0};
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Is it a scalar argument of the program? Requests are not included, because Refrain numbers them,
 * nor is anything in memory. */
static bool is_argument(const struct layout_item *item)
{
    const uint32_t type = item->kind->type;
    return item->phase == LAYOUT_BEFORE && item->param &&
           !(item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE)) &&
           (type == VALUE_INT || type == VALUE_FLAGS || type == VALUE_HANDLE) &&
           strcmp(item->kind->name, "REQUEST") != 0 && strcmp(item->kind->name, "MESSAGE") != 0;
}

/* Returns how a slot of this kind matters. Some kinds have names for values; ranks and tags have
 * names for negative values only. */
static enum call_event_use use_of_kind(const struct renderer *r, const struct kind *kind)
{
    const struct names_set *set = &r->of_kind[kind - r->reader->trace.functions.kinds.items];
    if (set->n == 0)
        return CALL_EVENT_NUMBER;
    return set->items[set->n - 1]->value < 0 ? CALL_EVENT_WHOLE : CALL_EVENT_DECIDES;
}

static void put_argument(struct call_view *v, const struct layout_item *item)
{
    struct event_draft *d = &v->source->draft;
    text_putc(&d->text, ' ');
    text_put(&d->text, item->param->name);
    text_putc(&d->text, '=');
    if (item->kind->type != VALUE_INT) {
        call_view_put_handle(v, item->kind, item->slots);
        return;
    }
    const char *name = render_name(&v->source->renderer, item->kind, item->slots[0]);
    call_view_use(v, item->slots, 1, use_of_kind(&v->source->renderer, item->kind));
    if (name)
        text_put(&d->text, name);
    else if (strncmp(item->kind->name, "RANK", 4) == 0)
        event_draft_rank(d, item->slots[0]);
    else
        event_draft_number(d, item->slots[0]);
}

static enum refrain_status put_call(struct call_view *v, uint32_t function, uint32_t n_slots)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    call_view_begin(v, "local");
    text_put(&v->source->draft.text, v->function->name);
    layout_start(&layout, &v->source->reader->trace.functions, function, v->slots, n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (is_argument(&item))
            put_argument(v, &item);
    }
    return status == REFRAIN_OK ? call_view_end(v) : status;
}

bool call_event_may(const struct call_event_source *s, uint32_t function)
{
    assert(function < s->roles.n);
    static const uint32_t actions[] = {
        [CALL_EVENT_MESSAGES] = ROLE_SEND | ROLE_RECEIVE | ROLE_RECEIVE_FOUND | ROLE_COLLECTIVE | ROLE_START |
                                ROLE_CANCEL | ROLE_PARTITION | ROLE_WINDOW_EVENT,
        [CALL_EVENT_SENT] = ROLE_SEND | ROLE_START,
        [CALL_EVENT_LABELLED] = ROLE_SEND | ROLE_START,
        [CALL_EVENT_ACCESSES] = ROLE_RMA,
    };
    const struct role *role = &s->roles.items[function];
    return s->mode == CALL_EVENT_CALLS || (s->mode == CALL_EVENT_MESSAGES && role_has_region(role)) ||
           (role->variant != VARIANT_PERSISTENT && role->actions & actions[s->mode]);
}

/* A failed call is no event, unless it had an effect on other processes. */
static bool did_nothing(const struct call_view *v)
{
    const struct failures *f = &v->source->failures;
    const uint32_t actions = v->role->actions;
    if (!v->row.returned || !v->row.failed)
        return !v->row.returned;
    if (actions & (ROLE_RECEIVE | ROLE_RECEIVE_FOUND) && v->row.error == f->truncate)
        return false;
    return !(actions & ROLE_COLLECTIVE && failure_is_underway(f, v->row.error));
}

enum refrain_status call_event_put(struct call_event_source *s, uint32_t function, const int64_t *slots,
                                   uint32_t n_slots, struct event_list *out, uint8_t *uses)
{
    assert(function < s->roles.n);
    struct call_view v = {.source = s, .slots = slots, .uses = uses, .out = out};
    if (!call_event_may(s, function))
        return REFRAIN_OK;
    enum refrain_status status = call_view_look(&v, function, n_slots);
    if (status != REFRAIN_OK)
        return status;
    if (s->mode == CALL_EVENT_CALLS)
        return put_call(&v, function, n_slots);
    if (did_nothing(&v)) {
        if (!uses)
            return REFRAIN_OK;
        v.noting = true; /* another call of the row may have had an effect */
        v.row.failed = false;
    }
    if (v.role->actions & ROLE_CANCEL) {
        call_view_begin(&v, "local");
        text_put(&s->draft.text, v.function->name);
        return call_view_end(&v);
    }
    if (role_has_region(v.role))
        return call_view_put_region(&v, function);
    if (s->mode == CALL_EVENT_ACCESSES)
        return call_view_put_access(&v);
    if (v.role->actions & ROLE_START)
        return call_view_put_start(&v);
    if (s->mode == CALL_EVENT_MESSAGES && v.role->actions & ROLE_PARTITION)
        return call_view_put_partitions(&v);
    if (s->mode == CALL_EVENT_MESSAGES && v.role->actions & ROLE_WINDOW_EVENT &&
        !(v.role->actions & ROLE_COLLECTIVE))
        return call_view_put_window(&v);
    return call_view_put_role(&v);
}

enum refrain_status call_event_lane(struct call_event_source *s, const struct lane_ref *lane)
{
    enum refrain_status status = REFRAIN_OK;
    s->rank = lane->rank;
    call_event_forget_requests(s);
    call_event_forget_probes(s);
    if (s->mode == CALL_EVENT_ACCESSES || s->mode == CALL_EVENT_MESSAGES)
        status = call_event_note_windows(s);
    if (s->mode == CALL_EVENT_MESSAGES && status == REFRAIN_OK)
        status = call_event_note_groups(s);
    if (s->mode == CALL_EVENT_ACCESSES)
        return status;
    for (size_t i = 0; s->mode != CALL_EVENT_CALLS && status == REFRAIN_OK && i < lane->shape->entries.n;
         i++) {
        const struct entry *entry = &lane->shape->entries.items[i];
        status = call_event_note_site(s, lane, entry);
        if (status == REFRAIN_OK)
            status = call_event_note_probes(s, lane, entry);
    }
    return status;
}
