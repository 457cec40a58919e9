/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain text: prints every call, in the form of docs/TEXT.md or as JSON. */
#include "commands.h"

#include "call_clock.h"
#include "decoder/render/lines.h"
#include "decoder/trace/ranges.h"
#include "decoder/util/progress.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct selection {
    struct ranges ranks, threads;
    struct range calls;
    bool *sites; /* by site: is the call's function selected? */
    bool any;    /* a thread has calls in the range */
    bool definitions;
    enum render_format format;
    struct call_clocks clocks;
    struct progress progress; /* unused if lines go to a terminal */
};

/* Marks the sites whose functions match the pattern. Returns false if there is none. */
static bool select_function(struct selection *s, const struct reader *r, const char *pattern)
{
    bool any = false;
    for (size_t i = 0; i < r->trace.sites.n; i++) {
        const bool like = fnmatch(pattern, reader_function(r, (uint32_t)i), FNM_CASEFOLD) == 0;
        s->sites[i] = s->sites[i] || like;
        any = any || like;
    }
    return any;
}

/* Selects the functions that match one of the patterns; all if there is no pattern. */
static enum refrain_status select_functions(struct selection *s, const struct options *o,
                                            const struct reader *r)
{
    memset(s->sites, !options_has(o, OPTION_FUNCTION), r->trace.sites.n * sizeof *s->sites);
    for (size_t i = 0; i < o->values.n; i++) {
        const struct option_value *v = &o->values.items[i];
        if (v->spec->id == OPTION_FUNCTION && !select_function(s, r, v->value))
            return options_no_function(r->path, v->value);
    }
    return REFRAIN_OK;
}

static enum refrain_status select_calls(struct selection *s, const struct options *o, const struct reader *r)
{
    const size_t n = r->trace.sites.n;
    *s = (struct selection){.definitions = options_has(o, OPTION_DEFINITIONS),
                            .format = options_has(o, OPTION_JSON) ? RENDER_JSON : RENDER_TEXT};
    enum refrain_status status = ranges_parse(&s->ranks, options_value(o, OPTION_RANK));
    if (status == REFRAIN_OK)
        status = ranges_check(&s->ranks, &r->trace);
    if (status == REFRAIN_OK)
        status = ranges_parse(&s->threads, options_value(o, OPTION_THREAD));
    if (status == REFRAIN_OK)
        status = ranges_check_threads(&s->threads, &s->ranks, r);
    if (status == REFRAIN_OK)
        status = range_parse(&s->calls, options_value(o, OPTION_CALL));
    if (status != REFRAIN_OK)
        return status;
    s->sites = calloc(n + 1, sizeof *s->sites);
    if (!s->sites) {
        log_error("out of memory: %zu sites", n);
        return REFRAIN_ERR_MEMORY;
    }
    return select_functions(s, o, r);
}

static enum refrain_status print_lane(struct selection *s, struct renderer *renderer,
                                      const struct lane_ref *lane, const struct range *calls,
                                      struct output *out)
{
    struct cursor cursor;
    struct lines lines = {0};
    struct call_clock clock = {0};
    struct call call;
    enum refrain_status status = cursor_start(&cursor, renderer->reader, lane);
    if (status != REFRAIN_OK)
        return status;
    if ((status = lines_start(&lines, renderer, s->format, lane)) != REFRAIN_OK)
        goto out;
    if (calls->first >= cursor_calls(&cursor))
        goto out;
    s->any = s->any || lane->shape->kind == LANE_THREAD;
    const uint64_t from = call_clocks_from(&s->clocks, calls->first);
    if (from > 0 && (status = cursor_seek(&cursor, from)) != REFRAIN_OK)
        goto out;
    if ((status = call_clock_start(&clock, &s->clocks, renderer->reader, lane, from)) != REFRAIN_OK)
        goto out;
    while (!out->closed && cursor.index <= calls->last && cursor_next(&cursor, &call, &status)) {
        progress_call(&s->progress, call.index);
        const struct timestamp *timestamps = call_clock_next(&clock, &call, &status);
        if (status != REFRAIN_OK)
            break;
        if (call.index >= calls->first && s->sites[call.site] &&
            ((status = lines_put(&lines, &call, timestamps, &out->text)) != REFRAIN_OK ||
             (status = output_drain(out)) != REFRAIN_OK))
            break;
    }
out:
    call_clock_stop(&clock);
    lines_stop(&lines);
    cursor_stop(&cursor);
    return status;
}

static enum refrain_status print_rank(struct selection *s, struct renderer *renderer, uint32_t rank,
                                      struct output *out)
{
    static const struct range everything = {0, UINT64_MAX};
    const struct reader *r = renderer->reader;
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    for (size_t at = 0;
         s->definitions && status == REFRAIN_OK && reader_next_lane(r, rank, LANE_DEFINITIONS, &at, &lane);)
        status = print_lane(s, renderer, &lane, &everything, out);
    for (size_t at = 0; status == REFRAIN_OK && reader_next_lane(r, rank, LANE_THREAD, &at, &lane);) {
        if (ranges_has(&s->threads, lane.shape->number))
            status = print_lane(s, renderer, &lane, &s->calls, out);
    }
    return status;
}

enum refrain_status cmd_text(const struct options *o)
{
    struct reader reader;
    struct selection selection = {0};
    struct definitions definitions = {0};
    struct renderer renderer = {0};
    struct symbols symbols = {0};
    struct output out = {0};

    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = select_calls(&selection, o, &reader)) != REFRAIN_OK ||
        (status = definitions_read(&definitions, &reader)) != REFRAIN_OK ||
        (status = call_clocks_create(&selection.clocks, options_has(o, OPTION_TIMES),
                                     options_value(o, OPTION_CLOCK), &reader, &definitions)) != REFRAIN_OK ||
        (status = renderer_create(&renderer, &reader, &definitions)) != REFRAIN_OK)
        goto out;
    if ((status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) != REFRAIN_OK ||
        (options_has(o, OPTION_CALLSITE) && (status = symbols_look_up_frames(&symbols)) != REFRAIN_OK))
        goto out;
    renderer.symbols = &symbols;
    renderer.callsites = options_has(o, OPTION_CALLSITE);
    if (!isatty(STDOUT_FILENO))
        progress_start(&selection.progress, "text", reader_calls(&reader));
    for (uint64_t rank = 0; status == REFRAIN_OK && !out.closed && reader_next_rank(&reader, &rank); rank++) {
        if (ranges_has(&selection.ranks, rank))
            status = print_rank(&selection, &renderer, (uint32_t)rank, &out);
    }
    progress_end(&selection.progress);
    if (status == REFRAIN_OK && !selection.any && options_has(o, OPTION_CALL)) {
        log_error("%s: no thread has a call number %s", reader.path, options_value(o, OPTION_CALL));
        status = REFRAIN_ERR_USAGE;
    }
    const enum refrain_status written = output_close(&out);
    if (status == REFRAIN_OK)
        status = written;
out:
    renderer_free(&renderer);
    symbols_close(&symbols);
    definitions_free(&definitions);
    call_clocks_free(&selection.clocks);
    free(selection.sites);
    ranges_free(&selection.ranks);
    ranges_free(&selection.threads);
    reader_close(&reader);
    return status;
}
