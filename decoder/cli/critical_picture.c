/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_picture.h"

#include "decoder/report/page/path_overlay.h"
#include "decoder/timeline/timeline_html.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"

#include <string.h>
#include <strings.h>

#define STAYS 20000

enum refrain_status critical_picture_check(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path || (dot && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0)))
        return REFRAIN_OK;
    log_error("--output %s: wanted a name that ends in .html", path);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status critical_picture_write(const char *path, const struct critical_search *s,
                                           const struct waits *w, const struct reader *r,
                                           const struct definitions *d, struct symbols *symbols)
{
    const struct ranges all = {0};
    const struct timeline_request request = {.ranks = &all,
                                             .to = UINT64_MAX,
                                             .clock = w->is_causal ? "causal" : "linear",
                                             .definitions = d,
                                             .symbols = symbols,
                                             .lines = TIMELINE_HTML_LINES,
                                             .bins = TIMELINE_HTML_BINS,
                                             .calls = TIMELINE_HTML_CALLS};
    struct timeline timeline = {0};
    struct timeline_links links = {0};
    struct timeline_overlay overlay = {0};
    struct bytes page = {0};
    enum refrain_status status = timeline_create(&timeline, r, &request);
    if (status == REFRAIN_OK)
        status = timeline_links_create(&links, &timeline, d, TIMELINE_HTML_LINKS);
    if (status == REFRAIN_OK)
        status = path_overlay_find(&s->path, &w->search.lanes, STAYS, &overlay);
    if (status == REFRAIN_OK)
        status = timeline_html(&timeline, &links, &overlay, d, &page);
    if (status == REFRAIN_OK)
        status = replace_file(path, &page);
    bytes_free(&page);
    timeline_overlay_free(&overlay);
    timeline_links_free(&links);
    timeline_free(&timeline);
    return status;
}
