/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes all values as JSON and CSV. */
#include "decoder/trace/site.h"
#include "decoder/util/json.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "wait_notices.h"

#include <stdlib.h>
#include <string.h>

static void put_value(struct json *j, const struct metric *row, uint64_t value, const char *key)
{
    if (row->unit == METRIC_SECONDS)
        json_real(j, key, (double)value * 1e-9);
    else
        json_uint(j, key, value);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_ranks(struct json *j, const struct waits *w, const struct metric *row,
                      const uint64_t *by_lane)
{
    const struct wait_lanes *l = &w->search.lanes;
    json_array(j, "by_rank");
    for (uint32_t i = 0; i < l->n_ranks; i++)
        put_value(j, row, wait_report_of_rank(&w->search, by_lane, l->first_rank + i), NULL);
    json_end(j);
}

/* Writes a metric's values. Returns false if memory is short. */
static bool put_values(struct json *j, const struct waits *w, uint32_t metric, uint32_t site)
{
    const struct metric *row = w->metrics.items[metric];
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane), sum = 0;
    if (!by_lane)
        return false;
    wait_report_add_lanes(&w->search, metric, site, by_lane);
    for (size_t i = 0; i < w->search.lanes.n; i++)
        sum += by_lane[i];
    put_value(j, row, sum, row->unit == METRIC_SECONDS ? "seconds" : "value");
    put_ranks(j, w, row, by_lane);
    free(by_lane);
    return true;
}

static bool put_metric(struct json *j, const struct waits *w, uint32_t metric)
{
    const struct metric *row = w->metrics.items[metric];
    json_object(j, NULL);
    json_string(j, "uniq_name", row->uniq_name);
    json_string(j, "name", row->name);
    if (row->parent)
        json_string(j, "parent", row->parent);
    else
        json_null(j, "parent");
    json_string(j, "unit", metric_units[row->unit]);
    const bool ok = put_values(j, w, metric, WAIT_ALL_SITES);
    if (row->unit == METRIC_SECONDS)
        json_real(j, "error_seconds", (double)wait_report_error(&w->search, metric, WAIT_ALL_SITES) * 1e-9);
    json_end(j);
    return ok;
}

/* Where other threads of the rank were meanwhile; of competition of threads only. */
static void put_held_up_by(struct json *j, const struct waits *w, const struct waits_view *v, uint32_t site)
{
    const uint64_t *by_site = severities_row(&w->search.held_up_by, 0, site);
    json_array(j, "held_up_by");
    for (uint32_t i = 0; by_site && i < w->search.held_up_by.n_lanes; i++) {
        if (by_site[i] == 0)
            continue;
        json_object(j, NULL);
        json_string(j, "function", reader_function(w->search.reader, i));
        site_put_json(&w->search.reader->trace, v->symbols, i, j, "site");
        json_real(j, "seconds", (double)by_site[i] * 1e-9);
        json_end(j);
    }
    json_end(j);
}

static bool put_cause(struct json *j, const struct waits *w, const struct waits_view *v,
                      const struct wait_cause *c)
{
    const uint64_t *blame = severities_row(&w->search.blame, c->metric, c->site);
    const struct wait_lanes *l = &w->search.lanes;
    json_object(j, NULL);
    json_string(j, "metric", w->metrics.items[c->metric]->uniq_name);
    json_string(j, "function", reader_function(w->search.reader, c->site));
    site_put_json(&w->search.reader->trace, v->symbols, c->site, j, "site");
    json_uint(j, "instances", c->instances);
    bool ok = put_values(j, w, c->metric, c->site);
    json_array(j, "blame_by_rank");
    for (uint32_t i = 0; blame && i < l->n_ranks; i++)
        json_real(j, NULL, (double)wait_report_of_rank(&w->search, blame, l->first_rank + i) * 1e-9);
    json_end(j);
    if (w->metrics.items[c->metric]->events & EVENTS(EVENT_OVERLAP))
        put_held_up_by(j, w, v, c->site);
    json_real(j, "error_seconds", (double)c->error * 1e-9);
    ok = waits_put_reason_json(w, v, c, j) && ok;
    json_end(j);
    return ok;
}

static void put_call(struct json *j, const struct waits *w, const struct waits_view *v, const char *key,
                     const struct call_ref *call)
{
    json_object(j, key);
    json_uint(j, "rank", call->rank);
    if (call->thread > 0)
        json_uint(j, "thread", call->thread);
    json_uint(j, "call", call->call);
    json_string(j, "function", reader_function(w->search.reader, call->site));
    site_put_json(&w->search.reader->trace, v->symbols, call->site, j, "site");
    json_end(j);
}

static void put_instance(struct json *j, const struct waits *w, const struct waits_view *v,
                         const struct wait_instance *x)
{
    json_object(j, NULL);
    json_string(j, "metric", w->metrics.items[x->metric]->uniq_name);
    json_real(j, "begin", (double)x->begin * 1e-9);
    json_real(j, "seconds", (double)(x->end - x->begin) * 1e-9);
    put_call(j, w, v, "waits", &x->call);
    if (x->has_cause)
        put_call(j, w, v, "for", &x->cause);
    json_end(j);
}

static void put_topology(struct json *j, const struct waits_topology *t)
{
    const struct wait_grid *g = &t->grid;
    struct bytes name = {0};
    if (g->n_dims == 0) {
        json_null(j, "topology");
        return;
    }
    waits_topology_put_name(t, &name);
    json_object(j, "topology");
    json_string_n(j, "name", (const char *)name.data, name.n);
    json_string(j, "origin", t->origin);
    json_array(j, "sizes");
    for (unsigned d = 0; d < g->n_dims; d++)
        json_uint(j, NULL, g->sizes[d]);
    json_end(j);
    json_array(j, "periodic");
    for (unsigned d = 0; d < g->n_dims; d++)
        json_bool(j, NULL, g->periodic >> d & 1);
    json_end(j);
    json_array(j, "coordinates");
    for (uint32_t i = 0; i < g->n_ranks; i++) {
        const uint32_t *at = wait_grid_place(g, g->first_rank + i);
        if (!at) {
            json_null(j, NULL);
            continue;
        }
        json_array(j, NULL);
        for (unsigned d = 0; d < g->n_dims; d++)
            json_uint(j, NULL, at[d]);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    bytes_free(&name);
}

void waits_put_json(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    struct json j = json_of(out);
    struct notices notices = {0};
    bool ok = wait_notices_find(&notices, w, v) == REFRAIN_OK;
    json_object(&j, NULL);
    json_uint(&j, "ranks", w->search.lanes.n_ranks);
    json_real(&j, "seconds", (double)(w->report.run + w->report.init) * 1e-9);
    json_real(&j, "init_seconds", (double)w->report.init * 1e-9);
    json_real(&j, "waiting_seconds", (double)(w->report.waiting - w->report.starting) * 1e-9);
    json_real(&j, "unreturned_seconds", (double)w->report.unreturned * 1e-9);
    json_real(&j, "starting_seconds", (double)w->report.starting * 1e-9);
    json_real(&j, "time_bound_seconds", (double)w->bound * 1e-9);
    json_bool(&j, "cut_off", v->endings);
    if (w->cut)
        json_real(&j, "until", (double)w->search.to * 1e-9);
    notices_put_json(&notices, &j);
    notices_free(&notices);
    put_topology(&j, v->topology);
    json_array(&j, "metrics");
    for (uint32_t i = 0; i < w->metrics.n && ok; i++) {
        if (v->metric == METRIC_NONE || metrics_is_below(&w->metrics, i, v->metric))
            ok = put_metric(&j, w, i);
    }
    json_end(&j);
    ok = ok && waits_put_main_json(w, v, &j);
    json_array(&j, "causes");
    for (size_t i = 0; i < w->report.causes.n && ok; i++)
        ok = put_cause(&j, w, v, &w->report.causes.items[i]);
    json_end(&j);
    json_array(&j, "instances");
    for (size_t i = 0; i < w->search.worst.heap.n && i < v->instances; i++)
        put_instance(&j, w, v, &w->search.worst.heap.items[i]);
    json_end(&j);
    json_end(&j);
    text_putc(out, '\n');
    out->failed = out->failed || !ok;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void put_quoted(struct bytes *out, const struct bytes *text)
{
    text_putc(out, '"');
    for (size_t i = 0; i < text->n; i++) {
        text_put(out, text->data[i] == '"' ? "\"" : "");
        text_putc(out, (char)text->data[i]);
    }
    text_putc(out, '"');
}

static void put_csv_line(const struct waits *w, const struct waits_view *v, const struct metric *row,
                         uint32_t site, uint32_t rank, uint64_t value, struct bytes *out)
{
    const struct reader *r = w->search.reader;
    struct bytes text = {0};
    text_put(out, row->uniq_name);
    text_putc(out, ',');
    if (site < r->trace.sites.n) {
        text_put(out, reader_function(r, site));
        site_put_text(&r->trace, v->symbols, site, &text);
    }
    text_putc(out, ',');
    put_quoted(out, &text);
    text_printf(out, ",%u,", rank);
    if (row->unit == METRIC_SECONDS)
        text_seconds(out, value);
    else
        text_uint(out, value);
    text_printf(out, ",%s\n", metric_units[row->unit]);
    out->failed = out->failed || text.failed;
    bytes_free(&text);
}

enum refrain_status waits_put_csv(const struct waits *w, const struct waits_view *v, struct output *out)
{
    const struct wait_lanes *l = &w->search.lanes;
    uint64_t *by_lane = calloc(l->n + 1, sizeof *by_lane);
    enum refrain_status status = REFRAIN_OK;
    if (!by_lane) {
        log_error("out of memory: %zu threads", l->n);
        return REFRAIN_ERR_MEMORY;
    }
    text_put(&out->text, "metric,function,site,rank,value,unit\n");
    for (uint32_t m = 0; m < w->metrics.n; m++) {
        if (v->metric != METRIC_NONE && !metrics_is_below(&w->metrics, m, v->metric))
            continue;
        for (uint32_t site = 0; site < w->search.values.n_sites && status == REFRAIN_OK; site++) {
            memset(by_lane, 0, l->n * sizeof *by_lane);
            wait_report_add_lanes(&w->search, m, site, by_lane);
            for (uint32_t i = 0; i < l->n_ranks; i++) {
                const uint64_t value = wait_report_of_rank(&w->search, by_lane, l->first_rank + i);
                if (value > 0)
                    put_csv_line(w, v, w->metrics.items[m], site, l->first_rank + i, value, &out->text);
            }
            status = output_drain(out);
        }
    }
    free(by_lane);
    return status;
}
