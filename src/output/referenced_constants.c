/* SPDX-License-Identifier: BSD-3-Clause */
#include "referenced_constants.h"

#include <stdlib.h>
#include <string.h>

#include "generated/functions.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/trace/lane_walk.h"
#include "src/core/trace/stream_walk.h"
#include "src/record/definition_records.h"

/* The constants of the three tables of functions.h under one numbering: integers, handles, addresses. */
static size_t constants_count(void)
{
    return gen_n_integers + gen_n_handles + gen_n_addresses;
}

static struct constant constant_at(size_t i)
{
    if (i < gen_n_integers)
        return (struct constant){(char *)gen_integers[i].set, gen_integers[i].value,
                                 (char *)gen_integers[i].name};
    i -= gen_n_integers;
    const struct gen_object *o = i < gen_n_handles ? &gen_handles[i] : &gen_addresses[i - gen_n_handles];
    return (struct constant){(char *)o->set, o->index, (char *)o->name};
}

struct selection {
    struct trace *t;
    struct map by_value; /* set and value -> first constant with that name */
    bool *marked;        /* of each constant: it occurs */
    uint64_t *set_keys;  /* of each kind of t->functions, a hash of its set's name */
    uint64_t rank_key, tag_key, error_key, array_key;
    ARRAY(int64_t) slots; /* of a row, with its columns put in */
};

static uint64_t set_key(const char *set)
{
    uint64_t hash = 0;
    for (; *set; set++)
        hash = mix(hash, (unsigned char)*set);
    return hash;
}

/* ---- functions ------------------------------------------------------------------------------- */

static enum refrain_status select_functions(struct trace *t, uint32_t *to)
{
    memset(to, 0xff, FUNCTION_COUNT * sizeof *to);
    for (size_t i = 0; i < t->sites.n; i++) {
        struct site *site = &t->sites.items[i];
        const uint32_t f = site->function;
        const bool is_definition = f >= FUNCTION_COUNT;
        enum refrain_status status =
            functable_add_function(&t->functions, is_definition ? &definition_records_table : &gen_functable,
                                   is_definition ? f - FUNCTION_COUNT : f, &site->function);
        if (status)
            return status;
        if (!is_definition)
            to[f] = site->function;
    }
    map_free(&t->index.sites); /* the sites have other hashes now */
    return REFRAIN_OK;
}

/* ---- constants ------------------------------------------------------------------------------- */

static void mark(struct selection *s, uint64_t set, int64_t value)
{
    const uint32_t i = map_get(&s->by_value, mix(set, (uint64_t)value));
    if (i != MAP_NONE)
        s->marked[i] = true;
}

static void mark_flags(struct selection *s, const char *set, int64_t value)
{
    for (size_t i = 0; value && i < gen_n_integers; i++) {
        const struct gen_integer *c = &gen_integers[i];
        if (c->value && (value & c->value) == c->value && strcmp(c->set, set) == 0)
            s->marked[i] = true;
    }
}

static void mark_value(struct selection *s, const struct kind *kind, const int64_t *slots)
{
    const uint64_t set = s->set_keys[kind - s->t->functions.kinds.items];
    switch ((enum value_type)kind->type) {
    case VALUE_INT:
        mark(s, set, slots[0]);
        break;
    case VALUE_FLAGS:
        mark_flags(s, kind->set, slots[0]);
        break;
    case VALUE_HANDLE:
        if (slots[0] & 1)
            mark(s, set, slots[0] >> 1);
        break;
    case VALUE_ADDRESS:
        if (slots[0] == ADDRESS_CONSTANT)
            mark(s, set, slots[1]);
        break;
    case VALUE_STRING:
    case VALUE_STRINGS:
        if (slots[0] <= ARRAY_CODE)
            mark(s, s->array_key, ARRAY_CODE - slots[0]);
        break;
    case VALUE_STATUS:
        if (!(slots[STATUS_FORM] & STATUS_PARTIAL)) {
            mark(s, s->rank_key, slots[STATUS_SOURCE]);
            mark(s, s->tag_key, slots[STATUS_TAG]);
        }
        mark(s, s->error_key, slots[STATUS_ERROR]);
        break;
    case VALUE_REAL:
    case VALUE_TYPES:
        break;
    }
}

static enum refrain_status mark_row(struct selection *s, uint32_t function, uint32_t n_slots)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, &s->t->functions, function, s->slots.items, n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (item.count <= ARRAY_CODE)
            mark(s, s->array_key, ARRAY_CODE - item.count);
        uint32_t at = 0;
        for (int64_t i = 0; i < item.count; i++) {
            mark_value(s, item.kind, item.slots + at);
            at += layout_value_slots((enum value_type)item.kind->type, item.slots + at, item.n_slots - at);
        }
    }
    return status;
}

static enum refrain_status load_row(struct selection *s, const struct row *row)
{
    s->slots.n = 0;
    if (!array_reserve(&s->slots, row->n_slots))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < row->n_slots; i++)
        s->slots.items[i] = rankfn_at(&row->slots[i], 0, s->t->first_rank);
    return REFRAIN_OK;
}

/* A group without columns: each row once. */
static enum refrain_status mark_rows(struct selection *s, uint32_t function, const struct group *g)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < g->rows.n && !status; i++) {
        status = load_row(s, &g->rows.items[i]);
        if (!status)
            status = mark_row(s, function, g->rows.items[i].n_slots);
    }
    return status;
}

/* With columns every call is a row of its own, and where a column holds a count even the layout is. */
static enum refrain_status mark_calls(struct selection *s, uint32_t function, const struct group *g,
                                      uint64_t calls)
{
    struct series_cursor *columns = malloc(g->columns.n * sizeof *columns);
    struct stream_walk walk;
    if (!columns) {
        log_error("no memory for %zu columns", g->columns.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = stream_walk_group(&walk, s->t, g, 0, s->t->first_rank, calls);
    if (status)
        goto free_columns;
    for (size_t c = 0; c < g->columns.n; c++) {
        const int64_t index = rankfn_at(&g->columns.items[c].series, 0, s->t->first_rank);
        series_cursor_start(&columns[c], s->t->columns.items[index]);
    }
    uint32_t row;
    uint64_t count;
    while (!status && stream_walk_next(&walk, &row, &count)) {
        const uint32_t n_slots = g->rows.items[row].n_slots;
        status = load_row(s, &g->rows.items[row]);
        for (; count > 0 && !status; count--) {
            for (size_t c = 0; c < g->columns.n; c++) {
                int64_t value = 0;
                series_cursor_next(&columns[c], &value);
                const uint32_t slot = g->columns.items[c].slot;
                if (slot < n_slots)
                    s->slots.items[slot] =
                        (int64_t)((uint64_t)rankfn_at(&g->rows.items[row].slots[slot], 0, s->t->first_rank) +
                                  (uint64_t)value);
            }
            status = mark_row(s, function, n_slots);
        }
    }
    stream_walk_stop(&walk);
free_columns:
    free(columns);
    return status;
}

static enum refrain_status mark_shape(struct selection *s, const struct shape *shape)
{
    uint64_t *calls = calloc(s->t->sites.n + 1, sizeof *calls);
    if (!calls) {
        log_error("no memory for counting the calls of %zu sites", s->t->sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    uint64_t all;
    enum refrain_status status = lane_walk_count(s->t, shape, 0, s->t->first_rank, calls, &all);
    for (size_t e = 0; e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        const uint32_t function = s->t->sites.items[entry->site].function;
        for (size_t g = 0; g < entry->groups.n && !status; g++) {
            const struct group *group = &entry->groups.items[g];
            status = group_slot_columns(group) > 0 ? mark_calls(s, function, group, calls[entry->site])
                                                   : mark_rows(s, function, group);
        }
    }
    free(calls);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static enum refrain_status index_constants(struct selection *s)
{
    const char *set = NULL; /* of the constant before: those of a set stand together */
    uint64_t hash = 0;
    for (size_t i = 0; i < constants_count(); i++) {
        const struct constant c = constant_at(i);
        if (c.set != set)
            hash = set_key(set = c.set);
        const uint64_t key = mix(hash, (uint64_t)c.value);
        if (map_get(&s->by_value, key) == MAP_NONE && !map_set(&s->by_value, key, (uint32_t)i))
            return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->t->functions.kinds.n; i++)
        s->set_keys[i] = set_key(s->t->functions.kinds.items[i].set);
    s->rank_key = set_key("RANK");
    s->tag_key = set_key("TAG");
    s->error_key = set_key("ERROR_CODE");
    s->array_key = set_key("ARRAY");
    return REFRAIN_OK;
}

static enum refrain_status select_constants(struct trace *t)
{
    struct selection s = {
        .t = t,
        .marked = calloc(constants_count() + 1, sizeof *s.marked),
        .set_keys = calloc(t->functions.kinds.n + 1, sizeof *s.set_keys),
    };
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!s.marked || !s.set_keys) {
        log_error("no memory for the names of constants");
        goto end;
    }
    status = index_constants(&s);
    for (size_t i = 0; i < t->shapes.n && !status; i++)
        status = mark_shape(&s, &t->shapes.items[i]);
    for (size_t i = 0; i < constants_count() && !status; i++) {
        const struct constant c = constant_at(i);
        if (s.marked[i])
            status = functable_add_constant(&t->functions, c.set, c.value, c.name);
    }
end:
    map_free(&s.by_value);
    array_free(&s.slots);
    free(s.marked);
    free(s.set_keys);
    return status;
}

enum refrain_status referenced_constants_select(struct trace *t, uint32_t *to)
{
    enum refrain_status status = select_functions(t, to);
    return status ? status : select_constants(t);
}
