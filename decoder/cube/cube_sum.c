/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of profiles: one tree of all call paths, one list of all locations, and the numbers at their new places. */
#include "cube_data.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A call path of the sum. Its children are a list in the order of their adding. */
struct node {
    const char *name, *module, *file; /* of the region; of the call */
    uint32_t line;
    uint32_t parent, first, last, next; /* CUBE_NONE: none */
    uint32_t number;                    /* in the end, depth first */
};

/* One of several calls of the same function: a node, or a call path that is to get one. */
struct like {
    const char *name, *file;
    uint32_t line, at;
    bool taken;
};

struct sum {
    const struct cube *const *from;
    const double *weights;
    size_t n;
    ARRAY(struct node) nodes;
    uint32_t **node_of; /* by profile, then by call path */
    ARRAY(struct place {
        const char *host;
        struct cube_location location;
        uint32_t number; /* in the end */
    })
    places;
};

/* ---- call paths ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    const struct like *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    if (order != 0)
        return order;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void set_node(struct sum *s, const struct cube *c, uint32_t path, uint32_t node)
{
    const struct cube_call_path *p = &c->call_paths[path];
    struct node *n = &s->nodes.items[node];
    n->name = c->regions[p->region].name;
    n->module = c->regions[p->region].file;
    n->file = p->file;
    n->line = p->line;
}

static bool add_node(struct sum *s, uint32_t parent, uint32_t *number)
{
    const struct node n = {.parent = parent, .first = CUBE_NONE, .last = CUBE_NONE, .next = CUBE_NONE};
    *number = (uint32_t)s->nodes.n;
    if (!array_push(&s->nodes, n))
        return false;
    if (parent == CUBE_NONE)
        return true;
    struct node *p = &s->nodes.items[parent];
    if (p->first == CUBE_NONE)
        p->first = *number;
    else
        s->nodes.items[p->last].next = *number;
    p->last = *number;
    return true;
}

/* Each of the m paths gets one of the n nodes of that function, or a new one. */
static bool pair_up(struct sum *s, size_t profile, uint32_t parent, struct like *nodes, size_t n,
                    struct like *paths, size_t m)
{
    uint32_t *node_of = s->node_of[profile];
    for (size_t i = 0, j = 0; n != m && i < m; i++) {
        while (j < n && nodes[j].line < paths[i].line)
            j++;
        if (j < n && nodes[j].line == paths[i].line && strcmp(nodes[j].file, paths[i].file) == 0) {
            node_of[paths[i].at] = nodes[j].at;
            paths[i].taken = nodes[j].taken = true;
            j++;
        }
    }
    size_t j = 0;
    for (size_t i = 0; i < m; i++) {
        if (paths[i].taken)
            continue;
        while (j < n && nodes[j].taken)
            j++;
        if (j < n)
            node_of[paths[i].at] = nodes[j++].at;
        else if (!add_node(s, parent, &node_of[paths[i].at]))
            return false;
    }
    return true;
}

static size_t same_name(const struct like *l, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(l[i].name, name) == 0)
        i++;
    return i;
}

/* The calls below one call path, which are `paths`; nodes below its node get into `nodes`, which has room for all. */
static bool join(struct sum *s, size_t profile, uint32_t parent, struct like *nodes, struct like *paths,
                 size_t m)
{
    size_t n = 0;
    for (uint32_t i = s->nodes.items[parent].first; i != CUBE_NONE; i = s->nodes.items[i].next) {
        const struct node *node = &s->nodes.items[i];
        nodes[n++] = (struct like){node->name, node->file, node->line, i, false};
    }
    qsort(nodes, n, sizeof *nodes, by_name);
    qsort(paths, m, sizeof *paths, by_name);
    for (size_t i = 0, j = 0; j < m;) {
        while (i < n && strcmp(nodes[i].name, paths[j].name) < 0)
            i++;
        const size_t k = same_name(nodes + i, n - i, paths[j].name),
                     l = same_name(paths + j, m - j, paths[j].name);
        if (!pair_up(s, profile, parent, nodes + i, k, paths + j, l))
            return false;
        i += k;
        j += l;
    }
    return true;
}

/* Callers come before those whom they call: `begin[i]` is the first of the calls below path i, by parents. */
static bool add_paths(struct sum *s, size_t profile)
{
    const struct cube *c = s->from[profile];
    const size_t n = c->n_call_paths;
    struct like *paths = calloc(n + 1, sizeof *paths), *nodes = calloc(s->nodes.n + n + 1, sizeof *nodes);
    size_t *begin = calloc(n + 2, sizeof *begin);
    uint32_t *node_of = s->node_of[profile];
    bool ok = paths && nodes && begin;
    node_of[0] = 0;
    for (size_t i = 1; i < n && ok; i++)
        begin[c->call_paths[i].parent + 2]++;
    for (size_t i = 2; i <= n && ok; i++)
        begin[i] += begin[i - 1];
    for (uint32_t i = 1; i < n && ok; i++) {
        const struct cube_call_path *p = &c->call_paths[i];
        paths[begin[p->parent + 1]++] = (struct like){c->regions[p->region].name, p->file, p->line, i, false};
    }
    for (size_t i = 0; i < n && ok; i++)
        ok = join(s, profile, node_of[i], nodes, paths + begin[i], begin[i + 1] - begin[i]);
    for (uint32_t i = 0; i < n && ok; i++)
        set_node(s, c, i, node_of[i]);
    free(paths);
    free(nodes);
    free(begin);
    return ok;
}

/* Depth first. */
static void number_nodes(struct sum *s)
{
    uint32_t number = 0, at = 0;
    for (;;) {
        struct node *n = &s->nodes.items[at];
        n->number = number++;
        if (n->first != CUBE_NONE) {
            at = n->first;
            continue;
        }
        while (at != CUBE_NONE && s->nodes.items[at].next == CUBE_NONE)
            at = s->nodes.items[at].parent;
        if (at == CUBE_NONE)
            return;
        at = s->nodes.items[at].next;
    }
}

/* ---- locations ------------------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->location.rank != y->location.rank)
        return x->location.rank < y->location.rank ? -1 : 1;
    if (x->location.thread != y->location.thread)
        return x->location.thread < y->location.thread ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number; /* the later profile comes later */
}

static int by_host(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const int order = strcmp(x->host, y->host);
    return order != 0 ? order : by_rank(a, b);
}

static struct place *find_place(struct sum *s, const struct cube_location *l)
{
    size_t low = 0, high = s->places.n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct cube_location *m = &s->places.items[middle].location;
        if (m->rank < l->rank || (m->rank == l->rank && m->thread < l->thread))
            low = middle + 1;
        else
            high = middle;
    }
    return &s->places.items[low];
}

/* All locations, each once, at the host where the last profile has it. */
static bool find_places(struct sum *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t l = 0; l < s->from[i]->n_locations; l++) {
            const struct cube_location at = s->from[i]->locations[l];
            const struct place p = {s->from[i]->nodes[at.node], at, (uint32_t)s->places.n};
            if (!array_push(&s->places, p))
                return false;
        }
    }
    /* The list must not be NULL, also if no profile has calls. */
    if (!array_reserve(&s->places, 1))
        return false;
    qsort(s->places.items, s->places.n, sizeof *s->places.items, by_rank);
    for (size_t i = 0; i < s->places.n; i++) {
        const struct cube_location *a = &s->places.items[i].location, *b = i + 1 < s->places.n ? a : NULL;
        if (b)
            b = &s->places.items[i + 1].location;
        if (!b || a->rank != b->rank || a->thread != b->thread)
            s->places.items[n++] = s->places.items[i];
    }
    s->places.n = n;
    return true;
}

/* Places stay in the order of ranks; their numbers are by host. */
static bool number_places(struct sum *s, struct cube_data *d)
{
    struct place *sorted = calloc(s->places.n + 1, sizeof *sorted);
    size_t hosts = 0;
    if (!sorted)
        return false;
    memcpy(sorted, s->places.items, s->places.n * sizeof *sorted);
    qsort(sorted, s->places.n, sizeof *sorted, by_host);
    bool ok = true;
    for (size_t i = 0; i < s->places.n && ok; i++) {
        if (i == 0 || strcmp(sorted[i].host, sorted[i - 1].host) != 0)
            ok = (d->nodes[hosts++] = cube_data_keep(d, sorted[i].host));
        d->locations[i] = sorted[i].location;
        d->locations[i].node = (uint32_t)hosts - 1;
        find_place(s, &sorted[i].location)->number = (uint32_t)i;
    }
    d->cube.n_nodes = hosts;
    free(sorted);
    return ok;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A region for each call path would be too many; those of the same name and module are one. */
struct named {
    const char *name, *module;
    uint32_t node;
};

static int by_region(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->module, y->module);
}

static bool put_paths(const struct sum *s, struct cube_data *d)
{
    struct named *named = calloc(s->nodes.n + 1, sizeof *named);
    size_t regions = 0;
    bool ok = named;
    for (uint32_t i = 0; i < s->nodes.n && ok; i++)
        named[i] = (struct named){s->nodes.items[i].name, s->nodes.items[i].module, i};
    if (ok)
        qsort(named, s->nodes.n, sizeof *named, by_region);
    for (size_t i = 0; i < s->nodes.n && ok; i++) {
        const struct node *n = &s->nodes.items[named[i].node];
        struct cube_call_path *to = &d->call_paths[n->number];
        if (i == 0 || by_region(&named[i - 1], &named[i]) != 0) {
            struct cube_region *r = &d->regions[regions++];
            ok = (r->name = cube_data_keep(d, n->name)) && (r->file = cube_data_keep(d, n->module));
        }
        to->parent = n->parent == CUBE_NONE ? CUBE_NONE : s->nodes.items[n->parent].number;
        to->region = (uint32_t)regions - 1;
        to->line = n->line;
        ok = ok && (to->file = cube_data_keep(d, n->file));
    }
    d->cube.n_regions = regions;
    free(named);
    return ok;
}

static bool add_values(struct sum *s, struct cube_data *d, size_t profile)
{
    const struct cube *c = s->from[profile];
    double *values = calloc(c->n_locations + 1, sizeof *values);
    bool ok = values;
    for (size_t metric = 0; metric < c->n_metrics && ok; metric++) {
        for (size_t path = 0; path < c->n_call_paths && ok; path++) {
            if (!c->value(c->context, metric, path, values))
                continue;
            double *row = cube_data_row(d, metric, s->nodes.items[s->node_of[profile][path]].number);
            ok = row;
            for (size_t l = 0; l < c->n_locations && ok; l++)
                row[find_place(s, &c->locations[l])->number] += s->weights[profile] * values[l];
        }
    }
    free(values);
    return ok;
}

static bool make(struct sum *s, struct cube_data *d)
{
    const struct cube *last = s->from[s->n - 1];
    uint32_t root;
    bool ok = (s->node_of = calloc(s->n, sizeof *s->node_of)) && add_node(s, CUBE_NONE, &root);
    for (size_t i = 0; i < s->n && ok; i++)
        ok = (s->node_of[i] = calloc(s->from[i]->n_call_paths + 1, sizeof **s->node_of)) && add_paths(s, i);
    if (!ok || !find_places(s))
        return false;
    number_nodes(s);
    d->cube = (struct cube){.n_metrics = last->n_metrics,
                            .n_regions = s->nodes.n,
                            .n_call_paths = s->nodes.n,
                            .n_locations = s->places.n,
                            .n_nodes = s->places.n};
    ok = cube_data_allocate(d) == REFRAIN_OK && cube_data_keep_metrics(d, last) &&
         (d->cube.machine = cube_data_keep(d, last->machine)) && put_paths(s, d) && number_places(s, d);
    /* A difference may be negative, and a mean is no whole number. */
    for (size_t i = 0; i < d->cube.n_metrics && ok; i++)
        d->metrics[i].is_count = false;
    for (size_t i = 0; i < s->n && ok; i++)
        ok = add_values(s, d, i);
    return ok;
}

enum refrain_status cube_data_sum(struct cube_data *d, const struct cube *const *from, const double *weights,
                                  size_t n)
{
    struct sum s = {.from = from, .weights = weights, .n = n};
    assert(n > 0);
    *d = (struct cube_data){0};
    const bool ok = make(&s, d);
    for (size_t i = 0; s.node_of && i < n; i++)
        free(s.node_of[i]);
    free(s.node_of);
    array_free(&s.nodes);
    array_free(&s.places);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: a sum of %zu profiles", n);
    cube_data_free(d);
    return REFRAIN_ERR_MEMORY;
}
