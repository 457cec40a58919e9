/* SPDX-License-Identifier: BSD-3-Clause */
#include "growth_impl.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Exchanging nodes may remove this many differences, so a placement is given up only if it has
 * more than that above the limit. */
#define SLACK 16

/* ---- placing --------------------------------------------------------------------------------- */

static bool wait_for(struct growing *s, uint32_t node)
{
    const uint32_t n = s->placed[node];
    s->most_waiting = n > s->most_waiting ? n : s->most_waiting;
    return array_push(&s->waiting[n], node);
}

enum refrain_status growth_put(struct growing *s, uint32_t node, uint32_t at)
{
    assert(node < s->g->n && at < s->h->n && s->image[node] == IMAGE_NONE);
    const struct graph *g = s->g, *h = s->h;
    uint32_t common = 0;
    bool ok = true;
    for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const uint32_t near = g->near[i];
        common += s->image[near] != IMAGE_NONE && graph_has_edge(h, at, s->image[near]);
        s->placed[near]++;
        ok = ok && (s->image[near] != IMAGE_NONE || wait_for(s, near));
    }
    for (uint64_t i = h->first[at]; i < h->first[at + 1]; i++)
        s->occupied[h->near[i]]++;
    s->image[node] = at;
    s->node_at[at] = node;
    s->order[s->n_order++] = node;
    s->differences += s->placed[node] + s->occupied[at] - 2 * (uint64_t)common;
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Takes back placements until n_order nodes are placed. */
void growth_take_back(struct growing *s, uint32_t n_order)
{
    assert(n_order <= s->n_order);
    while (s->n_order > n_order) {
        const uint32_t node = s->order[--s->n_order], at = s->image[node];
        for (uint64_t i = s->g->first[node]; i < s->g->first[node + 1]; i++)
            s->placed[s->g->near[i]]--;
        for (uint64_t i = s->h->first[at]; i < s->h->first[at + 1]; i++)
            s->occupied[s->h->near[i]]--;
        s->image[node] = s->node_at[at] = IMAGE_NONE;
    }
}

void growth_spend(struct growing *s, uint64_t steps)
{
    s->growth->effort -= s->growth->effort < steps ? s->growth->effort : steps;
}

/* Returns the free place that is near most of the node's neighbours and has fewest other occupied
 * neighbours. *sure: no other place is as good. */
static uint32_t best_place(struct growing *s, uint32_t node, bool *sure)
{
    const struct graph *g = s->g, *h = s->h;
    uint32_t best = IMAGE_NONE, n_seen = 0;
    int64_t most = INT64_MIN;
    for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const uint32_t from = s->image[g->near[i]];
        if (from == IMAGE_NONE)
            continue;
        for (uint64_t k = h->first[from]; k < h->first[from + 1]; k++)
            if (s->node_at[h->near[k]] == IMAGE_NONE && s->tally[h->near[k]]++ == 0)
                s->seen[n_seen++] = h->near[k];
        growth_spend(s, graph_degree(h, from));
    }
    *sure = true;
    for (uint32_t i = 0; i < n_seen; i++) {
        const uint32_t at = s->seen[i];
        /* Among equal places, one with the node's degree is better. */
        const int64_t fits = 4 * (int64_t)s->tally[at] - 2 * (int64_t)s->occupied[at] -
                             (graph_degree(h, at) != graph_degree(g, node));
        *sure = fits > most || (*sure && fits < most);
        if (fits > most) {
            most = fits;
            best = at;
        }
        s->tally[at] = 0;
    }
    /* One neighbour alone does not determine the place of a node with an extra edge. */
    if (best != IMAGE_NONE && s->placed[node] < 2 && graph_degree(g, node) != graph_degree(h, best))
        *sure = false;
    return best;
}

/* Returns a node from those with most placed neighbours; IMAGE_NONE if none is left. */
static uint32_t next_node(struct growing *s)
{
    for (uint32_t n = s->most_waiting; n > 0; n--) {
        while (s->waiting[n].n > 0) {
            const uint32_t node = s->waiting[n].items[--s->waiting[n].n];
            if (s->image[node] == IMAGE_NONE && s->placed[node] == n) {
                s->most_waiting = n;
                return node;
            }
        }
    }
    s->most_waiting = 0;
    return IMAGE_NONE;
}

/* No node has a sure place any more: the node with most placed neighbours goes where it fits
 * best. */
static enum refrain_status put_any(struct growing *s, bool *done)
{
    uint32_t node = IMAGE_NONE;
    bool sure;
    for (uint32_t i = 0; i < s->g->n; i++)
        if (s->image[i] == IMAGE_NONE && s->placed[i] > 0 &&
            (node == IMAGE_NONE || s->placed[i] > s->placed[node]))
            node = i;
    const uint32_t at = node == IMAGE_NONE ? IMAGE_NONE : best_place(s, node, &sure);
    growth_spend(s, s->g->n);
    *done = at == IMAGE_NONE;
    return *done ? REFRAIN_OK : growth_put(s, node, at);
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Lets exactly the nodes beside placed nodes wait. */
static enum refrain_status wait_all(struct growing *s)
{
    bool ok = true;
    for (uint32_t i = 0; i <= s->largest; i++)
        s->waiting[i].n = 0;
    for (uint32_t i = 0; i < s->n_order; i++)
        for (uint64_t k = s->g->first[s->order[i]]; k < s->g->first[s->order[i] + 1]; k++)
            ok = ok && (s->image[s->g->near[k]] != IMAGE_NONE || wait_for(s, s->g->near[k]));
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status growth_grow(struct growing *s)
{
    enum refrain_status status = wait_all(s);
    bool done = false, sure;
    while (!done && s->n_order < s->n_wanted && s->differences <= s->growth->most && s->growth->effort > 0 &&
           status == REFRAIN_OK) {
        const uint32_t node = next_node(s);
        if (node == IMAGE_NONE) {
            status = put_any(s, &done);
            continue;
        }
        const uint32_t at = best_place(s, node, &sure);
        if (at != IMAGE_NONE && sure)
            status = growth_put(s, node, at);
    }
    if (status == REFRAIN_OK && s->n_order == s->n_wanted && s->differences <= s->growth->most + SLACK)
        growth_exchange(s);
    if (status == REFRAIN_OK && s->n_order == s->n_wanted && s->differences <= s->growth->most) {
        memcpy(s->best, s->image, s->g->n * sizeof *s->best);
        s->growth->most = s->differences;
        s->found = true;
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static uint32_t largest_degree(const struct graph *g)
{
    uint32_t most = 0;
    for (uint32_t node = 0; node < g->n; node++)
        most = graph_degree(g, node) > most ? graph_degree(g, node) : most;
    return most;
}

static enum refrain_status start(struct growing *s)
{
    const size_t n = s->g->n + (size_t)1;
    uint32_t **const arrays[] = {&s->image, &s->node_at, &s->placed, &s->occupied,
                                 &s->tally, &s->seen,    &s->order,  &s->best};
    bool ok = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        ok = (*arrays[i] = calloc(n, sizeof **arrays[i])) && ok;
    s->largest = largest_degree(s->g);
    s->waiting = calloc(s->largest + (size_t)1, sizeof *s->waiting);
    if (!ok || !s->waiting) {
        log_error("out of memory: a graph of %u nodes", s->g->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < s->g->n; node++) {
        s->image[node] = s->node_at[node] = IMAGE_NONE;
        s->n_wanted += graph_degree(s->g, node) > 0;
    }
    return REFRAIN_OK;
}

static void stop(struct growing *s)
{
    uint32_t *const arrays[] = {s->image, s->node_at, s->placed, s->occupied,
                                s->tally, s->seen,    s->order,  s->best};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (uint32_t i = 0; s->waiting && i <= s->largest; i++)
        array_free(&s->waiting[i]);
    free(s->waiting);
}

enum refrain_status growth_place(struct growth *growth, const struct graph *g, const struct graph *h,
                                 uint32_t *image, bool *found)
{
    static const unsigned rounds[] = {3, 2, 1};
    struct growing s = {.growth = growth, .g = g, .h = h};
    enum refrain_status status = start(&s);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds && status == REFRAIN_OK && !s.found; i++)
        status = growth_begin(&s, rounds[i]);
    *found = status == REFRAIN_OK && s.found;
    if (*found)
        memcpy(image, s.best, g->n * sizeof *image);
    stop(&s);
    return status;
}
