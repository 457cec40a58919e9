/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the first node and places its neighbours. */
#include "growth_impl.h"
#include "refinement.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* Limits for the beginnings that are tried: nodes of a kind, kinds, orders of the first node's
 * neighbours. */
#define NODES_MOST  4
#define KINDS_MOST  4
#define ORDERS_MOST 64
/* A first node has at most this many neighbours. */
#define DEGREE_MOST 80

/* ---- the first node and its neighbours ------------------------------------------------------- */

static uint32_t common_neighbours(const struct graph *g, uint32_t a, uint32_t b)
{
    uint32_t n = 0;
    for (uint64_t i = g->first[a], k = g->first[b]; i < g->first[a + 1] && k < g->first[b + 1];) {
        n += g->near[i] == g->near[k];
        const bool less = g->near[i] <= g->near[k], more = g->near[i] >= g->near[k];
        i += less;
        k += more;
    }
    return n;
}

struct beginning {
    uint32_t node, at; /* the first node and its place */
    unsigned n_orders;
};

/* Does neighbour number k of the first node fit at a place, given the neighbours before it? */
static bool fits(const struct growing *s, const struct beginning *b, uint32_t k, uint32_t at)
{
    const uint32_t *near = s->g->near + s->g->first[b->node];
    bool same = graph_degree(s->g, near[k]) == graph_degree(s->h, at) && s->node_at[at] == IMAGE_NONE;
    for (uint32_t i = 0; i < k && same; i++) {
        const uint32_t other = s->image[near[i]];
        same = graph_has_edge(s->g, near[k], near[i]) == graph_has_edge(s->h, at, other) &&
               common_neighbours(s->g, near[k], near[i]) == common_neighbours(s->h, at, other);
    }
    return same;
}

/* Places the neighbours from number k on in all ways that fit, and grows from there. */
static enum refrain_status place_neighbours(struct growing *s, struct beginning *b, uint32_t k)
{
    const uint32_t degree = graph_degree(s->g, b->node), n_order = s->n_order;
    const uint64_t differences = s->differences;
    enum refrain_status status = REFRAIN_OK;
    if (k == degree) {
        b->n_orders++;
        return growth_grow(s);
    }
    for (uint32_t i = 0; i < degree && status == REFRAIN_OK && !s->found; i++) {
        const uint32_t at = s->h->near[s->h->first[b->at] + i];
        if (b->n_orders == ORDERS_MOST || s->growth->effort == 0)
            break;
        growth_spend(s, (uint64_t)k * degree);
        if (!fits(s, b, k, at))
            continue;
        status = growth_put(s, s->g->near[s->g->first[b->node] + k], at);
        if (status == REFRAIN_OK)
            status = place_neighbours(s, b, k + 1);
        growth_take_back(s, n_order);
        s->differences = differences;
    }
    return status;
}

static enum refrain_status begin(struct growing *s, uint32_t node, uint32_t at)
{
    struct beginning b = {.node = node, .at = at};
    if (graph_degree(s->g, node) != graph_degree(s->h, at) || graph_degree(s->g, node) > DEGREE_MOST)
        return REFRAIN_OK;
    growth_take_back(s, 0);
    s->differences = 0;
    s->most_waiting = 0;
    enum refrain_status status = growth_put(s, node, at);
    if (status == REFRAIN_OK)
        status = place_neighbours(s, &b, 0);
    return status;
}

/* ---- which node is the first ----------------------------------------------------------------- */

/* A kind of nodes of h: their colour, their number, and one of them. */
struct kind {
    uint64_t colour;
    uint32_t n, node;
};

static int by_number(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;
    return a->n != b->n ? (a->n > b->n) - (a->n < b->n) : (a->node > b->node) - (a->node < b->node);
}

/* Rarest kinds first: a rare node, such as a corner, has few possible places. */
static uint32_t list_kinds(const struct refinement *colours, struct kind *kinds)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < colours->n; i++) {
        if (i == 0 || colours->sorted[i] != colours->sorted[i - 1])
            kinds[n++] = (struct kind){.colour = colours->sorted[i], .node = IMAGE_NONE};
        kinds[n - 1].n++;
    }
    for (uint32_t node = 0; node < colours->n; node++) {
        uint32_t low = 0, high = n;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            *(kinds[middle].colour <= colours->colours[node] ? &low : &high) = middle;
        }
        if (kinds[low].node == IMAGE_NONE)
            kinds[low].node = node;
    }
    qsort(kinds, n, sizeof *kinds, by_number);
    return n;
}

static enum refrain_status try_kinds(struct growing *s, const struct refinement *of_g,
                                     const struct kind *kinds, uint32_t n)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0, tried = 0; i < n && tried < KINDS_MOST; i++) {
        unsigned nodes = 0;
        for (uint32_t node = 0; node < s->g->n && nodes < NODES_MOST; node++) {
            if (of_g->colours[node] != kinds[i].colour)
                continue;
            nodes++;
            if (s->found || s->growth->effort == 0 || status != REFRAIN_OK)
                return status;
            status = begin(s, node, kinds[i].node);
        }
        tried += nodes > 0;
    }
    return status;
}

/* The colour of a node depends on the graph within `rounds` steps around it. */
enum refrain_status growth_begin(struct growing *s, unsigned rounds)
{
    struct refinement of_g = {0}, of_h = {0};
    struct kind *kinds = malloc((s->h->n + (size_t)1) * sizeof *kinds);
    enum refrain_status status = kinds ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!kinds)
        log_error("out of memory: a graph of %u nodes", s->h->n);
    if (status == REFRAIN_OK)
        status = refinement_create(&of_g, s->g, rounds);
    if (status == REFRAIN_OK)
        status = refinement_create(&of_h, s->h, rounds);
    if (status == REFRAIN_OK)
        status = try_kinds(s, &of_g, kinds, list_kinds(&of_h, kinds));
    refinement_free(&of_g);
    refinement_free(&of_h);
    free(kinds);
    return status;
}
