/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/trace/annex_columns.h"

void merge_maps_free(struct merge_maps *maps)
{
    free(maps->functions);
    free(maps->sites);
    free(maps->columns);
    *maps = (struct merge_maps){0};
}

static enum refrain_status make_map(size_t n, uint32_t **map)
{
    *map = malloc((n + 1) * sizeof **map);
    if (*map)
        return REFRAIN_OK;
    log_error("out of memory for %zu entries of a table", n);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status unite_functions(struct trace *into, const struct trace *next, uint32_t *to)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < next->functions.functions.n && status == REFRAIN_OK; i++)
        status = functable_add_function(&into->functions, &next->functions, i, &to[i]);
    for (size_t i = 0; i < next->functions.constants.n && status == REFRAIN_OK; i++) {
        const struct constant *c = &next->functions.constants.items[i];
        status = functable_add_constant(&into->functions, c->set, c->value, c->name);
    }
    return status;
}

static enum refrain_status add_numbers(struct trace *into, const char *key, const char *a, const char *b)
{
    char sum[24];
    snprintf(sum, sizeof sum, "%llu", strtoull(a, NULL, 10) + strtoull(b, NULL, 10));
    return trace_set_meta(into, key, sum);
}

/* Add the metadata that only next has, such as the path of a module from which no earlier rank has called.
 * Numbers of unrecorded calls are summed. */
static enum refrain_status unite_meta(struct trace *into, const struct trace *next)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < next->meta.n && status == REFRAIN_OK; i++) {
        const struct meta *m = &next->meta.items[i];
        const char *present = trace_meta(into, m->key);
        if (present && strcmp(m->key, META_UNRECORDED) == 0)
            status = add_numbers(into, m->key, present, m->value);
        else if (!present)
            status = trace_add_meta(into, m->key, m->value);
    }
    return status;
}

/* Add next's sites to into's. It also changes next's sites: afterwards they use into's function and module
 * numbers. */
static enum refrain_status unite_sites(struct trace *into, struct trace *next, const uint32_t *functions,
                                       uint32_t *to)
{
    uint32_t *modules;
    enum refrain_status status = make_map(next->modules.n, &modules);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < next->modules.n && status == REFRAIN_OK; i++)
        status = trace_intern_module(into, next->modules.items[i], &modules[i]);
    for (size_t i = 0; i < next->sites.n && status == REFRAIN_OK; i++) {
        struct site *s = &next->sites.items[i];
        s->function = functions[s->function];
        for (uint32_t f = 0; f < s->n_frames; f++)
            s->frames[f].module = modules[s->frames[f].module];
        status = trace_intern_site(into, s, &to[i]);
    }
    free(modules);
    return status;
}

static enum refrain_status unite_columns(struct trace *into, struct trace *next, uint32_t *to)
{
    const size_t fresh = into->columns.n;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < next->columns.n && status == REFRAIN_OK; i++)
        status = trace_intern_column(into, next->columns.items[i], &to[i]);
    return status == REFRAIN_OK ? annex_columns_unite(into, next, to, fresh) : status;
}

enum refrain_status merge_unite_tables(struct trace *into, struct trace *next, struct merge_maps *maps)
{
    enum refrain_status status;
    *maps = (struct merge_maps){0};
    if ((status = make_map(next->functions.functions.n, &maps->functions)) != REFRAIN_OK ||
        (status = make_map(next->sites.n, &maps->sites)) != REFRAIN_OK ||
        (status = make_map(next->columns.n, &maps->columns)) != REFRAIN_OK ||
        (status = unite_meta(into, next)) != REFRAIN_OK ||
        (status = unite_functions(into, next, maps->functions)) != REFRAIN_OK ||
        (status = unite_sites(into, next, maps->functions, maps->sites)) != REFRAIN_OK ||
        (status = unite_columns(into, next, maps->columns)) != REFRAIN_OK)
        merge_maps_free(maps);
    return status;
}

/* Rename the values of a rank function that holds column numbers. Constants, the usual case, are cheap;
 * otherwise it walks all ranks. */
static enum refrain_status rename_values(struct rankfn *f, const struct series *ranks, const uint32_t *to)
{
    uint64_t n = series_length(ranks);
    bool same = true;
    if (n > 1 && (f->forms & RANKFN_CONSTANT)) {
        f->constant = to[f->constant];
        return REFRAIN_OK;
    }
    struct series_cursor cursor;
    int64_t rank;
    series_cursor_start(&cursor, ranks);
    for (uint64_t i = 0; same && series_cursor_next(&cursor, &rank); i++) {
        int64_t value = rankfn_at(f, i, rank);
        same = to[value] == (uint64_t)value;
    }
    if (same)
        return REFRAIN_OK;
    struct merge_values values;
    enum refrain_status status = merge_values_start(&values);
    series_cursor_start(&cursor, ranks);
    for (uint64_t i = 0; status == REFRAIN_OK && series_cursor_next(&cursor, &rank); i++)
        status = merge_values_append(&values, to[rankfn_at(f, i, rank)], rank);
    if (status == REFRAIN_OK) {
        rankfn_free(f);
        *f = merge_values_finish(&values);
    }
    merge_values_stop(&values);
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    uint32_t x = ((const struct entry *)a)->site, y = ((const struct entry *)b)->site;
    return x < y ? -1 : x > y;
}

enum refrain_status merge_rename_shape(struct shape *s, const struct merge_maps *maps, uint32_t n_sites)
{
    enum refrain_status status = REFRAIN_OK;
    rules_rename(s->skeleton, maps->sites, n_sites);
    for (size_t i = 0; i < s->loops.n && status == REFRAIN_OK; i++) {
        struct loop *l = &s->loops.items[i];
        l->after = maps->sites[l->after];
        for (uint32_t k = 0; k < l->n; k++)
            l->sites[k] = maps->sites[l->sites[k]];
        status = rename_values(&l->counts, s->ranks, maps->columns);
    }
    for (size_t i = 0; i < s->entries.n; i++) {
        struct entry *e = &s->entries.items[i];
        e->site = maps->sites[e->site];
        for (size_t k = 0; k < e->groups.n; k++) {
            struct group *g = &e->groups.items[k];
            for (size_t c = 0; c < g->columns.n && status == REFRAIN_OK; c++)
                status = rename_values(&g->columns.items[c].series, g->ranks, maps->columns);
        }
    }
    qsort(s->entries.items, s->entries.n, sizeof *s->entries.items, compare_entries);
    return status;
}
