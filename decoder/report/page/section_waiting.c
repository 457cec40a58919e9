/* SPDX-License-Identifier: BSD-3-Clause */
/* Three trees, and values for their combinations:
 *
 *     "metrics":[{"name":"late sender","parent":9,"unit":"sec","part":true,"text":"…","cause":true}, …]
 *     "paths":[{"parent":-1,"function":"app"},{"parent":0,"function":"main","file":"app.c","line":80}, …]
 *     "system":[{"label":"0","rank":0,"ranks":1,"host":0}, …],"hosts":["node1", …]
 *     "values":[[metric, path, [value of each part of the system, …]], …]
 *
 * Parents come before their children; -1: none. A metric's values do not contain those of its children; the
 * metric's total does, unless a child is a `part` of the metric's own values. MPI_Init is apart: it has no
 * values. Values in seconds are written in microseconds. If there are many ranks, neighbours are added up. */
#include "report_sections.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEM_MOST 256

struct waiting {
    const struct report *report;
    uint32_t block, n; /* ranks per part of the system; number of parts */
    uint64_t *values;  /* by path, then by part of the system */
    bool *has;         /* by path: does it have a value? If not, its values are 0 */
};

static void put_metrics(const struct metrics *m, struct json *j)
{
    json_array(j, "metrics");
    for (uint32_t i = 0; i < m->n; i++) {
        const struct metric *row = m->items[i];
        json_object(j, NULL);
        json_string(j, "key", row->uniq_name);
        json_string(j, "name", row->name);
        json_int(j, "parent", m->parents[i] == METRIC_NONE ? -1 : (int64_t)m->parents[i]);
        json_string(j, "unit", metric_units[row->unit]);
        json_bool(j, "part", row->part);
        json_bool(j, "cause", metrics_is_cause(m, i));
        json_string(j, "text", row->text);
        json_end(j);
    }
    json_end(j);
}

static void put_paths(const struct call_paths *p, struct json *j)
{
    json_array(j, "paths");
    for (size_t i = 0; i < p->items.n; i++) {
        const struct call_path *path = &p->items.items[i];
        const char *file = text_table_at(&p->files, path->file), *slash = strrchr(file, '/');
        json_object(j, NULL);
        json_int(j, "parent", path->parent == MAP_NONE ? -1 : (int64_t)path->parent);
        json_string(j, "function", text_table_at(&p->functions, path->function));
        if (path->line > 0) {
            json_string(j, "file", slash ? slash + 1 : file);
            json_uint(j, "line", path->line);
        }
        json_end(j);
    }
    json_end(j);
}

static void put_system(const struct waiting *w, struct json *j)
{
    const struct report *r = w->report;
    const uint32_t first = r->reader->trace.first_rank, ranks = r->reader->trace.n_ranks;
    struct bytes label = {0};
    json_array(j, "system");
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t begin = i * w->block, end = begin + w->block < ranks ? begin + w->block : ranks;
        text_printf(&label, "%" PRIu32, first + begin);
        if (end > begin + 1)
            text_printf(&label, "-%" PRIu32, first + end - 1);
        json_object(j, NULL);
        report_json_text(j, "label", &label);
        json_uint(j, "rank", first + begin);
        json_uint(j, "ranks", end - begin);
        json_uint(j, "host", r->hosts.of_rank[begin]);
        json_end(j);
    }
    json_end(j);
    json_array(j, "hosts");
    for (size_t i = 0; i < r->hosts.names.n; i++)
        json_string(j, NULL, r->hosts.names.items[i]);
    json_end(j);
    bytes_free(&label);
}

/* Sites of one path, such as sites of several shapes, are added up. Values without a site belong
 * to the program. */
static void add_site(struct waiting *w, uint32_t metric, uint32_t site)
{
    const struct report *r = w->report;
    const struct wait_search *s = &r->waits.search;
    const uint64_t *row = severities_row(&s->values, metric, site);
    const uint32_t path = site < r->reader->trace.sites.n ? r->paths.of_site[site] : 0;
    w->has[path] = w->has[path] || row;
    for (uint32_t i = 0; row && i < s->lanes.n_ranks; i++)
        w->values[(size_t)path * w->n + i / w->block] += wait_report_of_rank(s, row, s->lanes.first_rank + i);
}

/* Writes the values of a row and resets them to 0. */
static void put_row(struct waiting *w, uint32_t metric, size_t path, struct json *j)
{
    uint64_t *values = w->values + path * w->n;
    const bool seconds = w->report->waits.metrics.items[metric]->unit == METRIC_SECONDS;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->n; i++)
        sum += values[i];
    w->has[path] = false;
    if (sum == 0)
        return;
    json_array(j, NULL);
    json_uint(j, NULL, metric);
    json_uint(j, NULL, path);
    json_array(j, NULL);
    for (uint32_t i = 0; i < w->n; i++)
        json_uint(j, NULL, seconds ? (values[i] + 500) / 1000 : values[i]);
    json_end(j);
    json_end(j);
    memset(values, 0, w->n * sizeof *values);
}

/* The run begins after MPI_Init. */
static bool is_apart(const struct metrics *m, uint32_t metric)
{
    return metrics_is_below(m, metric, metrics_find(m, "mpi_init"));
}

static enum refrain_status put_values(struct waiting *w, struct json *j)
{
    const struct report *r = w->report;
    const size_t n = r->paths.items.n * w->n;
    w->values = calloc(n + 1, sizeof *w->values);
    w->has = calloc(r->paths.items.n + 1, sizeof *w->has);
    if (!w->values || !w->has) {
        log_error("out of memory: %zu values", n);
        free(w->values);
        free(w->has);
        return REFRAIN_ERR_MEMORY;
    }
    json_array(j, "values");
    for (uint32_t metric = 0; metric < r->waits.metrics.n; metric++) {
        if (is_apart(&r->waits.metrics, metric))
            continue;
        for (uint32_t site = 0; site < r->waits.search.values.n_sites; site++)
            add_site(w, metric, site);
        for (size_t path = 0; path < r->paths.items.n; path++) {
            if (w->has[path])
                put_row(w, metric, path, j);
        }
    }
    json_end(j);
    free(w->values);
    free(w->has);
    return REFRAIN_OK;
}

/* "worst":["1.234 ms late sender in MPI_Recv at exchange (halo.c:31) on rank 3, for rank 2", …] */
static void put_worst(const struct report *r, struct json *j)
{
    const struct wait_instance *w;
    struct bytes text = {0};
    json_array(j, "worst");
    for (size_t at = 0, n = 0; n < REPORT_WORST && (w = report_next_wait(r, &at)); n++) {
        report_put_wait(r, w, &text);
        report_json_text(j, NULL, &text);
    }
    json_end(j);
    bytes_free(&text);
}

enum refrain_status section_waiting(const struct report *r, struct json *j)
{
    const uint32_t ranks = r->reader->trace.n_ranks;
    struct waiting w = {.report = r, .block = (ranks + SYSTEM_MOST - 1) / SYSTEM_MOST};
    struct bytes text = {0};
    if (!r->timed) {
        json_string(j, "says", "Where processes wait for one another is not known.");
        json_string(j, "missing", report_how_to_time);
        return REFRAIN_OK;
    }
    w.block = w.block > 0 ? w.block : 1;
    w.n = (ranks + w.block - 1) / w.block;
    text_printf(&text,
                "Waiting is %.1f %% of the run, which comes after MPI_Init; so are all per cent here. "
                "Pick a metric, then a call site: each column shows what is picked to its left.",
                100 * costs_share(&r->costs, report_waiting(r)));
    report_json_text(j, "says", &text);
    bytes_free(&text);
    put_metrics(&r->waits.metrics, j);
    put_paths(&r->paths, j);
    put_system(&w, j);
    put_worst(r, j);
    return put_values(&w, j);
}
