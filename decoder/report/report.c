/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include "decoder/loops/lift_lanes.h"
#include "decoder/times/times_reach.h"
#include "decoder/topology/survey/own_topology.h"
#include "decoder/trace/site.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <string.h>

/* Pairs below this share of the largest one are left out, as in `refrain topology`. */
#define THRESHOLD 0.05

/* If a thread has no times of single calls, the existing times do not represent the run. */
static enum refrain_status find_timed(struct report *r)
{
    struct times_reach reach;
    if (!lane_times_exist(r->reader))
        return REFRAIN_OK;
    const enum refrain_status status = times_reach_find(&reach, r->reader);
    if (status != REFRAIN_OK)
        return status;
    r->timed = !reach.has_none;
    if (reach.has_none)
        log_warning("%s: thread %" PRIu32 " of rank %" PRIu32
                    " has no times of single calls (record with --time-budget none)",
                    r->reader->path, reach.none_thread, reach.none);
    return REFRAIN_OK;
}

/* `reasons`: also find out why ranks wait; `phases`: and how efficient phases are; there is a model. */
static enum refrain_status find_waits(struct report *r, bool reasons, bool phases)
{
    struct waits_request request = {.to = UINT64_MAX, .metric = METRIC_NONE};
    enum refrain_status status = find_timed(r);
    if (status != REFRAIN_OK)
        return status;
    if (!r->timed)
        return REFRAIN_OK;
    r->critical.simulates = r->critical.keeps_log = r->critical.keeps_route = reasons;
    request.n_worst = reasons ? REPORT_WAITS : 0;
    if (reasons && phases) {
        status = program_parts_open_model(&r->parts, &r->model, r->reader, &r->definitions);
        r->critical.parts = &r->parts.times;
    }
    if (reasons) {
        request.listener = critical_search_open(&r->critical);
        request.times = &r->times;
    }
    if (status != REFRAIN_OK)
        return status;
    request.grid = r->topology.grid.n_dims > 0 ? &r->topology.grid : NULL;
    status = waits_find(&r->waits, r->reader, &r->definitions, &request);
    const struct waits_view view = findings_view(r);
    if (status == REFRAIN_OK && reasons)
        status = waits_find_removals(&r->removals, &r->waits, &view, &r->critical);
    return status == REFRAIN_OK && reasons ? wait_notices_find(&r->notices, &r->waits, &view) : status;
}

static enum refrain_status find_traffic(struct report *r)
{
    const enum refrain_status status =
        matrix_of_trace(&r->matrix, r->reader, &r->definitions, CALL_EVENT_SENT);
    return status == REFRAIN_OK ? traffic_create(&r->traffic, &r->matrix) : status;
}

/* Finds the topologies that the program declares. */
static enum refrain_status find_declared(struct report *r)
{
    enum refrain_status status = communicators_create(&r->communicators, r->reader, &r->definitions);
    if (status == REFRAIN_OK)
        status = declared_create(&r->declared, r->reader, &r->definitions, &r->communicators);
    return status == REFRAIN_OK ? own_topology_add(&r->declared, r->reader, &r->communicators) : status;
}

static enum refrain_status find_topology(struct report *r)
{
    struct survey_choice choice = {.threshold = THRESHOLD};
    enum refrain_status status = pattern_library_create(&r->library);
    if (status == REFRAIN_OK)
        status = find_declared(r);
    if (status == REFRAIN_OK)
        status = comparisons_choose(&r->comparisons, &r->traffic, &r->declared, &r->communicators,
                                    &r->library, &r->placement, &choice);
    if (r->placement.n_dims > 0)
        choice.given = &r->placement;
    if (status == REFRAIN_OK)
        status = survey_create(&r->survey, &r->traffic, &r->library, &choice);
    const char *origin = r->survey.given ? comparisons_origin(&r->comparisons, &choice) : NULL;
    r->topology = (struct waits_topology){.origin = origin            ? origin
                                                    : r->survey.given ? "given"
                                                                      : "identified",
                                          .recorded = r->survey.given,
                                          .survey = &r->survey,
                                          .declared = &r->declared,
                                          .communicators = &r->communicators};
    return status == REFRAIN_OK ? waits_topology_create(&r->topology) : status;
}

static enum refrain_status find_model(struct report *r)
{
    struct lift_lanes request = {.reader = r->reader,
                                 .definitions = &r->definitions,
                                 .mode = CALL_EVENT_MESSAGES,
                                 .window = NLR_WINDOW};
    enum refrain_status status = lift_lanes_choose_all(&request);
    r->groups.templates = &r->templates;
    if (status == REFRAIN_OK)
        status = lift_lanes(&request, &r->templates, &r->groups);
    if (status == REFRAIN_OK)
        status = model_create(&r->model, &r->groups);
    array_free(&request.communicators);
    array_free(&request.lanes);
    return status;
}

static enum refrain_status find_symbols(struct report *r, const char *modules)
{
    const enum refrain_status status = symbols_open(&r->symbols, &r->reader->trace, modules);
    return status == REFRAIN_OK ? symbols_look_up_frames(&r->symbols) : status;
}

static enum refrain_status create(struct report *r, const struct reader *reader, const char *modules,
                                  bool all_of_it, bool model)
{
    const struct ranges all = {0};
    const char *slash = strrchr(reader->path, '/');
    *r = (struct report){.reader = reader, .file = slash ? slash + 1 : reader->path};
    enum refrain_status status = definitions_read(&r->definitions, reader);
    if (status == REFRAIN_OK)
        status = hosts_read(&r->hosts, reader);
    if (status == REFRAIN_OK)
        status = endings_read(&r->endings, reader);
    if (status == REFRAIN_OK)
        status = find_symbols(r, modules);
    if (status == REFRAIN_OK)
        status = call_paths_create(&r->paths, &reader->trace, &r->symbols);
    if (status == REFRAIN_OK)
        status = statistics_compute(&r->statistics, reader, &r->definitions, &all, STATISTICS_BY_SITE);
    if (status == REFRAIN_OK)
        status = find_traffic(r);
    if (status == REFRAIN_OK && all_of_it)
        status = find_topology(r);
    if (status == REFRAIN_OK && model)
        status = find_model(r);
    if (status == REFRAIN_OK)
        status = find_waits(r, all_of_it, model);
    if (status == REFRAIN_OK)
        status = costs_create(&r->costs, reader, &r->statistics, r->timed ? &r->waits : NULL);
    if (status == REFRAIN_OK && !all_of_it && model)
        status = find_topology(r); /* waiting is that of runs without a topology */
    if (status != REFRAIN_OK)
        report_free(r);
    return status;
}

enum refrain_status report_create(struct report *r, const struct reader *reader, const char *modules,
                                  bool model)
{
    return create(r, reader, modules, true, model);
}

enum refrain_status report_create_sums(struct report *r, const struct reader *reader, const char *modules,
                                       bool model)
{
    return create(r, reader, modules, false, model);
}

void report_free(struct report *r)
{
    program_parts_free(&r->parts);
    model_free(&r->model);
    loop_groups_free(&r->groups);
    event_templates_free(&r->templates);
    waits_topology_free(&r->topology);
    survey_free(&r->survey);
    placement_free(&r->placement);
    array_free(&r->comparisons.items);
    declared_free(&r->declared);
    communicators_free(&r->communicators);
    traffic_free(&r->traffic);
    pattern_library_free(&r->library);
    matrix_free(&r->matrix);
    costs_free(&r->costs);
    notices_free(&r->notices);
    removals_free(&r->removals);
    call_times_free(&r->times);
    critical_search_free(&r->critical);
    waits_free(&r->waits);
    statistics_free(&r->statistics);
    call_paths_free(&r->paths);
    symbols_close(&r->symbols);
    endings_free(&r->endings);
    hosts_free(&r->hosts);
    definitions_free(&r->definitions);
    *r = (struct report){0};
}

size_t report_nodes(const struct report *r)
{
    size_t n = 0;
    for (uint32_t host = 0; host < r->hosts.names.n; host++) {
        bool any = false;
        for (uint64_t rank = 0; reader_next_rank(r->reader, &rank) && !any; rank++)
            any = r->hosts.of_rank[rank - r->reader->trace.first_rank] == host;
        n += any;
    }
    return n;
}

uint64_t report_run(const struct report *r)
{
    return r->costs.run / r->costs.threads;
}

bool report_efficiency(const struct report *r, struct efficiency *e)
{
    return r->timed && critical_search_efficiency(&r->critical, &r->waits.search, e) == REFRAIN_OK;
}

const char *report_meta(const struct report *r, const char *key)
{
    const char *value = trace_meta(&r->reader->trace, key);
    return value ? value : "";
}

void report_put_site(const struct report *r, uint32_t site, struct bytes *out)
{
    site_put_innermost(&r->reader->trace, &r->symbols, site, out);
}

const struct wait_instance *report_next_wait(const struct report *r, size_t *at)
{
    const struct wait_instance *items = r->waits.search.worst.heap.items;
    while (*at < r->waits.search.worst.heap.n) {
        if (items[(*at)++].end > r->waits.search.begin)
            return &items[*at - 1];
    }
    return NULL;
}
