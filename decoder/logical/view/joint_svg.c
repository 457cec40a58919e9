/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws panel by panel: the program of each thread, then its parts. Shapes are drawn into bytes of their own,
 * because the size of the picture is known at the end. */
#include "joint_svg.h"

#include "joint_text.h"
#include "logical_text.h"
#include "picture.h"

#include "decoder/logical/line.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 48, TOP = 36, COLUMN = 30, GAP = 8, LINE = 13, LETTER = 7, MARGIN = 16, INDENT = 8 };
/* Rows are lower if there are more ranks; columns of one loop over ranks are narrower if there are more. */
enum { ROW_MOST = 14, ROWS_HEIGHT = 900, LOOP_WIDTH = 1500, EXCHANGE_WIDTH = 600 };

static const char style[] =
    "text { font: 10px sans-serif } .code { font: 11px monospace } .number { fill: #666 }\n"
    ".loop { fill: none; stroke: #888 } .band { fill: #4a90d9; fill-opacity: 0.18 }\n"
    ".row { stroke: #ddd } .sync { stroke: #333; stroke-dasharray: 3 2 }";
static const char legend[] = "numbers: lines of the text below; box: loop; band: the ranks that do a line at "
                             "a time; arrow: message or access; "
                             "broken line: collective operation; dot: any other event";

/* ---- lines of the text ----------------------------------------------------------------------- */

/* Adds the lines of a group to the list, with the number of its column; of a loop only the first line. */
static enum refrain_status put_lines(struct picture *p, const struct joint_group *g, uint32_t indent)
{
    p->line.text.n = 0;
    p->printer.out = &p->line;
    enum refrain_status status = joint_put_group(&p->printer, g, indent);
    const bool loop = g->kind == JOINT_LINE && !g->items[0].receive && g->items[0].step->kind == STEP_LOOP;
    const char *text = (const char *)p->line.text.data;
    p->numbers++;
    for (size_t at = 0, end; status == REFRAIN_OK && at < p->line.text.n && !(loop && at > 0); at = end + 1) {
        for (end = at; end < p->line.text.n && text[end] != '\n';)
            end++;
        if (at == 0)
            text_uint(&p->list, p->numbers);
        text_putc(&p->list, '\t');
        bytes_put(&p->list, text + at, end - at);
        text_putc(&p->list, '\n');
    }
    svg_label(&p->svg, p->x, p->top - GAP, "number");
    text_printf(svg_text(&p->svg), "%u", p->numbers);
    svg_close_all(&p->svg);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Draws the arrows of a step whose partners do not move, and its band. */
static void put_step_arrows(struct picture *p, size_t item, const struct step *s, double width)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    picture_put_band(p, s->processes, s->n_processes, p->x, width);
    for (uint32_t i = 0; i < s->n_processes; i++)
        picture_put_arrow(p, item, p->x + 2, picture_y_of(p, s->processes[i]), p->x + width - 2,
                          picture_y_of_rank(p, s->processes[i],
                                            step_partner(p->printer.logical, s, s->processes[i], none)));
}

static void put_event(struct picture *p, const struct step *s)
{
    const char *text = text_table_at(&p->printer.logical->forms, s->form);
    const bool receives = memcmp(text, "recv ", 5) == 0;
    if (s->n_processes > 1 && memcmp(text, "sync ", 5) == 0) {
        svg_open(&p->svg, "line");
        svg_numbers(&p->svg, "x1 y1 x2 y2", p->x + COLUMN / 2, picture_y_of(p, s->processes[0]),
                    p->x + COLUMN / 2, picture_y_of(p, s->processes[s->n_processes - 1]));
        svg_attribute(&p->svg, "class", "sync");
        svg_close_all(&p->svg);
    }
    if (s->has_partner && !receives)
        put_step_arrows(p, 0, s, COLUMN);
    for (uint32_t i = 0; (!s->has_partner || receives) && i < s->n_processes; i++)
        picture_put_dot(p, p->x + COLUMN / 2, picture_y_of(p, s->processes[i]));
}

/* A column for each place: the band of the ranks that are there, and their messages to the next one. */
static void put_wave(struct picture *p, const struct joint_group *g)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    const struct logical *l = p->printer.logical;
    const double width = fmin(COLUMN, (double)LOOP_WIDTH / (double)(g->wave.last - g->wave.first + 1));
    for (size_t i = 0; i < g->n; i++) {
        const struct step *s = g->items[i].step;
        for (uint32_t k = 0; k < s->n_processes; k++) {
            const uint32_t process = s->processes[k], rank = logical_rank(l, process);
            const double x = p->x + (double)(wave_place(&g->wave, l->compass, rank) - g->wave.first) * width;
            picture_put_band(p, &process, 1, x, width);
            if (g->items[i].receive)
                picture_put_arrow(p, i, x + width / 2, picture_y_of(p, process), x + width,
                                  picture_y_of_rank(p, process, step_partner(l, s, process, none)));
        }
    }
    p->x += width * (double)(g->wave.last - g->wave.first + 1);
}

/* Draws the messages of a step in an open loop, for an iteration. */
static void put_iteration(struct picture *p, size_t item, const struct step *s, uint32_t level,
                          uint64_t iteration, double x, double width, bool sends)
{
    uint64_t indices[SYSTEM_DEPTH_MAX + 1] = {0};
    indices[level] = iteration;
    for (uint32_t k = 0; k < s->n_processes; k++) {
        const uint32_t rank = step_partner(p->printer.logical, s, s->processes[k], indices);
        const double here = picture_y_of(p, s->processes[k]),
                     there = picture_y_of_rank(p, s->processes[k], rank);
        picture_put_arrow(p, item, x, sends ? here : there, x + width, sends ? there : here);
    }
}

static void put_visits(struct picture *p, const struct joint_group *g)
{
    const uint64_t n = g->loop->count.values[0];
    const double width = fmin(COLUMN, (double)LOOP_WIDTH / (double)n), part = width / (double)g->n;
    for (uint64_t k = 0; k < n; k++)
        for (size_t i = 0; i < g->n; i++) {
            const struct joint_item *item = &g->items[i];
            const bool sends = joint_is_inside(g, item->step);
            if (item->receive)
                put_iteration(p, i, sends ? item->step : item->receive, g->loop->depth, k,
                              p->x + (double)k * width + (double)i * part, part, sends);
        }
    picture_put_band(p, g->loop->processes, g->loop->n_processes, p->x, (double)n * width);
    p->x += (double)n * width;
}

/* Returns the sends of a step of an exchange; of a loop, those inside. */
static size_t count_sends(const struct picture *p, const struct step *s)
{
    size_t n = 0;
    if (s->kind == STEP_EVENT)
        return p->printer.joint->meetings.forms[s->form].kind == FORM_SENDS;
    for (size_t i = 0; s->kind == STEP_LOOP && i < s->body.n; i++)
        n += count_sends(p, s->body.items[i]);
    return n;
}

/* A column for each step that sends. */
static void put_exchange(struct picture *p, const struct joint_group *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += count_sends(p, g->items[i].step) > 0;
    const double width = fmin(COLUMN, (double)EXCHANGE_WIDTH / (double)(n > 0 ? n : 1));
    for (size_t i = 0; i < g->n; i++) {
        const struct step *s = g->items[i].step;
        if (count_sends(p, s) == 0)
            continue;
        if (s->kind == STEP_EVENT)
            put_step_arrows(p, i, s, width);
        for (size_t k = 0; s->kind == STEP_LOOP && k < s->body.n; k++)
            for (uint64_t times = 0; count_sends(p, s->body.items[k]) > 0 && times < s->count.values[0];
                 times++)
                put_iteration(p, i, s->body.items[k], s->depth, times, p->x + 2, width - 4, true);
        p->x += width;
    }
}

static enum refrain_status put_body(struct picture *p, const struct steps *body, uint32_t indent);

static enum refrain_status put_part(struct picture *p, const struct step *s, uint32_t indent)
{
    const double from = p->x;
    enum refrain_status status = REFRAIN_OK;
    if (s->kind == STEP_EVENT) {
        put_event(p, s);
        p->x += COLUMN;
        return REFRAIN_OK;
    }
    p->x += 2 * GAP;
    if (s->kind == STEP_LOOP) {
        const struct process_set all = p->printer.all;
        p->printer.all = (struct process_set){s->processes, s->n_processes};
        status = put_body(p, &s->body, indent + 1);
        p->printer.all = all;
    } else {
        svg_label(&p->svg, p->x, p->top + p->row, NULL);
        struct bytes *name = svg_text(&p->svg);
        statement_put_name(p->printer.logical, s->procedure, name);
        p->x += (double)name->n * LETTER;
        svg_close_all(&p->svg);
    }
    picture_put_box(p, "loop", from, p->row_of[s->processes[0]], p->row_of[s->processes[s->n_processes - 1]],
                    p->x - from, 2);
    p->x += GAP;
    return status;
}

static enum refrain_status put_group(struct picture *p, const struct joint_group *g, uint32_t indent)
{
    enum refrain_status status = put_lines(p, g, indent);
    if (g->kind == JOINT_WAVE)
        put_wave(p, g);
    else if (g->kind == JOINT_VISITS)
        put_visits(p, g);
    else if (g->kind == JOINT_EXCHANGE)
        put_exchange(p, g);
    else if (g->items[0].receive && g->kind != JOINT_STEPS) {
        put_step_arrows(p, 0, g->items[0].step, COLUMN);
        p->x += COLUMN;
    } else {
        for (size_t i = 0; i < g->n && status == REFRAIN_OK; i++)
            status = put_part(p, g->items[i].step, indent);
    }
    p->x += GAP;
    return status;
}

static enum refrain_status put_body(struct picture *p, const struct steps *body, uint32_t indent)
{
    const struct joint_body *b = joint_of(p->printer.joint, body);
    enum refrain_status status = b ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    const struct joint_body groups = b ? *b : (struct joint_body){0};
    for (size_t i = 0; i < groups.n && status == REFRAIN_OK; i++)
        status = put_group(p, &groups.groups[i], indent);
    return status;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Draws the lines of the rows, with the ranks on the left. */
static void put_rows(struct picture *p, struct process_set all)
{
    const uint32_t each = (uint32_t)ceil(10 / p->row);
    for (uint32_t i = 0; i < all.n; i++) {
        const double y = picture_y_of(p, all.items[i]);
        if (i % each == 0) {
            svg_label(&p->svg, 4, y + 3, NULL);
            text_printf(svg_text(&p->svg), i == 0 ? "rank %u" : "%u",
                        logical_rank(p->printer.logical, all.items[i]));
            svg_close_all(&p->svg);
        }
        svg_open(&p->svg, "line");
        svg_numbers(&p->svg, "x1 y1 x2 y2", LEFT - GAP, y, p->x, y);
        svg_attribute(&p->svg, "class", "row");
        svg_close_all(&p->svg);
    }
}

static void put_code(struct picture *p, double x, const char *text, size_t n)
{
    svg_label(&p->svg, x, p->top, "code");
    bytes_put(svg_text(&p->svg), text, n);
    svg_close_all(&p->svg);
    p->width = fmax(p->width, x + (double)n * LETTER + MARGIN);
}

/* Writes the lines of the panel below it: a number, a tab, and the text. */
static void put_list(struct picture *p)
{
    const char *text = (const char *)p->list.data;
    for (size_t at = 0, tab, end; at < p->list.n; at = end + 1) {
        for (tab = at; text[tab] != '\t';)
            tab++;
        size_t from = tab + 1;
        for (; text[from] == ' ';)
            from++;
        for (end = from; text[end] != '\n';)
            end++;
        p->top += LINE;
        if (tab > at)
            put_code(p, 4, text + at, tab - at);
        put_code(p, LEFT - MARGIN + (double)(from - tab) * INDENT, text + from, end - from);
    }
    p->list.n = 0;
}

static enum refrain_status put_panel(struct picture *p, const struct bytes *title, const struct steps *body,
                                     struct process_set all)
{
    struct bytes inside = {0};
    p->printer.all = all;
    p->row = fmin(ROW_MOST, (double)ROWS_HEIGHT / (all.n > 0 ? all.n : 1));
    for (uint32_t i = 0; i < all.n; i++)
        p->row_of[all.items[i]] = i;
    p->top += TOP;
    p->x = LEFT;
    p->numbers = 0;
    if (title->n > 0) {
        svg_label(&p->svg, 4, p->top - 2 * GAP, NULL);
        bytes_put(svg_text(&p->svg), title->data, title->n);
        svg_close_all(&p->svg);
        p->top += LINE;
    }
    p->svg.out = &inside;
    const enum refrain_status status = put_body(p, body, 0);
    p->svg.out = &p->shapes;
    p->width = fmax(p->width, p->x + MARGIN);
    put_rows(p, all);
    bytes_put(&p->shapes, inside.data, inside.n);
    p->shapes.failed = p->shapes.failed || inside.failed;
    bytes_free(&inside);
    p->top += (double)all.n * p->row + GAP;
    put_list(p);
    return status;
}

static enum refrain_status put_panels(struct picture *p)
{
    const struct logical *l = p->printer.logical;
    struct bytes title = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++) {
        const struct section *s = &l->sections.items[i];
        title.n = 0;
        if (s->body.n == 0)
            continue;
        if (l->sections.n > 1)
            text_printf(&title, "thread %u", s->thread);
        status = put_panel(p, &title, &s->body, (struct process_set){s->processes, s->n_processes});
    }
    for (uint32_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++) {
        const struct procedure *s = &l->procedures.items[i];
        title.n = 0;
        statement_put_name(l, i, &title);
        status = put_panel(p, &title, &s->body, (struct process_set){s->processes, s->n_processes});
    }
    p->shapes.failed = p->shapes.failed || title.failed;
    bytes_free(&title);
    return status;
}

static void put_label(struct picture *p, double y, const char *text)
{
    svg_label(&p->svg, 4, y, NULL);
    text_put(svg_text(&p->svg), text);
    svg_close_all(&p->svg);
    p->width = fmax(p->width, (double)strlen(text) * (LETTER - 2) + MARGIN);
}

static void put_footnotes(struct picture *p)
{
    struct bytes all = {0};
    footnotes_put(p->printer.footnotes, &all);
    const char *text = (const char *)all.data;
    for (size_t at = 0, end; at < all.n; at = end + 1) {
        for (end = at; text[end] != '\n';)
            end++;
        text_putc(&p->list, '\t');
        bytes_put(&p->list, text + at, end + 1 - at);
    }
    p->top += LINE;
    put_list(p);
    p->list.failed = p->list.failed || all.failed;
    bytes_free(&all);
}

enum refrain_status joint_put_svg(const struct logical *l, struct joint *joint,
                                  const struct annotations *notes, struct output *out)
{
    struct footnotes footnotes = {0};
    struct bytes title = {0};
    struct picture p = {.printer = {.logical = l, .joint = joint, .notes = notes, .footnotes = &footnotes},
                        .line = {.kept = true},
                        .top = 2 * LINE};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    p.svg.out = &p.shapes;
    p.row_of = calloc(l->model->processes.n + 1, sizeof *p.row_of);
    if (!p.row_of)
        log_error("out of memory: a drawing of %zu processes", l->model->processes.n);
    text_put(&title, "Model of ");
    logical_put_ranks(l->compass, &title);
    text_putc(&title, '\0');
    if (p.row_of && !title.failed) {
        put_label(&p, LINE, (const char *)title.data);
        put_label(&p, 2 * LINE, legend);
        status = put_panels(&p);
    }
    put_footnotes(&p);
    if (status == REFRAIN_OK && (p.shapes.failed || p.list.failed || p.line.text.failed))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK) {
        p.svg.out = &out->text;
        svg_start(&p.svg, &(struct svg_head){.width = p.width,
                                             .height = p.top + MARGIN,
                                             .title = (const char *)title.data,
                                             .style = style,
                                             .arrow = {6, 6}});
        bytes_put(&out->text, p.shapes.data, p.shapes.n);
        svg_end(&p.svg);
    }
    bytes_free(&p.svg.text);
    free(p.row_of);
    bytes_free(&title);
    bytes_free(&p.shapes);
    bytes_free(&p.list);
    bytes_free(&p.line.text);
    footnotes_free(&footnotes);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
