/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lattice that communication forms on known coordinates. */
#include "rank_placement.h"

#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

struct choice {
    struct topology *t;
    const struct graph *g;
    const struct placement *placement;
    uint64_t least; /* differences of the best candidate */
};

static enum refrain_status try_pattern(struct choice *s, const struct pattern *pattern, uint32_t periodic)
{
    const struct placement *p = s->placement;
    struct candidate c = {
        .pattern = pattern, .n = (uint32_t)placement_places(p), .n_dims = p->n_dims, .periodic = periodic};
    struct graph h;
    struct difference d;
    for (unsigned i = 0; i < p->n_dims; i++) {
        c.sizes[i] = p->sizes[i];
        c.axis[i] = (uint8_t)i;
    }
    enum refrain_status status = candidate_graph(&c, &h);
    if (status != REFRAIN_OK)
        return status;
    status = difference_count(s->g, &h, p->at, &d);
    if (status == REFRAIN_OK && d.missing + d.extra < s->least &&
        (periodic == p->periodic || d.missing + d.extra == 0)) {
        s->least = d.missing + d.extra;
        s->t->best = c;
        s->t->found = true;
    }
    graph_free(&h);
    return status;
}

/* A dimension of one or two ranks is the same open or periodic; it counts as open. */
static uint32_t rings(const struct placement *p)
{
    uint32_t rings = 0;
    for (unsigned d = 0; d < p->n_dims && d < 16; d++)
        rings |= (uint32_t)(p->sizes[d] > 2) << d;
    return rings;
}

static bool has_dimensions(const struct pattern *pattern, const struct placement *p)
{
    return pattern->kind == PATTERN_GRID ||
           (pattern->kind == PATTERN_STENCIL && pattern->n_dims == p->n_dims && !pattern->square);
}

static enum refrain_status try_all(struct choice *s, const struct pattern_library *l)
{
    const struct placement *p = s->placement;
    const uint32_t may_be = rings(p);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->n && status == REFRAIN_OK && s->least > 0; i++)
        if (has_dimensions(&l->items[i], p))
            status = try_pattern(s, &l->items[i], p->periodic);
    /* This visits all subsets of may_be, from the full set to the empty one. */
    for (uint32_t some = may_be;; some = (some - 1) & may_be) {
        for (size_t i = 0; i < l->n && status == REFRAIN_OK && s->least > 0 && p->n_dims <= 6; i++)
            if (some != p->periodic && has_dimensions(&l->items[i], p))
                status = try_pattern(s, &l->items[i], some);
        if (some == 0)
            break;
    }
    return status;
}

static uint32_t n_placed(const struct placement *p)
{
    uint32_t n = 0;
    for (uint32_t node = 0; node < p->n; node++)
        n += p->at[node] != IMAGE_NONE;
    return n;
}

enum refrain_status placement_identify(struct topology *t, const struct graph *g,
                                       const struct pattern_library *l, const struct placement *p)
{
    struct placement known = *p;
    struct choice s = {.t = t, .g = g, .placement = &known, .least = UINT64_MAX};
    struct graph h;
    *t = (struct topology){.image = malloc((g->n + (size_t)1) * sizeof *t->image)};
    known.periodic &= rings(p);
    if (!t->image) {
        log_error("out of memory: a topology of %u nodes", g->n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(t->image, p->at, g->n * sizeof *t->image);
    enum refrain_status status = try_all(&s, l);
    if (status == REFRAIN_OK && (status = candidate_graph(&t->best, &h)) == REFRAIN_OK) {
        status = difference_list(g, &h, t->image, &t->missing, &t->extra);
        graph_free(&h);
    }
    t->given = true;
    t->exact = s.least == 0;
    t->n_holes = t->best.n - n_placed(p);
    t->in_order = true;
    for (uint32_t node = 0; node < g->n; node++)
        t->in_order = t->in_order && t->image[node] == node;
    if (status != REFRAIN_OK)
        topology_free(t);
    return status;
}

/* Is it the same pattern with the same sizes, in any order? */
static bool is_same(const struct candidate *a, const struct candidate *b)
{
    uint32_t used = 0;
    bool same = a->pattern == b->pattern && a->n_dims == b->n_dims;
    for (unsigned d = 0; d < a->n_dims && same; d++) {
        unsigned e = 0;
        while (e < b->n_dims && (used >> e & 1 || a->sizes[d] != b->sizes[e] ||
                                 candidate_is_periodic(a, d) != candidate_is_periodic(b, e)))
            e++;
        same = e < b->n_dims;
        used |= same ? UINT32_C(1) << e : 0;
    }
    return same;
}

enum refrain_status placement_explain(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l)
{
    struct topology free_one;
    enum refrain_status status = topology_match(&free_one, g, l);
    if (status != REFRAIN_OK)
        return status;
    memcpy(t->left, free_one.left, sizeof t->left);
    memcpy(t->names, free_one.names, sizeof t->names);
    memset(free_one.names, 0, sizeof free_one.names);
    if (t->exact && free_one.found && !is_same(&t->best, &free_one.best) &&
        !array_push(&t->synonyms, free_one.best))
        status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; t->exact && i < free_one.synonyms.n && status == REFRAIN_OK; i++)
        if (!is_same(&t->best, &free_one.synonyms.items[i]) &&
            !array_push(&t->synonyms, free_one.synonyms.items[i]))
            status = REFRAIN_ERR_MEMORY;
    topology_free(&free_one);
    return status;
}
