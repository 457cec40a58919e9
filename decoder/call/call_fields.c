/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_fields.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

enum refrain_status call_fields_table_start(struct call_fields_table *f, const struct volume_source *source,
                                            const struct lane_ref *lane)
{
    const size_t n = lane->shape->entries.n;
    *f = (struct call_fields_table){.source = source, .n_entries = n};
    f->rows = calloc(n + 1, sizeof *f->rows);
    f->n_rows = calloc(n + 1, sizeof *f->n_rows);
    if (f->rows && f->n_rows)
        return REFRAIN_OK;
    log_error("out of memory: the fields of %zu sites", n);
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

/* Are the bytes of the function counted from its arguments, not from statuses? */
static bool is_counted(const struct role *role)
{
    return role->actions & (ROLE_SEND | ROLE_RMA | ROLE_COLLECTIVE | ROLE_FILE);
}

/* Is the result the same for all calls of the row? It is not if a column varies a slot that
 * decides the result, or the partner's slot, which may then be MPI_PROC_NULL. */
static bool lasts(const struct call_fields *fields, const struct call *call)
{
    for (size_t i = 0; i < group_slot_columns(call->group); i++) {
        const uint32_t slot = call->group->columns.items[i].slot;
        if (slot < call->n_slots && fields->volume.uses.items[slot] >= VOLUME_PARTNER)
            return false;
    }
    return true;
}

static enum refrain_status make(struct call_fields *fields, const struct call_fields_table *f,
                                const struct call *call)
{
    const struct functable *t = &f->source->reader->trace.functions;
    struct volume_sum *volume = &fields->volume; /* keeps its memory for the next row */
    fields->role = &f->source->roles->items[call->function];
    enum refrain_status status = volume_sum_clear(volume, call->n_slots);
    if (status == REFRAIN_OK)
        status = row_view_look(&fields->row, t, fields->role, call->function, call->slots, call->n_slots,
                               volume->uses.items);
    if (status == REFRAIN_OK && is_counted(fields->role))
        status = volume_sum_take(f->source, call, &fields->row, volume);
    if (status != REFRAIN_OK)
        return status;
    fields->lasting = lasts(fields, call);
    if (fields->lasting)
        array_free(&volume->uses);
    return REFRAIN_OK;
}

enum refrain_status call_fields_table_of(struct call_fields_table *f, const struct call *call,
                                         const struct call_fields **out)
{
    assert(call->entry < f->n_entries && call->row < call->group->rows.n);
    struct call_fields *fields = f->rows[call->entry] ? &f->rows[call->entry][call->row] : NULL;
    if (!fields) {
        const size_t n = call->group->rows.n;
        f->rows[call->entry] = calloc(n + 1, sizeof *fields);
        if (!f->rows[call->entry]) {
            log_error("out of memory: the fields of %zu rows", n);
            return REFRAIN_ERR_MEMORY;
        }
        f->n_rows[call->entry] = n;
        fields = &f->rows[call->entry][call->row];
    }
    /* A result that does not last is made again for each call. */
    enum refrain_status status = fields->lasting ? REFRAIN_OK : make(fields, f, call);
    if (status == REFRAIN_OK)
        *out = fields;
    return status;
}
