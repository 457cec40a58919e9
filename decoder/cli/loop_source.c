/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_source.h"

#include "decoder/loops/event_file.h"
#include "decoder/loops/lift_lanes.h"
#include "decoder/trace/ranges.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>

#define WINDOW_MOST 1000000

/* Longer sequences of distinct events and loops are of no use to a reader. */
#define IRREGULAR_MOST ((size_t)1 << 18)

/* Accepts either TRACE or --events, and refuses options that belong to the other one. */
static enum refrain_status check_source(const struct options *o)
{
    static const enum option_id of_traces[] = {OPTION_CALLS, OPTION_MODULES, OPTION_RANK,  OPTION_SITES,
                                               OPTION_SIZES, OPTION_THREAD,  OPTION_TIMES, OPTION_WORLD};
    const bool events = options_has(o, OPTION_EVENTS);
    if (events == (o->n_operands > 0)) {
        log_error("%s TRACE or --events FILE%s (see refrain %s --help)",
                  events ? "choose" : "missing argument:", events ? ", not both" : "", o->command->name);
        return REFRAIN_ERR_USAGE;
    }
    for (size_t i = 0; events && i < sizeof of_traces / sizeof of_traces[0]; i++) {
        const struct option_value *given = options_find(o, of_traces[i]);
        if (given) {
            log_error("--%s does not work with --events: leave out one of them", given->spec->name);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

/* ---- lifting --------------------------------------------------------------------------------- */

/* Finds the selected lanes. */
static enum refrain_status find_lanes(const struct reader *r, const struct ranges *ranks,
                                      const struct ranges *threads, struct lift_lanes *out)
{
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0;
             ranges_has(ranks, rank) && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            if (ranges_has(threads, lane.shape->number) && !array_push(&out->lanes, lane))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status lift_ranks(struct loop_source *s, const struct reader *r, const struct options *o,
                                      size_t window)
{
    const bool calls = options_has(o, OPTION_CALLS);
    struct lift_lanes request = {.reader = r,
                                 .definitions = &s->definitions,
                                 .mode = calls ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES,
                                 .window = window,
                                 .most = s->limited ? IRREGULAR_MOST : 0};
    struct ranges ranks = {0}, threads = {0};
    enum refrain_status status = ranges_parse(&ranks, s->all_ranks ? NULL : options_value(o, OPTION_RANK));
    if (status == REFRAIN_OK)
        status = ranges_parse(&threads, options_value(o, OPTION_THREAD));
    if (status == REFRAIN_OK)
        status = ranges_check(&ranks, &r->trace);
    if (status == REFRAIN_OK)
        status = ranges_check_threads(&threads, &ranks, r);
    if (status == REFRAIN_OK)
        status = definitions_read(&s->definitions, r);
    if (status == REFRAIN_OK)
        status = find_lanes(r, &ranks, &threads, &request);
    if (status == REFRAIN_OK)
        status = lift_lanes(&request, &s->templates, &s->groups);
    for (size_t i = 0; i < request.communicators.n && status == REFRAIN_OK; i++) {
        if (!array_push(&s->communicators, request.communicators.items[i]))
            status = REFRAIN_ERR_MEMORY;
    }
    array_free(&request.communicators);
    array_free(&request.lanes);
    ranges_free(&threads);
    ranges_free(&ranks);
    return status;
}

enum refrain_status loop_source_read(struct loop_source *s, const struct options *o)
{
    const char *events = options_value(o, OPTION_EVENTS);
    struct reader reader;
    uint64_t window = NLR_WINDOW;
    s->groups.templates = &s->templates;
    enum refrain_status status = check_source(o);
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_WINDOW, 1, WINDOW_MOST, &window);
    if (status != REFRAIN_OK)
        return status;
    if (events)
        return event_file_model(events, window, &s->templates, &s->groups);
    if ((status = world_open(&reader, o)) != REFRAIN_OK)
        return status;
    status = lift_ranks(s, &reader, o, window);
    reader_close(&reader);
    return status;
}

unsigned loop_source_notes(const struct options *o)
{
    return (options_has(o, OPTION_SITES) ? ANNOTATE_SITES : 0U) |
           (options_has(o, OPTION_SIZES) ? ANNOTATE_SIZES : 0U) |
           (options_has(o, OPTION_TIMES) ? ANNOTATE_TIMES : 0U);
}

void loop_source_free(struct loop_source *s)
{
    array_free(&s->communicators);
    definitions_free(&s->definitions);
    loop_groups_free(&s->groups);
    event_templates_free(&s->templates);
}
