/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_event_impl.h"

#include "decoder/render/render_impl.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* ---- the view of a row ----------------------------------------------------------------------- */

void call_view_use(const struct call_view *v, const int64_t *slots, uint32_t n, enum call_event_use how)
{
    const uintptr_t at = (uintptr_t)slots, first = (uintptr_t)v->slots;
    if (at < first || at >= (uintptr_t)(v->slots + v->n_slots))
        return;
    for (uint32_t i = 0; v->uses && i < n; i++) {
        uint8_t *u = &v->uses[slots - v->slots + i];
        *u = *u > how ? *u : (uint8_t)how;
    }
}

enum refrain_status call_view_look(struct call_view *v, uint32_t function, uint32_t n_slots)
{
    const struct functable *t = &v->source->reader->trace.functions;
    v->function = &t->functions.items[function];
    v->role = &v->source->roles.items[function];
    v->n_slots = n_slots;
    return row_view_look(&v->row, t, v->role, function, v->slots, n_slots, v->uses);
}

const int64_t *call_view_before(const struct call_view *v, enum role_field field)
{
    return v->row.before[field].n > 0 ? v->slots + v->row.before[field].at : NULL;
}

const int64_t *call_view_after(const struct call_view *v, enum role_field field)
{
    return v->row.after[field].n > 0 ? v->slots + v->row.after[field].at : NULL;
}

const struct kind *call_view_kind(const struct call_view *v, enum role_field field)
{
    uint32_t i = 0;
    while (!(v->role->fields[i] >> field & 1))
        i++;
    return &v->source->reader->trace.functions.kinds.items[v->function->params[i].kind];
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
    return v->noting ? REFRAIN_OK : event_list_add(v->out, v->source->templates, &v->source->draft);
}

void call_view_put_handle(struct call_view *v, const struct kind *kind, const int64_t *handle)
{
    const struct value value = {handle, 1};
    call_view_use(v, handle, 1, CALL_EVENT_DECIDES);
    render_value(&v->source->renderer, v->source->rank, kind, value, NULL, &v->source->draft.text);
}
