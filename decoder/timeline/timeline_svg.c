/* SPDX-License-Identifier: BSD-3-Clause */
/*      title: the command
 *      4 ranks, 1.234 s, 567 calls
 *      [#] blocking messages 12 %  [#] waiting …            the legend
 *
 *      rank
 *         0  |####--##--###--    |                          lines: a strip as long as the lane, columns and
 *         1  |--####--##--#####--|                          calls on it
 *            +----+----+----+----+
 *            0 s      0.5 s     1.0 s
 *      notes
 *
 * Calls that are at least a pixel wide are rectangles. For the other calls, and those in bins, a column of
 * one pixel shows the share of its time in calls, by its height, and the kind with most of that time. */
#include "timeline_svg_impl.h"

#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

uint32_t timeline_svg_bins(uint32_t width)
{
    return 2 * width;
}

/* ---- helpers --------------------------------------------------------------------------------- */

double picture_x(const struct picture *p, uint64_t time)
{
    const struct timeline *t = p->t;
    const double x = time <= t->from ? 0 : time >= t->to ? p->columns : (double)(time - t->from) * p->scale;
    return p->left + x;
}

void picture_put_text(struct picture *p, double x, double y, const char *class, const char *s, size_t length,
                      double room, double size)
{
    const size_t most = (size_t)(room / (size * LETTER));
    size_t n = 0;
    /* count characters of UTF-8 */
    for (size_t letters = 0; n < length && letters < most; letters++) {
        for (n++; n < length && (s[n] & 0xC0) == 0x80; n++)
            ;
    }
    svg_label(&p->svg, x, y, class);
    struct bytes *text = svg_text(&p->svg);
    bytes_put(text, s, n);
    if (n < length)
        text_put(text, "\xE2\x80\xA6");
    svg_close_all(&p->svg);
}

/* ---- head, legend, axis and notes ------------------------------------------------------------ */

static double put_head(struct picture *p, double y)
{
    const char *command = trace_meta(&p->t->reader->trace, "command");
    const double room = p->width - 2 * MARGIN;
    struct bytes text = {0};
    if (command)
        picture_put_text(p, MARGIN, y += TITLE_SIZE, "title", command, strlen(command), room, TITLE_SIZE);
    timeline_about(p->t, &text);
    picture_put_text(p, MARGIN, y += ROW + 2, NULL, (const char *)text.data, text.n, room, TEXT_SIZE);
    p->svg.out->failed = p->svg.out->failed || text.failed;
    bytes_free(&text);
    return y + ROW / 2;
}

/* Writes an entry of the legend with its share of the time of all lanes. Begins a new row if this
 * one is full; moves *x, *y. */
static void put_look(struct picture *p, const struct call_look *look, uint64_t time, double *x, double *y)
{
    struct bytes text = {0};
    if (time == 0)
        return;
    text_printf(&text, "%s %.1f %%", look->name, 100 * (double)time / (double)p->t->span);
    const double wide = SQUARE + 6 + (double)text.n * TEXT_SIZE * LETTER + 14;
    if (*x > MARGIN && *x + wide > p->width) {
        *x = MARGIN;
        *y += ROW;
    }
    svg_open(&p->svg, "rect");
    svg_attribute(&p->svg, "class", look->id);
    svg_numbers(&p->svg, "x y width height", *x, *y + ROW - 3 - SQUARE, SQUARE, SQUARE);
    svg_close(&p->svg);
    picture_put_text(p, *x + SQUARE + 6, *y + ROW - 4, NULL, (const char *)text.data, text.n, p->width,
                     TEXT_SIZE);
    *x += wide;
    p->svg.out->failed = p->svg.out->failed || text.failed;
    bytes_free(&text);
}

static double put_legend(struct picture *p, double y)
{
    double x = MARGIN;
    uint64_t rest = p->t->span;
    svg_group(&p->svg, "class", "legend");
    for (unsigned k = 0; k < CALL_KINDS; k++) {
        put_look(p, &call_looks[k], p->t->time[k], &x, &y);
        rest -= p->t->time[k] < rest ? p->t->time[k] : rest; /* calls in callbacks count twice */
    }
    put_look(p, &call_look_rest, rest, &x, &y);
    svg_group_end(&p->svg);
    return y + ROW;
}

static void put_mark(struct picture *p, const struct time_axis *axis, uint64_t mark, double y)
{
    const double x = picture_x(p, mark);
    const bool first = x<p->left + MARGIN, last = x> p->width - 2 * MARGIN;
    svg_label(&p->svg, x, y, NULL);
    svg_attribute(&p->svg, "text-anchor", first ? "start" : last ? "end" : "middle");
    time_axis_put(svg_text(&p->svg), axis, mark);
    svg_close_all(&p->svg);
}

/* Writes the time axis; a high picture has it above, too. */
static void put_axis(struct picture *p, double bottom)
{
    const struct timeline *t = p->t;
    const struct time_axis axis = time_axis_of(t->from, t->to, p->columns / MARKS_APART);
    svg_group(&p->svg, "class", "axis");
    uint64_t mark = time_axis_first(&axis, t->from);
    for (bool more = mark <= t->to; more; more = time_axis_next(&axis, t->to, &mark)) {
        svg_open(&p->svg, "path");
        svg_print(svg_value(&p->svg, "d"), "M% %V%", picture_x(p, mark), p->top - 3, bottom + 4);
        svg_close(&p->svg);
        put_mark(p, &axis, mark, bottom + 4 + TEXT_SIZE);
        if (bottom - p->top > HIGH)
            put_mark(p, &axis, mark, p->top - 6);
    }
    svg_group_end(&p->svg);
}

/* Begins the label of a line, to its left. */
static void start_label(struct picture *p, double y)
{
    svg_label(&p->svg, p->left - 6, y, NULL);
    svg_attribute(&p->svg, "text-anchor", "end");
}

/* Writes each line's label if there is room, and its strip from the lane's begin to its end. */
static void put_strips(struct picture *p)
{
    const struct timeline *t = p->t;
    const uint32_t every = (uint32_t)ceil((TEXT_SIZE + 2) / p->pitch);
    svg_group(&p->svg, "class", "lanes");
    for (uint32_t line = 0; line < t->n_lines; line++) {
        const double y = p->top + line * p->pitch;
        const struct timeline_extent x = timeline_extent(t, line);
        svg_open(&p->svg, "rect");
        svg_numbers(&p->svg, "x y width height", picture_x(p, x.begin), y,
                    x.begin < x.end ? picture_x(p, x.end) - picture_x(p, x.begin) : 0, p->line);
        svg_close(&p->svg);
        if (line % every == 0) {
            start_label(p, fmax(y + p->line / 2 + TEXT_SIZE * 0.35, p->top + TEXT_SIZE - 2));
            timeline_label(t, line, svg_text(&p->svg));
        }
        svg_close_all(&p->svg);
    }
    svg_group_end(&p->svg);
}

static double put_notes(struct picture *p, double y)
{
    struct bytes notes = {0};
    timeline_notes(p->t, &notes);
    timeline_links_notes(p->links, &notes);
    svg_group(&p->svg, "class", "notes");
    for (size_t at = 0; at < notes.n;) {
        const char *note = (const char *)notes.data + at;
        const size_t n = (size_t)((const char *)memchr(note, '\n', notes.n - at) - note);
        picture_put_text(p, MARGIN, y += ROW, NULL, note, n, p->width - 2 * MARGIN, TEXT_SIZE);
        at += n + 1;
    }
    svg_group_end(&p->svg);
    p->svg.out->failed = p->svg.out->failed || notes.failed;
    bytes_free(&notes);
    return y;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_style(struct bytes *out)
{
    text_put(out,
             "\n"
             "text{font:12px \"DejaVu Sans\",Verdana,Arial,sans-serif;fill:#222}\n"
             ".title{font-size:16px;font-weight:bold}\n"
             ".axis path{stroke:#000;stroke-opacity:.18;fill:none}\n"
             ".notes text{fill:#555}\n"
             ".bands path{fill:#009E73;fill-opacity:.2}\n"
             ".messages path{stroke:#000;stroke-opacity:.7;stroke-width:.8;fill:none;marker-end:" SVG_ARROW
             "}\n");
    for (unsigned k = 0; k < CALL_KINDS; k++)
        text_printf(out, ".%s{fill:%s}\ntext.on-%s{fill:%s}\n", call_looks[k].id, call_looks[k].colour,
                    call_looks[k].id, call_looks[k].ink);
    text_printf(out, ".%s,.lanes rect{fill:%s}\n", call_look_rest.id, call_look_rest.colour);
    for (unsigned i = 0; i < TIMELINE_REGION_COLOURS; i++)
        text_printf(out, ".region%u{fill:%s}\n", i, timeline_region_colours[i]);
    text_putc(out, '\0');
}

/* Returns the room for the widest label. */
static uint32_t left_of_lines(const struct timeline *t)
{
    struct bytes label = {0};
    size_t widest = 4; /* length of "rank" */
    for (uint32_t line = 0; line < t->n_lines; line++) {
        label.n = 0;
        timeline_label(t, line, &label);
        widest = label.n > widest ? label.n : widest;
    }
    bytes_free(&label);
    return MARGIN + 6 + (uint32_t)ceil((double)widest * TEXT_SIZE * 0.65);
}

enum refrain_status timeline_svg(const struct timeline *t, const struct timeline_links *links, uint32_t width,
                                 struct bytes *out)
{
    assert(width >= TIMELINE_SVG_WIDTH_LEAST && width <= TIMELINE_SVG_WIDTH_MOST);
    struct bytes style = {0}, body = {0};
    struct picture p = {
        .t = t, .links = links, .svg = {.out = &body}, .width = width, .left = left_of_lines(t)};
    p.columns = width - p.left - MARGIN;
    p.scale = p.columns / (double)(t->to - t->from);
    p.pitch = LINES_HEIGHT / t->n_lines < LINE_MOST ? LINES_HEIGHT / t->n_lines : LINE_MOST;
    p.line = p.pitch > 12 ? p.pitch - 4 : p.pitch > 4 ? p.pitch - 1 : p.pitch;

    double y = put_head(&p, MARGIN);
    y = put_legend(&p, y);
    y = picture_put_region_legend(&p, y);
    p.top = y + ROW + 4;
    start_label(&p, p.top - 6);
    text_put(svg_text(&p.svg), "rank");
    svg_close_all(&p.svg);
    const double bottom = p.top + t->n_lines * p.pitch;
    put_strips(&p);
    put_axis(&p, bottom);
    picture_put_regions(&p);
    picture_put_bands(&p);
    const enum refrain_status status = picture_put_sums(&p);
    picture_put_wide(&p);
    picture_put_messages(&p);
    y = put_notes(&p, bottom + 4 + ROW);

    put_style(&style);
    text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    p.svg.out = out;
    svg_start(&p.svg, &(struct svg_head){.width = width,
                                         .height = y + MARGIN,
                                         .style = style.failed ? NULL : (const char *)style.data,
                                         .arrow = {7, 5}});
    bytes_put(out, body.data, body.n);
    svg_end(&p.svg);
    out->failed = out->failed || style.failed || body.failed;
    bytes_free(&style);
    bytes_free(&body);
    return status != REFRAIN_OK ? status : out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}
