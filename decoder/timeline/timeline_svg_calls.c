/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws calls and the links between them; timeline_svg.c describes the picture. */
#include "timeline_svg_impl.h"

#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls ----------------------------------------------------------------------------------- */

static bool is_wide(const struct picture *p, const struct timeline_call *c)
{
    return (double)(c->leave - c->enter) * p->scale >= 1;
}

/* The look of a column: the kind with most of the time gives the colour; the share of all kinds
 * gives the height in pixels. 0: empty. */
struct bar {
    unsigned kind, steps;
};

static struct bar bar_of(const struct picture *p, const struct bin_column *column, size_t lanes)
{
    struct bar bar = {0};
    double all = 0;
    for (unsigned k = 0; k < CALL_KINDS; k++) {
        all += column->time[k];
        if (column->time[k] > column->time[bar.kind])
            bar.kind = k;
    }
    const double share = all * p->scale / (double)lanes;
    const unsigned most = (unsigned)ceil(p->line);
    if (all > 0)
        bar.steps = (unsigned)ceil(share * most - 1e-6);
    bar.steps = bar.steps > most ? most : all > 0 && bar.steps == 0 ? 1 : bar.steps;
    return bar;
}

static void put_bar(struct picture *p, struct bytes *path, uint32_t line, uint32_t from, uint32_t to,
                    unsigned steps)
{
    const double height = steps < p->line ? steps : p->line;
    svg_print(path, "M% %v-%h%v%z", p->left + from, p->top + line * p->pitch + p->line, height, to - from,
              height);
}

/* Writes the columns of a line into a path for each kind. Equal neighbours are one bar. */
static void put_columns(struct picture *p, uint32_t line, const struct bin_column *columns,
                        struct bytes paths[CALL_KINDS])
{
    const size_t lanes = timeline_first_lane(p->t, line + 1) - timeline_first_lane(p->t, line);
    struct bar last = {0};
    for (uint32_t i = 0, first = 0; i <= p->columns; i++) {
        const struct bar bar = i < p->columns ? bar_of(p, &columns[i], lanes) : (struct bar){0};
        if (bar.kind == last.kind && bar.steps == last.steps && i < p->columns)
            continue;
        if (last.steps > 0)
            put_bar(p, &paths[last.kind], line, first, i, last.steps);
        last = bar;
        first = i;
    }
}

/* Adds the line's calls that are less than a pixel wide, from *at on. */
static void sum_narrow(const struct picture *p, uint32_t line, size_t *at, struct bin_column *columns)
{
    const struct timeline *t = p->t;
    for (; *at < t->calls.n && timeline_line(t, t->calls.items[*at].lane) == line; ++*at) {
        const struct timeline_call *c = &t->calls.items[*at];
        if (!is_wide(p, c) && c->depth == 0)
            bins_column_add(columns, p->columns, t->from, t->to, t->roles.items[c->function].kind, c->enter,
                            c->leave);
    }
}

enum refrain_status picture_put_sums(struct picture *p)
{
    const struct timeline *t = p->t;
    struct bytes paths[CALL_KINDS] = {0};
    size_t at = 0;
    struct bin_column *columns = malloc((p->columns + (size_t)1) * sizeof *columns);
    if (!columns) {
        log_error("out of memory: %" PRIu32 " columns", p->columns);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t line = 0; line < t->n_lines; line++) {
        memset(columns, 0, p->columns * sizeof *columns);
        bins_columns(&t->bins, line, t->from, t->to, p->columns, columns);
        sum_narrow(p, line, &at, columns);
        put_columns(p, line, columns, paths);
    }
    svg_group(&p->svg, "class", "sums");
    for (unsigned k = 0; k < CALL_KINDS; k++) {
        if (paths[k].n > 0) {
            svg_open(&p->svg, "path");
            svg_attribute(&p->svg, "class", call_looks[k].id);
            bytes_put(svg_value(&p->svg, "d"), paths[k].data, paths[k].n);
            svg_close_all(&p->svg);
        }
        p->svg.out->failed = p->svg.out->failed || paths[k].failed;
        bytes_free(&paths[k]);
    }
    svg_group_end(&p->svg);
    free(columns);
    return REFRAIN_OK;
}

static const char *name_of(const struct timeline *t, const struct timeline_call *c)
{
    return t->reader->trace.functions.functions.items[c->function].name;
}

/* Writes the function, without "MPI_", into a rectangle if there is room for it. */
static void put_name(struct picture *p, const struct timeline_call *c, double wide)
{
    const char *name = name_of(p->t, c);
    name += strncmp(name, "MPI_", 4) == 0 ? 4 : 0;
    const size_t n = strlen(name);
    char class[32];
    if (p->line < TEXT_SIZE + 2 || (double)n * TEXT_SIZE * LETTER + 8 > wide)
        return;
    snprintf(class, sizeof class, "on-%s", call_looks[p->t->roles.items[c->function].kind].id);
    picture_put_text(p, picture_x(p, c->enter) + 4,
                     p->top + timeline_line(p->t, c->lane) * p->pitch + p->line / 2 + 4, class, name, n, wide,
                     TEXT_SIZE);
}

static void put_wide(struct picture *p, const struct timeline_call *c)
{
    const struct timeline *t = p->t;
    const double x = picture_x(p, c->enter), wide = picture_x(p, c->leave) - x;
    svg_open(&p->svg, "rect");
    svg_attribute(&p->svg, "class", call_looks[t->roles.items[c->function].kind].id);
    svg_numbers(&p->svg, "x y width height", x, p->top + timeline_line(t, c->lane) * p->pitch,
                wide > 3 ? wide - 0.5 : wide, p->line); /* a gap separates calls that touch */
    svg_open(&p->svg, "title");
    struct bytes *title = svg_text(&p->svg);
    text_printf(title, "%s, ", name_of(t, c));
    time_put(title, c->leave - c->enter);
    text_put(title, " at ");
    time_put(title, c->enter);
    text_printf(title, ", call %" PRIu64, c->index);
    svg_close_all(&p->svg);
    put_name(p, c, wide);
}

/* A call that ended first may be inside one that ended later, so it is drawn over that one. */
void picture_put_wide(struct picture *p)
{
    const struct timeline_call *calls = p->t->calls.items;
    const size_t n = p->t->calls.n;
    svg_group(&p->svg, "class", "calls");
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && calls[end - 1].depth > 0; end++)
            ;
        for (size_t i = end; i-- > first;) {
            if (is_wide(p, &calls[i]))
                put_wide(p, &calls[i]);
        }
    }
    svg_group_end(&p->svg);
}

/* ---- messages and collective operations ------------------------------------------------------ */

/* Draws each collective operation as a band around the calls of its members: down along their
 * beginnings, up along their ends. */
void picture_put_bands(struct picture *p)
{
    const struct timeline_links *x = p->links;
    svg_group(&p->svg, "class", "bands");
    for (size_t i = 0; i < x->bands.n; i++) {
        const struct timeline_member *members = &x->members.items[x->bands.items[i]];
        const size_t n = timeline_band_size(x, i);
        svg_open(&p->svg, "path");
        struct bytes *path = svg_value(&p->svg, "d");
        for (size_t m = 0; m < n; m++) {
            const double y = p->top + members[m].line * p->pitch, enter = picture_x(p, members[m].enter);
            svg_print(path, m == 0 ? "M% %L% %" : "L% %L% %", enter, y, enter, y + p->line);
        }
        for (size_t m = n; m-- > 0;) {
            const double y = p->top + members[m].line * p->pitch, leave = picture_x(p, members[m].leave);
            svg_print(path, "L% %L% %", leave, y + p->line, leave, y);
        }
        text_putc(path, 'z');
        svg_close_all(&p->svg);
    }
    svg_group_end(&p->svg);
}

void picture_put_messages(struct picture *p)
{
    const struct timeline_links *x = p->links;
    svg_group(&p->svg, "class", "messages");
    for (size_t i = 0; i < x->messages.n; i++) {
        const struct timeline_message *m = &x->messages.items[i];
        svg_open(&p->svg, "path");
        svg_print(svg_value(&p->svg, "d"), "M% %L% %", picture_x(p, m->sent),
                  p->top + m->from * p->pitch + p->line / 2, picture_x(p, m->received),
                  p->top + m->to * p->pitch + p->line / 2);
        svg_close_all(&p->svg);
    }
    svg_group_end(&p->svg);
}
