/* SPDX-License-Identifier: BSD-3-Clause */
/* A timeline as an SVG picture. */
#ifndef REFRAIN_TIMELINE_SVG_H
#define REFRAIN_TIMELINE_SVG_H

#include "timeline_links.h"

/* The most lines, single calls, and messages or collective operations that a picture has room for, and the
 * least and most pixels that --width may ask for. */
enum { TIMELINE_SVG_LINES = 512, TIMELINE_SVG_CALLS = 20000, TIMELINE_SVG_LINKS = 400 };
enum { TIMELINE_SVG_WIDTH_LEAST = 400, TIMELINE_SVG_WIDTH_MOST = 20000 };

/* As many bins of a line as a picture of that width makes use of: one or two for each pixel. */
uint32_t timeline_svg_bins(uint32_t width);

/* `width` in pixels; the height follows from the number of lines. */
enum refrain_status timeline_svg(const struct timeline *t, const struct timeline_links *links, uint32_t width,
                                 struct bytes *out);

#endif
