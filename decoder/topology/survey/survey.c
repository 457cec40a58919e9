/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey.h"

#include "decoder/topology/identify/difference.h"
#include "decoder/topology/identify/numbering.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* ---- components ------------------------------------------------------------------------------ */

/* Marks all ranks connected with a rank and returns their number. `queue` has room for all
 * ranks. */
static uint32_t mark(struct survey *s, uint32_t rank, uint32_t component, uint32_t *queue)
{
    const struct graph *g = &s->graph;
    uint32_t n = 1;
    queue[0] = rank;
    s->component_of[rank] = component;
    for (uint32_t at = 0; at < n; at++)
        for (uint64_t i = g->first[queue[at]]; i < g->first[queue[at] + 1]; i++)
            if (s->component_of[g->near[i]] == NONE) {
                s->component_of[g->near[i]] = component;
                queue[n++] = g->near[i];
            }
    return n;
}

static enum refrain_status add_component(struct survey *s, uint32_t n)
{
    struct survey_component p = {.ranks = malloc(n * sizeof *p.ranks),
                                 .degrees = malloc(n * sizeof *p.degrees)};
    if (!p.ranks || !p.degrees)
        log_error("out of memory: a topology of %u nodes", n);
    if (!p.ranks || !p.degrees || !array_push(&s->components, p)) {
        free(p.ranks);
        free(p.degrees);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* Makes one component of all ranks that have an edge. */
static enum refrain_status unite(struct survey *s)
{
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < s->graph.n; rank++) {
        if (graph_degree(&s->graph, rank) > 0) {
            s->component_of[rank] = 0;
            n++;
        }
    }
    s->n_silent = s->graph.n - n;
    return n > 0 ? add_component(s, n) : REFRAIN_OK;
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
        else if (s->component_of[rank] == NONE)
            status = add_component(s, mark(s, rank, (uint32_t)s->components.n, queue));
    }
    free(queue);
    return status;
}

static enum refrain_status divide(struct survey *s, bool one)
{
    const uint32_t n = s->graph.n;
    const enum refrain_status status = one ? unite(s) : find_parts(s);
    for (uint32_t rank = 0; rank < n && status == REFRAIN_OK; rank++) {
        if (s->component_of[rank] == NONE)
            continue;
        struct survey_component *p = &s->components.items[s->component_of[rank]];
        s->node_of[rank] = p->n_ranks;
        p->ranks[p->n_ranks++] = rank;
    }
    return status;
}

static enum refrain_status place(struct survey_component *p, const struct graph *g,
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
    enum refrain_status status = placement_identify(&p->topology, g, l, &own);
    if (status == REFRAIN_OK)
        status = placement_explain(&p->topology, g, l);
    free(own.at);
    return status;
}

/* Creates the graph of one component, with the component's node numbers. */
static enum refrain_status part_graph(const struct survey *s, const struct survey_component *p,
                                      struct graph *out)
{
    const struct graph *g = &s->graph;
    struct graph_edges edges = {0};
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t node = 0; node < p->n_ranks && status == REFRAIN_OK; node++)
        for (uint64_t i = g->first[p->ranks[node]]; i < g->first[p->ranks[node] + 1]; i++)
            if (p->ranks[node] < g->near[i] &&
                !array_push(&edges, ((struct graph_edge){node, s->node_of[g->near[i]]})))
                status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = graph_create(out, p->n_ranks, &edges);
    array_free(&edges);
    return status;
}

static enum refrain_status identify(struct survey *s, struct survey_component *p,
                                    const struct pattern_library *l, const struct placement *given)
{
    const bool whole = p->n_ranks == s->graph.n;
    struct graph own = {0};
    const struct graph *component = whole ? &s->graph : &own;
    enum refrain_status status = whole ? REFRAIN_OK : part_graph(s, p, &own);
    if (status != REFRAIN_OK)
        return status;
    p->n_edges = (uint32_t)component->n_edges;
    status = graph_sorted_degrees(component, p->degrees);
    if (status == REFRAIN_OK)
        status = given ? place(p, component, l, given) : topology_identify(&p->topology, component, l);
    graph_free(&own);
    return status;
}

/* ---- holes ----------------------------------------------------------------------------------- */

/* At most one rank in this many may be silent. */
#define HOLES_ONE_IN 4

static uint64_t differences(const struct topology *t)
{
    return t->found ? t->missing.n + t->extra.n : UINT64_MAX;
}

/* Translates a topology of all ranks into one of the component. */
static void restrict_to(const struct survey *s, const struct survey_component *p, struct topology *t)
{
    struct graph_edges *const lists[] = {&t->missing, &t->extra};
    for (uint32_t node = 0; node < p->n_ranks; node++)
        t->image[node] = t->image[p->ranks[node]]; /* safe in place: the component's ranks ascend */
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->n; k++) {
            struct graph_edge *e = &lists[i]->items[k];
            *e = (struct graph_edge){s->node_of[e->a], s->node_of[e->b]};
        }
}

/* If the ranks that communicate are no pattern, they may be a pattern in which the other ranks are
 * silent. */
static enum refrain_status look_for_holes(struct survey *s, const struct pattern_library *l)
{
    struct survey_component *p = s->components.items;
    struct topology t = {0};
    if (s->components.n != 1 || s->n_silent == 0 || s->n_silent > s->graph.n / HOLES_ONE_IN ||
        p->topology.exact)
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

/* Sorts the pairs by component: first[component] is the first pair of one. Pairs between two
 * components are left out. */
static enum refrain_status sort_pairs(const struct survey *s, size_t **first, uint32_t **pairs)
{
    const struct traffic *t = s->traffic;
    *first = calloc(s->components.n + 2, sizeof **first);
    *pairs = malloc((t->pairs.n + 1) * sizeof **pairs);
    if (!*first || !*pairs) {
        log_error("out of memory: %zu pairs", t->pairs.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (int writing = 0; writing < 2; writing++) {
        for (size_t i = 0; i < t->pairs.n; i++) {
            const uint32_t component = s->component_of[t->pairs.items[i].a];
            if (component == NONE || s->component_of[t->pairs.items[i].b] != component)
                continue;
            if (writing)
                (*pairs)[(*first)[component + 1]++] = (uint32_t)i;
            else
                (*first)[component + 2]++;
        }
        for (size_t component = 2; !writing && component <= s->components.n + 1; component++)
            (*first)[component] += (*first)[component - 1];
    }
    return REFRAIN_OK;
}

/* Adds the traffic along the edges of a component's pattern, including pairs that the survey left
 * out. */
static enum refrain_status add_component_inside(struct survey *s, const struct topology *t,
                                                const uint32_t *pairs, size_t n)
{
    struct graph h;
    const enum refrain_status status = candidate_graph(&t->best, &h);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        const struct traffic_pair *p = &s->traffic->pairs.items[pairs[i]];
        const uint32_t a = t->image[s->node_of[p->a]], b = t->image[s->node_of[p->b]];
        if (a == IMAGE_NONE || b == IMAGE_NONE || !graph_has_edge(&h, a, b))
            continue;
        s->inside.messages += p->sum.messages;
        s->inside.bytes += p->sum.bytes;
    }
    graph_free(&h);
    return REFRAIN_OK;
}

static enum refrain_status add_inside(struct survey *s)
{
    size_t *first = NULL;
    uint32_t *pairs = NULL;
    enum refrain_status status = sort_pairs(s, &first, &pairs);
    for (size_t i = 0; i < s->components.n && status == REFRAIN_OK; i++)
        if (s->components.items[i].topology.found)
            status = add_component_inside(s, &s->components.items[i].topology, pairs + first[i],
                                          first[i + 1] - first[i]);
    free(first);
    free(pairs);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void free_parts(struct survey *s)
{
    for (size_t i = 0; i < s->components.n; i++) {
        free(s->components.items[i].ranks);
        free(s->components.items[i].degrees);
        topology_free(&s->components.items[i].topology);
    }
    array_free(&s->components);
}

static enum refrain_status start(struct survey *s, const struct survey_choice *choice)
{
    const struct traffic *t = s->traffic;
    const enum refrain_status status = traffic_graph(t, choice->threshold, choice->by_messages, &s->graph);
    if (status != REFRAIN_OK)
        return status;
    s->n_weak = t->pairs.n - (size_t)s->graph.n_edges;
    s->component_of = malloc((t->n_ranks + (size_t)1) * sizeof *s->component_of);
    s->node_of = malloc((t->n_ranks + (size_t)1) * sizeof *s->node_of);
    if (s->component_of && s->node_of)
        return REFRAIN_OK;
    log_error("out of memory: %u ranks", t->n_ranks);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status find(struct survey *s, const struct pattern_library *l,
                                const struct placement *given)
{
    s->n_silent = 0;
    s->given = given;
    for (uint32_t rank = 0; rank < s->traffic->n_ranks; rank++) {
        s->component_of[rank] = NONE;
        s->node_of[rank] = 0;
    }
    enum refrain_status status = divide(s, given != NULL);
    for (size_t i = 0; i < s->components.n && status == REFRAIN_OK; i++)
        status = identify(s, &s->components.items[i], l, given);
    return status;
}

/* Are the components exactly a lattice on these coordinates? */
static bool holds(const struct survey *s)
{
    const struct topology *t = s->components.n > 0 ? &s->components.items[0].topology : NULL;
    return t && t->exact && t->n_holes <= t->best.n / HOLES_ONE_IN;
}

enum refrain_status survey_create(struct survey *s, const struct traffic *t, const struct pattern_library *l,
                                  const struct survey_choice *choice)
{
    bool done = choice->given;
    *s = (struct survey){.traffic = t, .inside = t->to_self};
    enum refrain_status status = start(s, choice);
    if (status == REFRAIN_OK && choice->given)
        status = find(s, l, choice->given);
    if (status == REFRAIN_OK && choice->given && choice->where_exact && !holds(s)) {
        free_parts(s);
        done = false;
    }
    if (status == REFRAIN_OK && !done && (status = find(s, l, NULL)) == REFRAIN_OK)
        status = look_for_holes(s, l);
    if (status == REFRAIN_OK)
        status = add_inside(s);
    if (status != REFRAIN_OK)
        survey_free(s);
    return status;
}

struct survey_choice survey_choice_of_some(const struct survey_choice *c)
{
    struct survey_choice some = *c;
    some.where_exact = true;
    return some;
}

void survey_free(struct survey *s)
{
    free_parts(s);
    graph_free(&s->graph);
    free(s->component_of);
    free(s->node_of);
    *s = (struct survey){0};
}

enum refrain_status survey_put_rule(const struct survey *s, const struct survey_component *p,
                                    struct bytes *out, bool *affine)
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
        p->topology.found && numbering_put_rule(&p->topology.best, p->topology.image, ranks, p->n_ranks, out);
    free(ranks);
    return REFRAIN_OK;
}
