/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits_by.h"

#include "call_paths.h"
#include "decoder/trace/site.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

struct line {
    uint32_t number; /* of the function, site, rank … */
    uint64_t value;
};

struct table {
    const struct waits *waits;
    const struct waits_view *view;
    const struct text_table *regions;
    enum waits_by by;
    struct call_paths paths; /* for WAITS_BY_PATH; otherwise zeros */
    struct line *lines;
    size_t n;
    uint64_t *values; /* scratch: by lane, or by direction */
    uint64_t sum;
};

/* ---- values ---------------------------------------------------------------------------------- */

/* Is the metric part of the wanted sum: the metric that the user named, or all waiting? */
static bool is_wanted(const struct table *t, uint32_t metric)
{
    return t->view->metric == METRIC_NONE ? metrics_is_waiting(&t->waits->metrics, metric)
                                          : metric == t->view->metric;
}

static const struct trace *trace_of(const struct table *t)
{
    return &t->waits->search.reader->trace;
}

/* Adds a value to the path's line and the lines of all paths above it. */
static void add_path(struct table *t, uint32_t site, uint64_t value)
{
    uint32_t path = site < trace_of(t)->sites.n ? t->paths.of_site[site] : 0;
    for (; path != MAP_NONE; path = t->paths.items.items[path].parent)
        t->lines[path].value += value;
}

static void add_ranks(struct table *t)
{
    const struct wait_search *s = &t->waits->search;
    for (uint32_t i = 0; i < s->lanes.n_ranks; i++) {
        const uint32_t rank = s->lanes.first_rank + i;
        const uint32_t line = t->by == WAITS_BY_RANK ? i : waits_role_of(&t->view->topology->grid, rank);
        t->lines[line].value += wait_report_of_rank(s, t->values, rank);
    }
}

/* Adds the values at a site or place. The last one is time between calls, which is at none. */
static void add_site(struct table *t, uint32_t site, size_t n)
{
    const struct trace *trace = trace_of(t);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += t->values[i];
    switch (t->by) {
    case WAITS_BY_FUNCTION:
        if (site < trace->sites.n)
            t->lines[trace->sites.items[site].function].value += sum;
        break;
    case WAITS_BY_PATH:
        add_path(t, site, sum);
        break;
    case WAITS_BY_RANK:
    case WAITS_BY_ROLE:
        add_ranks(t);
        break;
    case WAITS_BY_DIRECTION:
        for (size_t i = 0; i < n; i++)
            t->lines[i].value += t->values[i];
        break;
    default:
        if (site < t->n)
            t->lines[site].value += sum;
    }
    t->sum += sum;
}

static size_t count_lines(const struct table *t)
{
    const struct wait_search *s = &t->waits->search;
    switch (t->by) {
    case WAITS_BY_FUNCTION:
        return trace_of(t)->functions.functions.n;
    case WAITS_BY_PATH:
        return t->paths.items.n;
    case WAITS_BY_RANK:
        return s->lanes.n_ranks;
    case WAITS_BY_DIRECTION:
        return wait_grid_directions(&t->view->topology->grid);
    case WAITS_BY_ROLE:
        return WAITS_ROLES;
    default: /* places; the last one has the lanes without a place */
        return s->values.n_sites - 1;
    }
}

static int by_value(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void fill(struct table *t)
{
    const struct wait_search *s = &t->waits->search;
    const size_t n = t->by == WAITS_BY_DIRECTION ? t->n : s->lanes.n;
    for (uint32_t i = 0; i < t->n; i++)
        t->lines[i].number = i;
    for (uint32_t site = 0; site < s->values.n_sites; site++) {
        memset(t->values, 0, n * sizeof *t->values);
        for (uint32_t i = 0; i < s->metrics->n; i++) {
            if (!is_wanted(t, i))
                continue;
            if (t->by == WAITS_BY_DIRECTION)
                wait_report_add_directions(s, i, site, t->values);
            else
                wait_report_add_lanes(s, i, site, t->values);
        }
        add_site(t, site, n);
    }
    if (!waits_by_is_ordered(t->by))
        qsort(t->lines, t->n, sizeof *t->lines, by_value);
}

/* ---- the key of a line ----------------------------------------------------------------------- */

static void put_site(struct table *t, struct emitter *e, uint32_t site)
{
    const char *key = emitter_cell_open(e);
    if (e->as_json)
        site_put_json(trace_of(t), t->view->symbols, site, &e->json, key);
    else
        site_put_text(trace_of(t), t->view->symbols, site, &e->cells);
    emitter_cell_close(e);
}

static void put_function_line(struct table *t, struct emitter *e, uint32_t function)
{
    emitter_cell_text(e, trace_of(t)->functions.functions.items[function].name);
}

static void put_site_line(struct table *t, struct emitter *e, uint32_t site)
{
    emitter_cell_text(e, reader_function(t->waits->search.reader, site));
    put_site(t, e, site);
}

/* "app > main > MPI_Send" */
static void put_callers(const struct table *t, uint32_t path, struct bytes *out)
{
    const struct call_path *items = t->paths.items.items;
    ARRAY(uint32_t) inward = {0};
    for (uint32_t at = path; at != MAP_NONE && !out->failed; at = items[at].parent)
        out->failed = !array_push(&inward, at);
    for (size_t i = inward.n; i-- > 0;) {
        text_put(out, text_table_at(&t->paths.functions, items[inward.items[i]].function));
        text_put(out, i > 0 ? " > " : "");
    }
    array_free(&inward);
}

/* In text output, a path is indented below its caller. */
static void put_path_line(struct table *t, struct emitter *e, uint32_t path)
{
    const struct call_path *items = t->paths.items.items;
    struct bytes text = {0}, line = {0};
    if (e->as_json) {
        put_callers(t, path, &text);
    } else {
        for (uint32_t at = items[path].parent; at != MAP_NONE; at = items[at].parent)
            text_put(&text, "  ");
        text_put(&text, text_table_at(&t->paths.functions, items[path].function));
    }
    emitter_cell_made(e, &text);
    if (items[path].line > 0) {
        const char *file = text_table_at(&t->paths.files, items[path].file), *slash = strrchr(file, '/');
        text_printf(&line, "%s:%u", slash ? slash + 1 : file, items[path].line);
    }
    emitter_cell_made(e, &line);
}

static void put_region_line(struct table *t, struct emitter *e, uint32_t place)
{
    if (place == 0) {
        emitter_cell_text(e, "(outside)");
        return;
    }
    struct bytes text = {0};
    bytes_put(&text, text_table_at(t->regions, place - 1), t->regions->items.items[place - 1].n);
    emitter_cell_made(e, &text);
}

static void put_phase_line(struct table *t, struct emitter *e, uint32_t place)
{
    emitter_cell_text(e, place == 0 ? "from the beginning"
                                    : reader_function(t->waits->search.reader, place - 1));
    if (place == 0)
        emitter_cell_none(e);
    else
        put_site(t, e, place - 1);
}

static void put_rank_line(struct table *t, struct emitter *e, uint32_t i)
{
    emitter_cell_uint(e, t->waits->search.lanes.first_rank + i);
}

static void put_direction_line(struct table *t, struct emitter *e, uint32_t direction)
{
    struct bytes text = {0};
    waits_topology_put_direction(&t->view->topology->grid, direction, &text);
    emitter_cell_made(e, &text);
}

static uint32_t count_role(const struct table *t, uint32_t role)
{
    const struct wait_lanes *l = &t->waits->search.lanes;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n_ranks; i++)
        n += wait_search_has(&t->waits->search, l->first_rank + i) &&
             waits_role_of(&t->view->topology->grid, l->first_rank + i) == role;
    return n;
}

static void put_role_line(struct table *t, struct emitter *e, uint32_t role)
{
    emitter_cell_text(e, waits_roles[role]);
    emitter_cell_uint(e, count_role(t, role));
}

/* ---- the table ------------------------------------------------------------------------------- */

#define FUNCTION                                                                                             \
    {                                                                                                        \
        "function", "function", true, 0, 0                                                                   \
    }
#define SITE                                                                                                 \
    {                                                                                                        \
        "site", "site", true, 0, 0                                                                           \
    }

static const struct line_kind {
    struct emitter_column columns[2];
    size_t n;
    bool is_ordered;
    void (*put)(struct table *t, struct emitter *e, uint32_t number);
} kinds[WAITS_BY_KINDS] = {
    [WAITS_BY_FUNCTION] = {{FUNCTION}, 1, false, put_function_line},
    [WAITS_BY_SITE] = {{FUNCTION, SITE}, 2, false, put_site_line},
    [WAITS_BY_PATH] = {{{"path", "path", true, 0, 0}, {"line", "line", true, 0, 0}}, 2, true, put_path_line},
    [WAITS_BY_REGION] = {{{"region", "region", true, 0, 0}}, 1, false, put_region_line},
    [WAITS_BY_PHASE] = {{{"phase", "after", true, 0, 0}, SITE}, 2, false, put_phase_line},
    [WAITS_BY_RANK] = {{{"rank", "rank", false, 0, 0}}, 1, true, put_rank_line},
    [WAITS_BY_DIRECTION] = {{{"direction", "direction", true, 0, 0}}, 1, false, put_direction_line},
    [WAITS_BY_ROLE] = {{{"role", "role", true, 0, 0}, {"ranks", "ranks", false, 0, 0}},
                       2,
                       true,
                       put_role_line},
};

const char *const waits_by_words[WAITS_BY_KINDS] = {
    [WAITS_BY_NOTHING] = "",  [WAITS_BY_FUNCTION] = "function",   [WAITS_BY_SITE] = "site",
    [WAITS_BY_PATH] = "path", [WAITS_BY_REGION] = "region",       [WAITS_BY_PHASE] = "phase",
    [WAITS_BY_RANK] = "rank", [WAITS_BY_DIRECTION] = "direction", [WAITS_BY_ROLE] = "role"};

bool waits_by_is_ordered(enum waits_by by)
{
    return kinds[by].is_ordered;
}

static void put_number(struct emitter *e, bool seconds, uint64_t value)
{
    if (seconds)
        emitter_cell_real(e, (double)value * 1e-9);
    else
        emitter_cell_uint(e, value);
}

/* A line without a value is omitted, except for a selected rank. */
static bool is_silent(const struct table *t, const struct line *l)
{
    const struct wait_search *s = &t->waits->search;
    if (t->by == WAITS_BY_RANK)
        return !wait_search_has(s, s->lanes.first_rank + l->number);
    return l->value == 0 && !(t->by == WAITS_BY_ROLE && count_role(t, l->number) > 0);
}

static void put_lines(struct table *t, struct emitter *e, bool seconds)
{
    const bool means = t->by == WAITS_BY_ROLE;
    size_t n = 0;
    for (size_t i = 0; i < t->n && n < t->view->top; i++) {
        const struct line *l = &t->lines[i];
        if (is_silent(t, l))
            continue;
        n++;
        kinds[t->by].put(t, e, l->number);
        put_number(e, seconds, l->value);
        if (means) {
            const uint32_t ranks = count_role(t, l->number);
            put_number(e, seconds, ranks > 0 ? l->value / ranks : 0);
        }
        emitter_cell_real(e, t->sum > 0 ? 100 * (double)l->value / (double)t->sum : 0);
    }
}

static enum refrain_status put(struct table *t, bool as_json, struct output *out)
{
    const struct metric *row =
        t->view->metric == METRIC_NONE ? NULL : t->waits->metrics.items[t->view->metric];
    const bool seconds = !row || row->unit == METRIC_SECONDS;
    const struct emitter_column value = seconds ? (struct emitter_column){"seconds", "time [s]", false, 1, 6}
                                                : (struct emitter_column){"value", row->name, false, 0, 0},
                                each = seconds ? (struct emitter_column){"seconds_each", "a rank [s]", false,
                                                                         1, 6}
                                               : (struct emitter_column){"value_each", "a rank", false, 0, 0},
                                share = {"percent", "%", false, 1, 1};
    struct emitter_column columns[5];
    size_t n = kinds[t->by].n;
    memcpy(columns, kinds[t->by].columns, n * sizeof *columns);
    columns[n++] = value;
    if (t->by == WAITS_BY_ROLE)
        columns[n++] = each;
    columns[n++] = share;
    struct emitter e = emitter_open(out, as_json, 0);
    emitter_text(&e, "metric", "of", row ? row->uniq_name : "waiting");
    if (t->by == WAITS_BY_DIRECTION || t->by == WAITS_BY_ROLE) {
        struct bytes name = {0};
        waits_topology_put_name(t->view->topology, &name);
        bytes_put_u8(&name, '\0');
        emitter_text(&e, "topology", "on", name.failed ? "" : (const char *)name.data);
        bytes_free(&name);
    }
    emitter_table(&e, "lines", columns, n);
    put_lines(t, &e, seconds);
    emitter_table_end(&e);
    return emitter_close(&e);
}

enum refrain_status waits_put_table(const struct waits *w, const struct waits_view *v, enum waits_by by,
                                    const struct text_table *regions, bool as_json, struct output *out)
{
    struct table t = {.waits = w, .view = v, .regions = regions, .by = by};
    enum refrain_status status = REFRAIN_OK;
    if (by == WAITS_BY_PATH)
        status = call_paths_create(&t.paths, &w->search.reader->trace, v->symbols);
    if (status != REFRAIN_OK)
        return status;
    t.n = count_lines(&t);
    const size_t values = t.n > w->search.lanes.n ? t.n : w->search.lanes.n;
    t.lines = calloc(t.n + 1, sizeof *t.lines);
    t.values = calloc(values + 1, sizeof *t.values);
    if (!t.lines || !t.values) {
        log_error("out of memory: %zu lines", t.n);
        status = REFRAIN_ERR_MEMORY;
    } else {
        fill(&t);
        status = put(&t, as_json, out);
    }
    free(t.lines);
    free(t.values);
    call_paths_free(&t.paths);
    return status;
}
