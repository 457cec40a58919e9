/* SPDX-License-Identifier: BSD-3-Clause */
#include "column.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/order.h"
#include "src/core/trace/stream_walk.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    SINGLES = 8,     /* number of slots that are tried alone: those with the most distinct values */
    PRUNED_MAX = 64, /* sets larger than this are not searched for members to leave out */
    ROW_COST = 8,    /* bytes of a row in addition to its slots: length, times */
    ITEM_COST = 3    /* bytes of an item of a rule */
};

struct slot_set {
    bool *has;     /* of n_slots slots */
    uint32_t size; /* how many are set */
    size_t rows;   /* distinct rows without these slots */
};

/* Scratch memory of one search. */
struct search {
    const struct site_table *table;
    uint32_t n_slots; /* of the longest row */
    uint32_t *varied; /* slots sorted by number of distinct values (most first), then by slot number */
    uint32_t n_varied;
    uint32_t *distinct; /* values of each slot */
    uint64_t *keys;     /* one a row */
    int64_t *masked;    /* one a slot */
};

static size_t count_distinct(uint64_t *keys, size_t n)
{
    if (n == 0)
        return 0;
    qsort(keys, n, sizeof *keys, order_u64);
    size_t distinct = 1;
    for (size_t i = 1; i < n; i++)
        distinct += keys[i] != keys[i - 1];
    return distinct;
}

static const int64_t *row_slots(const struct site_table *t, size_t row)
{
    return t->slots.items + t->rows.items[row].first;
}

static size_t rows_without(const struct search *s, const bool *has)
{
    for (size_t r = 0; r < s->table->rows.n; r++) {
        uint32_t n = s->table->rows.items[r].n;
        const int64_t *slots = row_slots(s->table, r);
        for (uint32_t i = 0; i < n; i++)
            s->masked[i] = has[i] ? 0 : slots[i];
        s->keys[r] = XXH3_64bits_withSeed(s->masked, n * sizeof *s->masked, n);
    }
    return count_distinct(s->keys, s->table->rows.n);
}

static size_t distinct_values(const struct search *s, uint32_t slot)
{
    size_t n = 0;
    for (size_t r = 0; r < s->table->rows.n; r++)
        if (slot < s->table->rows.items[r].n)
            s->keys[n++] = (uint64_t)row_slots(s->table, r)[slot];
    return count_distinct(s->keys, n);
}

static void search_stop(struct search *s)
{
    free(s->varied);
    free(s->distinct);
    free(s->keys);
    free(s->masked);
}

static enum refrain_status search_start(struct search *s, const struct site_table *t)
{
    *s = (struct search){.table = t};
    for (size_t r = 0; r < t->rows.n; r++)
        if (t->rows.items[r].n > s->n_slots)
            s->n_slots = t->rows.items[r].n;
    s->varied = malloc((s->n_slots + 1) * sizeof *s->varied);
    s->distinct = malloc((s->n_slots + 1) * sizeof *s->distinct);
    s->masked = malloc((s->n_slots + 1) * sizeof *s->masked);
    s->keys = malloc((t->rows.n + 1) * sizeof *s->keys);
    if (!s->varied || !s->distinct || !s->masked || !s->keys) {
        log_error("out of memory for looking for columns among %zu rows", t->rows.n);
        search_stop(s);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t slot = 0; slot < s->n_slots; slot++) {
        s->distinct[slot] = (uint32_t)distinct_values(s, slot);
        if (s->distinct[slot] > 1)
            s->varied[s->n_varied++] = slot;
    }
    return REFRAIN_OK;
}

/* Bring the SINGLES slots with the most values to the front. */
static void rank_singles(struct search *s)
{
    for (uint32_t i = 0; i < s->n_varied && i < SINGLES; i++) {
        uint32_t best = i;
        for (uint32_t j = i + 1; j < s->n_varied; j++) {
            uint32_t a = s->varied[j], b = s->varied[best];
            if (s->distinct[a] > s->distinct[b] || (s->distinct[a] == s->distinct[b] && a < b))
                best = j;
        }
        uint32_t slot = s->varied[best];
        s->varied[best] = s->varied[i];
        s->varied[i] = slot;
    }
}

/* Try all slots that differ in more than half of the rows together (for example a tag, and the tag in the
 * status). Then put back each slot that is not needed to keep the number of rows low. */
static void try_together(const struct search *s, struct slot_set *set)
{
    memset(set->has, 0, s->n_slots * sizeof *set->has);
    set->size = 0;
    for (uint32_t i = 0; i < s->n_varied; i++)
        if (2 * (size_t)s->distinct[s->varied[i]] > s->table->rows.n) {
            set->has[s->varied[i]] = true;
            set->size++;
        }
    set->rows = set->size > 0 ? rows_without(s, set->has) : s->table->rows.n;
    if (set->size > PRUNED_MAX)
        return;
    for (uint32_t slot = 0; slot < s->n_slots; slot++) {
        if (!set->has[slot])
            continue;
        set->has[slot] = false;
        if (rows_without(s, set->has) > set->rows)
            set->has[slot] = true;
        else
            set->size--;
    }
}

/* Find the single slot whose removal leaves the fewest rows. It replaces `set` if that gives fewer rows,
 * or as few rows where `set` has several slots. */
static void try_singles(struct search *s, struct slot_set *set)
{
    bool *alone = calloc(s->n_slots + 1, sizeof *alone);
    if (!alone)
        return; /* keep the set found so far */
    rank_singles(s);
    for (uint32_t i = 0; i < s->n_varied && i < SINGLES; i++) {
        uint32_t slot = s->varied[i];
        alone[slot] = true;
        size_t rows = rows_without(s, alone);
        if (rows < set->rows || (rows == set->rows && set->size > 1)) {
            memcpy(set->has, alone, s->n_slots * sizeof *alone);
            set->size = 1;
            set->rows = rows;
        }
        alone[slot] = false;
    }
    free(alone);
}

static size_t varint_size(int64_t v)
{
    uint64_t zigzag = ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
    size_t size = 1;
    while (zigzag >>= 7)
        size++;
    return size;
}

/* Estimate the bytes of the table in the file. A slot with the same value in all rows is counted once. */
static size_t rows_cost(const struct site_table *t)
{
    size_t cost = t->rows.n * ROW_COST;
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct site_row *row = &t->rows.items[r];
        const int64_t *slots = row_slots(t, r);
        for (uint32_t i = 0; i < row->n; i++)
            if (r == 0 || i >= row[-1].n || slots[i] != row_slots(t, r - 1)[i])
                cost += varint_size(slots[i]);
    }
    for (size_t c = 0; c < t->columns.n; c++)
        cost += series_cost(t->columns.items[c].values);
    return cost;
}

static enum refrain_status stream_cost(const struct site_table *t, size_t *cost)
{
    const struct site_stream *stream = &t->stream;
    struct rules *rules = NULL;
    enum refrain_status status = stream->grammar ? grammar_rules(stream->grammar, &rules) : REFRAIN_OK;
    if (status == REFRAIN_OK)
        *cost = (rules ? rules->first[rules->n_rules] * ITEM_COST : 0) +
                (stream->order ? series_cost(stream->order) : 0) +
                (stream->fills ? series_cost(stream->fills) : 0);
    rules_free(rules);
    return status;
}

static enum refrain_status append_run(struct series *s, int64_t value, uint64_t count)
{
    enum refrain_status status = REFRAIN_OK;
    while (count-- > 0 && status == REFRAIN_OK)
        status = series_append(s, value);
    return status;
}

/* Make the columns of the new table, ascending by slot. Old columns are copied; new ones start empty. */
static enum refrain_status make_columns(const struct site_table *t, const struct slot_set *set,
                                        uint32_t n_slots, struct site_table *out)
{
    size_t old = 0;
    if (!array_reserve(&out->columns, t->columns.n + set->size))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t slot = 0; slot < n_slots; slot++) {
        bool was = old < t->columns.n && t->columns.items[old].slot == slot;
        if (!was && !set->has[slot])
            continue;
        struct series *values = was ? series_copy(t->columns.items[old++].values) : series_create();
        if (!values)
            return REFRAIN_ERR_MEMORY;
        out->columns.items[out->columns.n++] = (struct site_column){slot, values};
    }
    return REFRAIN_OK;
}

/* Make the rows without the slots of the set. to[] gets the new number of each old row. Rows that become
 * equal get the sum of their times. */
static enum refrain_status make_rows(const struct search *s, const struct slot_set *set,
                                     struct site_table *out, uint32_t *to)
{
    const struct site_table *t = s->table;
    for (size_t r = 0; r < t->rows.n; r++) {
        const int64_t *slots = row_slots(t, r);
        for (uint32_t i = 0; i < t->rows.items[r].n; i++)
            s->masked[i] = set->has[i] ? 0 : slots[i];
        enum refrain_status status = site_table_intern(out, s->masked, t->rows.items[r].n, &to[r]);
        if (status != REFRAIN_OK)
            return status;
        if (t->timings.n == 0)
            continue;
        if (to[r] == out->timings.n) {
            if (!array_reserve(&out->timings, 1))
                return REFRAIN_ERR_MEMORY;
            timing_clear(&out->timings.items[out->timings.n++]);
        }
        timing_merge(&out->timings.items[to[r]], &t->timings.items[r]);
    }
    return REFRAIN_OK;
}

static enum refrain_status replay_run(const struct search *s, const struct slot_set *set, const uint32_t *to,
                                      struct site_table *out, uint32_t row, uint64_t count)
{
    enum refrain_status status = site_table_append(out, to[row], count);
    for (size_t c = 0; c < out->columns.n && status == REFRAIN_OK; c++) {
        struct site_column *column = &out->columns.items[c];
        if (!set->has[column->slot])
            continue;
        bool reaches = column->slot < s->table->rows.items[row].n;
        status = append_run(column->values, reaches ? row_slots(s->table, row)[column->slot] : 0, count);
    }
    return status;
}

/* Go through all calls again with the new rows and columns: the stream first, then the open run. */
static enum refrain_status rebuild(const struct search *s, const struct slot_set *set, struct site_table *out)
{
    const struct site_table *t = s->table;
    struct stream_walk walk = {0};
    struct rules *rules = NULL;
    uint32_t row;
    uint64_t count;
    uint32_t *to = malloc(t->rows.n * sizeof *to);
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!to) {
        log_error("out of memory for %zu rows", t->rows.n);
        goto out;
    }
    if ((status = make_columns(t, set, s->n_slots, out)) != REFRAIN_OK ||
        (status = make_rows(s, set, out, to)) != REFRAIN_OK ||
        (status = site_stream_walk(&t->stream, t->calls - t->run_count, &rules, &walk)) != REFRAIN_OK)
        goto out;
    while (status == REFRAIN_OK && stream_walk_next(&walk, &row, &count))
        status = replay_run(s, set, to, out, row, count);
    if (status == REFRAIN_OK && t->run_count > 0)
        status = replay_run(s, set, to, out, t->run_row, t->run_count);
out:
    stream_walk_stop(&walk);
    rules_free(rules);
    free(to);
    return status;
}

/* Is the column one affine loop? Such a loop costs a few bytes and three numbers: its start, step and
 * count. */
static bool is_affine(const struct search *s, const struct site_column *c)
{
    enum { LOOP_COST = 6, LOOP_NUMBERS = 3 };
    size_t largest = 1;
    for (size_t r = 0; r < s->table->rows.n; r++)
        if (c->slot < s->table->rows.items[r].n && varint_size(row_slots(s->table, r)[c->slot]) > largest)
            largest = varint_size(row_slots(s->table, r)[c->slot]);
    return series_costs_at_most(c->values, LOOP_COST + LOOP_NUMBERS * largest);
}

static bool all_affine(const struct search *s, const struct slot_set *set, const struct site_table *made)
{
    for (size_t i = 0; i < made->columns.n; i++)
        if (set->has[made->columns.items[i].slot] && !is_affine(s, &made->columns.items[i]))
            return false;
    return true;
}

/* Move the set to columns in a new table, and check whether that pays. */
static enum refrain_status extract(const struct search *s, const struct slot_set *set, bool only_affine,
                                   struct site_table *out, bool *found)
{
    struct site_table made = site_table_empty(s->table->limit);
    size_t old_stream, new_stream;
    enum refrain_status status;
    if ((status = rebuild(s, set, &made)) != REFRAIN_OK ||
        (status = stream_cost(s->table, &old_stream)) != REFRAIN_OK ||
        (status = stream_cost(&made, &new_stream)) != REFRAIN_OK)
        goto out;
    *found = rows_cost(&made) + new_stream < rows_cost(s->table) + old_stream &&
             (!only_affine || all_affine(s, set, &made));
    if (*found) {
        *out = made;
        made = site_table_empty(0);
    }
out:
    site_table_free(&made);
    return status;
}

bool column_rows_keep_coming(const struct site_table *t)
{
    return 2 * t->newest >= t->calls;
}

enum refrain_status column_extract(const struct site_table *t, bool only_affine, struct site_table *out,
                                   bool *found)
{
    *found = false;
    if (t->rows.n < 2 || t->calls > COLUMN_CALLS_MAX)
        return REFRAIN_OK;
    struct search s;
    enum refrain_status status = search_start(&s, t);
    if (status != REFRAIN_OK)
        return status;
    struct slot_set set = {.has = calloc(s.n_slots + 1, sizeof(bool))};
    if (!set.has) {
        log_error("out of memory for %u slots", s.n_slots);
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    try_together(&s, &set);
    try_singles(&s, &set);
    if (2 * set.rows <= t->rows.n)
        status = extract(&s, &set, only_affine, out, found);
out:
    free(set.has);
    search_stop(&s);
    return status;
}
