/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain waits: shows where a program loses time by waiting, and for which ranks. */
#include "commands.h"

#include "decoder/causes/reasons/removals.h"
#include "decoder/cube/cube.h"
#include "decoder/util/text.h"
#include "decoder/waits/report/program_places.h"
#include "decoder/waits/report/waits_by.h"
#include "seconds.h"
#include "src/core/base/log.h"
#include "survey_source.h"

#include <stdlib.h>
#include <string.h>

#define TOP   10
#define LEAST 0.01 /* of the waiting, for a finding, unless --top is given */
#define MOST  1000000

/* The request of the command line. */
struct wanted {
    struct waits_request request;
    struct waits_view view;
    enum waits_by by;
    struct wait_places places; /* unused for call sites */
    struct text_table regions;
    struct ranges ranks; /* ranks whose waiting is shown */
    bool as_json, as_csv, as_svg;
    bool has_topology; /* the user gave one */
    const char *trace; /* its name */
    const char *cube;  /* file to write; NULL: print */
};

static enum refrain_status read_metric(const struct options *o, enum option_id id, uint32_t *metric)
{
    const char *name = options_value(o, id);
    struct metrics metrics;
    *metric = METRIC_NONE;
    if (!name)
        return REFRAIN_OK;
    metrics_start(&metrics);
    metrics_add_all(&metrics);
    *metric = metrics_find(&metrics, name);
    if (*metric != METRIC_NONE)
        return REFRAIN_OK;
    struct bytes near = {0};
    waits_put_near(&metrics, name, &near);
    bytes_put_u8(&near, '\0');
    const char *words = near.failed ? "" : (const char *)near.data;
    log_error("--%s %s: there is no such metric%s%s; refrain waits --explain all lists them",
              options_find(o, id)->spec->name, name, *words ? "; maybe " : "", words);
    bytes_free(&near);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status read_by(const struct options *o, enum waits_by *by)
{
    const char *word = options_value(o, OPTION_BY);
    *by = WAITS_BY_NOTHING;
    for (unsigned i = WAITS_BY_NOTHING + 1; word && i < WAITS_BY_KINDS; i++) {
        if (strcmp(word, waits_by_words[i]) == 0)
            *by = (enum waits_by)i;
    }
    if (!word || *by != WAITS_BY_NOTHING)
        return REFRAIN_OK;
    log_error("--by %s: wanted function, site, path, region, phase, rank, direction or role", word);
    return REFRAIN_ERR_USAGE;
}

/* Metrics that are sums over the run, or counts, have no single instances. */
static enum refrain_status check_instances(const struct wanted *w)
{
    struct metrics m;
    metrics_start(&m);
    metrics_add_all(&m);
    bool any = w->view.metric == METRIC_NONE || w->view.instances == 0;
    for (uint32_t i = 0; i < m.n && !any; i++)
        any = metrics_is_wanted(&m, i, w->view.metric);
    if (any)
        return REFRAIN_OK;
    log_error("--instances: %s has no single instances", m.items[w->view.metric]->uniq_name);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status read_wanted(struct wanted *w, const struct options *o)
{
    w->as_json = options_has(o, OPTION_JSON);
    w->as_csv = options_has(o, OPTION_CSV);
    w->as_svg = options_has(o, OPTION_SVG);
    w->has_topology = options_has(o, OPTION_TOPOLOGY) || options_has(o, OPTION_COORDS);
    w->cube = options_value(o, OPTION_OUTPUT);
    w->request.clock = options_value(o, OPTION_CLOCK);
    w->view.top = TOP;
    w->view.least = w->as_json || options_has(o, OPTION_TOP) ? 0 : LEAST;
    enum refrain_status status = read_metric(o, OPTION_METRIC, &w->view.metric);
    if (status == REFRAIN_OK)
        status = read_by(o, &w->by);
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_TOP, 0, MOST, &w->view.top);
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_INSTANCES, 0, MOST, &w->view.instances);
    if (status == REFRAIN_OK)
        status = check_instances(w);
    if (status == REFRAIN_OK)
        status = seconds_between(o, &w->request.from, &w->request.to);
    if (status == REFRAIN_OK)
        status = ranges_parse(&w->ranks, options_value(o, OPTION_RANK));
    if (waits_by_is_ordered(w->by) && !options_has(o, OPTION_TOP))
        w->view.top = SIZE_MAX;
    w->request.metric = w->view.metric;
    w->request.n_worst = w->view.instances;
    if (status == REFRAIN_OK && w->as_csv && (w->as_json || w->by != WAITS_BY_NOTHING)) {
        log_error("--csv does not work with --by and --json: leave them out");
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK && w->as_svg && (w->as_csv || w->as_json || w->by != WAITS_BY_NOTHING)) {
        log_error("--svg does not work with --by, --csv and --json: leave them out");
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

/* Explains metrics; needs no trace. */
static enum refrain_status explain(const struct options *o)
{
    const bool all = strcmp(options_value(o, OPTION_EXPLAIN), "all") == 0;
    struct metrics metrics;
    struct output out = {0};
    uint32_t metric = METRIC_NONE;
    const enum refrain_status status = all ? REFRAIN_OK : read_metric(o, OPTION_EXPLAIN, &metric);
    if (status != REFRAIN_OK)
        return status;
    metrics_start(&metrics);
    metrics_add_all(&metrics);
    waits_put_explanation(&metrics, metric, &out.text);
    return output_close(&out);
}

static enum refrain_status print(const struct wanted *wanted, const struct waits *w)
{
    const struct waits_view *v = &wanted->view;
    struct output out = {0};
    enum refrain_status status = REFRAIN_OK;
    /* A metric that is not waiting has no page, only a table. */
    const bool table = v->metric != METRIC_NONE && w->report.causes.n == 0;
    out.wraps = !wanted->as_csv && !wanted->as_svg && !wanted->as_json && wanted->by == WAITS_BY_NOTHING;
    if (wanted->as_csv)
        status = waits_put_csv(w, v, &out);
    else if (wanted->as_svg)
        status = waits_put_svg(w, v, wanted->trace, &out);
    else if (wanted->by != WAITS_BY_NOTHING)
        status = waits_put_table(w, v, wanted->by, &wanted->regions, wanted->as_json, &out);
    else if (wanted->as_json)
        waits_put_json(w, v, &out.text);
    else if (table && wait_report_value(&w->report, v->metric, WAIT_ALL_SITES) == 0)
        text_printf(&out.text, "There is no %s here.\n", w->metrics.items[v->metric]->name);
    else if (table)
        status = waits_put_table(w, v, WAITS_BY_SITE, NULL, false, &out);
    else
        waits_put_page(w, v, &out.text);
    return output_end(&out, status);
}

/* Reads the parts of the trace that the selected ranks and table need. */
static enum refrain_status prepare(struct wanted *w, const struct reader *r, const struct waits_topology *on)
{
    const bool places = w->by == WAITS_BY_REGION || w->by == WAITS_BY_PHASE;
    if ((w->by == WAITS_BY_DIRECTION || w->by == WAITS_BY_ROLE) && on->grid.n_dims == 0) {
        log_error(
            "--by %s: the trace declares no grid: give its sizes with --topology, such as --topology 8x8",
            waits_by_words[w->by]);
        return REFRAIN_ERR_USAGE;
    }
    const enum refrain_status status = ranges_check(&w->ranks, &r->trace);
    if (status != REFRAIN_OK)
        return status;
    w->request.ranks = w->ranks.items.n > 0 ? &w->ranks : NULL;
    w->request.places = places ? &w->places : NULL;
    if (w->by == WAITS_BY_REGION)
        return region_places_create(&w->places, &w->regions, r);
    return w->by == WAITS_BY_PHASE ? phase_places_create(&w->places, r) : REFRAIN_OK;
}

/* Returns the source of the topology. */
static const char *origin_of(const struct survey_source *s, bool recorded)
{
    if (!s->survey.given)
        return "identified";
    const char *program = recorded ? comparisons_origin(&s->comparisons, &s->choice) : NULL;
    return program ? program : "given";
}

/* Reasons are shown on the page and in its JSON, for the whole run only. */
static bool wants_reasons(const struct wanted *w)
{
    return !w->cube && !w->as_csv && !w->as_svg && w->by == WAITS_BY_NOTHING && !w->request.ranks &&
           w->request.from == 0 && w->request.to == UINT64_MAX;
}

/* Called with an open trace and a known topology. */
static enum refrain_status find_and_print(struct wanted *wanted, const struct survey_source *source,
                                          const char *modules)
{
    const struct reader *reader = &source->reader;
    const bool recorded = source->survey.given && !wanted->has_topology;
    struct waits_topology on = {.origin = origin_of(source, recorded),
                                .recorded = recorded,
                                .survey = &source->survey,
                                .declared = &source->declared,
                                .communicators = &source->communicators};
    struct symbols symbols = {0};
    struct hosts hosts = {0};
    struct endings endings = {0};
    struct waits waits = {0};
    struct critical_search critical = {.keeps_log = true};
    struct removals removals = {0};
    enum refrain_status status = waits_topology_create(&on);
    wanted->request.grid = on.grid.n_dims > 0 ? &on.grid : NULL;
    wanted->view.symbols = &symbols;
    wanted->view.topology = &on;
    if (status == REFRAIN_OK)
        status = prepare(wanted, reader, &on);
    if (status == REFRAIN_OK)
        status = hosts_read(&hosts, reader);
    wanted->view.hosts = &hosts;
    if (status == REFRAIN_OK)
        status = endings_read(&endings, reader);
    wanted->view.endings = endings_are_cut_off(&endings) ? &endings : NULL;
    if (wants_reasons(wanted)) {
        wanted->request.listener = critical_search_open(&critical);
        wanted->view.delays = &critical.path.delays;
    }
    if (status == REFRAIN_OK &&
        (status = waits_find(&waits, reader, &source->definitions, &wanted->request)) == REFRAIN_OK &&
        (status = symbols_open(&symbols, &reader->trace, modules)) == REFRAIN_OK &&
        (status = symbols_look_up_frames(&symbols)) == REFRAIN_OK && wants_reasons(wanted)) {
        status = waits_find_removals(&removals, &waits, &wanted->view, &critical);
        wanted->view.removals = &removals;
    }
    if (status == REFRAIN_OK)
        status = wanted->cube ? waits_write_cube(&waits, &wanted->view, wanted->cube) : print(wanted, &waits);
    removals_free(&removals);
    symbols_close(&symbols);
    hosts_free(&hosts);
    endings_free(&endings);
    critical_search_free(&critical);
    waits_free(&waits);
    waits_topology_free(&on);
    return status;
}

enum refrain_status cmd_waits(const struct options *o)
{
    struct survey_source source = {0};
    struct wanted wanted = {0};
    if (options_has(o, OPTION_EXPLAIN))
        return explain(o);
    enum refrain_status status = read_wanted(&wanted, o);
    if (status == REFRAIN_OK && o->n_operands == 0) {
        log_error("missing argument: TRACE, or --explain METRIC");
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK) {
        const char *slash = strrchr(o->operands[0], '/');
        wanted.trace = slash ? slash + 1 : o->operands[0];
    }
    if (status == REFRAIN_OK && wanted.cube)
        status = cube_path_check(wanted.cube);
    if (status == REFRAIN_OK)
        status = survey_source_read(&source, o);
    if (status == REFRAIN_OK)
        status = find_and_print(&wanted, &source, options_value(o, OPTION_MODULES));
    wait_places_free(&wanted.places);
    text_table_free(&wanted.regions);
    ranges_free(&wanted.ranks);
    survey_source_free(&source);
    return status;
}
