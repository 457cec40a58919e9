/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of one site: its distinct rows, their order, and the slots that were moved to columns.
 *
 *     calls      {1, tag 7}  {1, tag 8}  {2, tag 9}  {1, tag 10}         rows interned, tag extracted:
 *
 *     rows       0: {1, 0}   1: {2, 0}                                   the column's slot is 0
 *     stream     0^2 1^1 0^1     two of them in the grammar, the last one still the open run
 *     columns    slot 1: 7 8 9 10                                        a value for each call
 *
 * Rows are numbered by first occurrence. The stream exists only from the second row on; until then the
 * open run counts all calls. The table's content depends only on the calls and on the set of columns: a
 * column extracted late gives the same table as a column that existed from the first call. */
#ifndef REFRAIN_SITE_TABLE_H
#define REFRAIN_SITE_TABLE_H

#include <assert.h>

#include "site_stream.h"
#include "src/core/base/array.h"
#include "src/core/base/map.h"
#include "src/core/series/series.h"
#include "src/core/time/timing.h"

struct site_row {
    size_t first; /* the row's slots are slots[first … first + n - 1] of the table */
    uint32_t n;
    uint32_t next; /* the other row that followed this row most recently; if none has, this row */
};

struct site_column {
    uint32_t slot;
    struct series *values; /* owned; 0 for a call whose row is too short to have the slot */
};

/* A column of at most this many bytes counts as a law. It may be the same on all ranks except for its
 * first value. */
#define SITE_LAW_COST 64

#define SITE_TABLE_OTHER UINT32_MAX

struct site_table {
    /* All data that a repeated call needs, side by side: */
    uint32_t run_row;   /* the open run is run_row^run_count, not yet in the stream */
    uint32_t run_n;     /* its slots; SITE_TABLE_OTHER: no open run, or the table has columns */
    size_t run_first;   /* index of its first slot in `slots` */
    uint64_t run_count; /* calls in the open run */
    ARRAY(int64_t) slots;
    uint64_t calls;
    ARRAY(struct timing) timings; /* one for each row; empty when times are not recorded */

    ARRAY(struct site_row) rows;
    uint32_t seen;                     /* number of rows that the stream contains */
    uint64_t newest;                   /* number of calls before the newest of these rows first appeared */
    struct map by_hash;                /* hash of a row's slots -> rows */
    struct site_stream stream;         /* empty while there is one row */
    ARRAY(struct site_column) columns; /* ascending by slot */
    ARRAY(int64_t) masked;             /* scratch: the slots of a call, 0 where the slot has a column */
    size_t limit;                      /* when there are more rows, look for a column */
};

struct site_table site_table_empty(size_t limit);
void site_table_free(struct site_table *t);

/* Are `slots` equal to the n slots of the table from `first` on? */
static inline bool site_table_slots_are(const struct site_table *t, size_t first, const int64_t *slots,
                                        uint32_t n)
{
    const int64_t *own = t->slots.items + first;
    /* memcmp would be slower: the slots were just written one by one, and a wider load must wait until
     * these stores reach the cache. Usually all slots are equal, so one branch decides about four of them. */
    for (; n >= 4; n -= 4, own += 4, slots += 4) {
        if ((own[0] ^ slots[0]) | (own[1] ^ slots[1]) | (own[2] ^ slots[2]) | (own[3] ^ slots[3]))
            return false;
    }
    for (; n > 0; n--, own++, slots++) {
        if (*own != *slots)
            return false;
    }
    return true;
}

/* Count one call if its row is `run_row`, the row of the previous call. Returns false if it is another
 * row. */
static inline bool site_table_repeat(struct site_table *t, const int64_t *slots, uint32_t n)
{
    if (t->run_n != n || !site_table_slots_are(t, t->run_first, slots, n))
        return false;
    t->run_count++;
    t->calls++;
    return true;
}

/* Record one call: find or make its row. The caller then adds the times (site_table_add_times). */
enum refrain_status site_table_record(struct site_table *t, const int64_t *slots, uint32_t n, uint32_t *row);

/* Add the duration of a call with this row, and the gap before the call. */
enum refrain_status site_table_make_times(struct site_table *t);
static inline enum refrain_status site_table_add_times(struct site_table *t, uint32_t row, uint64_t gap,
                                                       uint64_t duration)
{
    assert(row < t->rows.n);
    if (row >= t->timings.n && site_table_make_times(t) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    timing_add(&t->timings.items[row], gap, duration);
    return REFRAIN_OK;
}

/* The two steps of site_table_record, for building one table from another. */
enum refrain_status site_table_intern(struct site_table *t, const int64_t *slots, uint32_t n, uint32_t *row);
enum refrain_status site_table_append(struct site_table *t, uint32_t row, uint64_t count);

/* Close the open run, if there is more than one row, and bring the stream into its best form. `varies` is
 * explained in site_stream.h. More calls may be recorded afterwards. */
enum refrain_status site_table_settle(struct site_table *t, bool varies);
size_t site_table_bytes(const struct site_table *t); /* memory held */

#endif
