/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_sums.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/trace/slot_sums.h"
#include "src/core/trace/stream_walk.h"

/* A reader expands the sums to columns again. If counts are long loops, they have more values than this
 * for each byte, and a small file would cost the reader much time and memory. Such arrays are not stored
 * as sums. */
#define VALUES_PER_BYTE 64

/* Two arrays of n elements, whose slots are `first` … `first` + 2n + 1, both with their number of elements:
 *
 *     n   n counts   n   n displacements
 */
struct pair {
    const struct site_table *table;
    uint32_t first, n;
    int64_t *values;               /* values of the slots in the current call */
    int64_t *factors;              /* one for each displacement; 0: not known yet */
    const struct series **columns; /* one for each slot; NULL for a slot without a column */
    struct series_cursor *cursors; /* cursors in these columns */
};

/* Index of the first column whose slot is not before `slot`. */
static size_t column_at(const struct site_table *t, uint32_t slot)
{
    return BISECT(i, t->columns.n, t->columns.items[i].slot < slot);
}

static const struct series *column_of(const struct site_table *t, uint32_t slot)
{
    const size_t at = column_at(t, slot);
    return at < t->columns.n && t->columns.items[at].slot == slot ? t->columns.items[at].values : NULL;
}

/* Does any displacement except the first have a column? Most candidates for two arrays have none. */
static bool has_columns(const struct pair *p)
{
    const uint32_t first = p->first + p->n + 3;
    const size_t at = column_at(p->table, first);
    return at < p->table->columns.n && p->table->columns.items[at].slot - first < p->n - 1;
}

/* Does each row either have both arrays, or end before them? */
static bool rows_have(const struct pair *p)
{
    const struct site_table *t = p->table;
    for (size_t r = 0; r < t->rows.n; r++) {
        const int64_t *slots = t->slots.items + t->rows.items[r].first;
        const uint32_t n = t->rows.items[r].n;
        if (n <= p->first)
            continue;
        if (n - p->first < 2 * p->n + 2 || slots[p->first] != p->n || slots[p->first + p->n + 1] != p->n)
            return false;
    }
    return true;
}

/* Whether the sum of the counts up to this one has a column of its own that is not short anyway.
 * The first sum of elements equals the first count, whose column it shares. */
static bool saves_column(const struct series *sum, const struct series *count)
{
    return sum && !series_costs_at_most(sum, SITE_LAW_COST) && !(count && series_equal(sum, count));
}

/* Does this save columns, and are the counts large enough in the file (VALUES_PER_BYTE)? */
static bool is_worth_it(const struct pair *p)
{
    bool saves = false;
    uint64_t bytes = 0;
    for (uint32_t i = 1; i <= p->n; i++) {
        const struct series *count = column_of(p->table, p->first + i);
        bytes += count ? series_weight(count) : 0;
        saves = saves || (i < p->n && saves_column(column_of(p->table, p->first + p->n + 2 + i), count));
    }
    return saves && p->table->calls / VALUES_PER_BYTE * p->n <= bytes;
}

/* Are the displacements of the current call sums? */
static bool call_fits(struct pair *p)
{
    const int64_t *counts = p->values + 1, *sums = counts + p->n + 1;
    for (uint32_t i = 1; i < p->n; i++) {
        if (!slot_sum_fits((uint64_t)sums[i] - (uint64_t)sums[i - 1], (uint64_t)counts[i - 1],
                           &p->factors[i]))
            return false;
    }
    return true;
}

/* Check `count` calls with this row. */
static bool run_fits(struct pair *p, uint32_t row, uint64_t count)
{
    const struct site_row *r = &p->table->rows.items[row];
    const uint32_t n = 2 * p->n + 2;
    const bool has = r->n > p->first;
    bool fits = true;
    for (uint64_t k = 0; k < count && fits; k++) {
        for (uint32_t i = 0; i < n; i++) {
            if (p->columns[i])
                series_cursor_next(&p->cursors[i], &p->values[i]);
            else if (has)
                p->values[i] = p->table->slots.items[r->first + p->first + i];
        }
        fits = !has || call_fits(p);
    }
    return fits;
}

/* Check all calls. */
static enum refrain_status all_fit(struct pair *p, bool *fit)
{
    struct stream_walk walk = {0};
    struct rules *rules = NULL;
    uint32_t row;
    uint64_t count;
    for (uint32_t i = 0; i < 2 * p->n + 2; i++) {
        if ((p->columns[i] = column_of(p->table, p->first + i)))
            series_cursor_start(&p->cursors[i], p->columns[i]);
    }
    enum refrain_status status = site_stream_walk(&p->table->stream, p->table->calls, &rules, &walk);
    *fit = true;
    while (status == REFRAIN_OK && *fit && stream_walk_next(&walk, &row, &count))
        *fit = run_fits(p, row, count);
    stream_walk_stop(&walk);
    rules_free(rules);
    return status;
}

/* If a count is always 0, its factor is unknown; then use the factor of another element of the array. */
static enum refrain_status take(const struct pair *p, site_sums *sums)
{
    int64_t usual = 1;
    for (uint32_t i = p->n - 1; i > 0; i--)
        usual = p->factors[i] ? p->factors[i] : usual;
    for (uint32_t i = 1; i < p->n; i++) {
        const struct site_sum sum = {.slot = p->first + p->n + 2 + i,
                                     .distance = p->n + 2,
                                     .factor = p->factors[i] ? p->factors[i] : usual};
        if (!array_push(sums, sum))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status look_at(struct pair *p, site_sums *sums, bool *found)
{
    const size_t n = 2 * (size_t)p->n + 2;
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    p->values = calloc(n, sizeof *p->values);
    p->factors = calloc(p->n, sizeof *p->factors);
    p->columns = malloc(n * sizeof *p->columns);
    p->cursors = malloc(n * sizeof *p->cursors);
    if (!p->values || !p->factors || !p->columns || !p->cursors)
        log_error("out of memory: two arrays of %u elements", p->n);
    else if ((status = all_fit(p, found)) == REFRAIN_OK && *found)
        status = take(p, sums);
    free(p->values);
    free(p->factors);
    free(p->columns);
    free(p->cursors);
    return status;
}

enum refrain_status site_sums_find(const struct site_table *t, site_sums *sums)
{
    assert(sums->n == 0);
    enum refrain_status status = REFRAIN_OK;
    if (t->columns.n == 0 || t->rows.n == 0)
        return REFRAIN_OK;
    size_t longest = 0;
    for (size_t r = 1; r < t->rows.n; r++)
        longest = t->rows.items[r].n > t->rows.items[longest].n ? r : longest;
    const int64_t *slots = t->slots.items + t->rows.items[longest].first;
    const uint32_t n_slots = t->rows.items[longest].n;
    for (uint32_t at = 0; n_slots - at >= 2 && status == REFRAIN_OK; at++) {
        if (slots[at] < 2 || slots[at] > (n_slots - at - 2) / 2)
            continue;
        struct pair p = {.table = t, .first = at, .n = (uint32_t)slots[at]};
        bool found = false;
        if (slots[at + p.n + 1] == p.n && has_columns(&p) && rows_have(&p) && is_worth_it(&p))
            status = look_at(&p, sums, &found);
        at += found ? 2 * p.n + 1 : 0;
    }
    return status;
}

bool site_sums_has(const site_sums *sums, uint32_t slot)
{
    const size_t at = BISECT(i, sums->n, sums->items[i].slot < slot);
    return at < sums->n && sums->items[at].slot == slot;
}
