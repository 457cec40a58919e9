/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_walk.h"

#include "src/core/base/bisect.h"

#include <assert.h>

/* The level that stands for a repetition of the filler before one row. */
#define LEVEL_FILLER UINT32_MAX

/* One row, repeated; longer than any lane. */
static const struct repetition forever = {.period = 1, .times = INT64_MAX, .still = true};

static const struct series *column_of(const struct trace *t, const struct column *column, uint64_t ordinal,
                                      uint32_t rank)
{
    return t->columns.items[rankfn_at(&column->series, ordinal, rank)];
}

/* Reads how often the filler comes before the next row. */
static void refill(struct row_walk *w)
{
    int64_t fill, step;
    w->passed = 0;
    w->fill = series_cursor_run(&w->fills, &fill, &step) > 0 ? (uint64_t)fill : UINT64_MAX;
}

enum refrain_status row_walk_start(struct row_walk *w, const struct trace *t, const struct group *g,
                                   uint64_t ordinal, uint32_t rank)
{
    assert(ordinal < series_length(g->ranks));
    const struct column *order = group_order(g), *filler = group_filler(g);
    *w = (struct row_walk){.has_stream = g->stream, .has_order = order, .has_fills = filler};
    if (order)
        series_cursor_start(&w->order, column_of(t, order, ordinal, rank));
    if (filler) {
        series_cursor_start(&w->fills, column_of(t, filler, ordinal, rank));
        refill(w);
    }
    return g->stream ? rules_cursor_start(&w->stream, g->stream) : REFRAIN_OK;
}

void row_walk_stop(struct row_walk *w)
{
    rules_cursor_stop(&w->stream);
    *w = (struct row_walk){0};
}

uint32_t row_walk_next(struct row_walk *w)
{
    uint32_t number = 0;
    int64_t row;
    if (w->has_fills) {
        if (w->passed < w->fill) {
            w->passed++;
            return 0;
        }
        series_cursor_next(&w->fills, &row);
        refill(w);
    }
    if (w->has_stream)
        rules_cursor_next(&w->stream, &number);
    if (w->has_order && series_cursor_next(&w->order, &row))
        number = (uint32_t)row;
    return number;
}

uint64_t row_walk_unfilled(const struct series *fills, uint64_t calls)
{
    return BISECT(i, series_length(fills), series_total_before(fills, i + 1) + i + 1 <= calls);
}

/* ---- repetitions ----------------------------------------------------------------------------- */

/* Lists repetitions of the stream or order without fillers. A group with neither always has the
 * same row. */
static void list_rows(struct row_walk *w, struct repetitions *out)
{
    if (w->has_stream)
        rules_cursor_repetitions(&w->stream, out);
    else if (w->has_order)
        series_cursor_repetitions(&w->order, out);
    else
        *out = (struct repetitions){.items = {forever}, .n = 1};
}

/* Returns the number of calls in the next `rows` rows with the fillers before them. */
static uint64_t calls_of_rows(const struct row_walk *w, uint64_t rows)
{
    const struct series *fills = w->fills.series;
    const uint64_t from = w->fills.index;
    return rows + series_total_before(fills, from + rows) - series_total_before(fills, from);
}

/* Lists common repetitions of the fills and the rows after them, and inside these the filler
 * before the next row. */
static void list_filled(struct row_walk *w, struct repetitions *out)
{
    enum { FILLS, ROWS };
    struct repetitions lists[2];
    const uint64_t left = series_length(w->fills.series) - w->fills.index;
    uint64_t length, times;
    series_cursor_repetitions(&w->fills, &lists[FILLS]);
    list_rows(w, &lists[ROWS]);
    repetitions_keep_still(&lists[FILLS]);
    repetitions_keep_still(&lists[ROWS]);
    while (out->n < REPETITIONS_MAX - 1 && repetitions_agree(lists, 2, left, 2, &length, &times)) {
        out->items[out->n] = (struct repetition){calls_of_rows(w, length), times, true, out->n};
        w->last[out->n++] = (struct row_repetition){.rows = lists[ROWS].items[lists[ROWS].at],
                                                    .fills = lists[FILLS].items[lists[FILLS].at],
                                                    .length = length};
        repetitions_go_inside(lists, 2);
    }
    if (w->passed < w->fill)
        out->items[out->n++] = (struct repetition){1, w->fill - w->passed, true, LEVEL_FILLER};
}

void row_walk_repetitions(struct row_walk *w, struct repetitions *out)
{
    out->n = out->at = 0;
    if (w->has_fills && w->fill == UINT64_MAX)
        *out = (struct repetitions){.items = {forever}, .n = 1};
    else if (w->has_fills)
        list_filled(w, out);
    else
        list_rows(w, out);
}

struct row_repetition row_walk_choose(const struct row_walk *w, const struct repetition *r)
{
    assert(!w->has_fills || r->level == LEVEL_FILLER || r->level < REPETITIONS_MAX);
    struct row_repetition chosen = {.rows = *r};
    if (w->has_fills && r->level != LEVEL_FILLER)
        chosen = w->last[r->level];
    chosen.all = *r;
    return chosen;
}

static void pass_rows(struct row_walk *w, const struct repetition *r, uint64_t times)
{
    if (w->has_stream)
        rules_cursor_repeat(&w->stream, r, times);
    else if (w->has_order)
        series_cursor_repeat(&w->order, r, times);
}

/* Moves over repetitions. At the end of the fills, nothing needs to be skipped. */
void row_walk_repeat(struct row_walk *w, const struct row_repetition *r, uint64_t times)
{
    assert(times < r->all.times);
    if (!w->has_fills) {
        pass_rows(w, &r->rows, times);
    } else if (r->all.level == LEVEL_FILLER) {
        w->passed += times;
    } else if (w->fill != UINT64_MAX) {
        series_cursor_repeat(&w->fills, &r->fills, times * r->length / r->fills.period);
        pass_rows(w, &r->rows, times * r->length / r->rows.period);
    }
}
