/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of regions, the longest first, each with the regions inside it. What is outside of all regions,
 * and the outermost ones together, are the run. */
#include "part_cells.h"
#include "program_parts.h"

#include "src/core/base/log.h"

#include <stdlib.h>

struct region_row {
    uint32_t name;
    struct part_sum sum;
};

struct table {
    const struct program_parts *parts;
    uint32_t *scratch; /* paths */
    struct part_sum run, outside;
    struct region_row *rows; /* by name, then sorted */
    size_t n;
};

static int longest_first(const void *a, const void *b)
{
    const struct region_row *x = a, *y = b;
    if (x->sum.time != y->sum.time)
        return x->sum.time > y->sum.time ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* The sum of all paths that have a region of that name. */
static enum refrain_status sum_name(struct table *t, uint32_t name, struct part_sum *out)
{
    const struct region_paths *p = &t->parts->regions;
    size_t n = 0;
    for (uint32_t path = 0; path < p->items.n; path++) {
        if (region_paths_has(p, path, name))
            t->scratch[n++] = path;
    }
    return part_times_sum(&t->parts->times, t->scratch, n, out);
}

static enum refrain_status fill(struct table *t)
{
    const struct region_paths *p = &t->parts->regions;
    const uint32_t outside = 0;
    t->n = p->names.items.n;
    t->scratch = calloc(p->items.n + 1, sizeof *t->scratch);
    t->rows = calloc(t->n + 1, sizeof *t->rows);
    if (!t->scratch || !t->rows) {
        log_error("out of memory: %zu regions", t->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < p->items.n; i++)
        t->scratch[i] = i;
    enum refrain_status status = part_times_sum(&t->parts->times, t->scratch, p->items.n, &t->run);
    if (status == REFRAIN_OK)
        status = part_times_sum(&t->parts->times, &outside, 1, &t->outside);
    for (uint32_t i = 0; i < t->n && status == REFRAIN_OK; i++) {
        t->rows[i].name = i;
        status = sum_name(t, i, &t->rows[i].sum);
    }
    qsort(t->rows, t->n, sizeof *t->rows, longest_first);
    return status;
}

static void put_name(struct emitter *e, const struct text_table *names, uint32_t name)
{
    const char *text = text_table_at(names, name);
    const size_t n = names->items.items[name].n;
    const char *key = emitter_cell_open(e);
    if (e->as_json)
        json_string_n(&e->json, key, text, n);
    else
        bytes_put(&e->cells, text, n);
    emitter_cell_close(e);
}

static void put_plain(const struct table *t, struct emitter *e, const char *part, const struct part_sum *sum)
{
    emitter_cell_text(e, part);
    emitter_cell_none(e);
    if (sum)
        part_cells_put(e, sum, &t->run);
    else
        part_cells_put_time(e, t->parts->times.begin);
}

static void put_rows(const struct table *t, const struct causes_view *v, struct emitter *e)
{
    put_plain(t, e, "MPI_Init", NULL);
    put_plain(t, e, "run", &t->run);
    put_plain(t, e, "outside", &t->outside);
    for (size_t i = 0; i < t->n && (e->as_json || i < v->top); i++) {
        emitter_cell_text(e, "region");
        put_name(e, &t->parts->regions.names, t->rows[i].name);
        part_cells_put(e, &t->rows[i].sum, &t->run);
    }
}

enum refrain_status region_table_put(const struct program_parts *p, const struct causes_view *v, bool as_json,
                                     struct output *out)
{
    struct table t = {.parts = p};
    struct emitter_column columns[PART_CELLS_MOST + 2] = {{"part", "part", true, 0, 0},
                                                          {"region", "region", true, 0, 0}};
    const size_t n = 2 + part_cells_columns(columns + 2, as_json);
    enum refrain_status status = fill(&t);
    if (status == REFRAIN_OK) {
        struct emitter e = emitter_open(out, as_json, 0);
        emitter_table(&e, "parts", columns, n);
        put_rows(&t, v, &e);
        emitter_table_end(&e);
        status = emitter_close(&e);
    }
    free(t.scratch);
    free(t.rows);
    return status;
}
