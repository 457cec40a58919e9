/* SPDX-License-Identifier: BSD-3-Clause */
#include "candidate.h"

#include "decoder/util/text.h"
#include "pattern_rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool candidate_is_periodic(const struct candidate *c, unsigned d)
{
    assert(d < c->n_dims);
    return c->periodic >> d & 1;
}

static unsigned n_offsets(const struct candidate *c)
{
    return c->pattern->kind == PATTERN_GRID ? c->n_dims : c->pattern->n_offsets;
}

/* Returns how far offset number o goes in dimension d. */
static int offset(const struct candidate *c, unsigned o, unsigned d)
{
    if (c->pattern->kind == PATTERN_GRID)
        return o == d;
    const int steps = c->pattern->offsets[o][c->axis[d]];
    return c->mirrored >> d & 1 ? -steps : steps;
}

void candidate_coordinates(const struct candidate *c, uint32_t node, uint32_t *coordinates)
{
    assert(node < c->n);
    for (unsigned d = 0; d < c->n_dims; d++) {
        coordinates[d] = node % c->sizes[d];
        node /= c->sizes[d];
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Finds the node at an offset, or at the opposite offset, from these coordinates. Returns false if
 * it would be outside. */
static bool neighbour(const struct candidate *c, const uint32_t *coordinates, unsigned o, int sign,
                      uint32_t *node)
{
    uint64_t at = 0;
    for (unsigned d = c->n_dims; d-- > 0;) {
        const int64_t size = c->sizes[d];
        int64_t place = (int64_t)coordinates[d] + sign * offset(c, o, d);
        if (place < 0 || place >= size) {
            if (!candidate_is_periodic(c, d))
                return false;
            place = (place % size + size) % size;
        }
        at = at * (uint64_t)size + (uint64_t)place;
    }
    *node = (uint32_t)at;
    return true;
}

unsigned candidate_neighbours(const struct candidate *c, uint32_t node, uint32_t *near)
{
    assert(node < c->n && c->n_dims > 0);
    uint32_t coordinates[LATTICE_DIMS], to;
    unsigned n = 0;
    candidate_coordinates(c, node, coordinates);
    for (unsigned o = 0; o < 2 * n_offsets(c); o++) {
        bool is_new = neighbour(c, coordinates, o / 2, o % 2 == 0 ? 1 : -1, &to) && to != node;
        for (unsigned i = 0; i < n; i++)
            is_new = is_new && near[i] != to;
        if (is_new)
            near[n++] = to;
    }
    return n;
}

static enum refrain_status put_lattice(const struct candidate *c, struct graph_edges *edges)
{
    uint32_t coordinates[LATTICE_DIMS] = {0}, to;
    const unsigned n = n_offsets(c);
    for (uint32_t node = 0; node < c->n; node++) {
        for (unsigned o = 0; o < n; o++)
            if (neighbour(c, coordinates, o, 1, &to) && !array_push(edges, ((struct graph_edge){node, to})))
                return REFRAIN_ERR_MEMORY;
        for (unsigned d = 0; d < c->n_dims && ++coordinates[d] == c->sizes[d]; d++)
            coordinates[d] = 0;
    }
    return REFRAIN_OK;
}

enum refrain_status candidate_graph(const struct candidate *c, struct graph *g)
{
    struct graph_edges edges = {0};
    enum refrain_status status = c->n_dims > 0
                                     ? put_lattice(c, &edges)
                                     : pattern_rules[c->pattern->rule].put_edges(c->n, c->arity, &edges);
    if (status == REFRAIN_OK)
        status = graph_create(g, c->n, &edges);
    array_free(&edges);
    return status;
}

/* Counts the edges of a lattice. Returns false if two offsets may lead from one node to the same
 * other node. */
static bool count_lattice(const struct candidate *c, uint64_t *n_edges)
{
    uint64_t sum = 0;
    for (unsigned o = 0; o < n_offsets(c); o++) {
        uint64_t n = 1;
        for (unsigned d = 0; d < c->n_dims; d++) {
            const uint32_t steps = (uint32_t)abs(offset(c, o, d)), size = c->sizes[d];
            if (candidate_is_periodic(c, d) && 2 * steps >= size)
                return false;
            n *= candidate_is_periodic(c, d) ? size : steps < size ? size - steps : 0;
        }
        sum += n;
    }
    *n_edges = sum;
    return true;
}

static enum refrain_status count_edges(const struct candidate *c, uint64_t *n_edges)
{
    struct graph g;
    const struct pattern_rule *rule = c->n_dims > 0 ? NULL : &pattern_rules[c->pattern->rule];
    if (rule && rule->count_edges) {
        *n_edges = rule->count_edges(c->n, c->arity);
        return REFRAIN_OK;
    }
    if (!rule && count_lattice(c, n_edges))
        return REFRAIN_OK;
    const enum refrain_status status = candidate_graph(c, &g);
    if (status == REFRAIN_OK) {
        *n_edges = g.n_edges;
        graph_free(&g);
    }
    return status;
}

/* ---- all candidates of one size -------------------------------------------------------------- */

struct enumeration {
    struct candidates *list;
    uint64_t least, most, n_all;
    bool in_any_order;        /* changing the order of dimensions does not change the pattern */
    ARRAY(uint32_t) divisors; /* of the number of nodes, without 1, descending */
};

static enum refrain_status find_divisors(struct enumeration *e, uint32_t n)
{
    for (uint32_t divisor = 1; divisor <= n / 2; divisor++)
        if (n % divisor == 0 && !array_push(&e->divisors, n / divisor))
            return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static enum refrain_status take(struct enumeration *e, const struct candidate *c)
{
    uint64_t n_edges;
    const enum refrain_status status = count_edges(c, &n_edges);
    if (status != REFRAIN_OK)
        return status;
    e->n_all++;
    return n_edges < e->least || n_edges > e->most || array_push(e->list, *c) ? REFRAIN_OK
                                                                              : REFRAIN_ERR_MEMORY;
}

static bool has_offset(const struct pattern *p, const int8_t *wanted)
{
    for (unsigned o = 0; o < p->n_offsets; o++) {
        bool same = true, opposite = true;
        for (unsigned d = 0; d < p->n_dims; d++) {
            same = same && p->offsets[o][d] == wanted[d];
            opposite = opposite && p->offsets[o][d] == -wanted[d];
        }
        if (same || opposite)
            return true;
    }
    return false;
}

/* Do the offsets stay the same if any two neighbouring coordinates change places? Then they are the
 * same for any order of the coordinates. */
static bool is_symmetric(const struct pattern *p)
{
    for (unsigned d = 0; p->kind == PATTERN_STENCIL && d + 1 < p->n_dims; d++)
        for (unsigned o = 0; o < p->n_offsets; o++) {
            int8_t turned[PATTERN_DIMS];
            memcpy(turned, p->offsets[o], sizeof turned);
            turned[d] = p->offsets[o][d + 1];
            turned[d + 1] = p->offsets[o][d];
            if (!has_offset(p, turned))
                return false;
        }
    return true;
}

/* If dimensions may have any order, each choice comes once: larger sizes first, and rings before
 * lines. */
static bool may_follow(const struct candidate *c, uint32_t size, bool periodic)
{
    const unsigned d = c->n_dims - 1;
    return c->n_dims == 0 || size < c->sizes[d] ||
           (size == c->sizes[d] && (candidate_is_periodic(c, d) || !periodic));
}

/* Adds dimensions whose sizes have the product `left`. A pattern with a fixed number of dimensions
 * gets exactly that many. */
static enum refrain_status add_dimensions(struct enumeration *e, struct candidate *c, uint32_t left)
{
    const struct pattern *p = c->pattern;
    const unsigned d = c->n_dims;
    enum refrain_status status = REFRAIN_OK;
    if (left == 1)
        return p->n_dims == 0 || p->n_dims == d ? take(e, c) : REFRAIN_OK;
    if (d == LATTICE_DIMS || (p->n_dims > 0 && d == p->n_dims))
        return REFRAIN_OK;
    for (size_t i = 0; i < e->divisors.n && status == REFRAIN_OK; i++) {
        const uint32_t size = e->divisors.items[i];
        if (left % size != 0 || (p->square && d > 0 && size != c->sizes[0]))
            continue;
        for (int periodic = size > 2 && !p->grid_only; periodic >= 0 && status == REFRAIN_OK; periodic--) {
            if ((e->in_any_order && !may_follow(c, size, periodic)) || (p->torus_only && !periodic))
                continue;
            struct candidate next = *c;
            next.sizes[d] = size;
            next.axis[d] = (uint8_t)d;
            next.periodic |= (uint32_t)periodic << d;
            next.n_dims++;
            status = add_dimensions(e, &next, left / size);
        }
    }
    return status;
}

static enum refrain_status add_rule(struct enumeration *e, const struct pattern *p, uint32_t n)
{
    const struct pattern_rule *rule = &pattern_rules[p->rule];
    uint32_t least = rule->most_arity ? 2 : 0, most = rule->most_arity < n / 2 ? rule->most_arity : n / 2;
    enum refrain_status status = REFRAIN_OK;
    if (p->arity > 0)
        least = most = p->arity;
    for (uint32_t arity = least; arity <= most && status == REFRAIN_OK; arity++)
        if (rule->exists(n, arity))
            status = take(e, &(struct candidate){.pattern = p, .n = n, .arity = arity});
    return status;
}

static bool is_hypercube(const struct candidate *c)
{
    unsigned pairs = 0;
    for (unsigned d = 0; d < c->n_dims; d++)
        pairs += c->sizes[d] == 2;
    return c->pattern->kind == PATTERN_GRID && c->n_dims > 2 && pairs == c->n_dims;
}

/* At most three dimensions, or a hypercube, is usual. */
static unsigned unusual(const struct candidate *c)
{
    return c->n_dims <= 3 ? 0 : is_hypercube(c) ? 1 : 2;
}

/* Sorts the candidates that a pattern added, from `first` on, usual ones first. The sort is
 * stable. */
static void order(struct candidates *list, size_t first)
{
    for (size_t i = first + 1; i < list->n; i++) {
        const struct candidate c = list->items[i];
        size_t at = i;
        for (; at > first && unusual(&list->items[at - 1]) > unusual(&c); at--)
            list->items[at] = list->items[at - 1];
        list->items[at] = c;
    }
}

enum refrain_status candidates_enumerate(struct candidates *list, const struct pattern_library *l, uint32_t n,
                                         uint64_t least, uint64_t most, uint64_t *n_all)
{
    struct enumeration e = {.list = list, .least = least, .most = most};
    enum refrain_status status = find_divisors(&e, n);
    for (size_t i = 0; i < l->n && status == REFRAIN_OK; i++) {
        const struct pattern *p = &l->items[i];
        const size_t first = list->n;
        e.in_any_order = is_symmetric(p);
        status = p->kind == PATTERN_RULE ? add_rule(&e, p, n)
                                         : add_dimensions(&e, &(struct candidate){.pattern = p, .n = n}, n);
        order(list, first);
    }
    if (status == REFRAIN_OK)
        *n_all = e.n_all;
    array_free(&e.divisors);
    return status;
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* Lists the factors of a grid in ascending order: a line counts as its size, a ring as its
 * negative size. A ring of 4 is a square, that is two lines of 2. */
static unsigned factors_of(const struct candidate *c, int64_t *factors)
{
    unsigned n = 0;
    for (unsigned d = 0; d < c->n_dims; d++) {
        const bool four = c->sizes[d] == 4 && candidate_is_periodic(c, d);
        const int64_t factor = four ? 2 : candidate_is_periodic(c, d) ? -(int64_t)c->sizes[d] : c->sizes[d];
        for (int times = 1 + four; times > 0; times--) {
            unsigned at = n++;
            for (; at > 0 && factors[at - 1] > factor; at--)
                factors[at] = factors[at - 1];
            factors[at] = factor;
        }
    }
    return n;
}

bool candidate_same_grid(const struct candidate *c, const struct candidate *d, bool *grids)
{
    int64_t of_c[2 * LATTICE_DIMS], of_d[2 * LATTICE_DIMS];
    *grids = c->pattern->kind == PATTERN_GRID && d->pattern->kind == PATTERN_GRID;
    if (!*grids)
        return false;
    const unsigned n = factors_of(c, of_c);
    return n == factors_of(d, of_d) && memcmp(of_c, of_d, n * sizeof *of_c) == 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void put_sizes(const struct candidate *c, struct bytes *out)
{
    for (unsigned d = 0; d < c->n_dims; d++)
        text_printf(out, d > 0 ? "x%u" : "%u", c->sizes[d]);
}

void candidate_put_axis(unsigned d, struct bytes *out)
{
    assert(d < LATTICE_DIMS);
    if (d < 3)
        text_putc(out, "xyz"[d]);
    else
        text_printf(out, "x%u", d + 1);
}

/* Writes "torus", "grid", "grid, periodic in x and z". A dimension of two nodes counts as a ring,
 * too. */
static void put_kind(const struct candidate *c, struct bytes *out)
{
    unsigned open = 0, n = 0;
    for (unsigned d = 0; d < c->n_dims; d++)
        open += !candidate_is_periodic(c, d) && c->sizes[d] > 2;
    if (c->periodic && !open) {
        text_put(out, "torus");
        return;
    }
    text_put(out, "grid");
    for (unsigned d = 0; d < c->n_dims; d++) {
        if (!candidate_is_periodic(c, d))
            continue;
        text_put(out, n++ == 0 ? ", periodic in " : " and ");
        candidate_put_axis(d, out);
    }
}

/* Writes what follows the sizes in the name of a lattice: "8-point stencil torus", "grid, periodic
 * in x", "ring". */
static void put_what(const struct candidate *c, struct bytes *out)
{
    const struct pattern *p = c->pattern;
    const bool kind_is_known = p->torus_only || p->grid_only;
    if (p->kind == PATTERN_STENCIL)
        text_printf(out, kind_is_known ? "%s" : "%s ", p->name);
    if (!kind_is_known && c->n_dims == 1)
        text_put(out, c->periodic ? "ring" : "line");
    else if (!kind_is_known)
        put_kind(c, out);
}

static void put_lattice_name(const struct candidate *c, struct bytes *out)
{
    if (is_hypercube(c)) {
        text_printf(out, "hypercube %u", c->n_dims);
        return;
    }
    if (c->n_dims == 1)
        text_printf(out, "%u-node", c->n);
    else
        put_sizes(c, out);
    text_putc(out, ' ');
    put_what(c, out);
}

void candidate_put_name(const struct candidate *c, struct bytes *out)
{
    if (c->n_dims > 0)
        put_lattice_name(c, out);
    else if (pattern_rules[c->pattern->rule].splits)
        text_printf(out, "%u+%u %s", c->arity, c->n - c->arity, c->pattern->name);
    else if (c->arity > 0 && c->pattern->arity == 0)
        text_printf(out, "%u-node %u-ary %s", c->n, c->arity, c->pattern->name);
    else
        text_printf(out, "%u-node %s", c->n, c->pattern->name);
}
