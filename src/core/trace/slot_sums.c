/* SPDX-License-Identifier: BSD-3-Clause */
/* Each slot may have a part in the row and a part in a column; so has a sum of slots:
 *
 *     slots     row    0 0 0        a sum 2 slots after, times 3:    row    0 + 3 x 5 = 15
 *               column 5 7 8 9 …                                      column 3 x (7 8 9 …) */
#include "slot_sums.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whether the columns ascend by slot, as column_at assumes. */
static bool columns_ascend(const struct group *g)
{
    bool ascend = true;
    for (size_t i = 1; i < g->columns.n && ascend; i++)
        ascend = g->columns.items[i - 1].slot < g->columns.items[i].slot;
    return ascend;
}

/* The index of the first column that does not belong to an earlier slot. */
static size_t column_at(const struct group *g, uint32_t slot)
{
    return BISECT(i, g->columns.n, g->columns.items[i].slot < slot);
}

static bool has_column(const struct group *g, uint32_t slot)
{
    const size_t at = column_at(g, slot);
    return at < g->columns.n && g->columns.items[at].slot == slot;
}

bool slot_sums_fit(const struct group *g)
{
    uint32_t longest = 0;
    for (size_t r = 0; r < g->rows.n && g->sums.n > 0; r++)
        longest = g->rows.items[r].n_slots > longest ? g->rows.items[r].n_slots : longest;
    bool fit = g->sums.n == 0 || columns_ascend(g);
    for (size_t i = 0; i < g->sums.n && fit; i++) {
        const struct slot_sum *sum = &g->sums.items[i];
        fit = sum->slot < longest && sum->distance >= 2 && sum->distance <= sum->slot &&
              (i == 0 || sum[-1].slot < sum->slot) && !has_column(g, sum->slot);
    }
    return fit;
}

bool slot_sums_match(const struct group *a, const struct group *b)
{
    bool match = a->sums.n == b->sums.n;
    for (size_t i = 0; i < a->sums.n && match; i++) {
        const struct slot_sum *x = &a->sums.items[i], *y = &b->sums.items[i];
        match = x->slot == y->slot && x->distance == y->distance;
    }
    return match;
}

/* ---- expanding ------------------------------------------------------------------------------- */

/* The current group. */
struct expansion {
    struct trace *t;
    struct group *g;
    uint64_t budget;
    uint64_t n; /* number of ranks */
    int64_t *ranks;
    int64_t *room[4]; /* n values each */
    struct map known; /* hash of a sum of columns -> index in `made` */
    ARRAY(struct made) made;
};

/* Column `sum` is column a plus factor times column b; each of the two may be NO_COLUMN. */
struct made {
    int64_t a, b, factor;
    uint32_t sum;
};

#define NO_COLUMN (-1)

static enum refrain_status spend(struct expansion *e, uint64_t values)
{
    if (values > e->budget / sizeof(int64_t)) {
        log_error("damaged data: displacements expand to more memory than a file of this size may need");
        return REFRAIN_ERR_FORMAT;
    }
    e->budget -= values * sizeof(int64_t);
    return REFRAIN_OK;
}

/* Make the function with these values on the group's ranks. */
static enum refrain_status function_of(const struct expansion *e, const int64_t *values, struct rankfn *f)
{
    struct series *list = series_create();
    enum refrain_status status = list ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    bool same = true;
    for (uint64_t i = 0; i < e->n && status == REFRAIN_OK; i++) {
        same = same && values[i] == values[0];
        status = series_append(list, values[i]);
    }
    if (status != REFRAIN_OK || same)
        series_free(list);
    if (status == REFRAIN_OK)
        *f = same ? (struct rankfn){.forms = RANKFN_CONSTANT, .constant = values[0]}
                  : (struct rankfn){.forms = RANKFN_PLAIN, .plain = list};
    return status;
}

static uint64_t add_scaled(int64_t a, int64_t b, int64_t factor)
{
    return (uint64_t)a + (uint64_t)factor * (uint64_t)b;
}

/* Make the block the row's own: other rows that share it must not change. */
static enum refrain_status own_block(struct expansion *e, struct slot_block **block)
{
    enum refrain_status status = REFRAIN_OK;
    if ((*block)->users > 1)
        status = spend(e, (*block)->n * (sizeof *(*block)->slots / sizeof(int64_t)));
    return status == REFRAIN_OK ? slot_block_own(block) : status;
}

/* Expand the row's part of a sum. */
static enum refrain_status expand_slot(struct expansion *e, const struct slot_sum *sum, struct row *row)
{
    enum refrain_status status = own_block(e, &row->blocks[sum->slot / SLOT_BLOCK]);
    if (status != REFRAIN_OK)
        return status;
    struct rankfn *slot = row_slot_own(row, sum->slot), made;
    const struct rankfn *terms[] = {slot, row_slot(row, sum->slot - 1),
                                    row_slot(row, sum->slot - sum->distance), &sum->factor};
    bool constant = true;
    for (unsigned i = 0; i < 4; i++)
        constant = constant && terms[i]->forms & RANKFN_CONSTANT;
    const uint64_t n = constant ? 1 : e->n;
    if ((status = spend(e, n)) != REFRAIN_OK)
        return status;
    for (unsigned i = 0; i < 4; i++)
        rankfn_values(terms[i], e->ranks, n, e->room[i]);
    for (uint64_t i = 0; i < n; i++)
        e->room[0][i] = (int64_t)add_scaled((int64_t)((uint64_t)e->room[0][i] + (uint64_t)e->room[1][i]),
                                            e->room[2][i], e->room[3][i]);
    if (constant)
        made = (struct rankfn){.forms = RANKFN_CONSTANT, .constant = e->room[0][0]};
    else
        status = function_of(e, e->room[0], &made);
    if (status == REFRAIN_OK) {
        rankfn_free(slot);
        *slot = made;
    }
    return status;
}

/* Make the column a + factor x b. */
static enum refrain_status add_columns(struct expansion *e, int64_t a, int64_t b, int64_t factor,
                                       uint32_t *number)
{
    const struct series *x = a == NO_COLUMN ? NULL : e->t->columns.items[a],
                        *y = b == NO_COLUMN ? NULL : e->t->columns.items[b];
    enum refrain_status status = spend(e, series_length(x ? x : y));
    if (status != REFRAIN_OK)
        return status;
    struct series *s = x && y ? series_sum(x, y, factor) : x ? series_copy(x) : series_map(y, factor, 0);
    status = s ? trace_intern_column(e->t, s, number) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK) /* a short column is much larger than its values */
        status = spend(e, (series_bytes(s) + sizeof *e->made.items) / sizeof(int64_t));
    series_free(s);
    return status;
}

/* The same, unless it has been made before. */
static enum refrain_status sum_of(struct expansion *e, int64_t a, int64_t b, int64_t factor, uint32_t *number)
{
    const uint64_t key = mix(mix((uint64_t)a, (uint64_t)b), (uint64_t)factor);
    size_t at;
    for (uint32_t i = map_first(&e->known, key, &at); i != MAP_NONE; i = map_next(&e->known, key, &at)) {
        const struct made *m = &e->made.items[i];
        if (m->a == a && m->b == b && m->factor == factor) {
            *number = m->sum;
            return REFRAIN_OK;
        }
    }
    enum refrain_status status = add_columns(e, a, b, factor, number);
    if (status == REFRAIN_OK && (!map_add(&e->known, key, (uint32_t)e->made.n) ||
                                 !array_push(&e->made, ((struct made){a, b, factor, *number}))))
        status = REFRAIN_ERR_MEMORY;
    return status;
}

/* Store the slot's column on each rank in `values`; false if the slot has none. */
static bool columns_of(const struct expansion *e, uint32_t slot, int64_t *values)
{
    const bool has = has_column(e->g, slot);
    if (has)
        rankfn_values(&e->g->columns.items[column_at(e->g, slot)].series, e->ranks, e->n, values);
    for (uint64_t i = 0; i < e->n && !has; i++)
        values[i] = NO_COLUMN;
    return has;
}

/* Expand the column's part of a sum. The columns of earlier slots are already expanded. */
static enum refrain_status expand_column(struct expansion *e, const struct slot_sum *sum)
{
    struct column column = {.slot = sum->slot};
    const bool before = columns_of(e, sum->slot - 1, e->room[0]),
               added = columns_of(e, sum->slot - sum->distance, e->room[1]);
    enum refrain_status status = REFRAIN_OK;
    if (!before && !added)
        return REFRAIN_OK;
    rankfn_values(&sum->factor, e->ranks, e->n, e->room[2]);
    for (uint64_t i = 0; i < e->n && status == REFRAIN_OK; i++) {
        uint32_t number = 0;
        status = sum_of(e, e->room[0][i], e->room[1][i], e->room[2][i], &number);
        e->room[3][i] = number;
    }
    if (status == REFRAIN_OK)
        status = function_of(e, e->room[3], &column.series);
    if (status == REFRAIN_OK)
        e->g->columns.items[e->g->columns.n++] = column;
    return status;
}

/* Make the columns of the sums, and order all columns of the group by slot. */
static enum refrain_status expand_columns(struct expansion *e)
{
    struct group *g = e->g, own = {.columns = g->columns}, all = {0};
    enum refrain_status status = REFRAIN_OK;
    size_t next = 0;
    if (!array_reserve(&all.columns, own.columns.n + g->sums.n))
        return REFRAIN_ERR_MEMORY;
    g->columns = all.columns;
    for (size_t i = 0; i < g->sums.n && status == REFRAIN_OK; i++) {
        while (next < own.columns.n && own.columns.items[next].slot < g->sums.items[i].slot)
            g->columns.items[g->columns.n++] = own.columns.items[next++];
        if ((status = spend(e, 4 * e->n)) == REFRAIN_OK)
            status = expand_column(e, &g->sums.items[i]);
    }
    while (next < own.columns.n)
        g->columns.items[g->columns.n++] = own.columns.items[next++];
    array_free(&own.columns);
    return status;
}

static enum refrain_status expand_row(struct expansion *e, struct row *row)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < e->g->sums.n && e->g->sums.items[i].slot < row->n_slots && status == REFRAIN_OK;
         i++)
        status = expand_slot(e, &e->g->sums.items[i], row);
    return status;
}

static enum refrain_status expand_sums(struct expansion *e)
{
    enum refrain_status status = REFRAIN_OK;
    struct group *g = e->g;
    series_values(g->ranks, 0, e->n, e->ranks);
    for (size_t r = 0; r < g->rows.n && status == REFRAIN_OK; r++)
        status = expand_row(e, &g->rows.items[r]);
    return status == REFRAIN_OK ? expand_columns(e) : status;
}

static enum refrain_status expand_group(struct expansion *e, struct group *g)
{
    e->g = g;
    e->n = series_length(g->ranks);
    enum refrain_status status = spend(e, 5 * e->n);
    if (status != REFRAIN_OK)
        return status;
    int64_t *values = malloc(5 * e->n * sizeof *values);
    if (!values) {
        log_error("out of memory: sums of slots on %llu ranks", (unsigned long long)e->n);
        return REFRAIN_ERR_MEMORY;
    }
    e->ranks = values;
    for (unsigned i = 0; i < 4; i++)
        e->room[i] = values + (i + 1) * e->n;
    status = expand_sums(e);
    free(values);
    for (size_t i = 0; i < g->sums.n; i++)
        rankfn_free(&g->sums.items[i].factor);
    g->sums.n = 0;
    return status;
}

enum refrain_status slot_sums_expand(struct trace *t, uint64_t budget)
{
    assert(t->away.n == 0);
    struct expansion e = {.t = t, .budget = budget};
    enum refrain_status status = REFRAIN_OK;
    for (size_t s = 0; s < t->shapes.n; s++) {
        for (size_t i = 0; i < t->shapes.items[s].entries.n; i++) {
            struct entry *entry = &t->shapes.items[s].entries.items[i];
            for (size_t g = 0; g < entry->groups.n && status == REFRAIN_OK; g++) {
                if (entry->groups.items[g].sums.n > 0)
                    status = expand_group(&e, &entry->groups.items[g]);
            }
        }
    }
    map_free(&e.known);
    array_free(&e.made);
    return status;
}
