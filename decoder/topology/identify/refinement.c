/* SPDX-License-Identifier: BSD-3-Clause */
#include "refinement.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS_MOST 64

static uint32_t sort_colours(struct refinement *r)
{
    uint32_t classes = r->n > 0;
    memcpy(r->sorted, r->colours, r->n * sizeof *r->sorted);
    qsort(r->sorted, r->n, sizeof *r->sorted, order_u64);
    for (uint32_t i = 1; i < r->n; i++)
        classes += r->sorted[i] != r->sorted[i - 1];
    return classes;
}

/* The memory of `sorted` receives the new colours. */
static void refine(struct refinement *r, const struct graph *g)
{
    uint64_t *next = r->sorted;
    for (uint32_t node = 0; node < g->n; node++) {
        uint64_t sum = 0; /* a sum, so the order of neighbours does not matter */
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            sum += mix(0, r->colours[g->near[i]]);
        next[node] = mix(mix(0, r->colours[node]), sum);
    }
    r->sorted = r->colours;
    r->colours = next;
}

enum refrain_status refinement_create(struct refinement *r, const struct graph *g, unsigned rounds)
{
    *r = (struct refinement){.n = g->n,
                             .colours = malloc((g->n + 1) * sizeof *r->colours),
                             .sorted = malloc((g->n + 1) * sizeof *r->sorted)};
    if (!r->colours || !r->sorted) {
        log_error("out of memory: a graph of %u nodes", g->n);
        refinement_free(r);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < g->n; node++)
        r->colours[node] = graph_degree(g, node);
    uint32_t classes = sort_colours(r), before = 0;
    while (rounds > 0 ? r->rounds < rounds : classes > before && r->rounds < ROUNDS_MOST) {
        refine(r, g);
        r->rounds++;
        before = classes;
        if (rounds == 0)
            classes = sort_colours(r);
    }
    sort_colours(r);
    return REFRAIN_OK;
}

void refinement_free(struct refinement *r)
{
    free(r->colours);
    free(r->sorted);
    *r = (struct refinement){0};
}

bool refinement_equals(const struct refinement *r, const struct refinement *s)
{
    return r->n == s->n && memcmp(r->sorted, s->sorted, r->n * sizeof *r->sorted) == 0;
}

uint64_t refinement_rarest(const struct refinement *r)
{
    uint64_t rarest = 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0, end; i < r->n; i = end) {
        for (end = i; end < r->n && r->sorted[end] == r->sorted[i];)
            end++;
        if (end - i < least) {
            least = end - i;
            rarest = r->sorted[i];
        }
    }
    return rarest;
}

enum refrain_status refinement_distances(const struct graph *g, uint32_t node, uint64_t *hash)
{
    uint32_t *queue = malloc((g->n + 1) * sizeof *queue), *distance = malloc((g->n + 1) * sizeof *distance);
    uint64_t result = g->n;
    if (!queue || !distance) {
        log_error("out of memory: a graph of %u nodes", g->n);
        free(queue);
        free(distance);
        return REFRAIN_ERR_MEMORY;
    }
    memset(distance, 0xff, g->n * sizeof *distance);
    distance[node] = 0;
    queue[0] = node;
    for (uint32_t begin = 0, end = 1; begin < end;) { /* nodes at one distance */
        const uint32_t last = end;
        uint64_t inside = 0, outward = 0;
        for (uint32_t at = begin; at < last; at++)
            for (uint64_t i = g->first[queue[at]]; i < g->first[queue[at] + 1]; i++) {
                const uint32_t to = g->near[i];
                if (distance[to] == UINT32_MAX) {
                    distance[to] = distance[queue[at]] + 1;
                    queue[end++] = to;
                }
                inside += distance[to] == distance[queue[at]];
                outward += distance[to] > distance[queue[at]];
            }
        result = mix(mix(mix(result, last - begin), inside), outward);
        begin = last;
    }
    free(queue);
    free(distance);
    *hash = result;
    return REFRAIN_OK;
}
