/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures as SVG, written from the front to the back: elements with attributes, in groups.
 *
 *     struct svg s = {.out = &out};
 *     svg_start(&s, &(struct svg_head){.width = 120, .height = 40, .title = "Waiting",
 *                                      .style = "text { font: 11px sans-serif }"});
 *     svg_group(&s, "class", "bars");
 *     svg_open(&s, "rect");
 *     svg_numbers(&s, "x y width height", 10, 20, 30.5, 12);
 *     svg_attribute(&s, "fill", "#c00");
 *     svg_open(&s, "title");
 *     text_printf(svg_text(&s), "rank %u, %s", 0, "<1 s");
 *     svg_close_all(&s);
 *     svg_group_end(&s);
 *     svg_open(&s, "path");
 *     svg_print(svg_value(&s, "d"), "M% %h%", 10, 34, 30.5);
 *     svg_close_all(&s);
 *     svg_end(&s);
 *
 *     <svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40">
 *     <title>Waiting</title>
 *     <style>text { font: 11px sans-serif }</style>
 *     <rect width="100%" height="100%" fill="#fff"/>
 *     <g class="bars">
 *     <rect x="10" y="20" width="30.5" height="12" fill="#c00"><title>rank 0, &lt;1 s</title></rect>
 *     </g>
 *     <path d="M10 34h30.5"/>
 *     </svg>
 *
 * Lengths are pixels, written with at most two digits after the point. Texts and the values of attributes are
 * escaped. Where memory is short, out->failed says so, as it does for text.h.
 *
 * What is drawn before the size of the picture is known goes to bytes of its own: a struct svg has only to know
 * `out`, which may become another one between lines, and svg_start can come later. */
#ifndef REFRAIN_SVG_H
#define REFRAIN_SVG_H

#include "src/core/base/bytes.h"

enum { SVG_DEPTH = 8 }; /* elements that are open, with groups, at most */

struct svg {
    struct bytes *out;
    /* The rest is svg.c's. */
    const char *open[SVG_DEPTH]; /* elements, from the outside to the inside */
    unsigned depth, groups;      /* open elements; the first so many are groups */
    bool in_tag;                 /* of the innermost element, where attributes may follow */
    enum svg_pending { SVG_NOTHING, SVG_VALUE, SVG_TEXT } pending;
    struct bytes text; /* what is pending, not yet escaped */
};

struct svg_head {
    double width, height;
    const char *title, *description; /* for those who do not see the picture; NULL: none */
    const char *style;               /* CSS, as it is; NULL: none */
    struct {
        double length, width;
    } arrow; /* the head of lines that end in SVG_ARROW (an attribute marker-end, or CSS); 0: there is none */
};

#define SVG_ARROW "url(#head)"

/* Begin the document, with a white ground; end it, and give the memory of `s` back. */
void svg_start(struct svg *s, const struct svg_head *head);
void svg_end(struct svg *s);

/* Lines up to svg_group_end are of one group, with one attribute. */
void svg_group(struct svg *s, const char *name, const char *value);
void svg_group_end(struct svg *s);

/* Begin an element, in the one that is open; end it. The name is kept by reference. */
void svg_open(struct svg *s, const char *element);
void svg_close(struct svg *s);
/* End all elements that are open, up to the group, and the line. */
void svg_close_all(struct svg *s);
/* Begin a text at a point; of that class, if not NULL. Other attributes may follow, and then svg_text. */
void svg_label(struct svg *s, double x, double y, const char *class);

/* Attributes of the element that was opened last, before anything is in it. */
void svg_attribute(struct svg *s, const char *name, const char *value);
/* As many as there are numbers: svg_numbers(s, "cx cy r", x, y, 3). */
#define svg_numbers(s, names, ...) svg_put_numbers(s, names, SVG_LIST(__VA_ARGS__))
void svg_put_numbers(struct svg *s, const char *names, const double *numbers, size_t n);

/* Where to put the value of an attribute, or what the element that is open reads, before the next call with
 * `s`; as it is, since svg.c escapes it. */
struct bytes *svg_value(struct svg *s, const char *name);
struct bytes *svg_text(struct svg *s);

/* Put text in which each % stands for the next number: svg_print(out, "M% %h%", x, y, length). */
#define svg_print(out, format, ...) svg_print_numbers(out, format, SVG_LIST(__VA_ARGS__))
void svg_print_numbers(struct bytes *out, const char *format, const double *numbers, size_t n);

#define SVG_LIST(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

#endif
