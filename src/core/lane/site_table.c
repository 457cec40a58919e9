/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_table.h"
#include "src/core/base/placement.h"

#include <assert.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct site_table site_table_empty(size_t limit)
{
    return (struct site_table){.run_n = SITE_TABLE_OTHER, .limit = limit, .stream = site_stream_empty()};
}

void site_table_free(struct site_table *t)
{
    for (size_t i = 0; i < t->columns.n; i++)
        series_free(t->columns.items[i].values);
    array_free(&t->columns);
    array_free(&t->rows);
    array_free(&t->slots);
    array_free(&t->masked);
    array_free(&t->timings);
    map_free(&t->by_hash);
    site_stream_free(&t->stream);
    *t = site_table_empty(0);
}

HOT static bool row_is(const struct site_table *t, uint32_t row, const int64_t *slots, uint32_t n)
{
    const struct site_row *r = &t->rows.items[row];
    return r->n == n && site_table_slots_are(t, r->first, slots, n);
}

enum refrain_status site_table_intern(struct site_table *t, const int64_t *slots, uint32_t n, uint32_t *row)
{
    uint64_t hash = XXH3_64bits(slots, n * sizeof *slots);
    size_t at;
    for (uint32_t r = map_first(&t->by_hash, hash, &at); r != MAP_NONE; r = map_next(&t->by_hash, hash, &at))
        if (row_is(t, r, slots, n)) {
            *row = r;
            return REFRAIN_OK;
        }
    if (!array_reserve(&t->rows, 1) || !array_reserve(&t->slots, n) ||
        !map_add(&t->by_hash, hash, (uint32_t)t->rows.n))
        return REFRAIN_ERR_MEMORY;
    *row = (uint32_t)t->rows.n;
    t->rows.items[t->rows.n++] = (struct site_row){.first = t->slots.n, .n = n, .next = *row};
    if (n > 0)
        memcpy(t->slots.items + t->slots.n, slots, n * sizeof *slots);
    t->slots.n += n;
    return REFRAIN_OK;
}

/* Append the open run to the stream. */
static enum refrain_status close_run(struct site_table *t)
{
    enum refrain_status status = site_stream_append(&t->stream, t->run_row, t->run_count);
    if (status == REFRAIN_OK) {
        t->run_count = 0;
        t->run_n = SITE_TABLE_OTHER;
    }
    return status;
}

HOT enum refrain_status site_table_append(struct site_table *t, uint32_t row, uint64_t count)
{
    assert(row < t->rows.n && count >= 1);
    if (t->run_count > 0 && t->run_row != row) {
        enum refrain_status status = close_run(t);
        if (status != REFRAIN_OK)
            return status;
    }
    if (row >= t->seen) {
        t->seen = row + 1;
        t->newest = t->calls;
    }
    t->run_row = row;
    t->run_first = t->rows.items[row].first;
    t->run_n = t->columns.n == 0 ? t->rows.items[row].n : SITE_TABLE_OTHER;
    t->run_count += count;
    t->calls += count;
    return REFRAIN_OK;
}

/* Append the call's values to the columns, and point *slots at the call's remaining slots. */
static enum refrain_status split_columns(struct site_table *t, const int64_t **slots, uint32_t n)
{
    t->masked.n = 0;
    if (!array_reserve(&t->masked, n))
        return REFRAIN_ERR_MEMORY;
    if (n > 0)
        memcpy(t->masked.items, *slots, n * sizeof **slots);
    for (size_t i = 0; i < t->columns.n; i++) {
        struct site_column *c = &t->columns.items[i];
        enum refrain_status status = series_append(c->values, c->slot < n ? (*slots)[c->slot] : 0);
        if (status != REFRAIN_OK)
            return status;
        if (c->slot < n)
            t->masked.items[c->slot] = 0;
    }
    *slots = t->masked.items;
    return REFRAIN_OK;
}

HOT enum refrain_status site_table_record(struct site_table *t, const int64_t *slots, uint32_t n,
                                          uint32_t *row)
{
    enum refrain_status status = REFRAIN_OK;
    if (t->columns.n > 0)
        status = split_columns(t, &slots, n);
    if (status != REFRAIN_OK)
        return status;
    const bool has_last = t->run_count > 0;
    const uint32_t last = t->run_row;
    *row = last;
    if (!has_last || !row_is(t, last, slots, n)) {
        /* A comparison is cheaper than a hash. */
        if (has_last && row_is(t, t->rows.items[last].next, slots, n))
            *row = t->rows.items[last].next;
        else
            status = site_table_intern(t, slots, n, row);
        if (status == REFRAIN_OK && has_last)
            t->rows.items[last].next = *row;
    }
    return status == REFRAIN_OK ? site_table_append(t, *row, 1) : status;
}

enum refrain_status site_table_make_times(struct site_table *t)
{
    while (t->timings.n < t->rows.n) {
        if (!array_reserve(&t->timings, 1))
            return REFRAIN_ERR_MEMORY;
        timing_clear(&t->timings.items[t->timings.n++]);
    }
    return REFRAIN_OK;
}

enum refrain_status site_table_settle(struct site_table *t, bool varies)
{
    if (t->rows.n <= 1)
        return REFRAIN_OK;
    enum refrain_status status = t->run_count > 0 ? close_run(t) : REFRAIN_OK;
    return status == REFRAIN_OK ? site_stream_settle(&t->stream, varies || t->stream.fills) : status;
}

size_t site_table_bytes(const struct site_table *t)
{
    size_t bytes = t->rows.cap * sizeof *t->rows.items + t->slots.cap * sizeof *t->slots.items +
                   t->masked.cap * sizeof *t->masked.items + t->timings.cap * sizeof *t->timings.items +
                   t->by_hash.cap * sizeof *t->by_hash.entries + t->columns.cap * sizeof *t->columns.items;
    for (size_t i = 0; i < t->columns.n; i++)
        bytes += series_bytes(t->columns.items[i].values);
    return bytes + site_stream_bytes(&t->stream);
}
