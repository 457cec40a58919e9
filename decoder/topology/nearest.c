/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest pattern of a graph that is none: the one with the fewest edges that only one of the two has, among plainly
 * numbered ones. */
#include "identify.h"
#include "numbering.h"
#include "src/core/base/log.h"

/* Of the graph's edges, one in so many may be missing or too many, and so many in all. With more, many a random graph
 * would be near to something. */
#define ONE_IN 12
#define MOST   64

struct nearest {
    struct topology *t;
    const struct graph *g;
    uint64_t most; /* more differences do not count */
};

/* Edges of g that h has not, up to `most` of them. */
static uint64_t lacking(const struct graph *g, const struct graph *h, const uint32_t *place, uint64_t most)
{
    uint64_t n = 0;
    for (uint32_t node = 0; node < g->n && n <= most; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            n += node < g->near[i] && !graph_has_edge(h, place[node], place[g->near[i]]);
    return n;
}

static enum refrain_status compare(void *context, const struct candidate *c, const struct graph *h,
                                   const uint32_t *place, bool *done)
{
    struct nearest *s = context;
    /* What g has and h has not tells how many it is the other way round. */
    const uint64_t extra = lacking(s->g, h, place, s->most), missing = h->n_edges + extra - s->g->n_edges;
    *done = false;
    if (extra > s->most || missing > s->most || extra + missing > s->most)
        return REFRAIN_OK;
    s->most = extra + missing - 1; /* only a better one takes its place */
    s->t->found = s->t->in_order = true;
    s->t->best = *c;
    for (uint32_t node = 0; node < c->n; node++) {
        s->t->place[node] = place[node];
        s->t->in_order = s->t->in_order && place[node] == node;
    }
    return REFRAIN_OK;
}

/* The edges of one, `from` to `to`, by the numbers that `number` has for its nodes. */
static enum refrain_status list_lacking(const struct graph *from, const struct graph *to,
                                        const uint32_t *place, const uint32_t *number,
                                        struct graph_edges *out)
{
    for (uint32_t node = 0; node < from->n; node++)
        for (uint64_t i = from->first[node]; i < from->first[node + 1]; i++) {
            const uint32_t other = from->near[i];
            if (node < other && !graph_has_edge(to, place[node], place[other]) &&
                !array_push(out, ((struct graph_edge){number[node], number[other]})))
                return REFRAIN_ERR_MEMORY;
        }
    return REFRAIN_OK;
}

static enum refrain_status list_differences(struct topology *t, const struct graph *g)
{
    struct graph h = {0};
    ARRAY(uint32_t) node_at = {0}, self = {0}; /* which node of g is at a place; each node's own number */
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!array_reserve(&node_at, g->n) || !array_reserve(&self, g->n))
        goto end;
    for (uint32_t node = 0; node < g->n; node++) {
        node_at.items[t->place[node]] = node;
        self.items[node] = node;
    }
    status = candidate_graph(&t->best, &h);
    if (status == REFRAIN_OK)
        status = list_lacking(g, &h, t->place, self.items, &t->extra);
    if (status == REFRAIN_OK)
        status = list_lacking(&h, g, node_at.items, node_at.items, &t->missing);
end:
    graph_free(&h);
    array_free(&node_at);
    array_free(&self);
    return status;
}

enum refrain_status topology_find_nearest(struct topology *t, const struct graph *g,
                                          const struct pattern_library *l)
{
    struct candidates near = {0};
    struct nearest s = {.t = t, .g = g, .most = g->n_edges / ONE_IN < MOST ? g->n_edges / ONE_IN : MOST};
    uint64_t n_all;
    enum refrain_status status =
        candidates_enumerate(&near, l, g->n, g->n_edges - s.most, g->n_edges + s.most, &n_all);
    for (size_t i = 0; i < near.n && s.most > 0 && status == REFRAIN_OK; i++)
        status = numbering_walk(&near.items[i], g, false, compare, &s);
    if (status == REFRAIN_OK && t->found)
        status = list_differences(t, g);
    array_free(&near);
    return status;
}
