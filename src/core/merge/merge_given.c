/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_given.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"
#include "src/core/trace/stream_walk.h"

void merge_given_free(struct merge_given *given)
{
    for (size_t i = 0; i < given->series.n; i++)
        series_free(given->series.items[i]);
    array_free(&given->series);
    array_free(&given->of_rank);
}

enum { LOOPED_MAX = 64 };

/* Append value^count. Long runs are made by doubling, in O(log count). */
static enum refrain_status append_run(struct series *s, int64_t value, uint64_t count)
{
    enum refrain_status status = REFRAIN_OK;
    if (count <= LOOPED_MAX) {
        while (count-- > 0 && status == REFRAIN_OK)
            status = series_append(s, value);
        return status;
    }
    struct series *power = series_create(), *copy = NULL;
    if (!power)
        return REFRAIN_ERR_MEMORY;
    status = series_append(power, value);
    while (status == REFRAIN_OK) {
        if (count & 1)
            status = series_concat(s, power);
        if ((count >>= 1) == 0 || status != REFRAIN_OK)
            break;
        copy = series_copy(power);
        status = copy ? series_concat(power, copy) : REFRAIN_ERR_MEMORY;
        series_free(copy);
    }
    series_free(power);
    return status;
}

/* Does each row have the same value of the slot on all ranks? Then one series is enough for all ranks. */
static bool is_uniform(const struct group *g, uint32_t slot)
{
    for (size_t r = 0; r < g->rows.n; r++) {
        const struct row *row = &g->rows.items[r];
        if (slot < row->n_slots && !(row_slot(row, slot)->forms & RANKFN_CONSTANT))
            return false;
    }
    return true;
}

/* Make the series of the slot's values at all calls of one rank. */
static enum refrain_status expand(const struct group *g, uint32_t slot, uint64_t calls, uint64_t ordinal,
                                  int64_t rank, uint64_t *steps, struct series **out)
{
    struct stream_walk walk = {0};
    uint32_t row;
    uint64_t count;
    struct series *values = series_create();
    enum refrain_status status = values ? stream_walk_start(&walk, g->stream, calls) : REFRAIN_ERR_MEMORY;
    while (status == REFRAIN_OK && *steps > 0 && stream_walk_next(&walk, &row, &count)) {
        const struct row *r = &g->rows.items[row];
        --*steps;
        status =
            append_run(values, slot < r->n_slots ? rankfn_at(row_slot(r, slot), ordinal, rank) : 0, count);
    }
    stream_walk_stop(&walk);
    if (status == REFRAIN_OK)
        *out = values;
    else
        series_free(values);
    return status;
}

enum refrain_status merge_given_make(const struct group *g, uint32_t slot, uint64_t calls, uint64_t *steps,
                                     struct merge_given *given)
{
    assert(calls > 0);
    uint64_t ranks = is_uniform(g, slot) ? 1 : series_length(g->ranks);
    struct series_cursor cursor;
    int64_t rank;
    enum refrain_status status = REFRAIN_OK;
    series_cursor_start(&cursor, g->ranks);
    for (uint64_t i = 0; i<ranks && * steps> 0 && series_cursor_next(&cursor, &rank); i++) {
        struct series *values;
        if (!array_reserve(&given->series, 1) || !array_reserve(&given->of_rank, 1))
            return REFRAIN_ERR_MEMORY;
        if ((status = expand(g, slot, calls, i, rank, steps, &values)) != REFRAIN_OK)
            return status;
        if (given->series.n > 0 && series_equal(given->series.items[given->series.n - 1], values))
            series_free(values);
        else
            given->series.items[given->series.n++] = values;
        given->of_rank.items[given->of_rank.n++] = (uint32_t)given->series.n - 1;
    }
    return status;
}

size_t merge_given_cost(const struct merge_given *given)
{
    size_t cost = 0;
    for (size_t i = 0; i < given->series.n; i++)
        cost += series_cost(given->series.items[i]);
    return cost;
}

enum refrain_status merge_given_intern(const struct merge_given *given, struct trace *t,
                                       const struct series *ranks, struct rankfn *out)
{
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    struct merge_values values = {0};
    struct series_cursor cursor;
    int64_t rank;
    uint32_t *index = malloc(given->series.n * sizeof *index);
    if (!index) {
        log_error("out of memory for %zu columns", given->series.n);
        return status;
    }
    for (size_t i = 0; i < given->series.n; i++)
        if ((status = trace_intern_column(t, given->series.items[i], &index[i])) != REFRAIN_OK)
            goto out;
    if (given->series.n == 1) {
        *out = merge_constant(index[0], ranks);
        goto out;
    }
    if ((status = merge_values_start(&values)) != REFRAIN_OK)
        goto out;
    series_cursor_start(&cursor, ranks);
    for (uint64_t i = 0; status == REFRAIN_OK && series_cursor_next(&cursor, &rank); i++)
        status = merge_values_append(&values, index[given->of_rank.items[i]], rank);
    if (status == REFRAIN_OK)
        *out = merge_values_finish(&values);
out:
    merge_values_stop(&values);
    free(index);
    return status;
}
