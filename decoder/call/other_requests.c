/* SPDX-License-Identifier: BSD-3-Clause */
#include "other_requests.h"

#include "decoder/trace/cursor.h"
#include "row_view.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

/* ---- the set --------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct other_request *x)
{
    return mix(mix(x->rank, x->thread), x->number);
}

static bool has(const struct other_requests *o, const struct other_request *x)
{
    const uint64_t hash = hash_of(x);
    size_t at;
    for (uint32_t i = map_first(&o->by_hash, hash, &at); i != MAP_NONE;
         i = map_next(&o->by_hash, hash, &at)) {
        const struct other_request *y = &o->items.items[i];
        if (x->rank == y->rank && x->thread == y->thread && x->number == y->number)
            return true;
    }
    return false;
}

static enum refrain_status add(struct other_requests *o, uint32_t rank, uint32_t thread, int64_t handle)
{
    const struct other_request x = {rank, thread, (uint64_t)handle >> 1};
    if (handle < 0 || handle & 1 || has(o, &x))
        return REFRAIN_OK;
    if (array_push(&o->items, x) && map_add(&o->by_hash, hash_of(&x), (uint32_t)(o->items.n - 1)))
        return REFRAIN_OK;
    log_error("out of memory: %zu requests", o->items.n);
    return REFRAIN_ERR_MEMORY;
}

bool other_requests_have(const struct other_requests *o, uint32_t rank, uint32_t thread, int64_t handle)
{
    if (handle < 0 || handle & 1)
        return false;
    const int64_t lane = (handle >> HANDLE_LANE_SHIFT) - 1;
    const int64_t maker = lane < 0 ? (int64_t)thread : definitions_thread(o->definitions, rank, lane);
    const uint64_t number = (uint64_t)handle << (64 - HANDLE_LANE_SHIFT) >> (64 - HANDLE_LANE_SHIFT + 1);
    return maker >= 0 && has(o, &(struct other_request){rank, (uint32_t)maker, number});
}

void other_requests_free(struct other_requests *o)
{
    map_free(&o->by_hash);
    array_free(&o->items);
}

/* ---- the numbers that a site makes ----------------------------------------------------------- */

/* A position at the site: a request number is `base` plus a value of the column. */
struct walk {
    struct other_requests *out;
    uint32_t rank, thread;
    int64_t base;
    struct series_cursor column;
};

#define DEPTH 32 /* enough: a repetition inside another is at most a third of it */

/* Visits n values. The body of a repetition is visited once. */
static enum refrain_status walk_column(struct walk *w, uint64_t n, unsigned depth)
{
    enum refrain_status status = REFRAIN_OK;
    while (n > 0 && status == REFRAIN_OK) {
        struct repetitions list;
        uint32_t i = 0;
        int64_t value;
        series_cursor_repetitions(&w->column, &list);
        repetitions_keep_still(&list);
        while (i < list.n && (list.items[i].times < 3 || n / list.items[i].period < 3))
            i++;
        if (i < list.n && depth < DEPTH) {
            const struct repetition *r = &list.items[i];
            const uint64_t times = r->times < n / r->period ? r->times : n / r->period;
            status = walk_column(w, r->period, depth + 1);
            series_cursor_repeat(&w->column, r, times - 2);
            n -= (times - 1) * r->period;
        } else {
            if (!series_cursor_next(&w->column, &value))
                break;
            status = add(w->out, w->rank, w->thread, (int64_t)((uint64_t)w->base + (uint64_t)value));
            n--;
        }
    }
    return status;
}

static enum refrain_status take_row(struct walk *w, const struct trace *t, const struct group *g,
                                    uint64_t ordinal, uint32_t slot)
{
    bool varies = false;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; status == REFRAIN_OK && i < group_slot_columns(g); i++) {
        const struct column *c = &g->columns.items[i];
        if (c->slot != slot)
            continue;
        const struct series *series = t->columns.items[rankfn_at(&c->series, ordinal, w->rank)];
        varies = true;
        series_cursor_start(&w->column, series);
        status = walk_column(w, series_length(series), 0);
    }
    return varies ? status : add(w->out, w->rank, w->thread, w->base);
}

/* Finds the slot of the request that a row makes. Returns false if there is none, for example in a
 * failed call. The summation reports rows that do not fit their function. */
static bool find_request(const struct functable *t, const struct roles *roles, uint32_t function,
                         const int64_t *slots, uint32_t n, uint32_t *slot)
{
    struct row_view view;
    if (row_view_look(&view, t, &roles->items[function], function, slots, n, NULL) != REFRAIN_OK ||
        view.after[FIELD_REQUESTS].n == 0)
        return false;
    *slot = view.after[FIELD_REQUESTS].at;
    return true;
}

static enum refrain_status take_group(struct other_requests *o, const struct trace *t,
                                      const struct roles *roles, const struct shape *shape, uint32_t function,
                                      const struct group *g)
{
    enum refrain_status status = REFRAIN_OK;
    struct series_cursor cursor;
    ARRAY(int64_t) slots = {0};
    int64_t rank;
    series_cursor_start(&cursor, g->ranks);
    for (uint64_t ordinal = 0; status == REFRAIN_OK && series_cursor_next(&cursor, &rank); ordinal++) {
        for (size_t i = 0; status == REFRAIN_OK && i < g->rows.n; i++) {
            const struct row *row = &g->rows.items[i];
            uint32_t slot;
            if (!array_reserve(&slots, (size_t)row->n_slots + 1)) {
                status = REFRAIN_ERR_MEMORY;
                break;
            }
            row_at(row, ordinal, (uint32_t)rank, slots.items);
            if (!find_request(&t->functions, roles, function, slots.items, row->n_slots, &slot))
                continue;
            struct walk w = {
                .out = o, .rank = (uint32_t)rank, .thread = shape->number, .base = slots.items[slot]};
            status = take_row(&w, t, g, ordinal, slot);
        }
    }
    array_free(&slots);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status take_shape(struct other_requests *o, const struct trace *t,
                                      const struct roles *roles, const struct shape *shape)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t e = 0; e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        const uint32_t function = t->sites.items[entry->site].function;
        if (!(roles->items[function].actions & (ROLE_FILE | ROLE_GENERALIZED)))
            continue;
        for (size_t g = 0; status == REFRAIN_OK && g < entry->groups.n; g++)
            status = take_group(o, t, roles, shape, function, &entry->groups.items[g]);
    }
    return status;
}

enum refrain_status other_requests_find(struct other_requests *o, const struct reader *r,
                                        const struct definitions *d, const struct roles *roles)
{
    const struct trace *t = &r->trace;
    enum refrain_status status = REFRAIN_OK;
    *o = (struct other_requests){.definitions = d};
    for (size_t i = 0; status == REFRAIN_OK && i < t->shapes.n; i++) {
        if (t->shapes.items[i].kind == LANE_THREAD)
            status = take_shape(o, t, roles, &t->shapes.items[i]);
    }
    if (status != REFRAIN_OK)
        other_requests_free(o);
    return status;
}
