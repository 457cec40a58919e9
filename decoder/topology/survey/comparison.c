/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include "decoder/util/text.h"
#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* A graph, and the node of each member of the communicator. */
struct subject {
    const struct graph *g;
    const struct traffic *traffic;
    const struct pattern_library *library;
    const struct placement *known; /* coordinates of the user, by node; NULL: none */
    uint32_t *nodes;               /* by rank in the communicator */
};

/* Nodes without edges have no place: a grid may have holes. */
static enum refrain_status place(const struct comparison *c, const struct subject *s, struct placement *out)
{
    struct placement members;
    enum refrain_status status = recorded_topology_place(c->of, c->comm->n, &members);
    *out = members;
    out->at = NULL;
    if (status == REFRAIN_OK)
        status = placement_reserve(out, s->g->n);
    for (uint32_t i = 0; status == REFRAIN_OK && i < c->comm->n; i++)
        if (graph_degree(s->g, s->nodes[i]) > 0)
            out->at[s->nodes[i]] = members.at[i];
    placement_free(&members);
    if (status != REFRAIN_OK)
        placement_free(out);
    return status;
}

static void take(struct comparison *c, const struct graph *g, const struct graph *h,
                 const struct difference *d)
{
    c->edges = h->n_edges;
    c->used = g->n_edges - d->extra;
    c->extra = d->extra;
}

/* Do the user's coordinates differ from these? */
static bool differs(const struct placement *p, const struct placement *known)
{
    bool same = p->n_dims == known->n_dims && memcmp(p->sizes, known->sizes, sizeof p->sizes) == 0;
    for (uint32_t node = 0; node < p->n && same; node++)
        same = p->at[node] == known->at[node] || p->at[node] == IMAGE_NONE;
    return !same;
}

/* Compares the recorded grid itself, without regard to stencils on it. */
static enum refrain_status compare_grid(struct comparison *c, const struct graph *g,
                                        const struct placement *p)
{
    static const struct pattern grid = {.kind = PATTERN_GRID};
    struct candidate candidate = {
        .pattern = &grid, .n = (uint32_t)placement_places(p), .n_dims = p->n_dims, .periodic = p->periodic};
    struct difference d;
    struct graph h;
    memcpy(candidate.sizes, p->sizes, sizeof candidate.sizes);
    enum refrain_status status = candidate_graph(&candidate, &h);
    if (status != REFRAIN_OK)
        return status;
    status = difference_count(g, &h, p->at, &d);
    if (status == REFRAIN_OK)
        take(c, g, &h, &d);
    graph_free(&h);
    return status;
}

static enum refrain_status compare_cart(struct comparison *c, const struct subject *s,
                                        struct placement *given, bool *agrees)
{
    struct placement p;
    struct topology t = {0};
    enum refrain_status status = place(c, s, &p);
    if (status != REFRAIN_OK)
        return status;
    status = compare_grid(c, s->g, &p);
    if (status == REFRAIN_OK)
        status = placement_identify(&t, s->g, s->library, &p);
    c->agrees = status == REFRAIN_OK && t.exact;
    c->elsewhere = s->known && differs(&p, s->known);
    topology_free(&t);
    if (status == REFRAIN_OK && (given->n_dims == 0 || (c->agrees && !*agrees))) {
        placement_free(given);
        *given = p;
        *agrees = c->agrees;
    } else {
        placement_free(&p);
    }
    return status;
}

/* Compares the recorded edges, translated into nodes of the graph. */
static enum refrain_status compare_graph(struct comparison *c, const struct subject *s)
{
    struct graph_edges edges = {0};
    struct graph h;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < c->of->edges.n && status == REFRAIN_OK; i++) {
        const struct graph_edge *e = &c->of->edges.items[i];
        if (e->a < c->comm->n && e->b < c->comm->n &&
            !array_push(&edges, ((struct graph_edge){s->nodes[e->a], s->nodes[e->b]})))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK && (status = graph_create(&h, s->g->n, &edges)) == REFRAIN_OK) {
        c->edges = h.n_edges;
        for (uint32_t node = 0; node < s->g->n; node++)
            for (uint64_t i = s->g->first[node]; i < s->g->first[node + 1]; i++)
                c->used += node < s->g->near[i] && graph_has_edge(&h, node, s->g->near[i]);
        c->extra = s->g->n_edges - c->used;
        c->agrees = c->extra == 0 && c->used == c->edges;
        graph_free(&h);
    }
    array_free(&edges);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Finds the node of each member. Returns false if members and nodes do not correspond. */
static bool find_nodes(const struct comparison *c, struct subject *s)
{
    bool same = c->comm->n == s->g->n;
    for (uint32_t i = 0; i < c->comm->n && same; i++) {
        s->nodes[i] = traffic_node(s->traffic, c->comm->ranks[i]);
        same = s->nodes[i] != TRAFFIC_NOBODY;
    }
    return same;
}

/* Is an equal comparison there already? Programs may create the same topology again and again. */
static bool is_known(const struct comparisons *c, const struct comparison *one)
{
    bool known = false;
    for (size_t i = 0; i < c->items.n && !known; i++) {
        const struct recorded_topology *t = c->items.items[i].of;
        known = t->cart.n_dims == one->of->cart.n_dims && t->cart.periodic == one->of->cart.periodic &&
                memcmp(t->cart.sizes, one->of->cart.sizes, sizeof t->cart.sizes) == 0 &&
                t->function == one->of->function && c->items.items[i].edges == one->edges &&
                c->items.items[i].used == one->used;
    }
    return known;
}

static enum refrain_status compare(struct comparisons *c, const struct recorded_topology *of,
                                   const struct comm_members *comm, struct subject *s,
                                   struct placement *given, bool *agrees)
{
    struct comparison one = {.of = of, .comm = comm};
    enum refrain_status status = REFRAIN_OK;
    s->nodes = malloc((comm->n + (size_t)1) * sizeof *s->nodes);
    if (!s->nodes) {
        log_error("out of memory: %u ranks", comm->n);
        return REFRAIN_ERR_MEMORY;
    }
    if (find_nodes(&one, s)) {
        status = of->cart.n_dims > 0 ? compare_cart(&one, s, given, agrees) : compare_graph(&one, s);
        if (status == REFRAIN_OK && !is_known(c, &one) && !array_push(&c->items, one))
            status = REFRAIN_ERR_MEMORY;
    }
    free(s->nodes);
    return status;
}

/* A grid that also has other processes is not compared, for example if the trace has some of the
 * ranks. */
static bool has_all(const struct recorded_topology *t, const struct comm_members *comm)
{
    return t->cart.n_dims > 0 ? t->cart.at || placement_places(&t->cart) == comm->n : t->edges.n > 0;
}

enum refrain_status comparisons_create(struct comparisons *c, const struct traffic *t, const struct graph *g,
                                       const struct declared *d, const struct communicators *comms,
                                       const struct pattern_library *l, const struct placement *known,
                                       struct placement *given, bool *agrees)
{
    struct subject s = {.g = g, .traffic = t, .library = l, .known = known};
    enum refrain_status status = REFRAIN_OK;
    *c = (struct comparisons){0};
    *given = (struct placement){0};
    *agrees = false;
    for (size_t i = 0; i < d->items.n && status == REFRAIN_OK; i++)
        if (has_all(&d->items.items[i], &comms->items.items[d->items.items[i].comm]))
            status = compare(c, &d->items.items[i], &comms->items.items[d->items.items[i].comm], &s, given,
                             agrees);
    if (status != REFRAIN_OK) {
        array_free(&c->items);
        placement_free(given);
    }
    return status;
}

enum refrain_status comparisons_choose(struct comparisons *c, const struct traffic *t,
                                       const struct declared *d, const struct communicators *comms,
                                       const struct pattern_library *l, struct placement *placement,
                                       struct survey_choice *choice)
{
    struct placement given;
    bool agrees;
    struct graph g;
    if (d->items.n == 0)
        return REFRAIN_OK;
    enum refrain_status status = traffic_graph(t, choice->threshold, choice->by_messages, &g);
    if (status != REFRAIN_OK)
        return status;
    status =
        comparisons_create(c, t, &g, d, comms, l, placement->n_dims > 0 ? placement : NULL, &given, &agrees);
    graph_free(&g);
    if (status == REFRAIN_OK && placement->n_dims == 0) {
        *placement = given;
        choice->where_exact = !agrees;
    } else if (status == REFRAIN_OK) {
        placement_free(&given);
    }
    return status;
}

const char *comparisons_origin(const struct comparisons *c, const struct survey_choice *choice)
{
    for (size_t i = 0; i < c->items.n; i++) {
        const struct comparison *one = &c->items.items[i];
        if (one->of->cart.n_dims > 0 && (one->agrees || choice->where_exact))
            return one->of->function;
    }
    return NULL;
}

void comparison_put(const struct comparison *c, struct bytes *out)
{
    const bool cart = c->of->cart.n_dims > 0;
    if (cart)
        placement_put_name(&c->of->cart, out);
    else
        text_put(out, "graph");
    text_printf(out, " by %s, ", c->of->function);
    communicators_put_name(c->comm, out);
    if (c->agrees) {
        text_put(out, !cart ? ": with the same edges"
                      : c->elsewhere
                          ? ": the communication is exactly a lattice on its coordinates, not on those given"
                          : ": these are its coordinates");
        return;
    }
    text_printf(out, ": the communication uses %llu of its %llu edges, and has %llu more",
                (unsigned long long)c->used, (unsigned long long)c->edges, (unsigned long long)c->extra);
}
