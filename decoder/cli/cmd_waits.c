/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain waits: where a program loses time by waiting, and for whom. */
#include "commands.h"

#include "decoder/cube/cube.h"
#include "decoder/waits/report/waits_text.h"
#include "seconds.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>

#define TOP 10

/* What is wanted, as the command line says. */
struct wanted {
    struct waits_request request;
    struct waits_view view;
    enum waits_by by;
    bool as_json, as_csv;
    const char *cube; /* a file to write; NULL: print */
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
    log_error("--%s %s: there is no such metric; refrain waits --explain all lists them",
              options_find(o, id)->spec->name, name);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status read_by(const struct options *o, enum waits_by *by)
{
    static const char *const words[] = {
        [WAITS_BY_FUNCTION] = "function", [WAITS_BY_SITE] = "site", [WAITS_BY_RANK] = "rank"};
    const char *word = options_value(o, OPTION_BY);
    *by = WAITS_BY_NOTHING;
    if (!word)
        return REFRAIN_OK;
    for (unsigned i = WAITS_BY_FUNCTION; i <= WAITS_BY_RANK; i++) {
        if (strcmp(word, words[i]) == 0) {
            *by = (enum waits_by)i;
            return REFRAIN_OK;
        }
    }
    log_error("--by %s: wanted function, site or rank", word);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status read_number(const struct options *o, enum option_id id, size_t *number)
{
    const char *text = options_value(o, id);
    char *end;
    if (!text)
        return REFRAIN_OK;
    const unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n > 1000000) {
        log_error("--%s %s: wanted a number, at most 1000000", options_find(o, id)->spec->name, text);
        return REFRAIN_ERR_USAGE;
    }
    *number = n;
    return REFRAIN_OK;
}

static enum refrain_status read_wanted(struct wanted *w, const struct options *o)
{
    w->as_json = options_has(o, OPTION_JSON);
    w->as_csv = options_has(o, OPTION_CSV);
    w->cube = options_value(o, OPTION_OUTPUT);
    w->request.clock = options_value(o, OPTION_CLOCK);
    w->view.top = TOP;
    enum refrain_status status = read_metric(o, OPTION_METRIC, &w->view.metric);
    if (status == REFRAIN_OK)
        status = read_by(o, &w->by);
    if (status == REFRAIN_OK)
        status = read_number(o, OPTION_TOP, &w->view.top);
    if (status == REFRAIN_OK)
        status = read_number(o, OPTION_INSTANCES, &w->view.instances);
    if (status == REFRAIN_OK)
        status = seconds_between(o, &w->request.from, &w->request.to);
    if (w->by == WAITS_BY_RANK && !options_has(o, OPTION_TOP))
        w->view.top = SIZE_MAX; /* they are in order of ranks, not of their times */
    w->request.metric = w->view.metric;
    w->request.n_worst = w->view.instances;
    if (status == REFRAIN_OK && w->as_csv && (w->as_json || w->by != WAITS_BY_NOTHING)) {
        log_error("--csv has lines by function, site and rank; leave out --by and --json");
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

/* Without a trace. */
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
    /* What has no waiting has no page. */
    const bool table = v->metric != METRIC_NONE && w->report.causes.n == 0;
    if (wanted->as_csv)
        status = waits_put_csv(w, v, &out);
    else if (wanted->by != WAITS_BY_NOTHING)
        status = waits_put_table(w, v, wanted->by, wanted->as_json, &out);
    else if (wanted->as_json)
        waits_put_json(w, v, &out.text);
    else if (table)
        status = waits_put_table(w, v, WAITS_BY_SITE, false, &out);
    else
        waits_put_page(w, v, &out.text);
    return output_end(&out, status);
}

enum refrain_status cmd_waits(const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct symbols symbols = {0};
    struct waits waits = {0};
    struct wanted wanted = {.view = {.symbols = &symbols}};
    if (options_has(o, OPTION_EXPLAIN))
        return explain(o);
    enum refrain_status status = read_wanted(&wanted, o);
    if (status == REFRAIN_OK && o->n_operands == 0) {
        log_error("a trace is missing, or --explain METRIC");
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK && wanted.cube)
        status = cube_path_check(wanted.cube);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = lane_times_check(&reader)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = waits_find(&waits, &reader, &definitions, &wanted.request)) == REFRAIN_OK &&
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) == REFRAIN_OK &&
        (status = symbols_look_up_frames(&symbols)) == REFRAIN_OK)
        status = wanted.cube ? waits_write_cube(&waits, &symbols, wanted.cube) : print(&wanted, &waits);
    symbols_close(&symbols);
    waits_free(&waits);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}
