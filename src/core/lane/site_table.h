/* SPDX-License-Identifier: BSD-3-Clause */
/* What one site did: its distinct rows, the order they came in, and the slots that left the rows.
 *
 *     calls      {1, tag 7}  {1, tag 8}  {2, tag 9}  {1, tag 10}         rows interned, tag extracted:
 *
 *     rows       0: {1, 0}   1: {2, 0}                                   the column's slot is 0
 *     stream     0^2 1^1 0^1     two of them in the grammar, the last one still the open run
 *     columns    slot 1: 7 8 9 10                                        a value for each call
 *
 * Rows are numbered by first occurrence. The stream exists only when there are two rows; until then the open
 * run counts all calls. What the table holds is a function of the calls and of the set of columns
 * alone: extracting a column later gives the same table as having had it from the first call. */
#ifndef REFRAIN_SITE_TABLE_H
#define REFRAIN_SITE_TABLE_H

#include "site_stream.h"
#include "src/core/base/array.h"
#include "src/core/base/map.h"
#include "src/core/series/series.h"
#include "src/core/time/timing.h"

struct site_row {
    size_t first; /* its slots are slots[first … first + n - 1] of the table */
    uint32_t n;
    uint32_t next; /* the other row that came after it the last time; itself: none has */
};

struct site_column {
    uint32_t slot;
    struct series *values; /* owned; 0 for a call whose row has not so many slots */
};

/* A column that takes no more bytes is a law, and may be the same on all ranks but for where it begins. */
#define SITE_LAW_COST 64

#define SITE_TABLE_OTHER UINT32_MAX

struct site_table {
    /* All that a call needs which is like the last one, side by side: */
    uint32_t run_row; /* the open run, run_row^run_count, */
    uint32_t run_n;   /* (slots of its row; SITE_TABLE_OTHER: no run is open, or columns want their values) */
    size_t run_first; /* (its first slot) */
    uint64_t run_count; /* is not yet in the stream */
    ARRAY(int64_t) slots;
    uint64_t calls;
    ARRAY(struct timing) timings; /* one a row; empty when times are not recorded */

    ARRAY(struct site_row) rows;
    uint32_t seen;                     /* rows that the stream has had so far, */
    uint64_t newest;                   /* and calls before the last of them came first */
    struct map by_hash;                /* hash of a row's slots -> rows */
    struct site_stream stream;         /* empty while there is one row */
    ARRAY(struct site_column) columns; /* ascending by slot */
    ARRAY(int64_t) masked;             /* scratch: a call's slots with the columns' set to 0 */
    size_t limit;                      /* when there are more rows, look for a column */
};

struct site_table site_table_empty(size_t limit);
void site_table_free(struct site_table *t);

/* Are they the n slots of the table from `first` on? */
static inline bool site_table_slots_are(const struct site_table *t, size_t first, const int64_t *slots,
                                        uint32_t n)
{
    const int64_t *own = t->slots.items + first;
    /* Not memcmp: the slots of a call were written one by one just now, and a processor that loads several of
     * them at once has to wait until all have left for the cache. Mostly all are equal, so four are decided
     * about together. */
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

/* One call, if its row is that of the last one, `run_row`, as it mostly is. */
static inline bool site_table_repeat(struct site_table *t, const int64_t *slots, uint32_t n)
{
    if (t->run_n != n || !site_table_slots_are(t, t->run_first, slots, n))
        return false;
    t->run_count++;
    t->calls++;
    return true;
}

/* One call, whose row is found or made; its times are the caller's to add (site_table_add_times). */
enum refrain_status site_table_record(struct site_table *t, const int64_t *slots, uint32_t n, uint32_t *row);

/* How long a call with the row took, and the gap before it. */
enum refrain_status site_table_make_times(struct site_table *t);
static inline enum refrain_status site_table_add_times(struct site_table *t, uint32_t row, uint64_t gap,
                                                       uint64_t duration)
{
    if (row >= t->timings.n && site_table_make_times(t) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    timing_add(&t->timings.items[row], gap, duration);
    return REFRAIN_OK;
}

/* The parts of a record, for building one table out of another. */
enum refrain_status site_table_intern(struct site_table *t, const int64_t *slots, uint32_t n, uint32_t *row);
enum refrain_status site_table_append(struct site_table *t, uint32_t row, uint64_t count);

/* Close the open run, if there is more than one row, and bring the stream into its best form; `varies` as in
 * site_stream.h. The table may grow on. */
enum refrain_status site_table_settle(struct site_table *t, bool varies);
size_t site_table_bytes(const struct site_table *t); /* memory held */

#endif
