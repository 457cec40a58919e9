/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "decoder/util/text.h"

#include <math.h>

double picture_y_of(const struct picture *p, uint32_t process)
{
    return p->top + ((double)p->row_of[process] + 0.5) * p->row;
}

double picture_y_of_rank(const struct picture *p, uint32_t process, uint32_t rank)
{
    const uint32_t there = map_get(&p->printer.joint->meetings.of_rank, rank);
    return picture_y_of(p, there == MAP_NONE ? process : there);
}

void picture_put_arrow(struct picture *p, size_t item, double x, double y, double to_x, double to_y)
{
    svg_open(&p->svg, "line");
    svg_numbers(&p->svg, "x1 y1 x2 y2", x, y, to_x, to_y);
    text_printf(svg_value(&p->svg, "stroke"), "hsl(%u,70%%,40%%)",
                (p->numbers * 47 + (unsigned)item * 83) % 360);
    svg_attribute(&p->svg, "marker-end", SVG_ARROW);
    svg_close_all(&p->svg);
}

void picture_put_dot(struct picture *p, double x, double y)
{
    svg_open(&p->svg, "circle");
    svg_numbers(&p->svg, "cx cy r", x, y, fmin(2.5, p->row / 2));
    svg_close_all(&p->svg);
}

void picture_put_box(struct picture *p, const char *class, double x, uint32_t first, uint32_t last,
                     double width, double more)
{
    svg_open(&p->svg, "rect");
    svg_numbers(&p->svg, "x y width height", x, p->top + first * p->row - more, width,
                (double)(last - first + 1) * p->row + 2 * more);
    svg_attribute(&p->svg, "class", class);
    svg_close_all(&p->svg);
}

void picture_put_band(struct picture *p, const uint32_t *processes, uint32_t n, double x, double width)
{
    for (uint32_t i = 0, end; i < n; i = end) {
        const uint32_t first = p->row_of[processes[i]];
        for (end = i + 1; end < n && p->row_of[processes[end]] == first + (end - i);)
            end++;
        picture_put_box(p, "band", x, first, first + (end - i) - 1, width, 0);
    }
}
