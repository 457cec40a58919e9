/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/base/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool ascends(const uint32_t *items, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++)
        if (items[i - 1] > items[i])
            return false;
    return true;
}

/* Sorts each node's neighbours and removes duplicates. */
static void tidy(struct graph *g)
{
    uint64_t to = 0, from = 0;
    for (uint32_t node = 0; node < g->n; node++) {
        const uint64_t begin = to, end = g->first[node + 1];
        if (!ascends(g->near + from, end - from)) /* true if the edges came in order */
            qsort(g->near + from, (size_t)(end - from), sizeof *g->near, order_u32);
        for (; from < end; from++)
            if (to == begin || g->near[to - 1] != g->near[from])
                g->near[to++] = g->near[from];
        g->first[node] = begin;
    }
    g->first[g->n] = to;
    g->n_edges = to / 2;
}

enum refrain_status graph_create(struct graph *g, uint32_t n, const struct graph_edges *edges)
{
    struct graph made = {.n = n, .first = calloc((size_t)n + 2, sizeof *made.first)};
    made.near = malloc((2 * edges->n + 1) * sizeof *made.near);
    if (!made.first || !made.near) {
        log_error("out of memory: a graph of %u nodes and %zu edges", n, edges->n);
        graph_free(&made);
        return REFRAIN_ERR_MEMORY;
    }
    /* first[node + 2] counts, so that first[node + 1] can be the node's next free position while
     * the lists are filled. */
    for (size_t i = 0; i < edges->n; i++) {
        const struct graph_edge *e = &edges->items[i];
        if (e->a != e->b) {
            made.first[e->a + 2]++;
            made.first[e->b + 2]++;
        }
    }
    for (uint32_t node = 2; node <= n + 1; node++)
        made.first[node] += made.first[node - 1];
    for (size_t i = 0; i < edges->n; i++) {
        const struct graph_edge *e = &edges->items[i];
        if (e->a != e->b) {
            made.near[made.first[e->a + 1]++] = e->b;
            made.near[made.first[e->b + 1]++] = e->a;
        }
    }
    tidy(&made);
    *g = made;
    return REFRAIN_OK;
}

void graph_free(struct graph *g)
{
    free(g->first);
    free(g->near);
    *g = (struct graph){0};
}

bool graph_has_edge(const struct graph *g, uint32_t a, uint32_t b)
{
    assert(a < g->n && b < g->n);
    return bsearch(&b, g->near + g->first[a], graph_degree(g, a), sizeof *g->near, order_u32) != NULL;
}

enum refrain_status graph_sorted_degrees(const struct graph *g, uint32_t *out)
{
    /* number of nodes by degree, which is less than n */
    uint32_t *n_of = calloc(g->n + (size_t)1, sizeof *n_of);
    uint32_t at = 0;
    if (!n_of) {
        log_error("out of memory: a graph of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < g->n; node++)
        n_of[graph_degree(g, node)]++;
    for (uint32_t degree = 0; degree < g->n; degree++)
        for (uint32_t i = 0; i < n_of[degree]; i++)
            out[at++] = degree;
    free(n_of);
    return REFRAIN_OK;
}

uint64_t graph_hash(const struct graph *g)
{
    uint64_t hash = g->n;
    for (uint32_t node = 0; node < g->n; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            hash = mix(hash, (uint64_t)node << 32 | g->near[i]);
    return hash;
}

bool graph_equals(const struct graph *g, const struct graph *h)
{
    return g->n == h->n && g->n_edges == h->n_edges &&
           memcmp(g->first, h->first, ((size_t)g->n + 1) * sizeof *g->first) == 0 &&
           memcmp(g->near, h->near, (size_t)(2 * g->n_edges) * sizeof *g->near) == 0;
}

bool graph_maps(const struct graph *g, const struct graph *h, const uint32_t *image)
{
    assert(g->n <= h->n);
    for (uint32_t node = 0; node < g->n; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            if (node < g->near[i] && !graph_has_edge(h, image[node], image[g->near[i]]))
                return false;
    return true;
}
