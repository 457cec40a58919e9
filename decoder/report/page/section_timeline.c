/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline section is one line; the report embeds the page of `refrain timeline`. */
#include "decoder/timeline/timeline_html.h"
#include "report_sections.h"

/* Fewer than in a separate page, because a report is sent by mail. */
enum { BINS = 2048, CALLS = 40000, LINKS = 20000 };

enum refrain_status section_timeline(const struct report *r, struct json *j)
{
    json_string(j, "says",
                "When each rank was in which call: a line for each rank, time from left to right.");
    if (!r->timed)
        json_string(j, "missing", report_how_to_time);
    return REFRAIN_OK;
}

enum refrain_status report_timeline_page(const struct report *r, struct bytes *out)
{
    const struct ranges all = {0};
    const struct timeline_request request = {.ranks = &all,
                                             .to = UINT64_MAX,
                                             .definitions = &r->definitions,
                                             .lines = TIMELINE_HTML_LINES,
                                             .bins = BINS,
                                             .calls = CALLS};
    struct timeline timeline = {0};
    struct timeline_links links = {0};
    if (!r->timed)
        return REFRAIN_OK;
    enum refrain_status status = timeline_create(&timeline, r->reader, &request);
    if (status == REFRAIN_OK)
        status = timeline_links_create(&links, &timeline, &r->definitions, LINKS);
    if (status == REFRAIN_OK)
        status = timeline_html(&timeline, &links, &r->definitions, out);
    timeline_links_free(&links);
    timeline_free(&timeline);
    return status;
}
