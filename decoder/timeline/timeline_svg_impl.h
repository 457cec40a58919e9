/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the SVG picture share: timeline_svg.c has the picture, timeline_svg_calls.c what happens
 * in it. */
#ifndef REFRAIN_TIMELINE_SVG_IMPL_H
#define REFRAIN_TIMELINE_SVG_IMPL_H

#include "decoder/util/svg.h"
#include "timeline_svg.h"

/* In pixels. */
enum {
    MARGIN = 16,
    TITLE_SIZE = 16, /* of the letters */
    TEXT_SIZE = 12,
    ROW = 18,            /* of text */
    SQUARE = 11,         /* of the legend */
    LINES_HEIGHT = 1024, /* of all lines together, at most */
    LINE_MOST = 26,      /* from one line to the next */
    HIGH = 600,          /* from here on there is an axis above the lines as well */
    MARKS_APART = 110    /* of the axis, at least */
};

/* Letters are no wider than this on average, in parts of their size. */
#define LETTER 0.58

struct picture {
    const struct timeline *t;
    const struct timeline_links *links;
    struct svg svg;
    uint32_t width, left, columns; /* columns: pixels of the time axis */
    double top, pitch, line; /* of the lines: the first one's upper edge, their distance, their height */
    double scale;            /* pixels in a nanosecond */
};

/* x of a time, not beyond the ends of the axis. */
double picture_x(const struct picture *p, uint64_t time);
/* Text that is not wider than `room` pixels; what is cut off ends in an ellipsis. */
void picture_put_text(struct picture *p, double x, double y, const char *class, const char *s, size_t length,
                      double room, double size);

void picture_put_regions(struct picture *p);
double picture_put_region_legend(struct picture *p, double y);
void picture_put_bands(struct picture *p);
enum refrain_status picture_put_sums(struct picture *p); /* columns of all that is less than a pixel wide */
void picture_put_wide(struct picture *p);                /* the other calls */
void picture_put_messages(struct picture *p);

#endif
