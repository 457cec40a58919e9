/* SPDX-License-Identifier: BSD-3-Clause */
/* A self-contained HTML file: a style sheet, a program, and the data as JSON in the element `data`. It loads
 * no other file, and the data cannot become markup. */
#ifndef REFRAIN_HTML_PAGE_H
#define REFRAIN_HTML_PAGE_H

#include "src/core/base/bytes.h"

struct html_page {
    const char *title;
    const unsigned char *css, *js; /* arrays by the build (embed.sh) */
    size_t css_size, js_size;
    const struct bytes *data; /* JSON */
};

void html_page_put(const struct html_page *p, struct bytes *out);

#endif
