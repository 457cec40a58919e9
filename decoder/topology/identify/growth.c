/* SPDX-License-Identifier: BSD-3-Clause */
#include "growth.h"

#include "difference.h"
#include "refinement.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define NONE PLACE_NONE

/* Beginnings that are tried: so many nodes of a kind, so many kinds, so many orders of the first node's neighbours. */
#define NODES_MOST  4
#define KINDS_MOST  4
#define ORDERS_MOST 64
/* A first node has at most so many neighbours. */
#define DEGREE_MOST 80
/* What fits badly may fit better when nodes have changed places: so many differences more are no reason to stop. */
#define SLACK 16
/* Nodes that may change places. */
#define ODD_MOST 400

struct growing {
    struct growth *growth;
    const struct graph *g, *h;
    uint32_t *place, *node_at;   /* of g's nodes; of h's */
    uint32_t *placed, *occupied; /* by node of g, of h: how many neighbours are placed, or taken */
    uint32_t *tally;             /* by node of h: scratch, 0 between uses */
    uint32_t *seen;              /* those whose tally is not 0 */
    uint32_t *order;             /* g's nodes as they were placed, n_order of them */
    uint32_t n_order, n_wanted;  /* nodes that have edges */
    uint64_t differences;        /* between nodes that are placed */
    ARRAY(uint32_t) * waiting;   /* by number of placed neighbours: nodes to be looked at */
    uint32_t most_waiting;       /* no longer list is used */
    uint32_t largest;            /* degree of g */
    uint32_t *best;              /* the places that were found */
    bool found;
};

/* ---- placing --------------------------------------------------------------------------------- */

static bool wait_for(struct growing *s, uint32_t node)
{
    const uint32_t n = s->placed[node];
    s->most_waiting = n > s->most_waiting ? n : s->most_waiting;
    return array_push(&s->waiting[n], node);
}

static enum refrain_status put(struct growing *s, uint32_t node, uint32_t at)
{
    const struct graph *g = s->g, *h = s->h;
    uint32_t common = 0;
    bool ok = true;
    for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const uint32_t near = g->near[i];
        common += s->place[near] != NONE && graph_has_edge(h, at, s->place[near]);
        s->placed[near]++;
        ok = ok && (s->place[near] != NONE || wait_for(s, near));
    }
    for (uint64_t i = h->first[at]; i < h->first[at + 1]; i++)
        s->occupied[h->near[i]]++;
    s->place[node] = at;
    s->node_at[at] = node;
    s->order[s->n_order++] = node;
    s->differences += s->placed[node] + s->occupied[at] - 2 * (uint64_t)common;
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Back to how it was when so many nodes were placed. */
static void take_back(struct growing *s, uint32_t n_order)
{
    while (s->n_order > n_order) {
        const uint32_t node = s->order[--s->n_order], at = s->place[node];
        for (uint64_t i = s->g->first[node]; i < s->g->first[node + 1]; i++)
            s->placed[s->g->near[i]]--;
        for (uint64_t i = s->h->first[at]; i < s->h->first[at + 1]; i++)
            s->occupied[s->h->near[i]]--;
        s->place[node] = s->node_at[at] = NONE;
    }
}

static void spend(struct growing *s, uint64_t steps)
{
    s->growth->effort -= s->growth->effort < steps ? s->growth->effort : steps;
}

/* The free place that most of the node's neighbours are near to, and fewest others. *sure: there is but one. */
static uint32_t best_place(struct growing *s, uint32_t node, bool *sure)
{
    const struct graph *g = s->g, *h = s->h;
    uint32_t best = NONE, n_seen = 0;
    int64_t most = INT64_MIN;
    for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const uint32_t from = s->place[g->near[i]];
        if (from == NONE)
            continue;
        for (uint64_t k = h->first[from]; k < h->first[from + 1]; k++)
            if (s->node_at[h->near[k]] == NONE && s->tally[h->near[k]]++ == 0)
                s->seen[n_seen++] = h->near[k];
        spend(s, graph_degree(h, from));
    }
    *sure = true;
    for (uint32_t i = 0; i < n_seen; i++) {
        const uint32_t at = s->seen[i];
        /* A place that would have neighbours to come, where the node has none, is worse than another. */
        const int64_t fits = 4 * (int64_t)s->tally[at] - 2 * (int64_t)s->occupied[at] -
                             (graph_degree(h, at) != graph_degree(g, node));
        *sure = fits > most || (*sure && fits < most);
        if (fits > most) {
            most = fits;
            best = at;
        }
        s->tally[at] = 0;
    }
    /* Of a node with an edge too many, one neighbour alone does not tell where it is. */
    if (best != NONE && s->placed[node] < 2 && graph_degree(g, node) != graph_degree(h, best))
        *sure = false;
    return best;
}

/* The next node of those that have most placed neighbours; NONE: none is left. */
static uint32_t next_node(struct growing *s)
{
    for (uint32_t n = s->most_waiting; n > 0; n--) {
        while (s->waiting[n].n > 0) {
            const uint32_t node = s->waiting[n].items[--s->waiting[n].n];
            if (s->place[node] == NONE && s->placed[node] == n) {
                s->most_waiting = n;
                return node;
            }
        }
    }
    s->most_waiting = 0;
    return NONE;
}

/* Nothing is sure any more: the node with most placed neighbours goes where it fits. */
static enum refrain_status put_any(struct growing *s, bool *done)
{
    uint32_t node = NONE;
    bool sure;
    for (uint32_t i = 0; i < s->g->n; i++)
        if (s->place[i] == NONE && s->placed[i] > 0 && (node == NONE || s->placed[i] > s->placed[node]))
            node = i;
    const uint32_t at = node == NONE ? NONE : best_place(s, node, &sure);
    spend(s, s->g->n);
    *done = at == NONE;
    return *done ? REFRAIN_OK : put(s, node, at);
}

/* ---- changing places ------------------------------------------------------------------------- */

/* Edges of a node that its place has not, and the other way round. */
static uint32_t misfit(const struct growing *s, uint32_t node)
{
    const struct graph *g = s->g, *h = s->h;
    const uint32_t at = s->place[node];
    uint32_t common = 0, taken = 0;
    for (uint64_t i = h->first[at]; i < h->first[at + 1]; i++) {
        const uint32_t other = s->node_at[h->near[i]];
        taken += other != NONE;
        common += other != NONE && graph_has_edge(g, node, other);
    }
    return graph_degree(g, node) + taken - 2 * common;
}

static void exchange(struct growing *s, uint32_t a, uint32_t b)
{
    const uint32_t at = s->place[a];
    s->place[a] = s->place[b];
    s->place[b] = at;
    s->node_at[s->place[a]] = a;
    s->node_at[s->place[b]] = b;
}

/* Lists nodes that do not fit, and counts the differences anew. */
static uint32_t list_odd(struct growing *s, uint32_t *odd)
{
    uint32_t n = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_order; i++) {
        const uint32_t node = s->order[i], here = misfit(s, node);
        sum += here;
        if (here > 0 && n < ODD_MOST)
            odd[n++] = node;
    }
    s->differences = sum / 2;
    return n;
}

/* Two nodes that do not fit change places as long as that makes them fit better. */
static void exchange_all(struct growing *s)
{
    uint32_t odd[ODD_MOST];
    uint32_t n = list_odd(s, odd);
    for (bool better = true; better && s->growth->effort > 0;) {
        better = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = i + 1; k < n; k++) {
                const uint32_t before = misfit(s, odd[i]) + misfit(s, odd[k]);
                exchange(s, odd[i], odd[k]);
                const bool less = misfit(s, odd[i]) + misfit(s, odd[k]) < before;
                if (!less)
                    exchange(s, odd[i], odd[k]);
                better = better || less;
                spend(s, 4 * (uint64_t)graph_degree(s->g, odd[i]));
            }
        n = list_odd(s, odd);
    }
}

/* ---- growing --------------------------------------------------------------------------------- */

/* All that are beside a placed node wait, and no others. */
static enum refrain_status wait_all(struct growing *s)
{
    bool ok = true;
    for (uint32_t i = 0; i <= s->largest; i++)
        s->waiting[i].n = 0;
    for (uint32_t i = 0; i < s->n_order; i++)
        for (uint64_t k = s->g->first[s->order[i]]; k < s->g->first[s->order[i] + 1]; k++)
            ok = ok && (s->place[s->g->near[k]] != NONE || wait_for(s, s->g->near[k]));
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status grow(struct growing *s)
{
    enum refrain_status status = wait_all(s);
    bool done = false, sure;
    while (!done && s->n_order < s->n_wanted && s->differences <= s->growth->most && s->growth->effort > 0 &&
           status == REFRAIN_OK) {
        const uint32_t node = next_node(s);
        if (node == NONE) {
            status = put_any(s, &done);
            continue;
        }
        const uint32_t at = best_place(s, node, &sure);
        if (at != NONE && sure)
            status = put(s, node, at);
    }
    if (status == REFRAIN_OK && s->n_order == s->n_wanted && s->differences <= s->growth->most + SLACK)
        exchange_all(s);
    if (status == REFRAIN_OK && s->n_order == s->n_wanted && s->differences <= s->growth->most) {
        memcpy(s->best, s->place, s->g->n * sizeof *s->best);
        s->growth->most = s->differences;
        s->found = true;
    }
    return status;
}

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
    uint32_t node, at; /* the first node, and where it is */
    unsigned n_orders;
};

/* Does neighbour number k of the first node fit at a place, beside those before it? */
static bool fits(const struct growing *s, const struct beginning *b, uint32_t k, uint32_t at)
{
    const uint32_t *near = s->g->near + s->g->first[b->node];
    bool same = graph_degree(s->g, near[k]) == graph_degree(s->h, at) && s->node_at[at] == NONE;
    for (uint32_t i = 0; i < k && same; i++) {
        const uint32_t other = s->place[near[i]];
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
        return grow(s);
    }
    for (uint32_t i = 0; i < degree && status == REFRAIN_OK && !s->found; i++) {
        const uint32_t at = s->h->near[s->h->first[b->at] + i];
        if (b->n_orders == ORDERS_MOST || s->growth->effort == 0)
            break;
        spend(s, (uint64_t)k * degree);
        if (!fits(s, b, k, at))
            continue;
        status = put(s, s->g->near[s->g->first[b->node] + k], at);
        if (status == REFRAIN_OK)
            status = place_neighbours(s, b, k + 1);
        take_back(s, n_order);
        s->differences = differences;
    }
    return status;
}

static enum refrain_status begin(struct growing *s, uint32_t node, uint32_t at)
{
    struct beginning b = {.node = node, .at = at};
    if (graph_degree(s->g, node) != graph_degree(s->h, at) || graph_degree(s->g, node) > DEGREE_MOST)
        return REFRAIN_OK;
    take_back(s, 0);
    s->differences = 0;
    s->most_waiting = 0;
    enum refrain_status status = put(s, node, at);
    if (status == REFRAIN_OK)
        status = place_neighbours(s, &b, 0);
    return status;
}

/* ---- which node is the first ----------------------------------------------------------------- */

/* The kinds of nodes of h: a colour, how many have it, and one of them. */
struct kind {
    uint64_t colour;
    uint32_t n, node;
};

static int by_number(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;
    return a->n != b->n ? (a->n > b->n) - (a->n < b->n) : (a->node > b->node) - (a->node < b->node);
}

/* The rarest ones first: where a corner is, is told by the corner. */
static uint32_t list_kinds(const struct refinement *colours, struct kind *kinds)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < colours->n; i++) {
        if (i == 0 || colours->sorted[i] != colours->sorted[i - 1])
            kinds[n++] = (struct kind){.colour = colours->sorted[i], .node = NONE};
        kinds[n - 1].n++;
    }
    for (uint32_t node = 0; node < colours->n; node++) {
        uint32_t low = 0, high = n;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            *(kinds[middle].colour <= colours->colours[node] ? &low : &high) = middle;
        }
        if (kinds[low].node == NONE)
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

/* Nodes look alike by what is so many steps around them. */
static enum refrain_status try_rounds(struct growing *s, unsigned rounds)
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
    uint32_t **const arrays[] = {&s->place, &s->node_at, &s->placed, &s->occupied,
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
        s->place[node] = s->node_at[node] = NONE;
        s->n_wanted += graph_degree(s->g, node) > 0;
    }
    return REFRAIN_OK;
}

static void stop(struct growing *s)
{
    uint32_t *const arrays[] = {s->place, s->node_at, s->placed, s->occupied,
                                s->tally, s->seen,    s->order,  s->best};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (uint32_t i = 0; s->waiting && i <= s->largest; i++)
        array_free(&s->waiting[i]);
    free(s->waiting);
}

enum refrain_status growth_place(struct growth *growth, const struct graph *g, const struct graph *h,
                                 uint32_t *place, bool *found)
{
    static const unsigned rounds[] = {3, 2, 1};
    struct growing s = {.growth = growth, .g = g, .h = h};
    enum refrain_status status = start(&s);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds && status == REFRAIN_OK && !s.found; i++)
        status = try_rounds(&s, rounds[i]);
    *found = status == REFRAIN_OK && s.found;
    if (*found)
        memcpy(place, s.best, g->n * sizeof *place);
    stop(&s);
    return status;
}
