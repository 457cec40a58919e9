/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of a scan.
 *
 * Rows are ordered by construct. But the constructs of a range in a loop are neighbours in each iteration,
 * and a near call is reached faster than a distant one (event_lane.h). So for a range, many rows are noted,
 * read in the order of the process, and written in their own order. */
#include "decoder/util/text.h"
#include "scan.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define NOTED_FIRST 1024               /* in rows; doubled each time, */
#define READ_MOST   ((size_t)16 << 20) /* as long as their text has not more bytes than this */

void scan_put_header(const struct scan *s, struct bytes *out)
{
    text_put(out, s->several ? "rank,thread,construct," : "rank,thread,");
    for (uint32_t d = 0; d < s->depth; d++)
        text_printf(out, "i%u,", d);
    text_put(out, "event,call");
    for (size_t i = 0; i < s->values.n; i++) {
        text_putc(out, ',');
        text_put(out, s->values.items[i].name);
    }
}

/* Quotes the text from `from` on if it contains a comma, a quote or a line end, and doubles its
 * quotes. */
static void quote_field(struct bytes *out, size_t from, struct bytes *scratch)
{
    const size_t n = out->n - from;
    if (out->failed || n == 0 ||
        (!memchr(out->data + from, ',', n) && !memchr(out->data + from, '"', n) &&
         !memchr(out->data + from, '\n', n)))
        return;
    scratch->n = 0;
    bytes_put(scratch, out->data + from, n);
    out->n = from;
    text_putc(out, '"');
    for (size_t i = 0; i < scratch->n; i++) {
        if (scratch->data[i] == '"')
            text_putc(out, '"');
        bytes_put_u8(out, scratch->data[i]);
    }
    text_putc(out, '"');
}

struct scan_row {
    const struct scan_part *part;
    uint64_t event;
    size_t at, n; /* its text, without the prefix of the part */
};

struct rows {
    struct scan *scan;
    struct output *out;
    struct event_lane lane;       /* of the current process */
    const struct scan_part *part; /* part whose rows are noted */
    /* rows to note before writing; 1: they are in the process's order */
    size_t most;
    ARRAY(struct scan_row) noted;
    ARRAY(uint64_t) indices;       /* of the noted rows: depth numbers each */
    ARRAY(size_t) order;           /* of the noted rows, by event */
    struct bytes text;             /* text of the noted rows */
    const struct scan_part *shown; /* part of the last written row; NULL: none */
    struct bytes who;              /* its "rank,thread,construct" */
    struct bytes scratch;
};

static enum refrain_status read_row(struct rows *r, size_t number)
{
    const uint32_t depth = r->scan->depth;
    struct scan_row *row = &r->noted.items[number];
    struct bytes *out = &r->text;
    enum refrain_status status = event_lane_seek(&r->lane, row->event);
    if (status != REFRAIN_OK)
        return status;
    row->at = out->n;
    for (uint32_t d = 0; d < depth; d++) {
        text_putc(out, ',');
        text_uint(out, r->indices.items[number * depth + d] + 1);
    }
    text_putc(out, ',');
    text_uint(out, row->event);
    text_putc(out, ',');
    text_uint(out, r->lane.call.index);
    for (size_t i = 0; i < r->scan->values.n && status == REFRAIN_OK; i++) {
        text_putc(out, ',');
        const size_t from = out->n;
        status = event_lane_put(&r->lane, &r->scan->values.items[i], out);
        quote_field(out, from, &r->scratch);
    }
    text_putc(out, '\n');
    row->n = out->n - row->at;
    return out->failed ? REFRAIN_ERR_MEMORY : status;
}

static int by_event(const void *a, const void *b, void *context)
{
    const struct scan_row *rows = context, *x = &rows[*(const size_t *)a], *y = &rows[*(const size_t *)b];
    return (x->event > y->event) - (x->event < y->event);
}

static enum refrain_status read_noted(struct rows *r)
{
    const size_t n = r->noted.n;
    enum refrain_status status = array_reserve(&r->order, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        r->order.items[i] = i;
    if (n > 1 && status == REFRAIN_OK)
        qsort_r(r->order.items, n, sizeof *r->order.items, by_event, r->noted.items);
    r->text.n = 0;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = read_row(r, r->order.items[i]);
    return status;
}

static void put_row(struct rows *r, const struct scan_row *row)
{
    const struct scan_part *p = row->part;
    if (p != r->shown) {
        r->shown = p;
        r->who.n = 0;
        text_uint(&r->who, p->rank);
        text_putc(&r->who, ',');
        text_uint(&r->who, p->thread);
        if (r->scan->several) {
            text_putc(&r->who, ',');
            scan_put_path(r->scan, p, &r->who);
        }
    }
    bytes_put(&r->out->text, r->who.data, r->who.n);
    bytes_put(&r->out->text, r->text.data + row->at, row->n);
}

static enum refrain_status put_noted(struct rows *r)
{
    enum refrain_status status = read_noted(r);
    for (size_t i = 0; i < r->noted.n && status == REFRAIN_OK; i++) {
        put_row(r, &r->noted.items[i]);
        status = r->who.failed ? REFRAIN_ERR_MEMORY : output_drain(r->out);
        if (r->out->closed)
            status = REFRAIN_ERR_IO; /* the reader closed the output: the walk ends */
    }
    if (r->most > 1 && r->text.n < READ_MOST / 2)
        r->most *= 2;
    r->noted.n = r->indices.n = 0;
    return status;
}

static enum refrain_status note_row(void *context, const uint64_t *indices, uint64_t event)
{
    struct rows *r = context;
    const struct scan_row row = {.part = r->part, .event = event};
    if (!array_push(&r->noted, row) || !array_reserve(&r->indices, r->scan->depth))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t d = 0; d < r->scan->depth; d++)
        r->indices.items[r->indices.n++] = indices[d];
    return r->noted.n < r->most ? REFRAIN_OK : put_noted(r);
}

static bool is_same_lane(const struct scan_part *a, const struct scan_part *b)
{
    return a->rank == b->rank && a->thread == b->thread;
}

/* Writes parts first to end - 1 of one process. */
static enum refrain_status put_process(struct rows *r, struct call_event_source *source, size_t first,
                                       size_t end)
{
    const struct scan_part *parts = r->scan->parts.items;
    struct lane_ref lane;
    enum refrain_status status =
        event_lane_find(source->reader, parts[first].rank, parts[first].thread, &lane);
    if (status == REFRAIN_OK)
        status = event_lane_start(&r->lane, source, &lane);
    if (status != REFRAIN_OK)
        return status;
    r->most = end - first > 1 ? NOTED_FIRST : 1;
    for (size_t i = first; i < end && status == REFRAIN_OK; i++) {
        r->part = &parts[i];
        status = occurrences_walk(&parts[i].occurrences, note_row, r);
    }
    if (status == REFRAIN_OK)
        status = put_noted(r);
    event_lane_stop(&r->lane);
    return r->out->closed ? REFRAIN_OK : status;
}

enum refrain_status scan_put_rows(struct scan *s, struct call_event_source *source, struct output *out)
{
    struct rows r = {.scan = s, .out = out};
    enum refrain_status status = REFRAIN_OK;
    scan_put_header(s, &out->text);
    text_putc(&out->text, '\n');
    for (size_t i = 0, end; i < s->parts.n && status == REFRAIN_OK && !out->closed; i = end) {
        for (end = i + 1; end < s->parts.n && is_same_lane(&s->parts.items[i], &s->parts.items[end]);)
            end++;
        status = put_process(&r, source, i, end);
    }
    array_free(&r.noted);
    array_free(&r.indices);
    array_free(&r.order);
    bytes_free(&r.text);
    bytes_free(&r.who);
    bytes_free(&r.scratch);
    return status;
}
