/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes are drawn first, then the lines of processes, then events; where all that is, model_layout.h tells.
 */
#include "model_svg.h"

#include "decoder/util/text.h"
#include "model_layout.h"
#include "model_text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 22, ROW = 28, LEFT = 60, TOP = 24, BOX = 11 };

struct drawing {
    const struct model *m;
    struct output *out;
    struct model_layout layout;
    size_t at;          /* in these */
    struct bytes title; /* scratch */
};

static uint64_t x_of(uint64_t column)
{
    return LEFT + column * COLUMN;
}

static uint64_t y_of(const struct drawing *d, uint32_t process, uint64_t column)
{
    return TOP + (uint64_t)model_layout_row(&d->layout, process, column) * ROW;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Text in XML. */
static void put_escaped(const struct bytes *text, struct bytes *out)
{
    for (size_t i = 0; i < text->n; i++) {
        switch (text->data[i]) {
        case '&':
            text_put(out, "&amp;");
            break;
        case '<':
            text_put(out, "&lt;");
            break;
        case '>':
            text_put(out, "&gt;");
            break;
        default:
            text_putc(out, (char)text->data[i]);
        }
    }
}

/* What is shown when one points at it. */
static void put_title(struct drawing *d, const struct construct *c)
{
    const struct act *act = &c->acts[0];
    d->title.n = 0;
    model_put_event(d->m, act, c->depth, 0, d->m->forms->items.items[act->form].n, &d->title);
    text_put(&d->out->text, "<title>");
    put_escaped(&d->title, &d->out->text);
    text_put(&d->out->text, "</title>");
}

/* A colour for what the event's form has behind the partner: the tag. */
static unsigned hue_of(struct drawing *d, const struct act *act, uint32_t depth)
{
    const struct event_template *form = &d->m->forms->items.items[act->form];
    const size_t head = model_head_end(event_template_text(d->m->forms, form), form->n);
    unsigned hash = 7;
    d->title.n = 0;
    model_put_event(d->m, act, depth, head, form->n, &d->title);
    for (size_t i = 0; i < d->title.n; i++)
        hash = hash * 31 + d->title.data[i];
    return hash * 47 % 360;
}

static void put_arrow(struct drawing *d, const struct construct *c, uint64_t from_column, uint32_t from,
                      uint64_t to_column, uint32_t to)
{
    text_printf(&d->out->text,
                "<line x1=\"%llu\" y1=\"%llu\" x2=\"%llu\" y2=\"%llu\" stroke=\"hsl(%u,70%%,40%%)\" "
                "marker-end=\"url(#head)\">",
                (unsigned long long)x_of(from_column), (unsigned long long)y_of(d, from, from_column),
                (unsigned long long)(x_of(to_column) + (from_column == to_column ? COLUMN / 2 : 0)),
                (unsigned long long)y_of(d, to, to_column), hue_of(d, &c->acts[0], c->depth));
    put_title(d, c);
    text_put(&d->out->text, "</line>\n");
}

static void put_dot(struct drawing *d, const struct construct *c, uint64_t column)
{
    text_printf(&d->out->text, "<circle cx=\"%llu\" cy=\"%llu\" r=\"3\">", (unsigned long long)x_of(column),
                (unsigned long long)y_of(d, c->acts[0].process, column));
    put_title(d, c);
    text_put(&d->out->text, "</circle>\n");
}

static void put_group(struct drawing *d, const struct construct *c, uint64_t column)
{
    const unsigned long long x = x_of(column);
    uint64_t top = UINT64_MAX, bottom = 0;
    for (uint32_t k = 0; k < c->n_acts; k++) {
        const uint64_t y = y_of(d, c->acts[k].process, column);
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
    }
    text_printf(&d->out->text, "<g><line x1=\"%llu\" y1=\"%llu\" x2=\"%llu\" y2=\"%llu\" class=\"sync\"/>", x,
                (unsigned long long)top, x, (unsigned long long)bottom);
    for (uint32_t k = 0; k < c->n_acts; k++)
        text_printf(&d->out->text, "<circle cx=\"%llu\" cy=\"%llu\" r=\"2\"/>", x,
                    (unsigned long long)y_of(d, c->acts[k].process, column));
    put_title(d, c);
    text_put(&d->out->text, "</g>\n");
}

/* Its processes lie side by side; the count is in the corner. */
static void put_box(struct drawing *d, const struct construct *c, uint64_t column, uint64_t end)
{
    uint64_t top = UINT64_MAX;
    for (size_t i = 0; i < c->n_processes; i++) {
        const uint64_t y = y_of(d, c->processes[i], column);
        top = y < top ? y : top;
    }
    if (c->n_processes == 0)
        return;
    text_printf(&d->out->text,
                "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%llu\" class=\"loop\"/>\n"
                "<text x=\"%llu\" y=\"%llu\">",
                (unsigned long long)(x_of(column) - BOX), (unsigned long long)(top - BOX),
                (unsigned long long)((end - column) * COLUMN),
                (unsigned long long)((c->n_processes - 1) * ROW + 2 * BOX),
                (unsigned long long)(x_of(column) - BOX + 2), (unsigned long long)(top - BOX + 8));
    model_put_affine(c->count, c->depth, false, &d->out->text);
    text_put(&d->out->text, "</text>\n");
}

/* ---- the drawing ----------------------------------------------------------------------------- */

/* Boxes, or all else; constructs are counted as in d->layout. */
static enum refrain_status draw_system(struct drawing *d, const struct system *s, bool boxes)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t *columns = calloc(s->n + 1, sizeof *columns);
    if (!columns) {
        log_error("out of memory: %zu constructs", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->n && status == REFRAIN_OK && !d->out->closed; i++) {
        const struct construct *c = s->items[i];
        const struct layout_span place = d->layout.items.items[d->at++];
        columns[i] = place.column;
        if (construct_is_loop(c)) {
            if (boxes)
                put_box(d, c, place.column, place.end);
            status = draw_system(d, c->body, boxes);
        } else if (!boxes && c->n_acts == 1) {
            put_dot(d, c, place.column);
        } else if (!boxes && model_is_message(d->m, c)) {
            put_arrow(d, c, place.column, c->acts[0].process, place.column, c->acts[1].process);
        } else if (!boxes) {
            put_group(d, c, place.column);
        }
        if (status == REFRAIN_OK)
            status = output_drain(d->out);
    }
    for (size_t i = 0; i < s->n_links && !boxes; i++) {
        const struct system_link *l = &s->links[i];
        const struct construct *from = s->items[l->from], *to = s->items[l->to];
        if (from->n_acts == 1 && to->n_acts == 1)
            put_arrow(d, from, columns[l->from], from->acts[0].process, columns[l->to], to->acts[0].process);
    }
    free(columns);
    return status;
}

/* A line, with the number of the process at both ends, and where it has moved. */
static void put_line(struct drawing *d, uint32_t process, uint64_t width)
{
    const struct layout_line *line = &d->layout.lines[process];
    struct bytes *out = &d->out->text;
    const unsigned rank = d->m->processes.items[process].rank;
    unsigned long long y = y_of(d, process, 0);
    text_printf(out, "<text x=\"4\" y=\"%llu\">rank %u</text>\n", y + 3, rank);
    for (size_t i = 0; i < line->moves.n; i++)
        text_printf(out, "<text x=\"%llu\" y=\"%llu\">%u</text>\n",
                    (unsigned long long)(x_of(line->moves.items[i].column + 1) - BOX),
                    (unsigned long long)(TOP + line->moves.items[i].row * ROW - 2), rank);
    text_printf(out, "<path d=\"M%d %llu", LEFT - COLUMN / 2, y);
    for (size_t i = 0; i < line->moves.n; i++) {
        const uint64_t x = x_of(line->moves.items[i].column) - BOX;
        text_printf(out, "H%llu", (unsigned long long)x);
        y = TOP + (unsigned long long)line->moves.items[i].row * ROW;
        text_printf(out, "L%llu %llu", (unsigned long long)(x + COLUMN), y);
    }
    text_printf(out, "H%llu\" class=\"process\"/>\n<text x=\"%llu\" y=\"%llu\">%u</text>\n",
                (unsigned long long)width, (unsigned long long)width + 3, y + 3, rank);
}

static void put_head(struct drawing *d, uint64_t width, uint64_t height)
{
    text_printf(
        &d->out->text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%llu\" height=\"%llu\">\n"
        "<style>text { font: 9px sans-serif } .loop { fill: #000; fill-opacity: 0.12; stroke: #888 }\n"
        ".process { stroke: #bbb; fill: none } .sync { stroke: #333; stroke-dasharray: 3 2 }</style>\n"
        "<defs><marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" "
        "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 6 3 0 6z\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        (unsigned long long)width, (unsigned long long)height);
}

enum refrain_status model_put_svg(const struct model *m, struct output *out)
{
    struct drawing d = {.m = m, .out = out};
    enum refrain_status status = model_layout_find(&d.layout, m);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t width = x_of(d.layout.columns);
    put_head(&d, width + LEFT / 2, TOP + (uint64_t)m->processes.n * ROW);
    status = draw_system(&d, m->all, true);
    for (uint32_t i = 0; i < m->processes.n; i++)
        put_line(&d, i, width);
    d.at = 0;
    if (status == REFRAIN_OK)
        status = draw_system(&d, m->all, false);
    text_put(&out->text, "</svg>\n");
    if (status == REFRAIN_OK && (out->text.failed || d.title.failed))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&d.title);
    model_layout_free(&d.layout);
    return status;
}
