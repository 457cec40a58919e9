/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline section is one line; the report embeds the page of `refrain timeline`, with the critical path
 * and the waiting over it. */
#include "decoder/timeline/timeline_html.h"
#include "decoder/util/text.h"
#include "path_overlay.h"
#include "report_sections.h"

/* Fewer than in a separate page, because a report is sent by mail. */
enum { BINS = 2048, CALLS = 40000, LINKS = 20000, STAYS = 5000 };

enum refrain_status section_timeline(const struct report *r, struct json *j)
{
    json_string(j, "says",
                "When each rank was in which call: a line for each rank, time from left to right.");
    if (!r->timed)
        json_string(j, "missing", report_how_to_time);
    return REFRAIN_OK;
}

static enum refrain_status find_waits(const struct report *r, struct timeline_overlay *x)
{
    const struct wait_instance *w;
    for (size_t at = 0; (w = report_next_wait(r, &at));) {
        const struct timeline_stay stay = {w->begin, w->end, w->call.rank, w->call.thread};
        if (!array_push(&x->waits, stay))
            return REFRAIN_ERR_MEMORY;
        if (x->worst.n == REPORT_WORST)
            continue;
        if (!array_push(&x->worst, ((struct timeline_wait){stay, x->texts.n})))
            return REFRAIN_ERR_MEMORY;
        report_put_wait(r, w, &x->texts);
        text_putc(&x->texts, '\0');
    }
    return x->texts.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

enum refrain_status report_timeline_page(const struct report *r, struct bytes *out)
{
    const struct ranges all = {0};
    const struct timeline_request request = {.ranks = &all,
                                             .to = UINT64_MAX,
                                             .clock = r->waits.is_causal ? "causal" : "linear",
                                             .definitions = &r->definitions,
                                             .symbols = &r->symbols,
                                             .lines = TIMELINE_HTML_LINES,
                                             .bins = BINS,
                                             .calls = CALLS};
    struct timeline timeline = {0};
    struct timeline_links links = {0};
    struct timeline_overlay overlay = {0};
    if (!r->timed)
        return REFRAIN_OK;
    enum refrain_status status = timeline_create(&timeline, r->reader, &request);
    if (status == REFRAIN_OK)
        status = timeline_links_create(&links, &timeline, &r->definitions, LINKS);
    if (status == REFRAIN_OK)
        status = path_overlay_find(&r->critical.path, &r->waits.search.lanes, STAYS, &overlay);
    if (status == REFRAIN_OK)
        status = find_waits(r, &overlay);
    if (status == REFRAIN_OK)
        status = timeline_html(&timeline, &links, &overlay, &r->definitions, out);
    timeline_overlay_free(&overlay);
    timeline_links_free(&links);
    timeline_free(&timeline);
    return status;
}
