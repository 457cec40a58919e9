/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_view.h"

#include <assert.h>

static void decide(uint8_t *uses, size_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        uses[first + i] = SLOT_DECIDES;
}

/* Counts of arrays, lengths of strings and forms of addresses determine where the next items
 * lie. */
static void note_layout(const struct layout_item *item, const int64_t *slots, uint8_t *uses)
{
    const size_t at = (size_t)(item->slots - slots);
    if (!item->param || item->kind->type == VALUE_STRING || item->kind->type == VALUE_STRINGS)
        decide(uses, at, item->n_slots);
    else if (item->kind->type == VALUE_ADDRESS)
        decide(uses, at, item->count == 1 ? item->n_slots > 0 : item->n_slots);
    if (item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE))
        decide(uses, at - 1, 1);
}

/* If several parameters are the same field, the first one counts. */
static void note_fields(struct slot_range *ranges, uint32_t n_ranges, field_set fields,
                        struct slot_range range)
{
    for (uint32_t field = 0; fields >> field; field++) {
        if (fields >> field & 1 && field < n_ranges && ranges[field].n == 0)
            ranges[field] = range;
    }
}

enum refrain_status row_view_look(struct row_view *v, const struct functable *t, const struct role *role,
                                  uint32_t function, const int64_t *slots, uint32_t n_slots, uint8_t *uses)
{
    assert(function < t->functions.n);
    const struct function *f = &t->functions.items[function];
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    bool results = false;
    *v = (struct row_view){.returned = f->result == 0};
    layout_start(&layout, t, function, slots, n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (uses)
            note_layout(&item, slots, uses);
        results = results || item.phase == LAYOUT_AFTER;
        if (!item.param) {
            v->returned = true;
            v->error = item.slots[0];
        } else if (item.count > 0) {
            const struct slot_range range = {(uint32_t)(item.slots - slots), (uint32_t)item.count};
            const bool before = item.phase == LAYOUT_BEFORE;
            note_fields(before ? v->before : v->after, before ? FIELDS : FIELDS_AFTER,
                        role->fields[item.param - f->params], range);
        }
    }
    v->failed = v->error != 0 && !results;
    return status;
}
