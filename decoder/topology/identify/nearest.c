/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the pattern nearest to a graph that is no pattern: the one with the fewest edges that only
 * one of the two has. Nodes without edges are holes. */
#include "difference.h"
#include "growth.h"
#include "identify.h"
#include "numbering.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* At most one edge in ONE_IN may differ, and at most MOST in all. With more, many random graphs
 * would be near to some pattern. */
#define ONE_IN 12
#define MOST   64
/* Limits for the steps of growing: of all candidates together (one or two seconds), and of one
 * candidate. */
#define EFFORT      400000000
#define EFFORT_EACH 100000000

struct nearest {
    struct topology *t;
    const struct graph *g;
    const struct pattern_library *library;
    struct growth growth; /* `most`: placements with more differences are dropped */
    uint32_t n_holes;
    uint32_t *image; /* scratch */
};

/* Keeps the best result so far; from now on only fewer differences count. */
static void keep(struct nearest *s, const struct candidate *c, const uint32_t *image, uint64_t differences)
{
    s->growth.most = differences > 0 ? differences - 1 : 0;
    s->t->found = s->t->in_order = true;
    s->t->exact = differences == 0;
    s->t->best = *c;
    for (uint32_t node = 0; node < s->g->n; node++) {
        s->t->image[node] = graph_degree(s->g, node) > 0 ? image[node] : IMAGE_NONE;
        s->t->in_order = s->t->in_order && image[node] == node;
    }
}

static bool is_done(const struct nearest *s)
{
    return s->t->exact || (s->growth.most == 0 && s->n_holes == 0);
}

/* ---- nodes in the order of the pattern ------------------------------------------------------- */

static enum refrain_status compare(void *context, const struct candidate *c, const struct graph *h,
                                   const uint32_t *image, bool *done)
{
    struct nearest *s = context;
    struct difference d;
    for (uint32_t node = 0; node < s->g->n; node++)
        s->image[node] = graph_degree(s->g, node) > 0 ? image[node] : IMAGE_NONE;
    const enum refrain_status status = difference_count(s->g, h, s->image, &d);
    if (status == REFRAIN_OK && d.extra + d.missing <= s->growth.most)
        keep(s, c, image, d.extra + d.missing);
    *done = is_done(s);
    return status;
}

/* ---- nodes in any order ---------------------------------------------------------------------- */

/* Counts the nodes by degree; the last count includes all higher degrees. */
static enum refrain_status count_degrees(const struct graph *g, uint32_t *counts, uint32_t n)
{
    memset(counts, 0, n * sizeof *counts);
    for (uint32_t node = 0; node < g->n; node++)
        counts[graph_degree(g, node) < n ? graph_degree(g, node) : n - 1]++;
    return REFRAIN_OK;
}

/* One differing edge changes the degrees of two nodes, and each change counts twice. A hole
 * changes the degrees of all its neighbours, so this test is of no use with holes. */
static bool may_be(const struct nearest *s, const struct graph *h)
{
    uint32_t of_g[64], of_h[64];
    uint64_t apart = 0;
    count_degrees(s->g, of_g, 64);
    count_degrees(h, of_h, 64);
    for (uint32_t i = 0; i < 64; i++)
        apart += of_g[i] > of_h[i] ? of_g[i] - of_h[i] : of_h[i] - of_g[i];
    return s->n_holes > 0 || apart <= 4 * s->growth.most;
}

static enum refrain_status grow(struct nearest *s, const struct candidate *c)
{
    struct graph h;
    struct difference d;
    struct growth own = s->growth;
    bool found = false;
    enum refrain_status status = candidate_graph(c, &h);
    if (status != REFRAIN_OK)
        return status;
    if (own.effort > EFFORT_EACH)
        own.effort = EFFORT_EACH;
    s->growth.effort -= own.effort;
    if (may_be(s, &h))
        status = growth_place(&own, s->g, &h, s->image, &found);
    s->growth.effort += own.effort;
    if (found && (status = numbering_normalize(c, s->g, &h, s->image)) == REFRAIN_OK &&
        (status = difference_count(s->g, &h, s->image, &d)) == REFRAIN_OK)
        keep(s, c, s->image, d.missing + d.extra);
    graph_free(&h);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status list_differences(struct topology *t, const struct graph *g)
{
    struct graph h = {0};
    enum refrain_status status = candidate_graph(&t->best, &h);
    if (status == REFRAIN_OK)
        status = difference_list(g, &h, t->image, &t->missing, &t->extra);
    graph_free(&h);
    return status;
}

/* Lists the other names of the found grid. */
static enum refrain_status list_synonyms(struct topology *t, const struct candidates *near)
{
    bool grids, itself = false;
    for (size_t i = 0; i < near->n; i++) {
        if (!candidate_same_grid(&t->best, &near->items[i], &grids))
            continue;
        /* The best one may be turned, so it is recognized by its number of dimensions: the first
         * match is it. */
        if (!itself && near->items[i].n_dims == t->best.n_dims)
            itself = true;
        else if (!array_push(&t->synonyms, near->items[i]))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static uint32_t longest(const struct candidate *c)
{
    uint32_t most = 0;
    for (unsigned d = 0; d < c->n_dims; d++)
        most = c->sizes[d] > most ? c->sizes[d] : most;
    return most;
}

/* Squares come first because they are most likely, and because it takes long to distinguish
 * patterns that differ only in their sizes. */
static void order(struct candidates *l)
{
    for (size_t i = 1; i < l->n; i++) {
        const struct candidate c = l->items[i];
        size_t at = i;
        for (; at > 0 && longest(&l->items[at - 1]) > longest(&c); at--)
            l->items[at] = l->items[at - 1];
        l->items[at] = c;
    }
}

/* Searches the candidates whose number of edges differs by at most the limit, plus `more` edges
 * that holes may lack. */
static enum refrain_status search(struct nearest *s, uint64_t more)
{
    const struct graph *g = s->g;
    const uint64_t most = s->growth.most;
    struct candidates near = {0};
    uint64_t n_all;
    if (most == 0 && more == 0)
        return REFRAIN_OK;
    enum refrain_status status =
        candidates_enumerate(&near, s->library, g->n, g->n_edges - most, g->n_edges + most + more, &n_all);
    for (size_t i = 0; i < near.n && !is_done(s) && status == REFRAIN_OK; i++)
        if (more == 0 || near.items[i].n_dims > 0)
            status = numbering_walk(&near.items[i], g, false, compare, s);
    if (status == REFRAIN_OK)
        order(&near);
    /* People number plainly, so another order must be far better. */
    if (s->t->found)
        s->growth.most = (s->growth.most + 1) / 4;
    for (size_t i = 0; i < near.n && !is_done(s) && status == REFRAIN_OK; i++)
        if (near.items[i].n_dims > 0)
            status = grow(s, &near.items[i]);
    if (status == REFRAIN_OK && s->t->found)
        status = list_differences(s->t, g);
    if (status == REFRAIN_OK && s->t->found)
        status = list_synonyms(s->t, &near);
    array_free(&near);
    return status;
}

static enum refrain_status find(struct topology *t, const struct graph *g, const struct pattern_library *l,
                                uint32_t n_holes, uint64_t more)
{
    struct nearest s = {
        .t = t,
        .g = g,
        .library = l,
        .growth = {g->n_edges / ONE_IN < MOST ? g->n_edges / ONE_IN : MOST, EFFORT},
        .n_holes = n_holes,
        .image = malloc((g->n + (size_t)1) * sizeof *s.image),
    };
    if (!s.image) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = search(&s, more);
    t->n_holes = t->found ? n_holes : 0;
    free(s.image);
    return status;
}

enum refrain_status topology_find_nearest(struct topology *t, const struct graph *g,
                                          const struct pattern_library *l)
{
    return find(t, g, l, 0, 0);
}

enum refrain_status topology_find_with_holes(struct topology *t, const struct graph *g,
                                             const struct pattern_library *l)
{
    uint32_t n_holes = 0, most = 0;
    t->image = calloc((size_t)g->n + 1, sizeof *t->image);
    if (!t->image) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < g->n; node++) {
        const uint32_t degree = graph_degree(g, node);
        n_holes += degree == 0;
        most = degree > most ? degree : most;
    }
    return find(t, g, l, n_holes, (uint64_t)n_holes * most);
}
