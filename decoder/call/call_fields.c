/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_fields.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status call_fields_table_start(struct call_fields_table *f, const struct reader *r,
                                            const struct definitions *d, const struct role *roles,
                                            const struct lane_ref *lane)
{
    const size_t n = lane->shape->entries.n;
    *f = (struct call_fields_table){.reader = r, .definitions = d, .roles = roles, .n_entries = n};
    f->rows = calloc(n + 1, sizeof *f->rows);
    f->n_rows = calloc(n + 1, sizeof *f->n_rows);
    if (f->rows && f->n_rows)
        return REFRAIN_OK;
    log_error("out of memory: the forms of %zu sites", n);
    call_fields_table_stop(f);
    return REFRAIN_ERR_MEMORY;
}

void call_fields_table_stop(struct call_fields_table *f)
{
    for (size_t i = 0; f->rows && i < f->n_entries; i++) {
        for (size_t k = 0; f->rows[i] && k < f->n_rows[i]; k++)
            volume_sum_free(&f->rows[i][k].volume);
        free(f->rows[i]);
    }
    free(f->rows);
    free(f->n_rows);
    *f = (struct call_fields_table){0};
}

/* Does a column put values over a slot of these? */
static bool varies(const struct call *call, const int64_t *slots, uint32_t n)
{
    const size_t first = (size_t)(slots - call->slots);
    for (size_t i = 0; i < group_slot_columns(call->group); i++) {
        const uint32_t slot = call->group->columns.items[i].slot;
        if (slot >= first && slot < first + n)
            return true;
    }
    return false;
}

/* May the values of this item differ from call to call, and the row have the same layout? */
static bool lasts(const struct call *call, const struct layout_item *item)
{
    const bool counted = item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE);
    if (counted && varies(call, item->slots - 1, 1))
        return false;
    switch (item->kind->type) {
    case VALUE_STRING:
    case VALUE_STRINGS:
        return !varies(call, item->slots, item->n_slots);
    case VALUE_ADDRESS: /* arrays of addresses are nothing that matters here */
        return !varies(call, item->slots, item->count == 1 ? 1 : item->n_slots);
    default:
        return true;
    }
}

static void take(struct call_fields *form, const struct functable *t, const struct call *call,
                 const struct layout_item *item)
{
    struct slot_range *places = item->phase == LAYOUT_BEFORE ? form->before : form->after;
    const enum role_field field = role_field_of(t, item->param);
    if (field != FIELDS && places[field].n == 0 && item->count > 0)
        places[field] = (struct slot_range){(uint32_t)(item->slots - call->slots), (uint32_t)item->count};
}

/* What moves is counted where it does not come from statuses. */
static bool has_volume(const struct role *role)
{
    return role->actions & (ROLE_SEND | ROLE_RMA | ROLE_COLLECTIVE | ROLE_FILE);
}

/* Where a slot decides about volumes it may not vary, nor where it tells who the partner is: nobody, perhaps.
 */
static bool volume_lasts(const struct call_fields *form, const struct call *call)
{
    for (uint32_t i = 0; i < call->n_slots; i++) {
        if (form->volume.uses.items[i] >= VOLUME_PARTNER && varies(call, call->slots + i, 1))
            return false;
    }
    return true;
}

static enum refrain_status make(struct call_fields *form, const struct call_fields_table *f,
                                const struct call *call)
{
    const struct functable *t = &f->reader->trace.functions;
    const struct function *function = &t->functions.items[call->function];
    struct volume_sum volume = form->volume; /* its memory is used again */
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    bool results = false;
    *form = (struct call_fields){.role = &f->roles[call->function], .volume = volume, .lasting = true};
    form->returned = function->result == 0;
    layout_start(&layout, t, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        form->lasting = form->lasting && lasts(call, &item);
        if (item.param) {
            take(form, t, call, &item);
        } else {
            form->returned = true;
            form->lasting = form->lasting && !varies(call, item.slots, 1);
            form->error = item.slots[0];
        }
        results = results || item.phase == LAYOUT_AFTER;
    }
    form->failed = form->error != 0 && !results;
    if (status == REFRAIN_OK && form->role->actions && has_volume(form->role)) {
        status = volume_sum_of(&form->role->volume, f->reader, f->definitions, call, &form->volume);
        if (status == REFRAIN_OK)
            form->lasting = form->lasting && volume_lasts(form, call);
        if (form->lasting)
            array_free(&form->volume.uses);
    }
    return status;
}

enum refrain_status call_fields_table_of(struct call_fields_table *f, const struct call *call,
                                         const struct call_fields **out)
{
    struct call_fields *form = f->rows[call->entry] ? &f->rows[call->entry][call->row] : NULL;
    if (!form) {
        const size_t n = call->group->rows.n;
        f->rows[call->entry] = calloc(n + 1, sizeof *form);
        if (!f->rows[call->entry]) {
            log_error("out of memory: the forms of %zu rows", n);
            return REFRAIN_ERR_MEMORY;
        }
        f->n_rows[call->entry] = n;
        form = &f->rows[call->entry][call->row];
    }
    /* One that does not last is made anew each time. */
    enum refrain_status status = form->lasting ? REFRAIN_OK : make(form, f, call);
    if (status == REFRAIN_OK)
        *out = form;
    return status;
}
