/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the program's own regions behind the calls. An inner region leaves an edge of the outer
 * one visible. */
#include "timeline_svg_impl.h"

#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <math.h>
#include <stdio.h>

enum { DEPTHS = 4, EDGE = 2 };

/* Returns how much lower a region's rectangle is because of the regions around it. */
static double edge(const struct picture *p, const struct timeline_region *region)
{
    const double most = fmin(DEPTHS * EDGE, p->line / 2);
    return fmin((double)region->depth * EDGE, most);
}

void picture_put_regions(struct picture *p)
{
    const struct timeline_regions *x = &p->t->regions;
    if (x->items.n == 0)
        return;
    svg_group(&p->svg, "class", "regions");
    for (size_t i = 0; i < x->items.n; i++) {
        const struct timeline_region *region = &x->items.items[i];
        const double left = picture_x(p, region->enter), wide = picture_x(p, region->leave) - left;
        const double lower = edge(p, region);
        char class[16];
        if (wide < 1)
            continue;
        snprintf(class, sizeof class, "region%u", (unsigned)(region->name % TIMELINE_REGION_COLOURS));
        svg_open(&p->svg, "rect");
        svg_attribute(&p->svg, "class", class);
        svg_numbers(&p->svg, "x y width height", left,
                    p->top + timeline_line(p->t, region->lane) * p->pitch + lower, wide, p->line - lower);
        svg_open(&p->svg, "title");
        struct bytes *title = svg_text(&p->svg);
        bytes_put(title, text_table_at(&x->names, region->name), x->names.items.items[region->name].n);
        text_put(title, ", ");
        time_put(title, region->leave - region->enter);
        text_put(title, " at ");
        time_put(title, region->enter);
        svg_close_all(&p->svg);
    }
    svg_group_end(&p->svg);
}

/* Writes the legend of the first regions, each with a colour of its own. Returns its lower edge. */
double picture_put_region_legend(struct picture *p, double y)
{
    const struct timeline_regions *x = &p->t->regions;
    double at = MARGIN;
    if (x->items.n == 0)
        return y;
    svg_group(&p->svg, "class", "legend");
    for (uint32_t i = 0; i < x->names.items.n && i < TIMELINE_REGION_COLOURS; i++) {
        const size_t n = x->names.items.items[i].n;
        const double wide = SQUARE + 6 + (double)n * TEXT_SIZE * LETTER + 14;
        if (at > MARGIN && at + wide > p->width) {
            at = MARGIN;
            y += ROW;
        }
        svg_open(&p->svg, "rect");
        svg_attribute(&p->svg, "fill", timeline_region_colours[i]);
        svg_numbers(&p->svg, "x y width height", at, y + ROW - 3 - SQUARE, SQUARE, SQUARE);
        svg_close(&p->svg);
        picture_put_text(p, at + SQUARE + 6, y + ROW - 4, NULL, text_table_at(&x->names, i), n,
                         p->width - at - SQUARE - 6, TEXT_SIZE);
        at += wide;
    }
    svg_group_end(&p->svg);
    return y + ROW;
}
