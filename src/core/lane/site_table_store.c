/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_table_store.h"

#include <assert.h>
#include <stdlib.h>

#include "site_sums.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"

/* ---- numbers of rows ------------------------------------------------------------------------- */

struct numbered_row {
    const int64_t *slots;
    uint32_t n, row;
};

static int compare_rows(const void *a, const void *b)
{
    const struct numbered_row *x = a, *y = b;
    const uint32_t n = x->n < y->n ? x->n : y->n;
    for (uint32_t i = 0; i < n; i++) {
        if (x->slots[i] != y->slots[i])
            return x->slots[i] < y->slots[i] ? -1 : 1;
    }
    return x->n < y->n ? -1 : x->n > y->n;
}

/* Return the rows in the order in which they are stored. The caller frees the list. NULL when memory is
 * short. */
static struct numbered_row *place_rows(const struct site_table *t)
{
    const size_t n = t->rows.n;
    struct numbered_row *rows = malloc((n + 1) * sizeof *rows);
    size_t first = 0, at;
    if (!rows) {
        log_error("out of memory for %zu rows", n);
        return NULL;
    }
    if (t->stream.filler != SITE_STREAM_NONE)
        first = 1;
    at = first;
    for (uint32_t r = 0; r < n; r++) {
        const struct site_row *row = &t->rows.items[r];
        rows[r == t->stream.filler ? 0 : at++] = (struct numbered_row){
            .slots = row->n > 0 ? t->slots.items + row->first : NULL, .n = row->n, .row = r};
    }
    if (t->stream.order)
        qsort(rows + first, n - first, sizeof *rows, compare_rows);
    return rows;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Return the first value of a column; it stays in the rows. */
static int64_t base_of(const struct site_column *c)
{
    const bool is_law = series_length(c->values) > 0 && series_costs_at_most(c->values, SITE_LAW_COST);
    return is_law ? series_at(c->values, 0) : 0;
}

/* Return the base of each column. The caller frees the list. NULL when memory is short. */
static int64_t *list_bases(const struct site_table *t)
{
    int64_t *bases = malloc((t->columns.n + 1) * sizeof *bases);
    if (!bases)
        log_error("out of memory for %zu columns", t->columns.n);
    for (size_t i = 0; bases && i < t->columns.n; i++)
        bases[i] = base_of(&t->columns.items[i]);
    return bases;
}

/* ---- parts of a group ------------------------------------------------------------------------ */

static uint64_t hash_block(const struct slot_block *b, uint32_t place)
{
    uint64_t hash = mix(place, b->n);
    for (uint32_t i = 0; i < b->n; i++)
        hash = mix(hash, (uint64_t)b->slots[i].constant);
    return hash;
}

static bool are_equal(const struct slot_block *a, const struct slot_block *b)
{
    bool equal = a->n == b->n;
    for (uint32_t i = 0; i < a->n && equal; i++)
        equal = rankfn_equal(&a->slots[i], &b->slots[i]);
    return equal;
}

/* Replaces the blocks of a long row by equal ones of earlier rows. Rows of hundreds of requests differ in a few from
 * the rows before. `blocks`: hash of a block -> the last row with it. */
static enum refrain_status share_blocks(struct group *g, uint32_t number, struct map *blocks, bool *shared)
{
    struct row *row = &g->rows.items[number];
    for (uint32_t k = 0; k < row_blocks(row->n_slots) && row->n_slots > SLOT_BLOCK; k++) {
        const uint64_t hash = hash_block(row->blocks[k], k);
        size_t at;
        const uint32_t other = map_first(blocks, hash, &at);
        if (other == MAP_NONE) {
            if (!map_add_at(blocks, hash, number, at))
                return REFRAIN_ERR_MEMORY;
            continue;
        }
        const struct row *from = &g->rows.items[other];
        if (k >= row_blocks(from->n_slots) || !are_equal(row->blocks[k], from->blocks[k]))
            continue;
        slot_block_release(row->blocks[k]);
        row->blocks[k] = from->blocks[k];
        row->blocks[k]->users++;
        *shared = true;
    }
    return REFRAIN_OK;
}

static enum refrain_status store_row(const struct site_table *t, const struct numbered_row *p,
                                     const int64_t *bases, const site_sums *sums, uint32_t rank,
                                     struct row *row)
{
    const enum refrain_status status = row_make(row, p->n);
    for (uint32_t i = 0; i < p->n && status == REFRAIN_OK; i++)
        *row_slot_own(row, i) = rankfn_single(p->slots[i], rank);
    for (size_t i = 0; status == REFRAIN_OK && i < t->columns.n && t->columns.items[i].slot < p->n; i++)
        *row_slot_own(row, t->columns.items[i].slot) = rankfn_single(bases[i], rank);
    for (size_t i = 0; status == REFRAIN_OK && i < sums->n && sums->items[i].slot < p->n; i++)
        *row_slot_own(row, sums->items[i].slot) = rankfn_single(0, rank);
    return status;
}

static enum refrain_status store_rows(const struct site_table *t, const struct numbered_row *rows,
                                      const int64_t *bases, const site_sums *sums, uint32_t rank,
                                      struct trace *trace, struct group *g)
{
    struct map blocks = {0};
    enum refrain_status status = REFRAIN_OK;
    if (!array_reserve(&g->rows, t->rows.n) || !array_reserve(&g->timings, t->timings.n))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t r = 0; r < t->rows.n && status == REFRAIN_OK; r++) {
        struct row *row = &g->rows.items[g->rows.n];
        status = store_row(t, &rows[r], bases, sums, rank, row);
        if (status != REFRAIN_OK)
            break;
        g->rows.n++;
        row->timing = t->timings.n > 0 ? r : 0;
        if (t->timings.n > 0)
            g->timings.items[g->timings.n++] = t->timings.items[rows[r].row];
        status = share_blocks(g, r, &blocks, &trace->shares_slots);
    }
    map_free(&blocks);
    return status;
}

static enum refrain_status store_column(uint32_t slot, const struct series *values, uint32_t rank,
                                        struct trace *trace, struct group *g)
{
    uint32_t index;
    enum refrain_status status = trace_intern_column(trace, values, &index);
    if (status == REFRAIN_OK)
        g->columns.items[g->columns.n++] =
            (struct column){.slot = slot, .series = rankfn_single(index, rank)};
    return status;
}

static enum refrain_status store_order(const struct series *order, const uint32_t *to, uint32_t rank,
                                       struct trace *trace, struct group *g)
{
    struct series *renamed = series_create();
    struct series_cursor c;
    int64_t row;
    enum refrain_status status = renamed ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    series_cursor_start(&c, order);
    while (status == REFRAIN_OK && series_cursor_next(&c, &row))
        status = series_append(renamed, to[row]);
    if (status == REFRAIN_OK)
        status = store_column(COLUMN_ORDER, renamed, rank, trace, g);
    series_free(renamed);
    return status;
}

static enum refrain_status store_columns(const struct site_table *t, const uint32_t *to, const int64_t *bases,
                                         const site_sums *sums, uint32_t rank, struct trace *trace,
                                         struct group *g)
{
    enum refrain_status status =
        array_reserve(&g->columns, t->columns.n + 2) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < t->columns.n && status == REFRAIN_OK; i++) {
        const struct site_column *c = &t->columns.items[i];
        if (site_sums_has(sums, c->slot))
            continue;
        struct series *steps = series_map(c->values, 1, (int64_t)(0 - (uint64_t)bases[i]));
        status = steps ? store_column(c->slot, steps, rank, trace, g) : REFRAIN_ERR_MEMORY;
        series_free(steps);
    }
    if (status == REFRAIN_OK && t->stream.order)
        status = store_order(t->stream.order, to, rank, trace, g);
    if (status == REFRAIN_OK && t->stream.fills)
        status = store_column(COLUMN_FILLER, t->stream.fills, rank, trace, g);
    return status;
}

static enum refrain_status store_sums(const site_sums *sums, uint32_t rank, struct group *g)
{
    for (size_t i = 0; i < sums->n; i++) {
        const struct site_sum *s = &sums->items[i];
        if (!array_push(&g->sums, ((struct slot_sum){s->slot, s->distance, rankfn_single(s->factor, rank)})))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status store_stream(const struct site_table *t, const uint32_t *to, struct group *g)
{
    if (!t->stream.grammar)
        return REFRAIN_OK;
    enum refrain_status status = grammar_rules(t->stream.grammar, &g->stream);
    if (status == REFRAIN_OK)
        rules_rename(g->stream, to, (uint32_t)t->rows.n);
    return status;
}

enum refrain_status site_table_store(struct site_table *t, bool varies, uint32_t rank, struct trace *trace,
                                     struct group *g)
{
    assert(t->calls > 0);
    assert(!g->ranks && g->rows.n == 0 && g->columns.n == 0);
    struct numbered_row *rows = NULL;
    uint32_t *to = NULL;
    int64_t *bases = NULL;
    site_sums sums = {0};
    enum refrain_status status = site_table_settle(t, varies);
    if (status != REFRAIN_OK)
        return status;
    rows = place_rows(t);
    bases = list_bases(t);
    to = malloc((t->rows.n + 1) * sizeof *to);
    if (!to)
        log_error("out of memory for %zu rows", t->rows.n);
    if (!rows || !bases || !to) {
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    for (uint32_t r = 0; r < t->rows.n; r++)
        to[rows[r].row] = r;
    g->ranks = series_single(rank);
    status = g->ranks ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && (status = site_sums_find(t, &sums)) == REFRAIN_OK &&
        (status = store_stream(t, to, g)) == REFRAIN_OK &&
        (status = store_rows(t, rows, bases, &sums, rank, trace, g)) == REFRAIN_OK &&
        (status = store_columns(t, to, bases, &sums, rank, trace, g)) == REFRAIN_OK)
        status = store_sums(&sums, rank, g);
out:
    free(rows);
    free(bases);
    free(to);
    array_free(&sums);
    return status;
}
