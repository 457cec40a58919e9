/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/trace/annex_columns.h"
#include "src/core/trace/stream_walk.h"

/* Runs to walk when looking for the first call of each row. A row that has not come until then counts as
 * never. */
#define RUNS_MAX (1 << 20)

/* For a group with an order or a filler: find the number of the first call of each row, on the first rank. */
static enum refrain_status first_walked_calls(const struct trace *t, const struct group *g,
                                              uint64_t *first_call)
{
    const int64_t rank = series_at(g->ranks, 0);
    struct stream_walk walk;
    uint32_t row;
    uint64_t count, call = 0;
    enum refrain_status status = stream_walk_group(&walk, t, g, 0, rank, 0);
    if (status != REFRAIN_OK)
        return status;
    memset(first_call, 0xff, g->rows.n * sizeof *first_call);
    size_t missing = g->rows.n;
    for (unsigned runs = 0; runs < RUNS_MAX && missing > 0 && stream_walk_next(&walk, &row, &count); runs++) {
        missing -= first_call[row] == UINT64_MAX;
        first_call[row] = call < first_call[row] ? call : first_call[row];
        call += count;
    }
    stream_walk_stop(&walk);
    return REFRAIN_OK;
}

/* Find the number of the first call of each row; UINT64_MAX: never. It walks the rules from the start rule
 * down, so the first use of a rule is known before its body is examined. */
static enum refrain_status first_calls(const struct rules *stream, uint64_t *first_call, size_t n_rows)
{
    memset(first_call, 0xff, n_rows * sizeof *first_call);
    if (!stream) {
        first_call[0] = 0;
        return REFRAIN_OK;
    }
    uint64_t *first_use = malloc(stream->n_rules * sizeof *first_use);
    if (!first_use) {
        log_error("out of memory for %u rules", stream->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    memset(first_use, 0xff, stream->n_rules * sizeof *first_use);
    first_use[stream->n_rules - 1] = 0;
    for (uint32_t r = stream->n_rules; r-- > 0;) {
        uint64_t call = first_use[r];
        for (uint32_t i = stream->first[r]; i < stream->first[r + 1] && call != UINT64_MAX; i++) {
            const struct rules_item *item = &stream->items[i];
            bool is_rule = item->symbol & RULES_REF;
            uint32_t number = item->symbol & ~RULES_REF;
            uint64_t *first = is_rule ? &first_use[number] : &first_call[number];
            if (call < *first)
                *first = call;
            call += item->count * (is_rule ? stream->length[number] : 1);
        }
    }
    free(first_use);
    return REFRAIN_OK;
}

/* The result of choosing between two lists that several slots share. One of the lists may already be
 * freed. The addresses still identify the slots that had these lists, because no slot gets a new list
 * during this pass. */
struct choice {
    const struct series *plain, *relative;
    uint32_t better;
};

/* Scratch memory for the longest row, and the choices so far. */
struct finish {
    struct trace *t;
    uint32_t n;
    int64_t *values;
    bool *is_rank;
    ARRAY(struct choice) choices;
    struct map by_key;
};

/* Keep the better one of two lists. Slots that share the two lists share the decision. */
static enum refrain_status choose_list(struct finish *f, struct rankfn *fn)
{
    const uint64_t key = mix(mix(0, (uintptr_t)fn->plain), (uintptr_t)fn->relative);
    size_t at;
    for (uint32_t i = map_first(&f->by_key, key, &at); i != MAP_NONE; i = map_next(&f->by_key, key, &at)) {
        const struct choice *known = &f->choices.items[i];
        if (known->plain == fn->plain && known->relative == fn->relative) {
            rankfn_keep_list(fn, known->better);
            return REFRAIN_OK;
        }
    }
    const struct choice fresh = {fn->plain, fn->relative, rankfn_better_list(fn->plain, fn->relative)};
    if (!map_add(&f->by_key, key, (uint32_t)f->choices.n) || !array_push(&f->choices, fresh))
        return REFRAIN_ERR_MEMORY;
    rankfn_keep_list(fn, fresh.better);
    return REFRAIN_OK;
}

static enum refrain_status settle(struct finish *f, struct rankfn *fn, bool prefer_offset)
{
    enum refrain_status status = REFRAIN_OK;
    if (fn->plain && fn->relative && (series_is_shared(fn->plain) || series_is_shared(fn->relative)))
        status = choose_list(f, fn);
    rankfn_settle(fn, prefer_offset);
    return status;
}

static enum refrain_status make_room(struct finish *f, uint32_t n)
{
    if (n <= f->n)
        return REFRAIN_OK;
    free(f->values);
    free(f->is_rank);
    f->values = malloc(n * sizeof *f->values);
    f->is_rank = malloc(n * sizeof *f->is_rank);
    f->n = f->values && f->is_rank ? n : 0;
    if (f->n == n)
        return REFRAIN_OK;
    log_error("out of memory for a row of %u slots", n);
    return REFRAIN_ERR_MEMORY;
}

/* A negative neighbour is not a rank but a constant such as MPI_PROC_NULL; an offset cannot express it. */
static enum refrain_status settle_row(struct finish *f, uint32_t function, const struct group *g,
                                      struct row *row, uint64_t call)
{
    int64_t rank = series_at(g->ranks, 0);
    bool known = true;
    enum refrain_status status = make_room(f, row->n_slots);
    if (status != REFRAIN_OK)
        return status;
    for (uint32_t i = 0; i < row->n_slots; i++)
        f->values[i] = rankfn_at(row_slot(row, i), 0, rank);
    /* The meaning of a slot may depend on other slots, also on slots in columns. A row that does not occur
     * on the first rank has no values in columns there. */
    for (size_t c = 0; c < g->columns.n; c++) {
        const struct column *column = &g->columns.items[c];
        if (column->slot >= row->n_slots)
            continue;
        const uint32_t number = (uint32_t)rankfn_at(&column->series, 0, rank);
        if (!(known = call != UINT64_MAX && !annex_column_is_away(f->t, number)))
            break;
        const uint64_t value = (uint64_t)series_at(f->t->columns.items[number], call);
        f->values[column->slot] = (int64_t)((uint64_t)f->values[column->slot] + value);
    }
    if (known)
        status = layout_ranks(&f->t->functions, function, f->values, row->n_slots, f->is_rank);
    for (uint32_t i = 0; i < row->n_slots && status == REFRAIN_OK; i++)
        status = settle(f, row_slot_own(row, i), known && f->is_rank[i] && f->values[i] >= 0);
    return status;
}

static enum refrain_status settle_group(struct finish *f, uint32_t function, struct group *g)
{
    uint64_t *first_call = malloc(g->rows.n * sizeof *first_call);
    if (!first_call) {
        log_error("out of memory for %zu rows", g->rows.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = group_slot_columns(g) < g->columns.n
                                     ? first_walked_calls(f->t, g, first_call)
                                     : first_calls(g->stream, first_call, g->rows.n);
    for (size_t r = 0; r < g->rows.n && status == REFRAIN_OK; r++)
        status = settle_row(f, function, g, &g->rows.items[r], first_call[r]);
    for (size_t c = 0; c < g->columns.n && status == REFRAIN_OK; c++)
        status = settle(f, &g->columns.items[c].series, false);
    for (size_t i = 0; i < g->sums.n && status == REFRAIN_OK; i++)
        status = settle(f, &g->sums.items[i].factor, false);
    free(first_call);
    return status;
}

enum refrain_status merge_finish(struct trace *t)
{
    struct finish f = {.t = t};
    enum refrain_status status = trace_own_slots(t);
    for (size_t s = 0; s < t->shapes.n; s++) {
        for (size_t i = 0; i < t->shapes.items[s].loops.n && status == REFRAIN_OK; i++)
            status = settle(&f, &t->shapes.items[s].loops.items[i].counts, false);
        for (size_t i = 0; i < t->shapes.items[s].entries.n; i++) {
            struct entry *e = &t->shapes.items[s].entries.items[i];
            for (size_t g = 0; g < e->groups.n && status == REFRAIN_OK; g++)
                status = settle_group(&f, t->sites.items[e->site].function, &e->groups.items[g]);
        }
    }
    free(f.values);
    free(f.is_rank);
    array_free(&f.choices);
    map_free(&f.by_key);
    return status == REFRAIN_OK ? annex_columns_finish(t) : status;
}
