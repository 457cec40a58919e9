/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits_call_tree.h"

#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of the region, which is made if there is none; UINT32_MAX when memory is short. */
static uint32_t region_of(struct call_tree *t, const char *name, bool is_mpi)
{
    for (uint32_t i = 0; i < t->regions.n; i++) {
        if (t->regions.items[i].is_mpi == is_mpi && strcmp(t->regions.items[i].name, name) == 0)
            return i;
    }
    struct call_region r = {strdup(name), is_mpi};
    if (!r.name || !array_push(&t->regions, r)) {
        free(r.name);
        return UINT32_MAX;
    }
    return (uint32_t)(t->regions.n - 1);
}

/* *node becomes its callee. */
static bool descend(struct call_tree *t, uint32_t *node, const char *name, bool is_mpi, int line)
{
    const uint32_t region = region_of(t, name, is_mpi);
    if (region == UINT32_MAX)
        return false;
    for (uint32_t i = *node + 1; i < t->nodes.n; i++) {
        const struct call_node *n = &t->nodes.items[i];
        if (n->parent == *node && n->region == region && n->line == line) {
            *node = i;
            return true;
        }
    }
    const struct call_node made = {*node, region, line};
    *node = (uint32_t)t->nodes.n;
    return array_push(&t->nodes, made);
}

/* A function is called in the line that its caller has; that of MPI in the innermost one. */
static bool add_site(struct call_tree *t, const struct reader *r, const struct symbols *s, uint32_t number)
{
    const struct site *site = &r->trace.sites.items[number];
    uint32_t node = 0;
    int line = 0;
    bool ok = true;
    for (uint32_t f = site->n_frames; f-- > 0 && ok;) {
        const struct source_locations l = symbols_find(s, &site->frames[f]);
        for (size_t i = l.n; i-- > 0 && ok;) {
            char unknown[32];
            snprintf(unknown, sizeof unknown, "0x%" PRIx64, site->frames[f].offset);
            const char *function = l.items[i].function;
            ok = descend(t, &node, function ? function : unknown, false, line);
            line = l.items[i].line;
        }
    }
    ok = ok && descend(t, &node, reader_function(r, number), true, line);
    t->of_site[number] = node;
    return ok;
}

static bool has_values(const struct severities *values, uint32_t site)
{
    for (size_t i = 0; i < values->n_metrics; i++) {
        if (severities_row(values, i, site))
            return true;
    }
    return false;
}

enum refrain_status call_tree_create(struct call_tree *t, const struct reader *r, const struct symbols *s,
                                     const struct severities *values)
{
    const size_t n = r->trace.sites.n;
    *t = (struct call_tree){.of_site = calloc(n + 1, sizeof *t->of_site)};
    bool ok =
        t->of_site && region_of(t, "program", false) == 0 && array_push(&t->nodes, (struct call_node){0});
    for (uint32_t i = 0; i < n && ok; i++)
        ok = !has_values(values, i) || add_site(t, r, s, i);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: the tree of %zu call sites", n);
    call_tree_free(t);
    return REFRAIN_ERR_MEMORY;
}

void call_tree_free(struct call_tree *t)
{
    for (size_t i = 0; i < t->regions.n; i++)
        free(t->regions.items[i].name);
    array_free(&t->regions);
    array_free(&t->nodes);
    free(t->of_site);
    *t = (struct call_tree){0};
}
