/* SPDX-License-Identifier: BSD-3-Clause */
/* The page consists of its style sheet and scripts (this folder) and the sections as JSON (report_sections.h)
 * with one more field:
 *
 *     {"file":…,"title":…,"sections":{…},"timeline_page":"<!DOCTYPE html>…"}
 */
#include "report_html.h"

#include "decoder/util/html_page.h"
#include "report_page.h"
#include "report_sections.h"

enum refrain_status report_html(const struct report *r, const struct run_difference *d, struct bytes *out)
{
    const char *command = report_meta(r, "command");
    struct bytes data = {0}, timeline = {0};
    struct json j = json_of(&data);
    enum refrain_status status = report_put_sections(r, d, &j);
    if (status == REFRAIN_OK)
        status = report_timeline_page(r, &timeline);
    report_json_text(&j, "timeline_page", &timeline);
    json_end(&j);
    html_page_put(&(struct html_page){.title = *command ? command : r->file,
                                      .css = report_page_css,
                                      .css_size = report_page_css_size,
                                      .js = report_page_js,
                                      .js_size = report_page_js_size,
                                      .data = &data},
                  out);
    bytes_free(&timeline);
    bytes_free(&data);
    return status == REFRAIN_OK && out->failed ? REFRAIN_ERR_MEMORY : status;
}
