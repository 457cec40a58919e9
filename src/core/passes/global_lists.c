/* SPDX-License-Identifier: BSD-3-Clause */
#include "global_lists.h"

#include "codec_tables.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define RANKS_MAX  (UINT32_C(1) << 16)
#define PERIOD_MAX 1024 /* ranks */
/* Bytes of a row that differs from another one in a list only; mostly its times. */
#define SIGNATURE_COST 24
/* Values examined in all: bounds the time of this pass. */
#define VALUES_MAX (UINT64_C(1) << 22)

/* A group of calls, with a key: groups of the same lane and call site belong together. */
struct member {
    uint32_t kind, number, site; /* lane and call site */
    uint32_t order;              /* in the trace */
    const struct group *group;
};

/* A global list that a slot could have, and the bytes of lists that it would save; may be negative. */
struct candidate {
    uint32_t slot;
    struct global_list whole;
    int64_t gain;
};

struct search {
    const struct trace *trace;
    struct codec_tables *alone;
    struct global_lists *whole;
    ARRAY(struct member) members;
    struct map seen;                    /* scratch */
    struct map known;                   /* hashes of the global lists chosen so far */
    ARRAY(struct candidate) candidates; /* slots of the current row */
    int64_t *values;                    /* room for two values of each rank */
    bool *present;                      /* whether the rank is in one of the current groups */
    bool has_gaps;                      /* whether some ranks are in none of them */
    uint64_t budget;                    /* values that may still be examined */
};

void global_lists_free(struct global_lists *w)
{
    for (size_t i = 0; i < w->lists.n; i++)
        series_free(w->lists.items[i].values);
    array_free(&w->lists);
    map_free(&w->of_slot);
}

const struct global_list *global_lists_get(const struct global_lists *w, const struct rankfn *slot)
{
    uint32_t i = map_get(&w->of_slot, codec_slot_key(slot));
    return i == MAP_NONE ? NULL : &w->lists.items[i];
}

/* ---- one slot -------------------------------------------------------------------------------- */

static const struct series *list_of(const struct rankfn *f)
{
    return f->plain ? f->plain : f->relative;
}

/* Store f's values at the places of its ranks. */
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

/* Sum up the cost of the slot's lists in the n groups without a global list. */
static enum refrain_status parts_cost(struct search *s, const struct member *members, size_t n, size_t row,
                                      uint32_t slot, size_t *total)
{
    *total = 0;
    map_clear(&s->seen);
    for (size_t i = 0; i < n; i++) {
        const struct rankfn *f = row_slot(&members[i].group->rows.items[row], slot);
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

/* The period, in ranks, with which the known values repeat; 1 if there is none. */
static uint32_t find_period(struct search *s, const int64_t *values)
{
    const uint32_t n = s->trace->n_ranks, most = n < PERIOD_MAX ? n : PERIOD_MAX;
    for (uint32_t d = 1; d < most && s->budget > n; d++) {
        uint32_t i = d;
        while (i < n && (!s->present[i] || !s->present[i - d] || values[i] == values[i - d]))
            i++;
        s->budget -= i - d;
        if (i == n)
            return d;
    }
    return 1;
}

/* Fill in values for ranks without such a call, so that the list keeps its pattern. */
static void fill_gaps(struct search *s, int64_t *values)
{
    const uint32_t n = s->trace->n_ranks, d = find_period(s, values);
    uint32_t first = 0;
    while (!s->present[first])
        first++;
    for (uint32_t i = first; i < n; i++) {
        if (!s->present[i])
            values[i] = values[i - (i >= first + d ? d : 1)];
    }
    while (first-- > 0)
        values[first] = values[first + (first + d < n ? d : 1)];
}

/* Make the list of values by rank, plain or relative, whichever is smaller. */
static enum refrain_status make_whole(struct search *s, struct global_list *out)
{
    const uint32_t n = s->trace->n_ranks;
    struct series *lists[2] = {series_create(), series_create()};
    enum refrain_status status = lists[0] && lists[1] ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        s->values[n + i] = (int64_t)((uint64_t)s->values[i] - s->trace->first_rank - i);
    for (int relative = 0; relative < 2; relative++) {
        int64_t *values = s->values + (relative ? n : 0);
        if (s->has_gaps)
            fill_gaps(s, values);
        for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
            status = series_append(lists[relative], values[i]);
    }
    bool relative = status == REFRAIN_OK && series_cost(lists[1]) < series_cost(lists[0]);
    if (status == REFRAIN_OK) {
        *out = (struct global_list){.values = lists[relative], .relative = relative};
        lists[relative] = NULL;
    }
    series_free(lists[0]);
    series_free(lists[1]);
    return status;
}

/* Whether the slot has the same code in all groups anyway. */
static bool is_alike(const struct search *s, const struct member *members, size_t n, size_t row,
                     uint32_t slot)
{
    const struct rankfn *first = row_slot(&members[0].group->rows.items[row], slot);
    const struct prefix_sum *sum = prefix_sums_get(&s->alone->sums, first);
    for (size_t i = 1; i < n; i++) {
        const struct rankfn *f = row_slot(&members[i].group->rows.items[row], slot);
        if (!prefix_sum_equal(prefix_sums_get(&s->alone->sums, f), sum) || (!sum && !rankfn_equal(f, first)))
            return false;
    }
    return sum || !list_of(first);
}

/* Whether all groups can have a global list in the slot. */
static bool is_open(const struct search *s, const struct member *members, size_t n, size_t row, uint32_t slot)
{
    for (size_t i = 0; i < n; i++) {
        const struct rankfn *f = row_slot(&members[i].group->rows.items[row], slot);
        if ((f->forms & (f->forms - 1)) != 0 /* several forms: not made by merge_finish */ ||
            prefix_sums_get(&s->alone->sums, f))
            return false;
    }
    return true;
}

static void forget_candidates(struct search *s)
{
    for (size_t i = 0; i < s->candidates.n; i++)
        series_free(s->candidates.items[i].whole.values);
    s->candidates.n = 0;
}

/* Compute the global list for the slot, and what it gains. */
static enum refrain_status add_candidate(struct search *s, const struct member *members, size_t n, size_t row,
                                         uint32_t slot)
{
    struct candidate c = {.slot = slot};
    size_t parts;
    enum refrain_status status = parts_cost(s, members, n, row, slot, &parts);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        scatter(s, row_slot(&members[i].group->rows.items[row], slot), members[i].group->ranks);
    if ((status = make_whole(s, &c.whole)) != REFRAIN_OK)
        return status;
    const bool known = map_get(&s->known, series_hash(c.whole.values)) != MAP_NONE;
    c.gain = (int64_t)parts - (known ? 0 : (int64_t)series_cost(c.whole.values));
    if (array_push(&s->candidates, c))
        return REFRAIN_OK;
    series_free(c.whole.values);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status take_candidate(struct search *s, const struct member *members, size_t n,
                                          size_t row, struct candidate *c)
{
    const uint32_t number = (uint32_t)s->whole->lists.n;
    if (!map_set(&s->known, series_hash(c->whole.values), 0) || !array_push(&s->whole->lists, c->whole))
        return REFRAIN_ERR_MEMORY;
    c->whole.values = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct rankfn *f = row_slot(&members[i].group->rows.items[row], c->slot);
        if (!map_add(&s->whole->of_slot, codec_slot_key(f), number))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* Count the different signatures that the groups make of the row. This is an estimate: rows count
 * as different if their hashes differ. */
static enum refrain_status count_rows(struct search *s, const struct member *members, size_t n, size_t row,
                                      size_t *count)
{
    *count = 0;
    map_clear(&s->seen);
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &members[i].group->rows.items[row];
        uint64_t key = 0;
        for (uint32_t k = 0; k < r->n_slots; k++) {
            const struct rankfn *f = row_slot(r, k);
            key = mix(mix(mix(key, f->forms), (uint64_t)f->constant), (uint64_t)f->offset);
            key = list_of(f) ? mix(key, series_hash(list_of(f))) : key;
        }
        if (map_get(&s->seen, key) != MAP_NONE)
            continue;
        if (!map_add(&s->seen, key, 0))
            return REFRAIN_ERR_MEMORY;
        ++*count;
    }
    return REFRAIN_OK;
}

/* Take slots that gain by themselves. It also gains if global lists in all differing slots turn
 * many signatures into one. */
static enum refrain_status try_row(struct search *s, const struct member *members, size_t n, size_t row)
{
    uint32_t n_slots = UINT32_MAX, most_slots = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t k = members[i].group->rows.items[row].n_slots;
        n_slots = k < n_slots ? k : n_slots;
        most_slots = k > most_slots ? k : most_slots;
    }
    bool become_one = n_slots == most_slots;
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t slot = 0; slot < n_slots && status == REFRAIN_OK; slot++) {
        if (is_alike(s, members, n, row, slot))
            continue;
        const bool possible = is_open(s, members, n, row, slot) && s->budget >= s->trace->n_ranks;
        become_one = become_one && possible;
        if (!possible)
            continue;
        s->budget -= s->trace->n_ranks;
        status = add_candidate(s, members, n, row, slot);
    }
    size_t n_rows = 1;
    if (status == REFRAIN_OK && become_one)
        status = count_rows(s, members, n, row, &n_rows);
    int64_t gain = (int64_t)(n_rows - 1) * SIGNATURE_COST;
    for (size_t i = 0; i < s->candidates.n; i++)
        gain += s->candidates.items[i].gain;
    for (size_t i = 0; i < s->candidates.n && status == REFRAIN_OK; i++) {
        struct candidate *c = &s->candidates.items[i];
        if (c->gain > 0 || (n_rows > 1 && gain > 0))
            status = take_candidate(s, members, n, row, c);
    }
    forget_candidates(s);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status collect(struct search *s)
{
    const struct trace *t = s->trace;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t k = 0; k < shape->entries.n; k++) {
            const struct entry *e = &shape->entries.items[k];
            for (size_t g = 0; g < e->groups.n; g++) {
                struct member p = {shape->kind, shape->number, e->site, (uint32_t)s->members.n,
                                   &e->groups.items[g]};
                if (!array_push(&s->members, p))
                    return REFRAIN_ERR_MEMORY;
            }
        }
    }
    return REFRAIN_OK;
}

static bool same_site(const struct member *a, const struct member *b)
{
    return a->kind == b->kind && a->number == b->number && a->site == b->site;
}

static int by_site(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    const uint32_t x[] = {p->kind, p->number, p->site, p->order},
                   y[] = {q->kind, q->number, q->site, q->order};
    size_t i = 0;
    while (i < 3 && x[i] == y[i])
        i++;
    return (x[i] > y[i]) - (x[i] < y[i]);
}

static void mark_present(struct search *s, const struct member *members, size_t n)
{
    uint32_t count = 0;
    memset(s->present, 0, s->trace->n_ranks * sizeof *s->present);
    for (size_t i = 0; i < n; i++) {
        struct series_cursor at;
        int64_t rank;
        series_cursor_start(&at, members[i].group->ranks);
        for (; series_cursor_next(&at, &rank); count++)
            s->present[rank - s->trace->first_rank] = true;
    }
    s->has_gaps = count < s->trace->n_ranks; /* groups at one site have no rank in common */
}

/* Rows are numbered by first use, so rows with one number usually come from the same call. */
static enum refrain_status try_site(struct search *s, const struct member *members, size_t n)
{
    size_t n_rows = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        n_rows = members[i].group->rows.n < n_rows ? members[i].group->rows.n : n_rows;
    if (n < 2 || s->budget < s->trace->n_ranks)
        return REFRAIN_OK;
    mark_present(s, members, n);
    enum refrain_status status = REFRAIN_OK;
    for (size_t row = 0; row < n_rows && status == REFRAIN_OK; row++)
        status = try_row(s, members, n, row);
    return status;
}

enum refrain_status global_lists_find(const struct trace *t, struct codec_tables *alone,
                                      struct global_lists *w)
{
    struct search s = {.trace = t, .alone = alone, .whole = w, .budget = VALUES_MAX};
    enum refrain_status status = REFRAIN_OK;
    if (t->n_ranks < 2 || t->n_ranks > RANKS_MAX)
        return REFRAIN_OK;
    s.values = calloc(2 * (size_t)t->n_ranks, sizeof *s.values);
    s.present = malloc(t->n_ranks * sizeof *s.present);
    if (!s.values || !s.present) {
        log_error("out of memory: values of %u ranks", t->n_ranks);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = collect(&s);
    if (status == REFRAIN_OK && s.members.n > 0)
        qsort(s.members.items, s.members.n, sizeof *s.members.items, by_site);
    for (size_t i = 0, end; i < s.members.n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < s.members.n && same_site(&s.members.items[i], &s.members.items[end]);)
            end++;
        status = try_site(&s, s.members.items + i, end - i);
    }
    free(s.values);
    free(s.present);
    map_free(&s.seen);
    map_free(&s.known);
    array_free(&s.candidates);
    array_free(&s.members);
    return status;
}
