/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream_walk.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"

enum refrain_status stream_walk_start(struct stream_walk *w, const struct rules *stream, uint64_t calls)
{
    *w = (struct stream_walk){.rules = stream, .calls = calls};
    if (!stream)
        return REFRAIN_OK;
    w->stack = malloc(stream->n_rules * sizeof *w->stack);
    if (!w->stack) {
        log_error("out of memory for a walk over %u rules", stream->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    uint32_t start = stream->n_rules - 1;
    w->stack[w->depth++] = (struct stream_frame){stream->first[start], stream->first[start + 1], 0};
    return REFRAIN_OK;
}

/* End the body on top of the stack: its item has one repetition more. */
static void leave_body(struct stream_walk *w)
{
    if (--w->depth == 0)
        return;
    struct stream_frame *f = &w->stack[w->depth - 1];
    if (++f->done == w->rules->items[f->item].count) {
        f->item++;
        f->done = 0;
    }
}

/* Return all remaining calls: they have the same row. */
static bool give_rest(struct stream_walk *w, uint32_t only, uint32_t *row, uint64_t *count)
{
    *row = only;
    *count = w->calls;
    w->calls = 0;
    return *count > 0;
}

static bool next_of_order(struct stream_walk *w, uint32_t *row, uint64_t *count)
{
    int64_t first, step;
    uint64_t run = series_cursor_run(&w->next, &first, &step);
    run = run > 1 && step != 0 ? 1 : run;
    series_cursor_skip(&w->next, run);
    *row = (uint32_t)first;
    *count = run;
    return run > 0;
}

static bool next_run(struct stream_walk *w, uint32_t *row, uint64_t *count)
{
    if (w->order)
        return next_of_order(w, row, count);
    if (!w->rules)
        return give_rest(w, 0, row, count);
    while (w->depth > 0) {
        struct stream_frame *f = &w->stack[w->depth - 1];
        if (f->item == f->end) {
            leave_body(w);
            continue;
        }
        const struct rules_item *item = &w->rules->items[f->item];
        if (!(item->symbol & RULES_REF)) {
            *row = item->symbol;
            *count = item->count;
            f->item++;
            return true;
        }
        uint32_t body = item->symbol & ~RULES_REF;
        w->stack[w->depth++] = (struct stream_frame){w->rules->first[body], w->rules->first[body + 1], 0};
    }
    return false;
}

void stream_walk_order(struct stream_walk *w, const struct series *order)
{
    assert(!w->rules && w->depth == 0);
    w->order = order;
    series_cursor_start(&w->next, order);
}

enum refrain_status stream_walk_group(struct stream_walk *w, const struct trace *t, const struct group *g,
                                      uint64_t ordinal, int64_t rank, uint64_t calls)
{
    const struct column *order = group_order(g), *filler = group_filler(g);
    enum refrain_status status = stream_walk_start(w, g->stream, calls);
    if (status == REFRAIN_OK && order)
        stream_walk_order(w, t->columns.items[rankfn_at(&order->series, ordinal, rank)]);
    if (status == REFRAIN_OK && filler)
        stream_walk_fill(w, 0, t->columns.items[rankfn_at(&filler->series, ordinal, rank)]);
    return status;
}

void stream_walk_fill(struct stream_walk *w, uint32_t filler, const struct series *fills)
{
    assert(!w->fills);
    w->filler = filler;
    w->fills = fills;
    series_cursor_start(&w->fill, fills);
}

/* Return the filler before a call of the row; then the call, together with following calls that
 * have no filler before them. */
static bool next_filled(struct stream_walk *w, uint32_t *row, uint64_t *count)
{
    int64_t fill = 0, step;
    if (w->count == 0 && !next_run(w, &w->row, &w->count))
        return give_rest(w, w->filler, row, count);
    if (!w->filled && series_cursor_next(&w->fill, &fill) && fill > 0) {
        w->filled = true;
        *row = w->filler;
        *count = (uint64_t)fill;
    } else {
        uint64_t run = series_cursor_run(&w->fill, &fill, &step);
        run = fill == 0 && step == 0 ? run : 0;
        run = run < w->count - 1 ? run : w->count - 1;
        series_cursor_skip(&w->fill, run);
        w->filled = false;
        w->count -= run + 1;
        *row = w->row;
        *count = run + 1;
    }
    w->calls -= *count;
    return true;
}

bool stream_walk_next(struct stream_walk *w, uint32_t *row, uint64_t *count)
{
    return w->fills ? next_filled(w, row, count) : next_run(w, row, count);
}

void stream_walk_stop(struct stream_walk *w)
{
    free(w->stack);
    *w = (struct stream_walk){0};
}
