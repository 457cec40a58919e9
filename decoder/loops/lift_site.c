/* SPDX-License-Identifier: BSD-3-Clause */
#include "lift_site.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static enum refrain_status no_memory(const struct lift_site *s)
{
    log_error("out of memory: the events of %zu rows", s->group->rows.n);
    return REFRAIN_ERR_MEMORY;
}

static const struct series *column_of(const struct lift_site *s, const struct reader *r, size_t i)
{
    const int64_t which = rankfn_at(&s->group->columns.items[i].series, s->ordinal, s->rank);
    return r->trace.columns.items[which];
}

static void add_to_slot(int64_t *slots, uint32_t n, uint32_t slot, int64_t value)
{
    if (slot < n)
        slots[slot] = (int64_t)((uint64_t)slots[slot] + (uint64_t)value);
}

/* ---- checking the rows ----------------------------------------------------------------------- */

/* Are all values of a column certain to be non-negative, in all rows that have its slot? */
static bool is_whole(const struct lift_site *s, const struct series *column, uint32_t slot)
{
    int64_t least, most, sum;
    if (series_length(column) == 0 || !series_bounds(column, &least, &most))
        return false;
    for (size_t i = 0; i < s->group->rows.n; i++) {
        const struct row *row = &s->group->rows.items[i];
        if (slot >= row->n_slots)
            continue;
        const int64_t base = rankfn_at(row_slot(row, slot), s->ordinal, s->rank);
        if (__builtin_add_overflow(base, least, &sum) || sum < 0 || __builtin_add_overflow(base, most, &sum))
            return false;
    }
    return true;
}

/* Chooses the columns that matter, from how each slot matters. */
static enum refrain_status choose_columns(struct lift_site *s, const struct reader *r, const uint8_t *uses,
                                          uint32_t n_uses)
{
    const size_t n = group_slot_columns(s->group);
    if (n == 0)
        return REFRAIN_OK;
    if (!(s->columns = calloc(n, sizeof *s->columns)))
        return no_memory(s);
    for (size_t i = 0; i < n; i++) {
        const uint32_t slot = s->group->columns.items[i].slot;
        const struct series *column = column_of(s, r, i);
        if (slot >= n_uses || uses[slot] == CALL_EVENT_UNUSED)
            continue;
        struct lift_column *c = &s->columns[s->n_columns++];
        c->slot = slot;
        c->still = uses[slot] == CALL_EVENT_DECIDES ||
                   (uses[slot] == CALL_EVENT_WHOLE && !is_whole(s, column, slot));
        series_cursor_start(&c->cursor, column);
    }
    return REFRAIN_OK;
}

static bool column_in(const struct group *group, uint32_t first, uint32_t n)
{
    for (size_t i = 0; i < group_slot_columns(group); i++) {
        if (group->columns.items[i].slot >= first && group->columns.items[i].slot - first < n)
            return true;
    }
    return false;
}

/* Does a column change a slot that determines where later values lie? */
static bool column_slots(const struct group *group, const struct layout_item *item, const int64_t *slots)
{
    const uint32_t first = (uint32_t)(item->slots - slots);
    const bool counted = item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE);
    if (counted && column_in(group, first - 1, 1))
        return true;
    switch (item->kind->type) {
    case VALUE_STRING:
    case VALUE_STRINGS:
    case VALUE_ADDRESS: /* a length or a template; for a single value it comes first */
        return column_in(group, first, counted ? item->n_slots : item->n_slots > 0);
    default:
        return false;
    }
}

/* Do the values of a row lie in the same places in each of its calls? Changes the slots: those
 * with columns become 0, so that all slots can be read up to the first one that determines where
 * others lie. */
static enum refrain_status find_column_slots(const struct lift_site *s, const struct functable *t,
                                             int64_t *slots, uint32_t n, bool *same)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    for (size_t i = 0; i < group_slot_columns(s->group); i++) {
        if (s->group->columns.items[i].slot < n)
            slots[s->group->columns.items[i].slot] = 0;
    }
    *same = true;
    layout_start(&layout, t, s->function, slots, n);
    while (layout_next(&layout, &item, &status)) {
        if (column_slots(s->group, &item, slots)) {
            *same = false;
            return REFRAIN_OK;
        }
    }
    return status;
}

/* Finds the events of each row, as if the first call had this row, and how its slots matter. The
 * first call may have another row, so this is only done if every value always has the same
 * meaning; otherwise any column may matter in any way. */
static enum refrain_status look_at_row(struct lift_site *s, struct call_event_source *source, size_t number,
                                       uint8_t *uses)
{
    const struct row *row = &s->group->rows.items[number];
    const size_t n = group_slot_columns(s->group);
    int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
    bool same = true;
    enum refrain_status status = REFRAIN_OK;
    if (!slots)
        return no_memory(s);
    if (n > 0 && call_event_may(source, s->function)) {
        row_at(row, s->ordinal, s->rank, slots);
        status = find_column_slots(s, &source->reader->trace.functions, slots, row->n_slots, &same);
    }
    row_at(row, s->ordinal, s->rank, slots);
    for (size_t i = 0; i < n; i++) {
        const struct series *column = column_of(s, source->reader, i);
        const uint32_t slot = s->group->columns.items[i].slot;
        if (!same && slot < row->n_slots)
            uses[slot] = CALL_EVENT_DECIDES;
        if (series_length(column) > 0)
            add_to_slot(slots, row->n_slots, slot, series_at(column, 0));
    }
    if (status == REFRAIN_OK && same)
        status =
            call_event_put(source, s->function, slots, row->n_slots, &s->rows[number], n > 0 ? uses : NULL);
    free(slots);
    return status;
}

/* Copies the rows' slots; each call adds its columns to the copy. */
static enum refrain_status keep_slots(struct lift_site *s)
{
    if (!(s->slots = calloc(s->group->rows.n + 1, sizeof *s->slots)))
        return no_memory(s);
    for (size_t i = 0; i < s->group->rows.n; i++) {
        const struct row *row = &s->group->rows.items[i];
        if (!(s->slots[i] = malloc((row->n_slots + (size_t)1) * sizeof **s->slots)))
            return no_memory(s);
        row_at(row, s->ordinal, s->rank, s->slots[i]);
    }
    return REFRAIN_OK;
}

static enum refrain_status look(struct lift_site *s, struct call_event_source *source)
{
    uint32_t most = 0;
    for (size_t i = 0; i < s->group->rows.n; i++)
        most = s->group->rows.items[i].n_slots > most ? s->group->rows.items[i].n_slots : most;
    uint8_t *uses = calloc(most + (size_t)1, 1);
    s->rows = calloc(s->group->rows.n + 1, sizeof *s->rows);
    enum refrain_status status = uses && s->rows ? REFRAIN_OK : no_memory(s);
    s->silent = s->fixed = true;
    for (size_t i = 0; i < s->group->rows.n && status == REFRAIN_OK; i++) {
        status = look_at_row(s, source, i, uses);
        s->silent = s->silent && s->rows[i].items.n == 0;
        s->fixed = s->fixed && event_list_equal(&s->rows[i], &s->rows[0]);
    }
    if (status == REFRAIN_OK)
        status = choose_columns(s, source->reader, uses, most);
    s->fixed = s->fixed && s->n_columns == 0;
    s->silent = s->silent && s->fixed;
    if (status == REFRAIN_OK && s->n_columns > 0)
        status = keep_slots(s);
    free(uses);
    return status;
}

enum refrain_status lift_site_open(struct lift_site *s, struct call_event_source *source,
                                   const struct lane_ref *lane, const struct entry *entry)
{
    *s = (struct lift_site){.rank = lane->rank,
                            .function = source->reader->trace.sites.items[entry->site].function};
    enum refrain_status status = entry_group(entry, lane->rank, &s->group, &s->ordinal);
    if (status == REFRAIN_OK)
        status = look(s, source);
    if (status == REFRAIN_OK && !s->fixed)
        status = row_walk_start(&s->walk, &source->reader->trace, s->group, s->ordinal, s->rank);
    if (status != REFRAIN_OK)
        lift_site_close(s);
    return status;
}

void lift_site_close(struct lift_site *s)
{
    for (size_t i = 0; s->rows && i < s->group->rows.n; i++)
        event_list_free(&s->rows[i]);
    for (size_t i = 0; s->slots && i < s->group->rows.n; i++)
        free(s->slots[i]);
    free(s->rows);
    free(s->slots);
    free(s->columns);
    row_walk_stop(&s->walk);
    event_list_free(&s->events);
    array_free(&s->patched);
    *s = (struct lift_site){0};
}

/* ---- calls ----------------------------------------------------------------------------------- */

enum refrain_status lift_site_next(struct lift_site *s, struct call_event_source *source,
                                   const struct event_list **out)
{
    const uint32_t number = s->fixed ? 0 : row_walk_next(&s->walk);
    const uint32_t n = s->group->rows.items[number].n_slots;
    *out = &s->rows[number];
    if (s->n_columns == 0)
        return REFRAIN_OK;
    s->patched.n = 0;
    if (!array_reserve(&s->patched, n + (size_t)1))
        return REFRAIN_ERR_MEMORY;
    memcpy(s->patched.items, s->slots[number], n * sizeof *s->patched.items);
    for (size_t i = 0; i < s->n_columns; i++) {
        int64_t value;
        if (series_cursor_next(&s->columns[i].cursor, &value))
            add_to_slot(s->patched.items, n, s->columns[i].slot, value);
    }
    event_list_clear(&s->events);
    *out = &s->events;
    return call_event_put(source, s->function, s->patched.items, n, &s->events, NULL);
}

size_t lift_site_lists(const struct lift_site *s)
{
    return s->fixed ? 0 : 1 + s->n_columns;
}

void lift_site_repetitions(struct lift_site *s, struct repetitions *lists)
{
    row_walk_repetitions(&s->walk, &lists[0]);
    repetitions_keep_still(&lists[0]);
    for (size_t i = 0; i < s->n_columns; i++) {
        series_cursor_repetitions(&s->columns[i].cursor, &lists[1 + i]);
        if (s->columns[i].still)
            repetitions_keep_still(&lists[1 + i]);
    }
}

void lift_site_pass(struct lift_site *s, const struct repetition *chosen, uint64_t calls)
{
    const struct row_repetition rows = row_walk_choose(&s->walk, &chosen[0]);
    row_walk_repeat(&s->walk, &rows, calls / chosen[0].period);
    for (size_t i = 0; i < s->n_columns; i++)
        series_cursor_repeat(&s->columns[i].cursor, &chosen[1 + i], calls / chosen[1 + i].period);
}
