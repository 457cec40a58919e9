/* SPDX-License-Identifier: BSD-3-Clause */
/* Components are found with R. Tarjan's algorithm (1972), with an explicit stack. */
#include "components.h"

#include "src/core/base/log.h"

#include <stdbool.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct search {
    uint32_t n;
    const struct component_edges *edges;
    size_t *first;   /* by node: its first edge; one more element is the end */
    size_t *at;      /* by node: the next edge to examine */
    uint32_t *index; /* by node: order of discovery; NONE: not found yet */
    uint32_t *low;   /* lowest index that can be reached */
    uint32_t *path, n_path, *stack, n_stack;
    uint32_t *of; /* by node: its component; NONE: not known yet */
    uint32_t found, n_components;
};

static int by_from(const void *a, const void *b)
{
    const struct component_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void enter(struct search *s, uint32_t node)
{
    s->index[node] = s->low[node] = s->found++;
    s->at[node] = s->first[node];
    s->path[s->n_path++] = s->stack[s->n_stack++] = node;
}

static void leave(struct search *s, uint32_t node)
{
    s->n_path--;
    if (s->n_path > 0 && s->low[node] < s->low[s->path[s->n_path - 1]])
        s->low[s->path[s->n_path - 1]] = s->low[node];
    if (s->low[node] != s->index[node])
        return;
    uint32_t member;
    do {
        member = s->stack[--s->n_stack];
        s->of[member] = s->n_components;
    } while (member != node);
    s->n_components++;
}

static void visit(struct search *s, uint32_t start)
{
    enter(s, start);
    while (s->n_path > 0) {
        const uint32_t node = s->path[s->n_path - 1];
        if (s->at[node] == s->first[node + 1]) {
            leave(s, node);
            continue;
        }
        const uint32_t to = s->edges->items[s->at[node]++].to;
        if (s->index[to] == NONE)
            enter(s, to);
        else if (s->of[to] == NONE && s->index[to] < s->low[node])
            s->low[node] = s->index[to];
    }
}

/* Numbers the components in order: the next one is the first that has no unnumbered
 * predecessors. */
static bool put_in_order(struct search *s)
{
    const uint32_t n = s->n_components;
    uint32_t *before = calloc(n + 1, sizeof *before), *lowest = malloc((n + 1) * sizeof *lowest);
    uint32_t *place = malloc((n + 1) * sizeof *place);
    bool *done = calloc(n + 1, sizeof *done);
    const bool ok = before && lowest && place && done;
    for (uint32_t node = s->n; ok && node-- > 0;)
        lowest[s->of[node]] = node;
    for (size_t i = 0; ok && i < s->edges->n; i++)
        before[s->of[s->edges->items[i].to]] +=
            s->of[s->edges->items[i].from] != s->of[s->edges->items[i].to];
    for (uint32_t k = 0; ok && k < n; k++) {
        uint32_t next = NONE;
        for (uint32_t c = 0; c < n; c++) {
            if (!done[c] && before[c] == 0 && (next == NONE || lowest[c] < lowest[next]))
                next = c;
        }
        done[next] = true;
        place[next] = k;
        for (uint32_t node = 0; node < s->n; node++)
            for (size_t i = s->first[node]; s->of[node] == next && i < s->first[node + 1]; i++)
                before[s->of[s->edges->items[i].to]] -= s->of[s->edges->items[i].to] != next;
    }
    for (uint32_t node = 0; ok && node < s->n; node++)
        s->of[node] = place[s->of[node]];
    free(before);
    free(lowest);
    free(place);
    free(done);
    return ok;
}

enum refrain_status components_find(uint32_t n, struct component_edges *edges, uint32_t **of,
                                    uint32_t *n_components)
{
    struct search s = {.n = n, .edges = edges};
    if (edges->n > 0)
        qsort(edges->items, edges->n, sizeof *edges->items, by_from);
    s.first = calloc((size_t)n + 2, sizeof *s.first);
    s.at = calloc((size_t)n + 1, sizeof *s.at);
    s.index = malloc(((size_t)n + 1) * sizeof *s.index);
    s.low = malloc(((size_t)n + 1) * sizeof *s.low);
    s.path = malloc(((size_t)n + 1) * sizeof *s.path);
    s.stack = malloc(((size_t)n + 1) * sizeof *s.stack);
    s.of = malloc(((size_t)n + 1) * sizeof *s.of);
    bool ok = s.first && s.at && s.index && s.low && s.path && s.stack && s.of;
    for (size_t i = 0; ok && i < edges->n; i++)
        s.first[edges->items[i].from + 1]++;
    for (uint32_t node = 0; ok && node < n; node++) {
        s.first[node + 1] += s.first[node];
        s.index[node] = s.of[node] = NONE;
    }
    for (uint32_t node = 0; ok && node < n; node++)
        if (s.index[node] == NONE)
            visit(&s, node);
    ok = ok && put_in_order(&s);
    free(s.first);
    free(s.at);
    free(s.index);
    free(s.low);
    free(s.path);
    free(s.stack);
    if (!ok) {
        log_error("out of memory: the order of %u steps", n);
        free(s.of);
        return REFRAIN_ERR_MEMORY;
    }
    *of = s.of;
    *n_components = s.n_components;
    return REFRAIN_OK;
}
