/* SPDX-License-Identifier: BSD-3-Clause */
#include "numbering.h"

#include "decoder/util/text.h"
#include "difference.h"
#include "pattern_rules.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* At most this many orders of dimensions are tried. */
#define ORDERS_MOST 5040

struct trials {
    const struct graph *g;
    bool exact;
    numbering_try *attempt;
    void *context;
    uint32_t *image;
    unsigned n_orders;
    bool done;
};

static enum refrain_status try_graph(struct trials *t, const struct candidate *c)
{
    struct graph h;
    enum refrain_status status = candidate_graph(c, &h);
    if (status != REFRAIN_OK)
        return status;
    status = t->attempt(t->context, c, &h, t->image, &t->done);
    graph_free(&h);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* For graphs whose edges all go between two parts: the neighbours of node 0 are the other part.
 * The smaller part comes first. */
static void place_by_parts(const struct graph *g, uint32_t arity, uint32_t *image)
{
    const bool small_first = graph_degree(g, 0) == g->n - arity; /* node 0 is in the smaller part */
    uint32_t next[2] = {small_first ? 0 : arity, small_first ? arity : 0};
    for (uint32_t node = 0; node < g->n; node++)
        image[node] = next[graph_has_edge(g, 0, node)]++;
}

static enum refrain_status try_rule(struct trials *t, const struct candidate *c)
{
    if (pattern_rules[c->pattern->rule].splits) {
        const uint32_t degree = graph_degree(t->g, 0);
        if (degree != c->arity && degree != c->n - c->arity)
            return REFRAIN_OK;
        place_by_parts(t->g, c->arity, t->image);
    }
    return try_graph(t, c);
}

/* ---- lattices -------------------------------------------------------------------------------- */

/* Does node 0 have the same neighbours in both graphs? If they need not be equal, at least half
 * must be common. */
static bool begins_alike(const struct trials *t, const struct candidate *c)
{
    uint32_t near[2 * PATTERN_OFFSETS + 2 * LATTICE_DIMS], common = 0;
    const unsigned n = candidate_neighbours(c, 0, near);
    for (unsigned i = 0; i < n; i++)
        common += graph_has_edge(t->g, 0, near[i]);
    return t->exact ? common == n && n == graph_degree(t->g, 0) : 2 * common >= n;
}

static enum refrain_status try_mirrored(struct trials *t, const struct candidate *c)
{
    /* Mirroring all dimensions equals mirroring none. */
    const uint32_t n = c->pattern->kind == PATTERN_GRID ? 1 : 1u << (c->n_dims - 1);
    struct candidate turned = *c;
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t mirrored = 0; mirrored < n && !t->done && status == REFRAIN_OK; mirrored++) {
        turned.mirrored = mirrored;
        if (begins_alike(t, &turned))
            status = try_graph(t, &turned);
    }
    return status;
}

static void exchange(struct candidate *c, unsigned a, unsigned b)
{
    const uint32_t size = c->sizes[a], ring_a = c->periodic >> a & 1, ring_b = c->periodic >> b & 1;
    const uint8_t axis = c->axis[a];
    c->sizes[a] = c->sizes[b];
    c->sizes[b] = size;
    c->axis[a] = c->axis[b];
    c->axis[b] = axis;
    c->periodic = (c->periodic & ~(1u << a) & ~(1u << b)) | ring_b << a | ring_a << b;
}

/* Are the two dimensions interchangeable? In a grid, all axes are alike. */
static bool interchangeable(const struct candidate *c, unsigned a, unsigned b)
{
    return c->sizes[a] == c->sizes[b] && candidate_is_periodic(c, a) == candidate_is_periodic(c, b) &&
           c->pattern->kind == PATTERN_GRID;
}

/* Tries all orders of the dimensions from d on. */
static enum refrain_status try_orders(struct trials *t, struct candidate *c, unsigned d)
{
    enum refrain_status status = REFRAIN_OK;
    if (d == c->n_dims)
        return t->n_orders++ < ORDERS_MOST ? try_mirrored(t, c) : REFRAIN_OK;
    for (unsigned k = d; k < c->n_dims && !t->done && status == REFRAIN_OK; k++) {
        bool again = false;
        for (unsigned i = d; i < k; i++)
            again = again || interchangeable(c, i, k);
        if (again)
            continue;
        exchange(c, d, k);
        status = try_orders(t, c, d + 1);
        exchange(c, d, k);
    }
    return status;
}

enum refrain_status numbering_walk(const struct candidate *c, const struct graph *g, bool exact,
                                   numbering_try *attempt, void *context)
{
    struct trials t = {.g = g, .exact = exact, .attempt = attempt, .context = context};
    struct candidate turned = *c;
    t.image = malloc((g->n + 1) * sizeof *t.image);
    if (!t.image) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < g->n; node++)
        t.image[node] = node;
    const enum refrain_status status = c->n_dims > 0 ? try_orders(&t, &turned, 0) : try_rule(&t, &turned);
    free(t.image);
    return status;
}

/* ---- the origin ------------------------------------------------------------------------------ */

enum refrain_status numbering_normalize(const struct candidate *c, const struct graph *g,
                                        const struct graph *h, uint32_t *image)
{
    uint32_t origin[LATTICE_DIMS], at[LATTICE_DIMS];
    struct difference before, after;
    uint32_t *moved = malloc((g->n + 1) * sizeof *moved);
    if (!moved) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    candidate_coordinates(c, g->n > 0 && image[0] != IMAGE_NONE ? image[0] : 0, origin);
    for (uint32_t node = 0; node < g->n; node++) {
        uint64_t to = 0;
        if ((moved[node] = image[node]) == IMAGE_NONE)
            continue;
        candidate_coordinates(c, image[node], at);
        for (unsigned d = c->n_dims; d-- > 0;) {
            const uint32_t size = c->sizes[d];
            uint32_t x = at[d];
            if (candidate_is_periodic(c, d))
                x = (uint32_t)(((uint64_t)x + size - origin[d]) % size);
            else if (2 * origin[d] >= size)
                x = size - 1 - x;
            to = to * size + x;
        }
        moved[node] = (uint32_t)to;
    }
    enum refrain_status status = difference_count(g, h, image, &before);
    if (status == REFRAIN_OK)
        status = difference_count(g, h, moved, &after);
    /* The move is valid only if the differences stay the same; they do not if mirrored offsets
     * differ. */
    if (status == REFRAIN_OK && after.missing + after.extra == before.missing + before.extra)
        memcpy(image, moved, g->n * sizeof *image);
    free(moved);
    return status;
}

/* ---- in words -------------------------------------------------------------------------------- */

struct rule {
    int64_t first; /* rank at the origin */
    int64_t strides[LATTICE_DIMS];
};

/* Derives the rule from the ranks at the origin and beside it. */
static bool find_rule(const struct candidate *c, const uint32_t *image, const uint32_t *ranks, uint32_t n,
                      struct rule *rule)
{
    bool known[LATTICE_DIMS] = {false}, origin = false;
    uint64_t step = 1;
    for (uint32_t node = 0; node < n && !origin; node++) {
        origin = image[node] == 0;
        rule->first = ranks[node];
    }
    for (unsigned d = 0; d < c->n_dims && origin; step *= c->sizes[d++]) {
        known[d] = c->sizes[d] == 1;
        rule->strides[d] = 0;
        for (uint32_t node = 0; node < n && !known[d]; node++) {
            known[d] = image[node] == step;
            rule->strides[d] = (int64_t)ranks[node] - rule->first;
        }
        origin = known[d];
    }
    return origin;
}

static bool holds(const struct candidate *c, const uint32_t *image, const uint32_t *ranks, uint32_t n,
                  const struct rule *rule)
{
    uint32_t at[LATTICE_DIMS];
    bool all = true;
    for (uint32_t node = 0; node < n && all; node++) {
        int64_t rank = rule->first;
        if (image[node] == UINT32_MAX)
            return false;
        candidate_coordinates(c, image[node], at);
        for (unsigned d = 0; d < c->n_dims; d++)
            rank += rule->strides[d] * at[d];
        all = rank == ranks[node];
    }
    return all;
}

/* Returns the remaining dimension with the largest stride; n_dims if none is left. */
static unsigned take_largest(const struct candidate *c, struct rule *rule, int64_t *stride)
{
    unsigned largest = c->n_dims;
    for (unsigned d = 0; d < c->n_dims; d++)
        if (rule->strides[d] != 0 &&
            (largest == c->n_dims || llabs(rule->strides[d]) > llabs(rule->strides[largest])))
            largest = d;
    if (largest < c->n_dims) {
        *stride = rule->strides[largest];
        rule->strides[largest] = 0;
    }
    return largest;
}

bool numbering_put_rule(const struct candidate *c, const uint32_t *image, const uint32_t *ranks, uint32_t n,
                        struct bytes *out)
{
    struct rule rule;
    int64_t stride;
    bool first = true, mirrored = false;
    if (c->n_dims == 0 || !find_rule(c, image, ranks, n, &rule) || !holds(c, image, ranks, n, &rule))
        return false;
    for (unsigned d = 0; d < c->n_dims; d++)
        mirrored = mirrored || rule.strides[d] < 0;
    text_put(out, "rank = ");
    if (mirrored)
        text_printf(out, "%lld", (long long)rule.first);
    for (unsigned d; (d = take_largest(c, &rule, &stride)) < c->n_dims; first = false) {
        text_put(out, stride < 0 ? " - " : first && !mirrored ? "" : " + ");
        if (llabs(stride) > 1)
            text_printf(out, "%lld*", llabs(stride));
        candidate_put_axis(d, out);
    }
    if (!mirrored && (rule.first != 0 || first))
        text_printf(out, first ? "%lld" : " + %lld", (long long)rule.first);
    return true;
}
