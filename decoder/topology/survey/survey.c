/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey.h"

#include "decoder/topology/identify/difference.h"
#include "decoder/topology/identify/numbering.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* ---- parts ----------------------------------------------------------------------------------- */

/* Marks all that hang together with a rank; `queue` has room for all ranks. Returns how many these are. */
static uint32_t mark(struct survey *s, uint32_t rank, uint32_t part, uint32_t *queue)
{
    const struct graph *g = &s->graph;
    uint32_t n = 1;
    queue[0] = rank;
    s->part_of[rank] = part;
    for (uint32_t at = 0; at < n; at++)
        for (uint64_t i = g->first[queue[at]]; i < g->first[queue[at] + 1]; i++)
            if (s->part_of[g->near[i]] == NONE) {
                s->part_of[g->near[i]] = part;
                queue[n++] = g->near[i];
            }
    return n;
}

static enum refrain_status add_part(struct survey *s, uint32_t n)
{
    struct survey_part p = {.ranks = malloc(n * sizeof *p.ranks), .degrees = malloc(n * sizeof *p.degrees)};
    if (!p.ranks || !p.degrees)
        log_error("out of memory: a topology of %u nodes", n);
    if (!p.ranks || !p.degrees || !array_push(&s->parts, p)) {
        free(p.ranks);
        free(p.degrees);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* All that have an edge are one part. */
static enum refrain_status unite(struct survey *s)
{
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < s->graph.n; rank++) {
        if (graph_degree(&s->graph, rank) > 0) {
            s->part_of[rank] = 0;
            n++;
        }
    }
    s->n_silent = s->graph.n - n;
    return n > 0 ? add_part(s, n) : REFRAIN_OK;
}

static enum refrain_status find_parts(struct survey *s)
{
    const uint32_t n = s->graph.n;
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    enum refrain_status status = queue ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!queue)
        log_error("out of memory: %u ranks", n);
    for (uint32_t rank = 0; rank < n && status == REFRAIN_OK; rank++) {
        if (graph_degree(&s->graph, rank) == 0)
            s->n_silent++;
        else if (s->part_of[rank] == NONE)
            status = add_part(s, mark(s, rank, (uint32_t)s->parts.n, queue));
    }
    free(queue);
    return status;
}

static enum refrain_status divide(struct survey *s, bool one)
{
    const uint32_t n = s->graph.n;
    const enum refrain_status status = one ? unite(s) : find_parts(s);
    for (uint32_t rank = 0; rank < n && status == REFRAIN_OK; rank++) {
        if (s->part_of[rank] == NONE)
            continue;
        struct survey_part *p = &s->parts.items[s->part_of[rank]];
        s->node_of[rank] = p->n_ranks;
        p->ranks[p->n_ranks++] = rank;
    }
    return status;
}

static enum refrain_status place(struct survey_part *p, const struct graph *g,
                                 const struct pattern_library *l, const struct placement *given)
{
    struct placement own = *given;
    own.n = p->n_ranks;
    own.at = malloc(p->n_ranks * sizeof *own.at);
    if (!own.at) {
        log_error("out of memory: a topology of %u nodes", p->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < p->n_ranks; node++)
        own.at[node] = given->at[p->ranks[node]];
    const enum refrain_status status = placement_identify(&p->topology, g, l, &own);
    free(own.at);
    return status;
}

static enum refrain_status identify(struct survey *s, struct survey_part *p, const struct pattern_library *l,
                                    const struct placement *given)
{
    const struct graph *g = &s->graph;
    struct graph_edges edges = {0};
    struct graph part;
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t node = 0; node < p->n_ranks; node++)
        for (uint64_t i = g->first[p->ranks[node]]; i < g->first[p->ranks[node] + 1]; i++)
            if (!array_push(&edges, ((struct graph_edge){node, s->node_of[g->near[i]]}))) {
                array_free(&edges);
                return REFRAIN_ERR_MEMORY;
            }
    status = graph_create(&part, p->n_ranks, &edges);
    array_free(&edges);
    if (status != REFRAIN_OK)
        return status;
    for (uint32_t node = 0; node < p->n_ranks; node++)
        p->degrees[node] = graph_degree(&part, node);
    qsort(p->degrees, p->n_ranks, sizeof *p->degrees, order_u32);
    p->n_edges = (uint32_t)part.n_edges;
    status = given ? place(p, &part, l, given) : topology_identify(&p->topology, &part, l);
    graph_free(&part);
    return status;
}

/* ---- holes ----------------------------------------------------------------------------------- */

/* Silent ranks may be at most one of so many. */
#define HOLES_ONE_IN 4

static uint64_t differences(const struct topology *t)
{
    return t->found ? t->missing.n + t->extra.n : UINT64_MAX;
}

/* A topology of all ranks becomes one of the part's. */
static void restrict_to(const struct survey *s, const struct survey_part *p, struct topology *t)
{
    struct graph_edges *const lists[] = {&t->missing, &t->extra};
    for (uint32_t node = 0; node < p->n_ranks; node++)
        t->place[node] = t->place[p->ranks[node]]; /* ranks ascend */
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->n; k++) {
            struct graph_edge *e = &lists[i]->items[k];
            *e = (struct graph_edge){s->node_of[e->a], s->node_of[e->b]};
        }
}

/* If the ranks that communicate are no pattern, they may be one in which the others are silent. */
static enum refrain_status look_for_holes(struct survey *s, const struct pattern_library *l)
{
    struct survey_part *p = s->parts.items;
    struct topology t = {0};
    if (s->parts.n != 1 || s->n_silent == 0 || s->n_silent > s->graph.n / HOLES_ONE_IN || p->topology.exact)
        return REFRAIN_OK;
    enum refrain_status status = topology_find_with_holes(&t, &s->graph, l);
    if (status == REFRAIN_OK && differences(&t) < differences(&p->topology)) {
        restrict_to(s, p, &t);
        topology_free(&p->topology);
        p->topology = t;
    } else {
        topology_free(&t);
    }
    return status;
}

/* ---- accuracy -------------------------------------------------------------------------------- */

/* What goes along the edges of a part's pattern, also of those pairs that were left out. */
static enum refrain_status add_inside(struct survey *s, uint32_t part)
{
    const struct topology *t = &s->parts.items[part].topology;
    struct graph h;
    const enum refrain_status status = candidate_graph(&t->best, &h);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < s->traffic->pairs.n; i++) {
        const struct traffic_pair *p = &s->traffic->pairs.items[i];
        if (s->part_of[p->a] != part || s->part_of[p->b] != part)
            continue;
        const uint32_t a = t->place[s->node_of[p->a]], b = t->place[s->node_of[p->b]];
        if (a == PLACE_NONE || b == PLACE_NONE || !graph_has_edge(&h, a, b))
            continue;
        s->inside.messages += p->sum.messages;
        s->inside.bytes += p->sum.bytes;
    }
    graph_free(&h);
    return REFRAIN_OK;
}

enum refrain_status survey_create(struct survey *s, const struct traffic *t, const struct pattern_library *l,
                                  const struct survey_choice *choice)
{
    *s = (struct survey){.traffic = t, .inside = t->to_self};
    enum refrain_status status = traffic_graph(t, choice->threshold, choice->by_messages, &s->graph);
    if (status == REFRAIN_OK) {
        s->part_of = malloc((t->n_ranks + 1) * sizeof *s->part_of);
        s->node_of = calloc(t->n_ranks + 1, sizeof *s->node_of);
        if (!s->part_of || !s->node_of) {
            log_error("out of memory: %u ranks", t->n_ranks);
            status = REFRAIN_ERR_MEMORY;
        }
    }
    for (uint32_t rank = 0; rank < t->n_ranks && status == REFRAIN_OK; rank++)
        s->part_of[rank] = NONE;
    if (status == REFRAIN_OK)
        status = divide(s, choice->given != NULL);
    for (size_t i = 0; i < s->parts.n && status == REFRAIN_OK; i++)
        status = identify(s, &s->parts.items[i], l, choice->given);
    if (status == REFRAIN_OK && !choice->given)
        status = look_for_holes(s, l);
    for (size_t i = 0; i < s->parts.n && status == REFRAIN_OK; i++) {
        if (s->parts.items[i].topology.found)
            status = add_inside(s, (uint32_t)i);
    }
    s->n_weak = t->pairs.n - (size_t)s->graph.n_edges;
    if (status != REFRAIN_OK)
        survey_free(s);
    return status;
}

void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->parts.n; i++) {
        free(s->parts.items[i].ranks);
        free(s->parts.items[i].degrees);
        topology_free(&s->parts.items[i].topology);
    }
    array_free(&s->parts);
    graph_free(&s->graph);
    free(s->part_of);
    free(s->node_of);
    *s = (struct survey){0};
}

enum refrain_status survey_put_rule(const struct survey *s, const struct survey_part *p, struct bytes *out,
                                    bool *affine)
{
    const struct traffic *t = s->traffic;
    uint32_t *ranks = malloc((p->n_ranks + (size_t)1) * sizeof *ranks);
    if (!ranks) {
        log_error("out of memory: %u ranks", p->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < p->n_ranks; node++)
        ranks[node] = t->members ? p->ranks[node] : traffic_rank(t, p->ranks[node]);
    *affine =
        p->topology.found && numbering_put_rule(&p->topology.best, p->topology.place, ranks, p->n_ranks, out);
    free(ranks);
    return REFRAIN_OK;
}
