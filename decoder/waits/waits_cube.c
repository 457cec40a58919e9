/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits_cube.h"

#include "decoder/trace/hosts.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "waits_call_tree.h"

#include <stdlib.h>
#include <string.h>

static void put_element(struct bytes *out, const char *name, const char *text)
{
    text_printf(out, "<%s>", name);
    text_put_markup(out, text, strlen(text));
    text_printf(out, "</%s>\n", name);
}

/* ---- metrics --------------------------------------------------------------------------------- */

static void put_metrics(const struct metrics *m, uint32_t parent, struct bytes *out)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct metric *row = m->items[i];
        if (m->parents[i] != parent)
            continue;
        text_printf(out, "<metric id=\"%u\">\n", i);
        put_element(out, "disp_name", row->name);
        put_element(out, "uniq_name", row->uniq_name);
        put_element(out, "dtype", row->unit == METRIC_SECONDS ? "FLOAT" : "INTEGER");
        put_element(out, "uom", metric_units[row->unit]);
        put_element(out, "url", "");
        put_element(out, "descr", row->text);
        put_metrics(m, i, out);
        text_put(out, "</metric>\n");
    }
}

/* ---- program --------------------------------------------------------------------------------- */

static void put_nodes(const struct call_tree *t, uint32_t node, struct bytes *out)
{
    const struct call_node *n = &t->nodes.items[node];
    text_printf(out, "<cnode id=\"%u\" calleeId=\"%u\"", node, n->region);
    if (n->line > 0)
        text_printf(out, " line=\"%d\" mod=\"\"", n->line);
    text_put(out, ">\n");
    for (uint32_t i = node + 1; i < t->nodes.n; i++) {
        if (t->nodes.items[i].parent == node)
            put_nodes(t, i, out);
    }
    text_put(out, "</cnode>\n");
}

static void put_program(const struct call_tree *t, struct bytes *out)
{
    text_put(out, "<program>\n");
    for (uint32_t i = 0; i < t->regions.n; i++) {
        const struct call_region *r = &t->regions.items[i];
        text_printf(out, "<region id=\"%u\" mod=\"%s\" begin=\"-1\" end=\"-1\">\n", i,
                    r->is_mpi ? "MPI" : "");
        put_element(out, "name", r->name);
        put_element(out, "url", "");
        put_element(out, "descr", "");
        text_put(out, "</region>\n");
    }
    put_nodes(t, 0, out);
    text_put(out, "</program>\n");
}

/* ---- system ---------------------------------------------------------------------------------- */

/* Threads are numbered as lanes. */
static void put_process(const struct wait_lanes *l, uint32_t rank, struct bytes *out)
{
    const uint32_t *first = l->first + (rank - l->first_rank);
    text_printf(out, "<process Id=\"%u\">\n<name>rank %u</name>\n<rank>%u</rank>\n", rank, rank, rank);
    for (uint32_t i = first[0]; i < first[1]; i++)
        text_printf(out, "<thread Id=\"%u\">\n<name>thread %u</name>\n<rank>%u</rank>\n</thread>\n", i,
                    l->items[i].thread, l->items[i].thread);
    text_put(out, "</process>\n");
}

static void put_system(const struct wait_lanes *l, const struct hosts *hosts, struct bytes *out)
{
    text_put(out, "<system>\n<machine Id=\"0\">\n<name>machine</name>\n<descr></descr>\n");
    for (uint32_t h = 0; h < hosts->names.n; h++) {
        text_printf(out, "<node Id=\"%u\">\n", h);
        put_element(out, "name", hosts->names.items[h]);
        for (uint32_t i = 0; i < l->n_ranks; i++) {
            if (hosts->of_rank[i] == h)
                put_process(l, l->first_rank + i, out);
        }
        text_put(out, "</node>\n");
    }
    text_put(out, "</machine>\n</system>\n");
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Of one node of the call tree: those of its sites. */
static bool add_values(const struct waits *w, const struct call_tree *t, uint32_t metric, uint32_t node,
                       uint64_t *by_lane)
{
    bool any = false;
    memset(by_lane, 0, w->search.lanes.n * sizeof *by_lane);
    for (uint32_t site = 0; site < w->search.values.n_sites; site++) {
        if (t->of_site[site] == node)
            wait_report_add_lanes(&w->search, metric, site, by_lane);
    }
    for (size_t i = 0; i < w->search.lanes.n; i++)
        any = any || by_lane[i] > 0;
    return any;
}

static void put_row(const struct waits *w, const struct metric *row, uint32_t node, const uint64_t *by_lane,
                    struct bytes *out)
{
    text_printf(out, "<row cnodeId=\"%u\">\n", node);
    for (size_t i = 0; i < w->search.lanes.n; i++) {
        if (row->unit == METRIC_SECONDS)
            text_seconds(out, by_lane[i]);
        else
            text_uint(out, by_lane[i]);
        text_putc(out, '\n');
    }
    text_put(out, "</row>\n");
}

static enum refrain_status put_severities(const struct waits *w, const struct call_tree *t,
                                          struct output *out)
{
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    enum refrain_status status = REFRAIN_OK;
    if (!by_lane) {
        log_error("out of memory: %zu threads", w->search.lanes.n);
        return REFRAIN_ERR_MEMORY;
    }
    text_put(&out->text, "<severity>\n");
    for (uint32_t m = 0; m < w->metrics.n && status == REFRAIN_OK; m++) {
        text_printf(&out->text, "<matrix metricId=\"%u\">\n", m);
        for (uint32_t node = 0; node < t->nodes.n && status == REFRAIN_OK; node++) {
            if (add_values(w, t, m, node, by_lane))
                put_row(w, w->metrics.items[m], node, by_lane, &out->text);
            status = output_drain(out);
        }
        text_put(&out->text, "</matrix>\n");
    }
    text_put(&out->text, "</severity>\n");
    free(by_lane);
    return status;
}

enum refrain_status waits_put_cube(const struct waits *w, const struct symbols *symbols, struct output *out)
{
    struct call_tree tree = {0};
    struct hosts hosts = {0};
    enum refrain_status status = hosts_read(&hosts, w->search.reader);
    if (status == REFRAIN_OK)
        status = call_tree_create(&tree, w->search.reader, symbols, &w->search.values);
    if (status == REFRAIN_OK) {
        text_put(&out->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"3.0\">\n");
        text_put(&out->text, "<attr key=\"Creator\" value=\"refrain\"/>\n<doc>\n</doc>\n<metrics>\n");
        put_metrics(&w->metrics, METRIC_NONE, &out->text);
        text_put(&out->text, "</metrics>\n");
        put_program(&tree, &out->text);
        put_system(&w->search.lanes, &hosts, &out->text);
        status = put_severities(w, &tree, out);
        text_put(&out->text, "</cube>\n");
    }
    call_tree_free(&tree);
    hosts_free(&hosts);
    return status;
}
