/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws boxes first, then the lines of processes, then events. model_layout.h describes the
 * positions. */
#include "model_svg.h"

#include "decoder/util/svg.h"
#include "decoder/util/text.h"
#include "model_layout.h"
#include "model_text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { COLUMN = 22, ROW = 28, LEFT = 60, TOP = 24, BOX = 11, ARROW = 6 };

static const char style[] =
    "text { font: 9px sans-serif } .loop { fill: #000; fill-opacity: 0.12; stroke: #888 }\n"
    ".process { stroke: #bbb; fill: none } .sync { stroke: #333; stroke-dasharray: 3 2 }";

struct drawing {
    const struct model *m;
    struct output *out;
    struct svg svg;
    struct model_layout layout;
    size_t at;         /* index in these */
    struct bytes text; /* scratch */
};

static double x_of(uint64_t column)
{
    return LEFT + (double)column * COLUMN;
}

static double y_of_row(uint32_t row)
{
    return TOP + (double)row * ROW;
}

static double y_of(const struct drawing *d, uint32_t process, uint64_t column)
{
    return y_of_row(model_layout_row(&d->layout, process, column));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Writes the text that appears when the pointer is on the shape. */
static void put_title(struct drawing *d, const struct construct *c)
{
    const struct act *act = &c->acts[0];
    svg_open(&d->svg, "title");
    model_put_event(d->m, act, c->depth, 0, d->m->templates->items.items[act->template].n, svg_text(&d->svg));
}

/* Returns a colour for the part of the event's template after the partner: the tag. */
static unsigned hue_of(struct drawing *d, const struct act *act, uint32_t depth)
{
    const struct event_template *template = &d->m->templates->items.items[act->template];
    const size_t head = model_head_end(event_template_text(d->m->templates, template), template->n);
    unsigned hash = 7;
    d->text.n = 0;
    model_put_event(d->m, act, depth, head, template->n, &d->text);
    for (size_t i = 0; i < d->text.n; i++)
        hash = hash * 31 + d->text.data[i];
    return hash * 47 % 360;
}

static void put_arrow(struct drawing *d, const struct construct *c, uint64_t from_column, uint32_t from,
                      uint64_t to_column, uint32_t to)
{
    svg_open(&d->svg, "line");
    svg_numbers(&d->svg, "x1 y1 x2 y2", x_of(from_column), y_of(d, from, from_column),
                x_of(to_column) + (from_column == to_column ? COLUMN / 2 : 0), y_of(d, to, to_column));
    text_printf(svg_value(&d->svg, "stroke"), "hsl(%u,70%%,40%%)", hue_of(d, &c->acts[0], c->depth));
    svg_attribute(&d->svg, "marker-end", SVG_ARROW);
    put_title(d, c);
    svg_close_all(&d->svg);
}

static void put_dot(struct drawing *d, const struct construct *c, uint64_t column)
{
    svg_open(&d->svg, "circle");
    svg_numbers(&d->svg, "cx cy r", x_of(column), y_of(d, c->acts[0].process, column), 3);
    put_title(d, c);
    svg_close_all(&d->svg);
}

static void put_group(struct drawing *d, const struct construct *c, uint64_t column)
{
    const double x = x_of(column);
    double top = INFINITY, bottom = 0;
    for (uint32_t k = 0; k < c->n_acts; k++) {
        const double y = y_of(d, c->acts[k].process, column);
        top = fmin(y, top);
        bottom = fmax(y, bottom);
    }
    svg_open(&d->svg, "g");
    svg_open(&d->svg, "line");
    svg_numbers(&d->svg, "x1 y1 x2 y2", x, top, x, bottom);
    svg_attribute(&d->svg, "class", "sync");
    svg_close(&d->svg);
    for (uint32_t k = 0; k < c->n_acts; k++) {
        svg_open(&d->svg, "circle");
        svg_numbers(&d->svg, "cx cy r", x, y_of(d, c->acts[k].process, column), 2);
        svg_close(&d->svg);
    }
    put_title(d, c);
    svg_close_all(&d->svg);
}

/* The processes are in adjacent rows; the count is in the corner. */
static void put_box(struct drawing *d, const struct construct *c, uint64_t column, uint64_t end)
{
    const double left = x_of(column) - BOX;
    double top = INFINITY;
    for (size_t i = 0; i < c->n_processes; i++)
        top = fmin(y_of(d, c->processes[i], column) - BOX, top);
    if (c->n_processes == 0)
        return;
    svg_open(&d->svg, "rect");
    svg_numbers(&d->svg, "x y width height", left, top, x_of(end) - x_of(column),
                (double)(c->n_processes - 1) * ROW + 2 * BOX);
    svg_attribute(&d->svg, "class", "loop");
    svg_close_all(&d->svg);
    svg_label(&d->svg, left + 2, top + 8, NULL);
    model_put_affine(c->count, c->depth, false, svg_text(&d->svg));
    svg_close_all(&d->svg);
}

/* ---- the drawing ----------------------------------------------------------------------------- */

/* Draws boxes, or everything else. Constructs are numbered as in d->layout. */
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
        const struct model_layout_span place = d->layout.items.items[d->at++];
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

static void put_rank(struct drawing *d, double x, double y, const char *before, uint32_t rank)
{
    svg_label(&d->svg, x, y, NULL);
    text_printf(svg_text(&d->svg), "%s%" PRIu32, before, rank);
    svg_close_all(&d->svg);
}

/* Draws a line with the number of the process at both ends and where it moves. */
static void put_line(struct drawing *d, uint32_t process, double width)
{
    const struct model_layout_line *line = &d->layout.lines[process];
    const uint32_t rank = d->m->processes.items[process].rank;
    double y = y_of(d, process, 0);
    put_rank(d, 4, y + 3, "rank ", rank);
    for (size_t i = 0; i < line->moves.n; i++)
        put_rank(d, x_of(line->moves.items[i].column + 1) - BOX, y_of_row(line->moves.items[i].row) - 2, "",
                 rank);
    svg_open(&d->svg, "path");
    struct bytes *path = svg_value(&d->svg, "d");
    svg_print(path, "M% %", LEFT - COLUMN / 2, y);
    for (size_t i = 0; i < line->moves.n; i++) {
        const double x = x_of(line->moves.items[i].column) - BOX;
        y = y_of_row(line->moves.items[i].row);
        svg_print(path, "H%L% %", x, x + COLUMN, y);
    }
    svg_print(path, "H%", width);
    svg_attribute(&d->svg, "class", "process");
    svg_close_all(&d->svg);
    put_rank(d, width + 3, y + 3, "", rank);
}

enum refrain_status model_put_svg(const struct model *m, struct output *out)
{
    struct drawing d = {.m = m, .out = out, .svg = {.out = &out->text}};
    enum refrain_status status = model_layout_find(&d.layout, m);
    if (status != REFRAIN_OK)
        return status;
    const double width = x_of(d.layout.columns);
    svg_start(&d.svg, &(struct svg_head){.width = width + LEFT / 2,
                                         .height = TOP + (double)m->processes.n * ROW,
                                         .style = style,
                                         .arrow = {ARROW, ARROW}});
    status = draw_system(&d, m->all, true);
    for (uint32_t i = 0; i < m->processes.n; i++)
        put_line(&d, i, width);
    d.at = 0;
    if (status == REFRAIN_OK)
        status = draw_system(&d, m->all, false);
    svg_end(&d.svg);
    if (status == REFRAIN_OK && (out->text.failed || d.text.failed))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&d.text);
    model_layout_free(&d.layout);
    return status;
}
