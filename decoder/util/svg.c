/* SPDX-License-Identifier: BSD-3-Clause */
#include "svg.h"

#include "text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static void put_number(struct bytes *out, double v)
{
    const int64_t hundredths = (int64_t)floor(v * 100 + 0.5);
    const uint64_t u = hundredths < 0 ? -(uint64_t)hundredths : (uint64_t)hundredths;
    if (hundredths < 0)
        text_putc(out, '-');
    text_uint(out, u / 100);
    if (u % 100 > 0) {
        text_putc(out, '.');
        text_uint(out, u / 10 % 10);
    }
    if (u % 10 > 0)
        text_uint(out, u % 10);
}

void svg_print_numbers(struct bytes *out, const char *format, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t length = strcspn(format, "%");
        assert(format[length] == '%');
        bytes_put(out, format, length);
        put_number(out, numbers[i]);
        format += length + 1;
    }
    text_put(out, format);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Writes the value or text that the caller has completed. */
static void settle(struct svg *s)
{
    if (s->pending == SVG_NOTHING)
        return;
    text_put_markup(s->out, (const char *)s->text.data, s->text.n);
    if (s->pending == SVG_VALUE)
        text_putc(s->out, '"');
    s->out->failed = s->out->failed || s->text.failed;
    s->pending = SVG_NOTHING;
}

static struct bytes *pend(struct svg *s, enum svg_pending what)
{
    s->pending = what;
    s->text.n = 0;
    return &s->text;
}

/* Ends the attributes: what follows is inside the element. */
static void end_tag(struct svg *s)
{
    settle(s);
    if (s->in_tag)
        text_putc(s->out, '>');
    s->in_tag = false;
}

void svg_open(struct svg *s, const char *element)
{
    end_tag(s);
    assert(s->depth < SVG_DEPTH);
    s->open[s->depth++] = element;
    text_putc(s->out, '<');
    text_put(s->out, element);
    s->in_tag = true;
}

void svg_close(struct svg *s)
{
    settle(s);
    assert(s->depth > 0);
    const char *element = s->open[--s->depth];
    if (s->in_tag) {
        text_put(s->out, "/>");
    } else {
        text_put(s->out, "</");
        text_put(s->out, element);
        text_putc(s->out, '>');
    }
    s->in_tag = false;
}

void svg_close_all(struct svg *s)
{
    while (s->depth > s->groups)
        svg_close(s);
    text_putc(s->out, '\n');
}

void svg_label(struct svg *s, double x, double y, const char *class)
{
    svg_open(s, "text");
    svg_numbers(s, "x y", x, y);
    if (class)
        svg_attribute(s, "class", class);
}

void svg_group(struct svg *s, const char *name, const char *value)
{
    svg_open(s, "g");
    svg_attribute(s, name, value);
    end_tag(s);
    s->groups = s->depth;
    text_putc(s->out, '\n');
}

void svg_group_end(struct svg *s)
{
    assert(s->groups > 0 && s->groups == s->depth);
    s->groups--;
    svg_close_all(s);
}

/* ---- attributes and texts -------------------------------------------------------------------- */

struct bytes *svg_value(struct svg *s, const char *name)
{
    settle(s);
    assert(s->in_tag);
    text_putc(s->out, ' ');
    text_put(s->out, name);
    text_put(s->out, "=\"");
    return pend(s, SVG_VALUE);
}

struct bytes *svg_text(struct svg *s)
{
    end_tag(s);
    return pend(s, SVG_TEXT);
}

void svg_attribute(struct svg *s, const char *name, const char *value)
{
    text_put(svg_value(s, name), value);
}

void svg_put_numbers(struct svg *s, const char *names, const double *numbers, size_t n)
{
    settle(s);
    assert(s->in_tag);
    for (size_t i = 0; i < n; i++) {
        const size_t length = strcspn(names, " ");
        assert(length > 0);
        text_putc(s->out, ' ');
        bytes_put(s->out, names, length);
        text_put(s->out, "=\"");
        put_number(s->out, numbers[i]);
        text_putc(s->out, '"');
        names += length + (names[length] == ' ');
    }
}

/* ---- the document ---------------------------------------------------------------------------- */

/* Writes an element with a text on its own line, if there is a text. */
static void put_line(struct svg *s, const char *element, const char *text)
{
    if (!text)
        return;
    svg_open(s, element);
    text_put(svg_text(s), text);
    svg_close_all(s);
}

/* Writes CSS, which has no escapes for markup. */
static void put_style(struct svg *s, const char *style)
{
    if (!style)
        return;
    svg_open(s, "style");
    end_tag(s);
    text_put(s->out, style);
    svg_close_all(s);
}

/* The arrow head has this size for every width of the line. It has a style of its own, because the
 * picture's style may apply to all paths. */
static void put_arrow(struct svg *s, double length, double width)
{
    if (length <= 0)
        return;
    svg_open(s, "defs");
    svg_open(s, "marker");
    svg_attribute(s, "id", "head");
    svg_numbers(s, "refX refY markerWidth markerHeight", length, width / 2, length, width);
    svg_attribute(s, "markerUnits", "userSpaceOnUse");
    svg_attribute(s, "orient", "auto");
    svg_open(s, "path");
    svg_print(svg_value(s, "d"), "M0 0L% %L0 %z", length, width / 2, width);
    svg_attribute(s, "style", "fill:#000;stroke:none;marker-end:none");
    svg_close_all(s);
}

void svg_start(struct svg *s, const struct svg_head *head)
{
    text_put(s->out, "<svg");
    s->in_tag = true;
    svg_attribute(s, "xmlns", "http://www.w3.org/2000/svg");
    svg_numbers(s, "width height", head->width, head->height);
    svg_print(svg_value(s, "viewBox"), "0 0 % %", head->width, head->height);
    end_tag(s);
    text_putc(s->out, '\n');
    put_line(s, "title", head->title);
    put_line(s, "desc", head->description);
    put_style(s, head->style);
    put_arrow(s, head->arrow.length, head->arrow.width);
    text_put(s->out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void svg_end(struct svg *s)
{
    assert(s->depth == 0 && s->pending == SVG_NOTHING);
    text_put(s->out, "</svg>\n");
    bytes_free(&s->text);
}
