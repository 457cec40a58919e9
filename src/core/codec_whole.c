#include "codec_whole.h"

#include "codec_tables.h"
#include "log.h"
#include "mix.h"

#include <stdlib.h>

#define RANKS_MAX  (UINT32_C(1) << 16)
#define VALUES_MAX (UINT64_C(1) << 22) /* looked at in all: bounds the time that this takes */

/* One group of calls, and what says which others it belongs together with. */
struct place {
    uint32_t kind, number, site; /* lane and call site */
    uint32_t order;              /* in the trace */
    const struct group *group;
};

struct search {
    const struct trace *trace;
    struct codec_tables *alone;
    struct codec_whole *whole;
    ARRAY(struct place) places;
    struct map seen; /* lists that this whole list stands for */
    int64_t *values; /* room for one of each rank */
    uint64_t budget; /* values that may still be looked at */
};

void codec_whole_free(struct codec_whole *w)
{
    for (size_t i = 0; i < w->lists.n; i++)
        series_free(w->lists.items[i].values);
    array_free(&w->lists);
    map_free(&w->of_slot);
}

/* Addresses differ in few bits. mix is one-to-one in its second argument, so keys differ if slots do. */
static uint64_t slot_key(const struct rankfn *slot)
{
    return mix(0, (uintptr_t)slot);
}

const struct whole_list *codec_whole_get(const struct codec_whole *w, const struct rankfn *slot)
{
    uint32_t i = map_get(&w->of_slot, slot_key(slot));
    return i == MAP_NONE ? NULL : &w->lists.items[i];
}

/* ---- one slot ------------------------------------------------------------------------------------------ */

static const struct series *list_of(const struct rankfn *f)
{
    return f->plain ? f->plain : f->relative;
}

/* Put f's values where its ranks are. */
static void scatter(const struct search *s, const struct rankfn *f, const struct series *ranks)
{
    struct series_cursor at, list;
    int64_t rank, value = 0;
    series_cursor_start(&at, ranks);
    if (list_of(f))
        series_cursor_start(&list, list_of(f));
    while (series_cursor_next(&at, &rank)) {
        if (list_of(f))
            series_cursor_next(&list, &value);
        else
            value = f->forms & RANKFN_CONSTANT ? f->constant : f->offset;
        if (f->forms & (RANKFN_OFFSET | RANKFN_RELATIVE))
            value = (int64_t)((uint64_t)value + (uint64_t)rank);
        s->values[rank - s->trace->first_rank] = value;
    }
}

/* What a slot's lists in the n groups cost without a whole list; 0 if there is nothing to gain. */
static enum refrain_status parts_cost(struct search *s, const struct place *places, size_t n, size_t row,
                                      uint32_t slot, size_t *total)
{
    *total = 0;
    map_clear(&s->seen);
    for (size_t i = 0; i < n; i++) {
        const struct rankfn *f = &places[i].group->rows.items[row].slots[slot];
        if (f->forms & (f->forms - 1)) { /* several forms: not merge_finish's */
            *total = 0;
            return REFRAIN_OK;
        }
        if (!list_of(f))
            continue;
        uint64_t key = series_hash(list_of(f));
        if (map_get(&s->seen, key) != MAP_NONE)
            continue;
        uint32_t number;
        enum refrain_status status = codec_intern_series(s->alone, list_of(f), &number);
        if (status != REFRAIN_OK)
            return status;
        if (!map_add(&s->seen, key, 0))
            return REFRAIN_ERR_MEMORY;
        *total += codec_series_cost(s->alone, number);
    }
    return REFRAIN_OK;
}

/* The values by rank, plain or relative, whichever is smaller. */
static enum refrain_status make_whole(const struct search *s, struct whole_list *out)
{
    struct series *lists[2] = {series_create(), series_create()};
    enum refrain_status status = lists[0] && lists[1] ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < s->trace->n_ranks && status == REFRAIN_OK; i++) {
        int64_t value = s->values[i];
        status = series_append(lists[0], value);
        if (status == REFRAIN_OK)
            status = series_append(lists[1], (int64_t)((uint64_t)value - s->trace->first_rank - i));
    }
    bool relative = status == REFRAIN_OK && series_cost(lists[1]) < series_cost(lists[0]);
    if (status == REFRAIN_OK) {
        *out = (struct whole_list){.values = lists[relative], .relative = relative};
        lists[relative] = NULL;
    }
    series_free(lists[0]);
    series_free(lists[1]);
    return status;
}

static enum refrain_status try_slot(struct search *s, const struct place *places, size_t n, size_t row,
                                    uint32_t slot)
{
    size_t parts;
    if (s->budget < s->trace->n_ranks)
        return REFRAIN_OK;
    enum refrain_status status = parts_cost(s, places, n, row, slot, &parts);
    if (status != REFRAIN_OK || parts == 0)
        return status;
    s->budget -= s->trace->n_ranks;

    for (size_t i = 0; i < n; i++)
        scatter(s, &places[i].group->rows.items[row].slots[slot], places[i].group->ranks);
    struct whole_list whole;
    status = make_whole(s, &whole);
    if (status != REFRAIN_OK)
        return status;
    if (series_cost(whole.values) >= parts) {
        series_free(whole.values);
        return REFRAIN_OK;
    }
    const uint32_t number = (uint32_t)s->whole->lists.n;
    if (!array_push(&s->whole->lists, whole)) {
        series_free(whole.values);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const struct rankfn *f = &places[i].group->rows.items[row].slots[slot];
        if (!map_add(&s->whole->of_slot, slot_key(f), number))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static enum refrain_status collect(struct search *s)
{
    const struct trace *t = s->trace;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t k = 0; k < shape->entries.n; k++) {
            const struct entry *e = &shape->entries.items[k];
            for (size_t g = 0; g < e->groups.n; g++) {
                struct place p = {shape->kind, shape->number, e->site, (uint32_t)s->places.n,
                                  &e->groups.items[g]};
                if (!array_push(&s->places, p))
                    return REFRAIN_ERR_MEMORY;
            }
        }
    }
    return REFRAIN_OK;
}

static bool same_site(const struct place *a, const struct place *b)
{
    return a->kind == b->kind && a->number == b->number && a->site == b->site;
}

static int by_site(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    const uint32_t x[] = {p->kind, p->number, p->site, p->order},
                   y[] = {q->kind, q->number, q->site, q->order};
    size_t i = 0;
    while (i < 3 && x[i] == y[i])
        i++;
    return (x[i] > y[i]) - (x[i] < y[i]);
}

/* Groups at one site have no rank in common, so they have all ranks if they have as many. Rows are numbered
 * by first use: those of one number are mostly of the same call. */
static enum refrain_status try_site(struct search *s, const struct place *places, size_t n)
{
    uint64_t ranks = 0;
    size_t n_rows = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        ranks += series_length(places[i].group->ranks);
        if (places[i].group->rows.n < n_rows)
            n_rows = places[i].group->rows.n;
    }
    if (n < 2 || ranks != s->trace->n_ranks)
        return REFRAIN_OK;
    enum refrain_status status = REFRAIN_OK;
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t n_slots = UINT32_MAX;
        for (size_t i = 0; i < n; i++) {
            if (places[i].group->rows.items[row].n_slots < n_slots)
                n_slots = places[i].group->rows.items[row].n_slots;
        }
        for (uint32_t slot = 0; slot < n_slots && status == REFRAIN_OK; slot++)
            status = try_slot(s, places, n, row, slot);
    }
    return status;
}

enum refrain_status codec_whole_find(const struct trace *t, struct codec_tables *alone, struct codec_whole *w)
{
    struct search s = {.trace = t, .alone = alone, .whole = w, .budget = VALUES_MAX};
    enum refrain_status status = REFRAIN_OK;
    if (t->n_ranks < 2 || t->n_ranks > RANKS_MAX)
        return REFRAIN_OK;
    if (!(s.values = malloc(t->n_ranks * sizeof *s.values))) {
        log_error("out of memory: values of %u ranks", t->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    status = collect(&s);
    if (status == REFRAIN_OK && s.places.n > 0)
        qsort(s.places.items, s.places.n, sizeof *s.places.items, by_site);
    for (size_t i = 0, end; i < s.places.n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < s.places.n && same_site(&s.places.items[i], &s.places.items[end]);)
            end++;
        status = try_site(&s, s.places.items + i, end - i);
    }
    free(s.values);
    map_free(&s.seen);
    array_free(&s.places);
    return status;
}
