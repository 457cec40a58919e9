/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* ---- looking at a row ------------------------------------------------------------------------ */

void call_view_use(const struct call_view *v, const int64_t *slots, uint32_t n, enum call_event_use how)
{
    for (uint32_t i = 0; v->uses && i < n; i++) {
        uint8_t *u = &v->uses[slots - v->slots + i];
        *u = *u > how ? *u : (uint8_t)how;
    }
}

/* Where the next items lie depends on counts of arrays, lengths of strings and forms of addresses. */
static void use_layout(const struct call_view *v, const struct layout_item *item)
{
    if (item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE))
        call_view_use(v, item->slots - 1, 1, CALL_EVENT_DECIDES);
    if (item->kind->type == VALUE_STRING || item->kind->type == VALUE_STRINGS)
        call_view_use(v, item->slots, item->n_slots, CALL_EVENT_DECIDES);
    if (item->kind->type == VALUE_ADDRESS)
        call_view_use(v, item->slots, item->count == 1 ? item->n_slots > 0 : item->n_slots,
                      CALL_EVENT_DECIDES);
}

static enum refrain_status fields_of(struct call_event_source *s, uint32_t function,
                                     const enum role_field **out)
{
    const struct functable *t = &s->reader->trace.functions;
    const struct function *f = &t->functions.items[function];
    if (!s->fields[function]) {
        s->fields[function] = calloc(f->n_params + (size_t)1, sizeof **s->fields);
        if (!s->fields[function]) {
            log_error("out of memory: the fields of %s", f->name);
            return REFRAIN_ERR_MEMORY;
        }
        for (uint32_t i = 0; i < f->n_params; i++)
            s->fields[function][i] = role_field_of(t, &f->params[i]);
    }
    *out = s->fields[function];
    return REFRAIN_OK;
}

enum refrain_status call_view_look(struct call_view *v, uint32_t function, uint32_t n_slots)
{
    const struct functable *t = &v->source->reader->trace.functions;
    const enum role_field *fields;
    struct layout layout;
    struct layout_item item;
    bool wrong = false, results = false;
    enum refrain_status status = fields_of(v->source, function, &fields);
    if (status != REFRAIN_OK)
        return status;
    v->function = &t->functions.items[function];
    v->n_slots = n_slots;
    v->returned = v->function->result == 0;
    layout_start(&layout, t, function, v->slots, n_slots);
    while (layout_next(&layout, &item, &status)) {
        use_layout(v, &item);
        if (!item.param) {
            call_view_use(v, item.slots, 1, CALL_EVENT_DECIDES);
            v->returned = true;
            wrong = item.slots[0] != 0;
            v->error = item.slots[0];
            continue;
        }
        const enum role_field field = fields[item.param - v->function->params];
        struct layout_item *items = item.phase == LAYOUT_BEFORE ? v->before : v->after;
        results = results || item.phase == LAYOUT_AFTER;
        if (field != FIELDS && !items[field].kind && item.count > 0)
            items[field] = item;
    }
    v->failed = wrong && !results;
    return status;
}

const int64_t *call_view_value(const struct layout_item *item)
{
    return item->kind ? item->slots : NULL;
}

bool call_view_varies(const struct call_view *v, const struct group *group)
{
    for (size_t i = 0; i < group_slot_columns(group); i++) {
        const uint32_t slot = group->columns.items[i].slot;
        if (slot < v->n_slots && v->uses[slot] != CALL_EVENT_UNUSED)
            return true;
    }
    return false;
}

enum refrain_status
call_event_each_row(struct call_event_source *s, const struct lane_ref *lane, const struct entry *entry,
                    enum refrain_status (*note)(struct call_event_source *s, const struct group *group,
                                                uint32_t function, const int64_t *slots, uint32_t n_slots))
{
    const uint32_t function = s->reader->trace.sites.items[entry->site].function;
    const struct group *group;
    uint64_t ordinal;
    enum refrain_status status = entry_group(entry, lane->rank, &group, &ordinal);
    for (size_t i = 0; status == REFRAIN_OK && i < group->rows.n; i++) {
        const struct row *row = &group->rows.items[i];
        int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
        if (!slots) {
            log_error("out of memory: a row of %u slots", row->n_slots);
            return REFRAIN_ERR_MEMORY;
        }
        row_at(row, ordinal, lane->rank, slots);
        status = note(s, group, function, slots, row->n_slots);
        free(slots);
    }
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

void call_view_begin(struct call_view *v, const char *what)
{
    struct event_draft *d = &v->source->draft;
    event_draft_clear(d);
    event_draft_rank(d, v->source->rank);
    text_putc(&d->text, ' ');
    text_put(&d->text, what);
    text_putc(&d->text, ' ');
}

enum refrain_status call_view_end(struct call_view *v)
{
    return event_list_add(v->out, v->source->forms, &v->source->draft);
}

void call_view_put_handle(struct call_view *v, const struct layout_item *item)
{
    const struct value value = {item->slots, 1};
    call_view_use(v, item->slots, 1, CALL_EVENT_DECIDES);
    render_value(&v->source->renderer, v->source->rank, item->kind, value, NULL, &v->source->draft.text);
}
