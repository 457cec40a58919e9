/* SPDX-License-Identifier: BSD-3-Clause */
#include "displacement.h"

#include "decoder/util/text.h"
#include "decoder/topology/identify/difference.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool survey_is_lattice(const struct survey *s)
{
    return s->components.n == 1 && s->components.items[0].topology.found &&
           s->components.items[0].topology.best.n_dims > 0;
}

struct collecting {
    struct displacements *found;
    const struct survey *base;
    const struct candidate *lattice;
    struct map by_steps;
};

/* Finds the place of a node; false if it has none. */
static bool find_place(const struct collecting *c, uint32_t node, uint32_t *image)
{
    const struct survey *s = c->base;
    if (node >= s->graph.n || s->component_of[node] == UINT32_MAX)
        return false;
    *image = s->components.items[0].topology.image[s->node_of[node]];
    return *image != IMAGE_NONE;
}

/* Half of an even ring is the same distance in both directions. */
static bool is_half(const struct candidate *c, unsigned d, int64_t far)
{
    return candidate_is_periodic(c, d) && 2 * llabs(far) == c->sizes[d];
}

static void find_steps(const struct candidate *c, const uint32_t *from, const uint32_t *to, int32_t *steps)
{
    for (unsigned d = 0; d < c->n_dims; d++) {
        int64_t far = (int64_t)to[d] - from[d];
        const int64_t size = c->sizes[d];
        if (candidate_is_periodic(c, d) && 2 * llabs(far) > size)
            far -= far > 0 ? size : -size;
        steps[d] = (int32_t)(is_half(c, d, far) ? llabs(far) : far);
    }
}

/* Gives both directions the same sign. */
static void make_unsigned(const struct candidate *c, int32_t *steps)
{
    int sign = 0;
    for (unsigned d = 0; d < c->n_dims && sign == 0; d++) {
        if (!is_half(c, d, steps[d]))
            sign = (steps[d] > 0) - (steps[d] < 0);
    }
    for (unsigned d = 0; d < c->n_dims && sign < 0; d++) {
        if (!is_half(c, d, steps[d]))
            steps[d] = -steps[d];
    }
}

static enum refrain_status add(struct collecting *c, const int32_t *steps, uint32_t site,
                               const struct traffic_sum *sum)
{
    const size_t bytes = c->lattice->n_dims * sizeof *steps;
    struct displacement *known = NULL, fresh = {.site = site};
    uint64_t key = site;
    size_t at;
    for (unsigned d = 0; d < c->lattice->n_dims; d++)
        key = mix(key, (uint64_t)(uint32_t)steps[d]);
    for (uint32_t v = map_first(&c->by_steps, key, &at); v != MAP_NONE && !known;
         v = map_next(&c->by_steps, key, &at))
        if (c->found->items.items[v].site == site &&
            memcmp(c->found->items.items[v].steps, steps, bytes) == 0)
            known = &c->found->items.items[v];
    if (!known) {
        memcpy(fresh.steps, steps, bytes);
        if (!map_add(&c->by_steps, key, (uint32_t)c->found->items.n) || !array_push(&c->found->items, fresh))
            return REFRAIN_ERR_MEMORY;
        known = &c->found->items.items[c->found->items.n - 1];
    }
    known->n_pairs++;
    known->sum.messages += sum->messages;
    known->sum.bytes += sum->bytes;
    return REFRAIN_OK;
}

static void add_sum(struct traffic_sum *sum, const struct traffic_sum *more)
{
    sum->messages += more->messages;
    sum->bytes += more->bytes;
}

static enum refrain_status take(struct collecting *c, const struct traffic_pair *p, const struct graph *edges)
{
    uint32_t a, b, from[LATTICE_DIMS], to[LATTICE_DIMS];
    int32_t steps[LATTICE_DIMS];
    if (!find_place(c, p->a, &a) || !find_place(c, p->b, &b)) {
        add_sum(&c->found->elsewhere, &p->sum);
        return REFRAIN_OK;
    }
    if (edges && graph_has_edge(edges, a, b))
        return REFRAIN_OK;
    candidate_coordinates(c->lattice, a, from);
    candidate_coordinates(c->lattice, b, to);
    c->found->transposed =
        c->found->transposed && c->lattice->n_dims == 2 && from[0] == to[1] && from[1] == to[0];
    c->found->n_pairs++;
    add_sum(&c->found->sum, &p->sum);
    find_steps(c->lattice, from, to, steps);
    make_unsigned(c->lattice, steps);
    return add(c, steps, MATRIX_NO_SITE, &p->sum);
}

/* Adds what one rank sends to another from one call site. */
static enum refrain_status take_cell(struct collecting *c, const struct matrix_cell *cell, uint32_t site)
{
    const struct traffic *t = c->base->traffic;
    const struct traffic_sum sum = {cell->messages, cell->bytes};
    uint32_t a = 0, b = 0, from[LATTICE_DIMS], to[LATTICE_DIMS];
    int32_t steps[LATTICE_DIMS] = {0};
    const uint32_t sender = cell->from == MATRIX_OUTSIDE ? TRAFFIC_NOBODY : traffic_node(t, cell->from);
    const uint32_t receiver = cell->to == MATRIX_OUTSIDE ? TRAFFIC_NOBODY : traffic_node(t, cell->to);
    const bool has_places = c->lattice->n_dims > 0;
    if (sender == TRAFFIC_NOBODY || receiver == TRAFFIC_NOBODY ||
        (has_places && (!find_place(c, sender, &a) || !find_place(c, receiver, &b)))) {
        add_sum(&c->found->elsewhere, &sum);
        return REFRAIN_OK;
    }
    if (has_places) {
        candidate_coordinates(c->lattice, a, from);
        candidate_coordinates(c->lattice, b, to);
        find_steps(c->lattice, from, to, steps);
    }
    c->found->n_pairs++;
    add_sum(&c->found->sum, &sum);
    return add(c, steps, site, &sum);
}

static int by_sum(const void *x, const void *y)
{
    const struct displacement *a = x, *b = y;
    if (a->sum.bytes != b->sum.bytes)
        return a->sum.bytes > b->sum.bytes ? -1 : 1;
    if (a->sum.messages != b->sum.messages)
        return a->sum.messages > b->sum.messages ? -1 : 1;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return memcmp(a->steps, b->steps, sizeof a->steps);
}

static void sort(struct displacements *d)
{
    if (d->items.n > 0)
        qsort(d->items.items, d->items.n, sizeof *d->items.items, by_sum);
}

enum refrain_status displacements_create(struct displacements *d, const struct survey *base,
                                         const struct traffic *t, bool but_edges)
{
    assert(survey_is_lattice(base));
    struct collecting c = {.found = d, .base = base, .lattice = &base->components.items[0].topology.best};
    struct graph edges = {0};
    *d = (struct displacements){.transposed = true};
    enum refrain_status status = but_edges ? candidate_graph(c.lattice, &edges) : REFRAIN_OK;
    for (size_t i = 0; i < t->pairs.n && status == REFRAIN_OK; i++)
        status = take(&c, &t->pairs.items[i], but_edges ? &edges : NULL);
    sort(d);
    d->transposed = d->transposed && d->n_pairs > 0;
    graph_free(&edges);
    map_free(&c.by_steps);
    if (status != REFRAIN_OK)
        displacements_free(d);
    return status;
}

enum refrain_status displacements_of_senders(struct displacements *d, const struct survey *base,
                                             const struct matrix *m, const int64_t *comm, bool by_site)
{
    static const struct candidate none = {0};
    struct collecting c = {.found = d,
                           .base = base,
                           .lattice =
                               survey_is_lattice(base) ? &base->components.items[0].topology.best : &none};
    enum refrain_status status = REFRAIN_OK;
    *d = (struct displacements){0};
    for (size_t i = 0; i < m->cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_label *label = &m->labels->items.items[m->cells.items[i].label];
        if (!comm || label->comm == *comm)
            status = take_cell(&c, &m->cells.items[i], by_site ? label->site : MATRIX_NO_SITE);
    }
    sort(d);
    map_free(&c.by_steps);
    if (status != REFRAIN_OK)
        displacements_free(d);
    return status;
}

void displacements_free(struct displacements *d)
{
    array_free(&d->items);
    *d = (struct displacements){0};
}

void displacements_put(const struct displacements *d, unsigned n_dims, struct bytes *out)
{
    if (d->transposed)
        text_put(out, "x,y with y,x");
    for (size_t i = 0; i < d->items.n && !d->transposed && d->items.n <= DISPLACEMENTS_FEW; i++) {
        if (i > 0)
            text_putc(out, ' ');
        displacement_put(&d->items.items[i], n_dims, out);
    }
}

void displacement_put(const struct displacement *d, unsigned n_dims, struct bytes *out)
{
    for (unsigned i = 0; i < n_dims; i++)
        text_printf(out, i > 0 ? ",%d" : "(%d", (int)d->steps[i]);
    text_putc(out, ')');
}

void displacement_put_direction(const struct displacement *d, unsigned n_dims, struct bytes *out)
{
    unsigned n = 0, put = 0;
    for (unsigned i = 0; i < n_dims; i++)
        n += d->steps[i] != 0;
    if (n == 0)
        text_put(out, n_dims > 0 ? "self" : "-");
    for (unsigned i = 0; i < n_dims; i++) {
        if (d->steps[i] == 0)
            continue;
        text_put(out, put > 0 ? ", " : n > 1 ? "(" : "");
        candidate_put_axis(i, out);
        text_printf(out, "%+d", (int)d->steps[i]);
        put++;
    }
    text_put(out, n > 1 ? ")" : "");
}
