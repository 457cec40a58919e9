/* A construct is as far to the right as what comes before it on any of its processes: L. Lamport, "Time,
 * clocks, and the ordering of events in a distributed system", CACM 1978, with constructs for events.
 *
 *     0 ──┬─[ o ]──          boxes are drawn first, then the lines of processes, then events
 *     1 ──┴─[ v ]──o──       columns: 0 1 2 3 …
 *
 * Everything has its column before anything is drawn. */
#include "model_svg.h"

#include "log.h"
#include "model_text.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 22, ROW = 28, LEFT = 60, TOP = 24, BOX = 11 };

struct drawing {
    const struct model *m;
    struct output *out;
    uint64_t *next;     /* by process: its first free column */
    struct bytes title; /* scratch */
    ARRAY(uint64_t)
    columns; /* of each construct, in preorder; of a loop its first, and in `ends` the one behind it */
    ARRAY(uint64_t) ends;
    size_t at; /* in these */
};

static uint64_t x_of(uint64_t column)
{
    return LEFT + column * COLUMN;
}

static uint64_t y_of(uint32_t process)
{
    return TOP + (uint64_t)process * ROW;
}

/* ---- columns --------------------------------------------------------------------------------------------
 */

static uint64_t first_free(const struct drawing *d, const struct construct *c)
{
    uint64_t column = 0;
    for (uint32_t k = 0; k < c->n_acts; k++)
        column = d->next[c->acts[k].process] > column ? d->next[c->acts[k].process] : column;
    for (size_t k = 0; k < c->n_processes; k++)
        column = d->next[c->processes[k]] > column ? d->next[c->processes[k]] : column;
    return column;
}

static void set_next(struct drawing *d, const struct construct *c, uint64_t column)
{
    for (uint32_t k = 0; k < c->n_acts; k++)
        d->next[c->acts[k].process] = column;
    for (size_t k = 0; k < c->n_processes; k++)
        d->next[c->processes[k]] = column;
}

static enum refrain_status place_system(struct drawing *d, const struct system *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        const struct construct *c = s->items[i];
        const uint64_t column = first_free(d, c);
        const size_t number = d->columns.n;
        if (!array_push(&d->columns, column) || !array_push(&d->ends, column + 1))
            return REFRAIN_ERR_MEMORY;
        set_next(d, c, column + 1);
        if (!construct_is_loop(c))
            continue;
        status = place_system(d, c->body);
        d->ends.items[number] = first_free(d, c);
        set_next(d, c, d->ends.items[number] + 1);
    }
    return status;
}

/* ---- shapes ---------------------------------------------------------------------------------------------
 */

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
    const struct event_form *form = &d->m->forms->items.items[act->form];
    const size_t head = model_head_end(event_form_text(d->m->forms, form), form->n);
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
                (unsigned long long)x_of(from_column), (unsigned long long)y_of(from),
                (unsigned long long)(x_of(to_column) + (from_column == to_column ? COLUMN / 2 : 0)),
                (unsigned long long)y_of(to), hue_of(d, &c->acts[0], c->depth));
    put_title(d, c);
    text_put(&d->out->text, "</line>\n");
}

static void put_dot(struct drawing *d, const struct construct *c, uint64_t column)
{
    text_printf(&d->out->text, "<circle cx=\"%llu\" cy=\"%llu\" r=\"3\">", (unsigned long long)x_of(column),
                (unsigned long long)y_of(c->acts[0].process));
    put_title(d, c);
    text_put(&d->out->text, "</circle>\n");
}

static void put_group(struct drawing *d, const struct construct *c, uint64_t column)
{
    const unsigned long long x = x_of(column);
    text_printf(&d->out->text, "<g><line x1=\"%llu\" y1=\"%llu\" x2=\"%llu\" y2=\"%llu\" class=\"sync\"/>", x,
                (unsigned long long)y_of(c->acts[0].process), x,
                (unsigned long long)y_of(c->acts[c->n_acts - 1].process));
    for (uint32_t k = 0; k < c->n_acts; k++)
        text_printf(&d->out->text, "<circle cx=\"%llu\" cy=\"%llu\" r=\"2\"/>", x,
                    (unsigned long long)y_of(c->acts[k].process));
    put_title(d, c);
    text_put(&d->out->text, "</g>\n");
}

/* A box for each run of neighbouring processes; the count is in the first one's corner. */
static void put_boxes(struct drawing *d, const struct construct *c, uint64_t column, uint64_t end)
{
    for (size_t i = 0, behind; i < c->n_processes; i = behind) {
        for (behind = i + 1; behind < c->n_processes && c->processes[behind] == c->processes[behind - 1] + 1;)
            behind++;
        text_printf(
            &d->out->text, "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%llu\" class=\"loop\"/>\n",
            (unsigned long long)(x_of(column) - BOX), (unsigned long long)(y_of(c->processes[i]) - BOX),
            (unsigned long long)((end - column) * COLUMN),
            (unsigned long long)((behind - 1 - i) * ROW + 2 * BOX));
    }
    text_printf(&d->out->text, "<text x=\"%llu\" y=\"%llu\">", (unsigned long long)(x_of(column) - BOX + 2),
                (unsigned long long)(y_of(c->processes[0]) - BOX + 8));
    model_put_affine(c->count, c->depth, false, &d->out->text);
    text_put(&d->out->text, "</text>\n");
}

/* ---- the drawing ----------------------------------------------------------------------------------------
 */

/* Boxes, or all else; the numbers of constructs are those of place_system. */
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
        const uint64_t column = columns[i] = d->columns.items[d->at], end = d->ends.items[d->at];
        d->at++;
        if (construct_is_loop(c)) {
            if (boxes)
                put_boxes(d, c, column, end);
            status = draw_system(d, c->body, boxes);
        } else if (!boxes && c->n_acts == 1) {
            put_dot(d, c, column);
        } else if (!boxes && model_is_message(d->m, c)) {
            put_arrow(d, c, column, c->acts[0].process, column, c->acts[1].process);
        } else if (!boxes) {
            put_group(d, c, column);
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

static void put_lines(struct drawing *d, uint64_t width)
{
    for (uint32_t i = 0; i < d->m->processes.n; i++) {
        text_printf(&d->out->text,
                    "<line x1=\"%d\" y1=\"%llu\" x2=\"%llu\" y2=\"%llu\" class=\"process\"/>\n"
                    "<text x=\"4\" y=\"%llu\">rank %u</text>\n",
                    LEFT - COLUMN / 2, (unsigned long long)y_of(i), (unsigned long long)width,
                    (unsigned long long)y_of(i), (unsigned long long)y_of(i) + 3,
                    d->m->processes.items[i].rank);
    }
}

static void put_head(struct drawing *d, uint64_t width, uint64_t height)
{
    text_printf(
        &d->out->text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%llu\" height=\"%llu\">\n"
        "<style>text { font: 9px sans-serif } .loop { fill: #000; fill-opacity: 0.12; stroke: #888 }\n"
        ".process { stroke: #bbb } .sync { stroke: #333; stroke-dasharray: 3 2 }</style>\n"
        "<defs><marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" "
        "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 6 3 0 6z\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        (unsigned long long)width, (unsigned long long)height);
}

enum refrain_status model_put_svg(const struct model *m, struct output *out)
{
    struct drawing d = {.m = m, .out = out};
    uint64_t width = 0;
    d.next = calloc(m->processes.n + 1, sizeof *d.next);
    if (!d.next) {
        log_error("out of memory: a drawing of %zu processes", m->processes.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = place_system(&d, m->all);
    for (size_t i = 0; i < m->processes.n; i++)
        width = d.next[i] > width ? d.next[i] : width;
    width = x_of(width);
    put_head(&d, width + COLUMN, y_of((uint32_t)m->processes.n));
    if (status == REFRAIN_OK)
        status = draw_system(&d, m->all, true);
    put_lines(&d, width);
    d.at = 0;
    if (status == REFRAIN_OK)
        status = draw_system(&d, m->all, false);
    text_put(&out->text, "</svg>\n");
    if (status == REFRAIN_OK && (out->text.failed || d.title.failed))
        status = REFRAIN_ERR_MEMORY;
    free(d.next);
    bytes_free(&d.title);
    array_free(&d.columns);
    array_free(&d.ends);
    return status;
}
