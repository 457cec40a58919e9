/* SPDX-License-Identifier: BSD-3-Clause */
#include "html_page.h"

#include "text.h"

#include <string.h>

/* In JSON, '<' occurs only in strings, where \u003c means the same; without a '<' the data cannot
 * end the element that contains it. */
static void put_embedded(struct bytes *out, const struct bytes *json)
{
    for (size_t at = 0; at < json->n;) {
        const uint8_t *less = memchr(json->data + at, '<', json->n - at);
        const size_t end = less ? (size_t)(less - json->data) : json->n;
        bytes_put(out, json->data + at, end - at);
        if (less)
            text_put(out, "\\u003c");
        at = end + (less != NULL);
    }
}

void html_page_put(const struct html_page *p, struct bytes *out)
{
    text_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n<title>");
    text_put_markup(out, p->title, strlen(p->title));
    text_put(out, "</title>\n<style>\n");
    bytes_put(out, p->css, p->css_size);
    text_put(out, "</style>\n</head>\n<body>\n<noscript>This page draws itself, by JavaScript.</noscript>\n"
                  "<script type=\"application/json\" id=\"data\">");
    put_embedded(out, p->data);
    text_put(out, "</script>\n<script>\n");
    bytes_put(out, p->js, p->js_size);
    text_put(out, "</script>\n</body>\n</html>\n");
    out->failed = out->failed || p->data->failed;
}
