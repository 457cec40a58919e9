/* SPDX-License-Identifier: BSD-3-Clause */
#include "cube_data.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static bool value(const void *context, size_t metric, size_t call_path, double *values)
{
    const struct cube_data *d = context;
    const double *row = d->values[metric * d->cube.n_call_paths + call_path];
    bool any = false;
    for (size_t l = 0; l < d->cube.n_locations; l++) {
        values[l] = row ? row[l] : 0;
        any = any || values[l] < 0 || values[l] > 0;
    }
    return any;
}

enum refrain_status cube_data_allocate(struct cube_data *d)
{
    struct cube *c = &d->cube;
    d->metrics = calloc(c->n_metrics + 1, sizeof *d->metrics);
    d->regions = calloc(c->n_regions + 1, sizeof *d->regions);
    d->call_paths = calloc(c->n_call_paths + 1, sizeof *d->call_paths);
    d->locations = calloc(c->n_locations + 1, sizeof *d->locations);
    d->nodes = calloc(c->n_nodes + 1, sizeof *d->nodes);
    d->values = calloc(c->n_metrics * c->n_call_paths + 1, sizeof *d->values);
    c->metrics = d->metrics;
    c->regions = d->regions;
    c->call_paths = d->call_paths;
    c->locations = d->locations;
    c->nodes = d->nodes;
    c->value = value;
    c->context = d;
    return d->metrics && d->regions && d->call_paths && d->locations && d->nodes && d->values
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

const char *cube_data_keep(struct cube_data *d, const char *text)
{
    char *copy = strdup(text);
    if (copy && array_push(&d->texts, copy))
        return copy;
    free(copy);
    return NULL;
}

double *cube_data_row(struct cube_data *d, size_t metric, size_t call_path)
{
    double **row = &d->values[metric * d->cube.n_call_paths + call_path];
    if (!*row)
        *row = calloc(d->cube.n_locations + 1, sizeof **row);
    return *row;
}

bool cube_data_keep_metrics(struct cube_data *d, const struct cube *c)
{
    bool ok = true;
    for (size_t i = 0; i < c->n_metrics && ok; i++) {
        const struct cube_metric *m = &c->metrics[i];
        struct cube_metric *to = &d->metrics[i];
        *to = *m;
        ok = (to->name = cube_data_keep(d, m->name)) && (to->title = cube_data_keep(d, m->title)) &&
             (to->unit = cube_data_keep(d, m->unit)) && (to->description = cube_data_keep(d, m->description));
    }
    return ok;
}

static bool keep_tables(struct cube_data *d, const struct cube *c)
{
    bool ok = cube_data_keep_metrics(d, c) && (d->cube.machine = cube_data_keep(d, c->machine));
    for (size_t i = 0; i < c->n_nodes && ok; i++)
        ok = (d->nodes[i] = cube_data_keep(d, c->nodes[i]));
    for (size_t i = 0; i < c->n_regions && ok; i++)
        ok = (d->regions[i].name = cube_data_keep(d, c->regions[i].name)) &&
             (d->regions[i].file = cube_data_keep(d, c->regions[i].file));
    for (size_t i = 0; i < c->n_call_paths && ok; i++) {
        d->call_paths[i] = c->call_paths[i];
        ok = (d->call_paths[i].file = cube_data_keep(d, c->call_paths[i].file));
    }
    for (size_t i = 0; i < c->n_locations; i++)
        d->locations[i] = c->locations[i];
    return ok;
}

static bool keep_values(struct cube_data *d, const struct cube *c)
{
    double *values = calloc(c->n_locations + 1, sizeof *values);
    bool ok = values;
    for (size_t metric = 0; metric < c->n_metrics && ok; metric++) {
        for (size_t path = 0; path < c->n_call_paths && ok; path++) {
            if (!c->value(c->context, metric, path, values))
                continue;
            double *row = cube_data_row(d, metric, path);
            ok = row;
            if (row)
                memcpy(row, values, c->n_locations * sizeof *values);
        }
    }
    free(values);
    return ok;
}

enum refrain_status cube_data_copy(struct cube_data *d, const struct cube *c)
{
    *d = (struct cube_data){.cube = *c};
    d->cube.n_topologies = 0;
    d->cube.topologies = NULL;
    if (cube_data_allocate(d) == REFRAIN_OK && keep_tables(d, c) && keep_values(d, c))
        return REFRAIN_OK;
    log_error("out of memory: a profile of %zu locations", c->n_locations);
    cube_data_free(d);
    return REFRAIN_ERR_MEMORY;
}

void cube_data_free(struct cube_data *d)
{
    for (size_t i = 0; d->values && i < d->cube.n_metrics * d->cube.n_call_paths; i++)
        free(d->values[i]);
    for (size_t i = 0; i < d->texts.n; i++)
        free(d->texts.items[i]);
    array_free(&d->texts);
    free(d->metrics);
    free(d->regions);
    free(d->call_paths);
    free(d->locations);
    free(d->nodes);
    free(d->values);
    *d = (struct cube_data){0};
}
