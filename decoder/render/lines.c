/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include "decoder/util/text.h"
#include "render_impl.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum row_state {
    ROW_NEW,
    ROW_SEEN, /* seen once */
    ROW_KEPT,
    ROW_LOOSE /* must be rendered each time */
};

struct lines_row {
    enum row_state state;
    uint32_t n_holes;
    size_t text, n, hole; /* in rests; index of its first hole */
};

enum refrain_status lines_start(struct lines *l, struct renderer *r, enum render_format format,
                                const struct lane_ref *lane)
{
    *l = (struct lines){.renderer = r, .format = format, .n_entries = lane->shape->entries.n};
    l->rows = calloc(l->n_entries + 1, sizeof *l->rows);
    if (!l->rows) {
        log_error("out of memory: the text of %zu sites", l->n_entries);
        return REFRAIN_ERR_MEMORY;
    }
    render_head(format, lane->rank, lane->shape->number, &l->head);
    return l->head.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

void lines_stop(struct lines *l)
{
    for (size_t i = 0; l->rows && i < l->n_entries; i++)
        free(l->rows[i]);
    free(l->rows);
    bytes_free(&l->head);
    bytes_free(&l->rests);
    array_free(&l->holes);
    array_free(&l->varies);
    *l = (struct lines){0};
}

static struct lines_row *row_of(struct lines *l, const struct call *call)
{
    struct lines_row **rows = &l->rows[call->entry];
    if (!*rows)
        *rows = calloc(call->group->rows.n, sizeof **rows);
    if (!*rows) {
        log_error("out of memory: the text of %zu rows", call->group->rows.n);
        return NULL;
    }
    return &(*rows)[call->row];
}

/* Finds which slots of the row have a column. */
static bool find_varying(struct lines *l, const struct call *call)
{
    l->varies.n = 0;
    if (!array_reserve(&l->varies, (size_t)call->n_slots + 1))
        return false;
    memset(l->varies.items, false, call->n_slots + (size_t)1);
    for (size_t i = 0; i < group_slot_columns(call->group); i++) {
        const uint32_t slot = call->group->columns.items[i].slot;
        if (slot < call->n_slots)
            l->varies.items[slot] = true;
    }
    return true;
}

/* Returns how many of a value's first slots determine its length. */
static uint32_t deciding_slots(const struct kind *kind, struct value v)
{
    switch ((enum value_type)kind->type) {
    case VALUE_STRING:
    case VALUE_STRINGS:
        return v.n;
    case VALUE_ADDRESS:
        return 1;
    default:
        return 0;
    }
}

/* Do all calls of the row have their values in the same slots? */
static bool has_fixed_layout(const struct lines *l, const struct call *call)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, &l->renderer->reader->trace.functions, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        const bool *varies = l->varies.items + (item.slots - call->slots);
        if (item.param && item.param->flags & (PARAM_ARRAY | PARAM_NULLABLE) && varies[-1])
            return false;
        struct value v = {.slots = item.slots};
        for (int64_t i = 0; i < item.count; i++) {
            value_step(&v, &item);
            if (memchr(l->varies.items + (v.slots - call->slots), true, deciding_slots(item.kind, v)))
                return false;
        }
    }
    return status == REFRAIN_OK;
}

/* Renders the rest of the line at the end of l->rests and notes the holes. */
static enum refrain_status keep(struct lines *l, const struct call *call, struct lines_row *row)
{
    struct renderer *r = l->renderer;
    const size_t start = l->rests.n;
    r->varies = l->varies.items;
    r->holes.n = 0;
    enum refrain_status status = render_rest(r, l->format, call, &l->rests);
    r->varies = NULL;
    text_putc(&l->rests, '\n');
    if (status == REFRAIN_OK && (l->rests.failed || !array_reserve(&l->holes, r->holes.n)))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        return status;
    *row = (struct lines_row){ROW_KEPT, (uint32_t)r->holes.n, start, l->rests.n - start, l->holes.n};
    for (size_t i = 0; i < r->holes.n; i++) {
        struct hole hole = r->holes.items[i];
        hole.at -= start;
        hole.end -= start;
        l->holes.items[l->holes.n++] = hole;
    }
    return REFRAIN_OK;
}

static void put_kept(struct lines *l, const struct call *call, const struct lines_row *row, struct bytes *out)
{
    const uint8_t *text = l->rests.data + row->text;
    size_t at = 0;
    for (uint32_t i = 0; i < row->n_holes; i++) {
        const struct hole *hole = &l->holes.items[row->hole + i];
        bytes_put(out, text + at, hole->at - at);
        if (l->format == RENDER_JSON)
            render_hole_json(l->renderer, call, hole, out);
        else
            render_hole_text(l->renderer, call, hole, out);
        at = hole->end;
    }
    bytes_put(out, text + at, row->n - at);
}

/* Renders a row whose text is not kept yet or cannot be kept. */
static enum refrain_status put_rendered(struct lines *l, const struct call *call, struct lines_row *row,
                                        struct bytes *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (row->state == ROW_SEEN) {
        if (!find_varying(l, call))
            return REFRAIN_ERR_MEMORY;
        row->state = ROW_LOOSE;
        if (has_fixed_layout(l, call) && (status = keep(l, call, row)) == REFRAIN_OK) {
            put_kept(l, call, row, out);
            return REFRAIN_OK;
        }
    } else if (row->state == ROW_NEW) {
        row->state = ROW_SEEN;
    }
    if (status == REFRAIN_OK)
        status = render_rest(l->renderer, l->format, call, out);
    text_putc(out, '\n');
    return status;
}

static void put_timestamps(enum render_format format, const struct timestamp *s, struct bytes *out)
{
    const bool json = format == RENDER_JSON;
    const uint64_t times[] = {s->enter, s->leave - s->enter};
    for (size_t i = 0; i < 2; i++) {
        text_put(out, !json ? "  " : i == 0 ? ",\"enter\":" : ",\"duration\":");
        if (json)
            text_uint(out, times[i]);
        else
            text_seconds(out, times[i]);
    }
}

enum refrain_status lines_put(struct lines *l, const struct call *call, const struct timestamp *timestamps,
                              struct bytes *out)
{
    assert(call->entry < l->n_entries && call->row < call->group->rows.n);
    struct lines_row *row = row_of(l, call);
    const size_t before = out->n;
    if (!row)
        return REFRAIN_ERR_MEMORY;
    bytes_put(out, l->head.data, l->head.n);
    text_uint(out, call->index);
    if (timestamps)
        put_timestamps(l->format, timestamps, out);
    if (row->state == ROW_KEPT) {
        put_kept(l, call, row, out);
        return REFRAIN_OK;
    }
    enum refrain_status status = put_rendered(l, call, row, out);
    if (status != REFRAIN_OK)
        out->n = before;
    return status;
}
