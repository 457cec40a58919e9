/* SPDX-License-Identifier: BSD-3-Clause */
/* A timeline as one HTML file that shows itself: zoom, drag, and what each call was. It loads nothing. */
#ifndef REFRAIN_TIMELINE_HTML_H
#define REFRAIN_TIMELINE_HTML_H

#include "timeline_links.h"
#include "timeline_overlay.h"

/* As much as a page is quick with. */
enum {
    TIMELINE_HTML_LINES = 256,
    TIMELINE_HTML_BINS = 4096,
    TIMELINE_HTML_CALLS = 200000,
    TIMELINE_HTML_LINKS = 100000
};

/* `overlay`: NULL for nothing. */
enum refrain_status timeline_html(const struct timeline *t, const struct timeline_links *links,
                                  const struct timeline_overlay *overlay, const struct definitions *d,
                                  struct bytes *out);

#endif
