/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain timeline: draws when each rank was in which call. */
#include "commands.h"

#include "decoder/timeline/timeline_html.h"
#include "decoder/timeline/timeline_svg.h"
#include "seconds.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The request of the command line. */
struct wanted {
    const char *path;
    bool html, links;
    uint32_t width;
    struct timeline_request request;
};

static enum refrain_status read_output(struct wanted *w, const struct options *o)
{
    w->path = options_value(o, OPTION_OUTPUT);
    if (!w->path) {
        log_error("missing option: --output FILE.svg or FILE.html");
        return REFRAIN_ERR_USAGE;
    }
    const char *dot = strrchr(w->path, '.');
    w->html = dot && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0);
    if (!w->html && (!dot || strcasecmp(dot, ".svg") != 0)) {
        log_error("--output %s: wanted a name that ends in .svg or .html", w->path);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status read_width(struct wanted *w, const struct options *o)
{
    uint64_t width = 1200;
    const enum refrain_status status =
        options_number(o, OPTION_WIDTH, TIMELINE_SVG_WIDTH_LEAST, TIMELINE_SVG_WIDTH_MOST, &width);
    if (status != REFRAIN_OK)
        return status;
    if (options_has(o, OPTION_WIDTH) && w->html) {
        log_error("--width works only for SVG: leave it out");
        return REFRAIN_ERR_USAGE;
    }
    w->width = (uint32_t)width;
    return REFRAIN_OK;
}

static enum refrain_status read_wanted(struct wanted *w, const struct options *o)
{
    enum refrain_status status = read_output(w, o);
    if (status == REFRAIN_OK)
        status = read_width(w, o);
    if (status == REFRAIN_OK)
        status = seconds_between(o, &w->request.from, &w->request.to);
    if (status != REFRAIN_OK)
        return status;
    w->links = !options_has(o, OPTION_NO_MESSAGES);
    w->request.clock = options_value(o, OPTION_CLOCK);
    w->request.synthetic = options_has(o, OPTION_SYNTHETIC_TIME);
    w->request.lines = w->html ? TIMELINE_HTML_LINES : TIMELINE_SVG_LINES;
    w->request.bins = w->html ? TIMELINE_HTML_BINS : timeline_svg_bins(w->width);
    w->request.calls = w->html ? TIMELINE_HTML_CALLS : TIMELINE_SVG_CALLS;
    return REFRAIN_OK;
}

static enum refrain_status write_picture(const struct wanted *w, const struct timeline *t,
                                         const struct definitions *d)
{
    struct bytes image = {0};
    struct timeline_links links = {0};
    enum refrain_status status = REFRAIN_OK;
    if (w->links)
        status = timeline_links_create(&links, t, d, w->html ? TIMELINE_HTML_LINKS : TIMELINE_SVG_LINKS);
    if (status == REFRAIN_OK)
        status =
            w->html ? timeline_html(t, &links, NULL, d, &image) : timeline_svg(t, &links, w->width, &image);
    if (status == REFRAIN_OK)
        status = replace_file(w->path, &image);
    timeline_links_free(&links);
    bytes_free(&image);
    return status;
}

enum refrain_status cmd_timeline(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    struct definitions definitions = {0};
    struct timeline timeline = {0};
    struct symbols symbols = {0};
    struct wanted wanted = {.request = {.ranks = &ranks, .definitions = &definitions, .symbols = &symbols}};

    enum refrain_status status = read_wanted(&wanted, o);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&ranks, &reader.trace)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) == REFRAIN_OK &&
        (status = symbols_look_up_frames(&symbols)) == REFRAIN_OK &&
        (status = timeline_create(&timeline, &reader, &wanted.request)) == REFRAIN_OK)
        status = write_picture(&wanted, &timeline, &definitions);
    timeline_free(&timeline);
    symbols_close(&symbols);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
