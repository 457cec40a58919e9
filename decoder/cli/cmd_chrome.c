/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain chrome: writes the calls in the Trace Event format. */
#include "commands.h"

#include "decoder/chrome/chrome.h"
#include "decoder/chrome/chrome_messages.h"
#include "decoder/match/logical_clock.h"
#include "decoder/trace/ranges.h"
#include "seconds.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <unistd.h>

static enum refrain_status print(struct chrome *c, const char *path)
{
    const struct reader *r = c->renderer->reader;
    struct output out = {0};
    struct progress progress = {0};
    enum refrain_status status = path ? output_open(&out, path) : REFRAIN_OK;
    if (status != REFRAIN_OK)
        return status;
    c->out = &out;
    c->progress = &progress;
    if (path || !isatty(STDOUT_FILENO))
        progress_start(&progress, "chrome", reader_calls(r));
    status = chrome_open(c);
    for (uint64_t rank = 0; status == REFRAIN_OK && !out.closed && reader_next_rank(r, &rank); rank++) {
        if (ranges_has(c->ranks, rank))
            status = chrome_put_rank(c, (uint32_t)rank);
        if (status == REFRAIN_OK && c->source && ranges_has(c->ranks, rank))
            status = chrome_put_messages(c, (uint32_t)rank);
    }
    if (status == REFRAIN_OK && !out.closed && c->n_calls == 0 && (c->from > 0 || c->to < UINT64_MAX)) {
        log_error("%s: no call in that time (--from, --to)", r->path);
        out.text.n = 0;
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        chrome_close(c);
    progress_end(&progress);
    return output_end(&out, status);
}

enum refrain_status cmd_chrome(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    struct definitions definitions = {0};
    struct renderer renderer = {0};
    struct symbols symbols = {0};
    struct logical_clock clock = {0};
    struct timestamps_source timestamps = {0};
    struct operation_source source = {0};
    struct roles roles = {0};
    const bool messages = options_has(o, OPTION_MESSAGES);
    struct chrome chrome = {.renderer = &renderer,
                            .timestamps = &timestamps,
                            .source = messages ? &source : NULL,
                            .ranks = &ranks,
                            .roles = &roles,
                            .arguments = options_has(o, OPTION_ARGS)};

    enum refrain_status status = seconds_between(o, &chrome.from, &chrome.to);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = timestamps_source_create(&timestamps, &reader, options_has(o, OPTION_SYNTHETIC_TIME))) !=
            REFRAIN_OK ||
        (status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) != REFRAIN_OK ||
        (status = ranges_check(&ranks, &reader.trace)) != REFRAIN_OK ||
        (status = definitions_read(&definitions, &reader)) != REFRAIN_OK ||
        (messages && (status = operation_source_create(&source, &reader, &definitions)) != REFRAIN_OK) ||
        (status = roles_find(&roles, &reader.trace.functions)) != REFRAIN_OK ||
        (status = renderer_create(&renderer, &reader, &definitions)) != REFRAIN_OK ||
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) != REFRAIN_OK ||
        (chrome.arguments && (status = symbols_look_up_frames(&symbols)) != REFRAIN_OK))
        goto out;
    if ((status = logical_clock_apply(&clock, options_value(o, OPTION_CLOCK), &reader, &definitions,
                                      &timestamps)) != REFRAIN_OK)
        goto out;
    source.timestamps = &timestamps;
    renderer.symbols = &symbols;
    chrome.synthetic = timestamps.synthetic;
    status = print(&chrome, options_value(o, OPTION_OUTPUT));
out:
    timestamps_source_free(&timestamps);
    logical_clock_free(&clock);
    operation_source_free(&source);
    roles_free(&roles);
    renderer_free(&renderer);
    symbols_close(&symbols);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
