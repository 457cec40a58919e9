/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain critical: shows the critical path, that is the activities that determine the length of
 * the run. */
#include "commands.h"

#include "critical_picture.h"
#include "decoder/causes/critical_search.h"
#include "decoder/causes/critical_text.h"
#include "decoder/parts/program_parts.h"
#include "decoder/waits/report/waits.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdint.h>
#include <string.h>

#define TOP 10

static enum refrain_status read_by(const struct options *o, enum program_parts_by *by)
{
    const char *word = options_value(o, OPTION_BY);
    *by = PARTS_BY_NOTHING;
    for (unsigned i = PARTS_BY_NOTHING + 1; word && i < PARTS_BY_KINDS; i++) {
        if (strcmp(word, program_parts_words[i]) == 0)
            *by = (enum program_parts_by)i;
    }
    if (!word || *by != PARTS_BY_NOTHING)
        return REFRAIN_OK;
    log_error("--by %s: wanted phase or region", word);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status print(const struct critical_search *s, const struct program_parts *parts,
                                 const struct causes_view *v, bool as_json)
{
    struct output out = {.wraps = !as_json};
    return output_end(&out, s->parts  ? program_parts_put(parts, v, as_json, &out)
                            : as_json ? critical_put_json(s, v, &out.text)
                                      : critical_put_text(s, v, &out.text));
}

/* Which parts of the program the path is in, is known when the path is known: by a search of its own. */
static enum refrain_status find_path(struct critical_search *s, struct waits *waits, const struct reader *r,
                                     const struct definitions *d, const struct waits_request *request,
                                     struct part_times *times, bool draws)
{
    const struct critical_path *path = &s->path;
    struct critical_stays stays;
    enum refrain_status status = waits_find(waits, r, d, request);
    if (status == REFRAIN_OK)
        status = critical_route_find(&path->route, path->last_lane, path->begin, path->begin + path->length,
                                     SIZE_MAX, &stays);
    if (status != REFRAIN_OK)
        return status;
    part_times_take_path(times, &stays);
    waits_free(waits);
    s->parts = times;
    s->keeps_route = draws;
    return REFRAIN_OK;
}

enum refrain_status cmd_critical(const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct endings endings = {0};
    struct symbols symbols = {0};
    struct waits waits = {0};
    struct program_parts parts = {0};
    enum program_parts_by by;
    struct critical_search search = {.simulates = true};
    const struct waits_request request = {.to = UINT64_MAX,
                                          .clock = options_value(o, OPTION_CLOCK),
                                          .metric = METRIC_NONE,
                                          .listener = critical_search_open(&search)};
    struct causes_view view = {
        .search = &waits.search, .symbols = &symbols, .preceding = &search.path.delays.preceding};
    const char *picture = options_value(o, OPTION_OUTPUT);
    uint64_t top = TOP;
    enum refrain_status status = options_number(o, OPTION_TOP, 0, UINT32_MAX, &top);
    view.top = (size_t)top;
    if (status == REFRAIN_OK)
        status = read_by(o, &by);
    if (status == REFRAIN_OK)
        status = critical_picture_check(picture);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    search.keeps_route = by != PARTS_BY_NOTHING || picture;
    if ((status = lane_times_check(&reader)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = endings_read(&endings, &reader)) == REFRAIN_OK &&
        (by == PARTS_BY_NOTHING ||
         ((status = program_parts_open(&parts, by, &reader, &definitions)) == REFRAIN_OK &&
          (status = find_path(&search, &waits, &reader, &definitions, &request, &parts.times, picture)) ==
              REFRAIN_OK)) &&
        (status = waits_find(&waits, &reader, &definitions, &request)) == REFRAIN_OK &&
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) == REFRAIN_OK &&
        (status = symbols_look_up_frames(&symbols)) == REFRAIN_OK) {
        view.forced = search.listener.stream.forced;
        view.endings = endings_are_cut_off(&endings) ? &endings : NULL;
        view.until = waits.cut ? waits.search.to : 0;
        if (picture)
            status = critical_picture_write(picture, &search, &waits, &reader, &definitions, &symbols);
        if (status == REFRAIN_OK)
            status = print(&search, &parts, &view, options_has(o, OPTION_JSON));
    }
    symbols_close(&symbols);
    critical_search_free(&search);
    program_parts_free(&parts);
    waits_free(&waits);
    endings_free(&endings);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}
