/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes all metrics as a profile for CUBE (decoder/cube).
 *
 * Time between calls is the program's own time and belongs to the root. Locations are lanes, grouped by
 * host; all unknown hosts are one. */
#include "call_paths.h"
#include "cube_topologies.h"
#include "decoder/cube/cube_data.h"
#include "decoder/trace/hosts.h"
#include "src/core/base/log.h"
#include "waits_text.h"

#include <stdlib.h>
#include <string.h>

/* A profile and its data. */
struct profile {
    const struct waits *waits;
    struct call_paths paths;
    struct hosts hosts;
    struct cube cube;
    struct cube_metric metrics[METRICS_MAX];
    struct cube_region *regions;
    struct cube_call_path *call_paths;
    struct cube_location *locations;
    struct cube_topologies topologies;
    uint32_t *lanes;        /* by location */
    uint32_t *first, *next; /* sites of each call path, as lists that end with MAP_NONE */
    uint64_t *by_lane;      /* scratch */
};

static bool take_value(const void *context, size_t metric, size_t path, double *values)
{
    const struct profile *p = context;
    const struct wait_search *s = &p->waits->search;
    const bool seconds = s->metrics->items[metric]->unit == METRIC_SECONDS;
    bool any = false;
    memset(p->by_lane, 0, s->lanes.n * sizeof *p->by_lane);
    for (uint32_t site = p->first[path]; site != MAP_NONE; site = p->next[site])
        wait_report_add_lanes(s, (uint32_t)metric, site, p->by_lane);
    for (size_t l = 0; l < s->lanes.n; l++) {
        const uint64_t value = p->by_lane[p->lanes[l]];
        values[l] = seconds ? (double)value * 1e-9 : (double)value;
        any = any || value > 0;
    }
    return any;
}

static void set_metrics(struct profile *p)
{
    const struct metrics *m = &p->waits->metrics;
    for (size_t i = 0; i < m->n; i++) {
        const struct metric *row = m->items[i];
        p->metrics[i] = (struct cube_metric){
            .name = row->uniq_name,
            .title = row->name,
            .unit = metric_units[row->unit],
            .description = row->text,
            .parent = m->parents[i] == METRIC_NONE ? CUBE_NONE : m->parents[i],
            .is_count = row->unit != METRIC_SECONDS,
        };
    }
    p->cube.metrics = p->metrics;
    p->cube.n_metrics = m->n;
}

static void set_call_paths(struct profile *p)
{
    const struct call_paths *from = &p->paths;
    for (uint32_t i = 0; i < from->functions.items.n; i++) {
        const char *name = text_table_at(&from->functions, i);
        p->regions[i] = (struct cube_region){name, strncmp(name, "MPI_", 4) == 0 ? "MPI" : ""};
    }
    for (size_t i = 0; i < from->items.n; i++) {
        const struct call_path *path = &from->items.items[i];
        p->call_paths[i] = (struct cube_call_path){
            .parent = path->parent == MAP_NONE ? CUBE_NONE : path->parent,
            .region = path->function,
            .file = text_table_at(&from->files, path->file),
            .line = path->line,
        };
        p->first[i] = MAP_NONE;
    }
    /* the last one is the time between calls */
    const uint32_t n_sites = (uint32_t)p->waits->search.values.n_sites;
    for (uint32_t site = n_sites; site-- > 0;) {
        uint32_t *first = &p->first[site + 1 < n_sites ? from->of_site[site] : 0];
        p->next[site] = *first;
        *first = site;
    }
    p->cube.regions = p->regions;
    p->cube.n_regions = from->functions.items.n;
    p->cube.call_paths = p->call_paths;
    p->cube.n_call_paths = from->items.n;
}

static void set_locations(struct profile *p)
{
    const struct wait_lanes *lanes = &p->waits->search.lanes;
    size_t n = 0;
    for (uint32_t host = 0; host < p->hosts.names.n; host++) {
        for (uint32_t l = 0; l < lanes->n; l++) {
            const struct wait_lane *lane = &lanes->items[l];
            if (p->hosts.of_rank[lane->rank - lanes->first_rank] != host)
                continue;
            p->locations[n] = (struct cube_location){lane->rank, lane->thread, host};
            p->lanes[n++] = l;
        }
    }
    p->cube.nodes = (const char *const *)p->hosts.names.items;
    p->cube.n_nodes = p->hosts.names.n;
    p->cube.locations = p->locations;
    p->cube.n_locations = n;
}

static bool allocate(struct profile *p)
{
    const size_t lanes = p->waits->search.lanes.n, sites = p->waits->search.values.n_sites;
    p->regions = calloc(p->paths.functions.items.n, sizeof *p->regions);
    p->call_paths = calloc(p->paths.items.n, sizeof *p->call_paths);
    p->locations = calloc(lanes + 1, sizeof *p->locations);
    p->lanes = calloc(lanes + 1, sizeof *p->lanes);
    p->first = calloc(p->paths.items.n, sizeof *p->first);
    p->next = calloc(sites + 1, sizeof *p->next);
    p->by_lane = calloc(lanes + 1, sizeof *p->by_lane);
    return p->regions && p->call_paths && p->locations && p->lanes && p->first && p->next && p->by_lane;
}

static void profile_free(struct profile *p)
{
    call_paths_free(&p->paths);
    hosts_free(&p->hosts);
    cube_topologies_free(&p->topologies);
    free(p->regions);
    free(p->call_paths);
    free(p->locations);
    free(p->lanes);
    free(p->first);
    free(p->next);
    free(p->by_lane);
}

/* Makes the profile, and hands it to `use`. */
static enum refrain_status use_cube(const struct waits *w, const struct waits_view *v,
                                    enum refrain_status (*use)(void *context, const struct cube *c),
                                    void *context)
{
    const struct reader *r = w->search.reader;
    struct profile p = {.waits = w};
    enum refrain_status status = call_paths_create(&p.paths, &r->trace, v->symbols);
    if (status == REFRAIN_OK)
        status = hosts_read(&p.hosts, r);
    if (status == REFRAIN_OK && !allocate(&p)) {
        log_error("out of memory: a profile of %zu threads", w->search.lanes.n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK) {
        p.cube.machine = "machine";
        p.cube.value = take_value;
        p.cube.context = &p;
        set_metrics(&p);
        set_call_paths(&p);
        set_locations(&p);
        if (v->topology)
            status = cube_topologies_create(&p.topologies, v->topology, p.locations, p.cube.n_locations);
        p.cube.topologies = p.topologies.items.items;
        p.cube.n_topologies = p.topologies.items.n;
    }
    if (status == REFRAIN_OK)
        status = use(context, &p.cube);
    profile_free(&p);
    return status;
}

static enum refrain_status write_file(void *context, const struct cube *c)
{
    return cube_write(c, context);
}

enum refrain_status waits_write_cube(const struct waits *w, const struct waits_view *v, const char *path)
{
    return use_cube(w, v, write_file, (void *)path);
}

static enum refrain_status copy(void *context, const struct cube *c)
{
    return cube_data_copy(context, c);
}

enum refrain_status waits_copy_cube(const struct waits *w, const struct symbols *s, struct cube_data *out)
{
    const struct waits_view view = {.symbols = s};
    return use_cube(w, &view, copy, out);
}
