/* SPDX-License-Identifier: BSD-3-Clause */
/* Find the constants that occur. Each row is laid out once, including its column slots. So the kind
 * of a slot is known for all calls of the row, and each constant of its set is searched in the
 * whole column (series_seek).
 *
 * If a column decides how a row continues (a length, the form of an address), the layout differs
 * from call to call: the following slots may have any kind of the function. */
#include "constant_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

/* How a slot holds a constant (functable.h). */
enum encoding {
    AS_VALUE,
    AS_HANDLE, /* predefined */
    AS_COUNT,  /* instead of an array's count */
};

/* For a slot that is a sum of others (slot_sums.h). Such slots are displacements, for which there
 * are no constants. If the slot's kind has a set anyway, all constants of the set may occur. */
#define ANY_VALUE UINT32_MAX

struct search {
    const struct trace *t;
    const struct constant *constants;
    size_t n;
    bool *occurs;
    uint64_t *constant_sets; /* for each constant, a hash of its set's name */
    uint64_t *kind_sets;     /* the same for each kind of t->functions */
    uint64_t rank_set, tag_set, error_set, array_set;
    struct map by_value; /* set and value -> first such constant */
    struct map sought;   /* keys of values already sought in columns */
    ARRAY(struct series_sought) wanted;

    /* The current row: */
    ARRAY(int64_t) slots;    /* value, or what is added to the column's values */
    ARRAY(bool) varies;      /* there is a column; */
    ARRAY(uint32_t) columns; /* its index in t->columns, or ANY_VALUE */
};

static uint64_t set_key(const char *set)
{
    uint64_t hash = 0;
    for (; *set; set++)
        hash = mix(hash, (unsigned char)*set);
    return hash;
}

/* uint64_t, because the values of columns wrap. */
static int64_t encode(enum encoding encoding, int64_t constant)
{
    const uint64_t c = (uint64_t)constant;
    return (int64_t)(encoding == AS_HANDLE ? 2 * c + 1 : encoding == AS_COUNT ? (uint64_t)ARRAY_CODE - c : c);
}

static bool decode(enum encoding encoding, int64_t slot, int64_t *constant)
{
    *constant = encoding == AS_HANDLE  ? slot >> 1
                : encoding == AS_COUNT ? (int64_t)((uint64_t)ARRAY_CODE - (uint64_t)slot)
                                       : slot;
    return encoding != AS_HANDLE || slot & 1;
}

/* ---- a slot ---------------------------------------------------------------------------------- */

static void mark(struct search *s, uint64_t set, enum encoding encoding, int64_t slot)
{
    int64_t constant;
    if (!decode(encoding, slot, &constant))
        return;
    const uint32_t i = map_get(&s->by_value, mix(set, (uint64_t)constant));
    if (i != MAP_NONE)
        s->occurs[i] = true;
}

static int compare_sought(const void *a, const void *b)
{
    const int64_t x = ((const struct series_sought *)a)->value, y = ((const struct series_sought *)b)->value;
    return x < y ? -1 : x > y;
}

/* Whether constant i is the first one of its set with its value. */
static bool is_first(const struct search *s, size_t i)
{
    return map_get(&s->by_value, mix(s->constant_sets[i], (uint64_t)s->constants[i].value)) == i;
}

/* Fill s->wanted: the values that the column must have for the constants of the set, except those
 * that are known to occur. */
static enum refrain_status want_set(struct search *s, uint64_t set, enum encoding encoding, int64_t base)
{
    s->wanted.n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->constant_sets[i] != set || s->occurs[i] || !is_first(s, i))
            continue;
        const int64_t value = (int64_t)((uint64_t)encode(encoding, s->constants[i].value) - (uint64_t)base);
        if (!array_push(&s->wanted, ((struct series_sought){.value = value})))
            return REFRAIN_ERR_MEMORY;
    }
    if (s->wanted.n > 0)
        qsort(s->wanted.items, s->wanted.n, sizeof *s->wanted.items, compare_sought);
    return REFRAIN_OK;
}

static enum refrain_status mark_column(struct search *s, uint64_t set, enum encoding encoding, size_t at)
{
    const uint32_t column = s->columns.items[at];
    const int64_t base = s->slots.items[at];
    const uint64_t key = mix(mix(mix(set, encoding), column), (uint64_t)base);
    if (map_get(&s->sought, key) != MAP_NONE)
        return REFRAIN_OK;
    if (!map_set(&s->sought, key, 0))
        return REFRAIN_ERR_MEMORY;
    const enum refrain_status status = want_set(s, set, encoding, base);
    if (status || s->wanted.n == 0)
        return status;
    if (column != ANY_VALUE)
        series_seek(s->t->columns.items[column], s->wanted.items, s->wanted.n);
    for (size_t i = 0; i < s->wanted.n; i++) {
        if (column == ANY_VALUE || s->wanted.items[i].found)
            mark(s, set, encoding, (int64_t)((uint64_t)s->wanted.items[i].value + (uint64_t)base));
    }
    return REFRAIN_OK;
}

/* The row may end before this slot if a column decides the layout. */
static enum refrain_status mark_slot(struct search *s, uint64_t set, enum encoding encoding, size_t at)
{
    if (at >= s->slots.n)
        return REFRAIN_OK;
    if (s->varies.items[at])
        return mark_column(s, set, encoding, at);
    mark(s, set, encoding, s->slots.items[at]);
    return REFRAIN_OK;
}

/* A column may have any value, so all flags of the set count. */
static void mark_flags(struct search *s, uint64_t set, size_t at)
{
    const int64_t value = s->varies.items[at] ? -1 : s->slots.items[at];
    for (size_t i = 0; value && i < s->n; i++) {
        const int64_t flag = s->constants[i].value;
        if (s->constant_sets[i] == set && flag && (value & flag) == flag)
            s->occurs[i] = true;
    }
}

/* ---- a row ----------------------------------------------------------------------------------- */

static enum refrain_status mark_status(struct search *s, size_t at)
{
    enum refrain_status status = REFRAIN_OK;
    if (s->varies.items[at] || !(s->slots.items[at] & STATUS_PARTIAL)) {
        status = mark_slot(s, s->rank_set, AS_VALUE, at + 1);
        if (!status)
            status = mark_slot(s, s->tag_set, AS_VALUE, at + 2);
    }
    return status ? status : mark_slot(s, s->error_set, AS_VALUE, at + 3);
}

/* Mark the constants of one value of this kind, which begins at slot `at`. */
static enum refrain_status mark_value(struct search *s, uint32_t kind, size_t at)
{
    const uint64_t set = s->kind_sets[kind];
    switch ((enum value_type)s->t->functions.kinds.items[kind].type) {
    case VALUE_INT:
        return mark_slot(s, set, AS_VALUE, at);
    case VALUE_FLAGS:
        mark_flags(s, set, at);
        return REFRAIN_OK;
    case VALUE_HANDLE:
        return mark_slot(s, set, AS_HANDLE, at);
    case VALUE_ADDRESS:
        return s->varies.items[at] || s->slots.items[at] == ADDRESS_CONSTANT
                   ? mark_slot(s, set, AS_VALUE, at + 1)
                   : REFRAIN_OK;
    case VALUE_STRING:
    case VALUE_STRINGS:
        return mark_slot(s, s->array_set, AS_COUNT, at);
    case VALUE_STATUS:
        return mark_status(s, at);
    case VALUE_REAL:
    case VALUE_TYPES:
        break;
    }
    return REFRAIN_OK;
}

static enum refrain_status mark_item(struct search *s, const struct layout_item *item)
{
    const uint32_t kind = (uint32_t)(item->kind - s->t->functions.kinds.items);
    size_t at = (size_t)(item->slots - s->slots.items);
    enum refrain_status status = REFRAIN_OK;
    if (item->count < 0)
        mark(s, s->array_set, AS_COUNT, item->count);
    for (int64_t i = 0; i < item->count && !status; i++) {
        status = mark_value(s, kind, at);
        at += layout_value_slots((enum value_type)item->kind->type, s->slots.items + at,
                                 (uint32_t)(s->slots.n - at));
    }
    return status;
}

/* From slot `at` on, each slot may begin a value of any kind of the function, or be the count of an
 * array. */
static enum refrain_status mark_rest(struct search *s, const struct function *f, size_t at)
{
    enum refrain_status status = REFRAIN_OK;
    for (; at < s->slots.n && !status; at++) {
        status = mark_slot(s, s->array_set, AS_COUNT, at);
        if (!status && f->result > 0)
            status = mark_value(s, f->result - 1, at);
        for (uint32_t p = 0; p < f->n_params && !status; p++)
            status = mark_value(s, f->params[p].kind, at);
    }
    return status;
}

static enum refrain_status mark_row(struct search *s, uint32_t function)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status = REFRAIN_OK;
    layout_start(&layout, &s->t->functions, function, s->slots.items, (uint32_t)s->slots.n);
    while (!status) {
        if (layout_is_undecided(&layout, s->varies.items))
            return mark_rest(s, layout.function, layout.at);
        if (!layout_next(&layout, &item, &status))
            break;
        status = mark_item(s, &item);
    }
    return status;
}

static enum refrain_status load_row(struct search *s, const struct group *g, const struct row *row)
{
    s->slots.n = s->varies.n = s->columns.n = 0;
    if (!array_reserve(&s->slots, row->n_slots) || !array_reserve(&s->varies, row->n_slots) ||
        !array_reserve(&s->columns, row->n_slots))
        return REFRAIN_ERR_MEMORY;
    s->slots.n = s->varies.n = s->columns.n = row->n_slots;
    for (uint32_t i = 0; i < row->n_slots; i++) {
        s->slots.items[i] = rankfn_at(row_slot(row, i), 0, s->t->first_rank);
        s->varies.items[i] = false;
    }
    for (size_t c = 0; c < group_slot_columns(g); c++) {
        const struct column *column = &g->columns.items[c];
        if (column->slot >= row->n_slots)
            continue;
        s->varies.items[column->slot] = true;
        s->columns.items[column->slot] = (uint32_t)rankfn_at(&column->series, 0, s->t->first_rank);
    }
    for (size_t i = 0; i < g->sums.n && g->sums.items[i].slot < row->n_slots; i++) {
        s->varies.items[g->sums.items[i].slot] = true;
        s->columns.items[g->sums.items[i].slot] = ANY_VALUE;
    }
    return REFRAIN_OK;
}

static enum refrain_status mark_group(struct search *s, uint32_t function, const struct group *g)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < g->rows.n && !status; i++) {
        status = load_row(s, g, &g->rows.items[i]);
        if (!status)
            status = mark_row(s, function);
    }
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static enum refrain_status prepare(struct search *s)
{
    const size_t n_kinds = s->t->functions.kinds.n;
    s->constant_sets = malloc((s->n + 1) * sizeof *s->constant_sets);
    s->kind_sets = malloc((n_kinds + 1) * sizeof *s->kind_sets);
    if (!s->constant_sets || !s->kind_sets) {
        log_error("no memory for the names of constants");
        return REFRAIN_ERR_MEMORY;
    }
    const char *set = NULL; /* set of the previous constant */
    for (size_t i = 0; i < s->n; i++) {
        const struct constant *c = &s->constants[i];
        s->constant_sets[i] = c->set == set ? s->constant_sets[i - 1] : set_key(c->set);
        set = c->set;
        const uint64_t key = mix(s->constant_sets[i], (uint64_t)c->value);
        if (map_get(&s->by_value, key) == MAP_NONE && !map_set(&s->by_value, key, (uint32_t)i))
            return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n_kinds; i++)
        s->kind_sets[i] = set_key(s->t->functions.kinds.items[i].set);
    s->rank_set = set_key("RANK");
    s->tag_set = set_key("TAG");
    s->error_set = set_key("ERROR_CODE");
    s->array_set = set_key("ARRAY");
    return REFRAIN_OK;
}

static enum refrain_status mark_shape(struct search *s, const struct shape *shape)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t e = 0; e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        const uint32_t function = s->t->sites.items[entry->site].function;
        for (size_t g = 0; g < entry->groups.n && !status; g++)
            status = mark_group(s, function, &entry->groups.items[g]);
    }
    return status;
}

enum refrain_status constant_search(const struct trace *t, const struct constant *constants, size_t n,
                                    bool *occurs)
{
    assert(t->n_ranks == 1);
    struct search s = {.t = t, .constants = constants, .n = n, .occurs = occurs};
    enum refrain_status status = prepare(&s);
    for (size_t i = 0; i < t->shapes.n && !status; i++)
        status = mark_shape(&s, &t->shapes.items[i]);
    map_free(&s.by_value);
    map_free(&s.sought);
    array_free(&s.wanted);
    array_free(&s.slots);
    array_free(&s.varies);
    array_free(&s.columns);
    free(s.constant_sets);
    free(s.kind_sets);
    return status;
}
