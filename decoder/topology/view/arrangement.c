/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrangement.h"

#include "decoder/topology/identify/pattern_rules.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define SIDE       640.0 /* in pixels, approximately */
#define STEP_MOST  64.0
#define STEP_LEAST 6.0
#define ANGLE      35.0

static double clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static double step_for(double n)
{
    return clamp(SIDE / (n > 1 ? n : 1), STEP_LEAST, STEP_MOST);
}

/* ---- lattices -------------------------------------------------------------------------------- */

static uint32_t size_of(const struct candidate *c, unsigned d)
{
    return d < c->n_dims ? c->sizes[d] : 1;
}

/* x goes right; y goes down or, in a stack of planes, to the back; z goes down. Further dimensions
 * alternate between right and down, each by the size of everything before it. */
static void choose_axes(const struct candidate *c, const struct arrangement_view *view, double step,
                        struct arrangement_point *axes)
{
    const double angle = (view->angle > 0 ? view->angle : ANGLE) * acos(-1) / 180;
    double width = step * size_of(c, 0), height = step * size_of(c, 1);
    axes[0] = (struct arrangement_point){step, 0};
    axes[1] = (struct arrangement_point){0, step};
    if (c->n_dims > 2) {
        axes[1] = (struct arrangement_point){0.7 * step * cos(angle), 0.7 * step * sin(angle)};
        width += axes[1].x * size_of(c, 1);
        height = axes[1].y * size_of(c, 1);
        axes[2] =
            (struct arrangement_point){0, view->distance > 0 ? view->distance * step : height + 0.6 * step};
        height = axes[2].y * (size_of(c, 2) - 1) + height + step;
    }
    for (unsigned d = 3; d < c->n_dims; d++) {
        if (d % 2 == 1) {
            axes[d] = (struct arrangement_point){width + step, 0};
            width += axes[d].x * (size_of(c, d) - 1);
        } else {
            axes[d] = (struct arrangement_point){0, height + step};
            height += axes[d].y * (size_of(c, d) - 1);
        }
    }
}

static void place_lattice(struct arrangement *l, const struct candidate *c,
                          const struct arrangement_view *view)
{
    const struct arrangement_point *axes = l->axes;
    uint32_t at[LATTICE_DIMS];
    double longest = size_of(c, 0);
    for (unsigned d = 1; d < c->n_dims; d++)
        longest = d > 2 ? longest * size_of(c, d) : longest > size_of(c, d) ? longest : size_of(c, d);
    l->step = step_for(longest);
    choose_axes(c, view, l->step, l->axes);
    l->lattice = c;
    for (uint32_t node = 0; node < l->n; node++) {
        candidate_coordinates(c, node, at);
        for (unsigned d = 0; d < c->n_dims; d++) {
            l->points[node].x += at[d] * axes[d].x;
            l->points[node].y += at[d] * axes[d].y;
        }
    }
}

static void place_circle(struct arrangement *l)
{
    const double turn = 2 * acos(-1) / l->n;
    l->step = clamp(SIDE * 3 / l->n, STEP_LEAST, STEP_MOST);
    const double radius = l->n > 2 ? l->step / 2 / sin(turn / 2) : l->step / 2;
    for (uint32_t node = 0; node < l->n; node++) {
        l->points[node].x = radius + radius * sin(turn * node);
        l->points[node].y = radius - radius * cos(turn * node);
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Leaves stand side by side, in the order of a walk from the root; each other node stands above
 * the middle of its children. A node has a greater number than its parent, so a walk down the
 * numbers finds children first. */
static enum refrain_status place_tree(struct arrangement *l, const struct graph *g)
{
    uint32_t *parent = calloc(l->n, sizeof *parent), *depth = calloc(l->n, sizeof *depth);
    /* number of leaves below a node; 1 for a leaf */
    uint32_t *leaves = calloc(l->n, sizeof *leaves);
    /* number of leaves to the left of the node's own */
    double *left = calloc(l->n, sizeof *left);
    if (!parent || !depth || !leaves || !left) {
        log_error("out of memory: a picture of %u nodes", l->n);
        free(parent);
        free(depth);
        free(leaves);
        free(left);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 1; node < l->n; node++) {
        parent[node] = g->near[g->first[node]]; /* the lowest neighbour */
        depth[node] = depth[parent[node]] + 1;
    }
    for (uint32_t node = l->n; node-- > 0;) {
        leaves[node] += leaves[node] == 0;
        if (node > 0)
            leaves[parent[node]] += leaves[node];
    }
    l->step = clamp(2 * SIDE / leaves[0], STEP_LEAST, STEP_MOST / 2);
    for (uint32_t node = 0; node < l->n; node++) {
        double next = left[node]; /* first leaf position of its next child */
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
            const uint32_t child = g->near[i];
            if (node > 0 && child == parent[node])
                continue;
            left[child] = next;
            next += leaves[child];
        }
        l->points[node].x = (left[node] + (leaves[node] - 1) / 2.0) * l->step;
        l->points[node].y = depth[node] * 1.6 * STEP_MOST / 2;
    }
    free(parent);
    free(depth);
    free(leaves);
    free(left);
    return REFRAIN_OK;
}

static enum refrain_status place_rule(struct arrangement *l, const struct candidate *c)
{
    struct graph g;
    enum refrain_status status = candidate_graph(c, &g);
    if (status != REFRAIN_OK)
        return status;
    if (g.n_edges + 1 == g.n && g.n > 0 && graph_degree(&g, 0) + 1 < g.n)
        status = place_tree(l, &g);
    else
        place_circle(l);
    graph_free(&g);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum refrain_status arrangement_create(struct arrangement *l, const struct candidate *c, uint32_t n,
                                       const struct arrangement_view *view)
{
    enum refrain_status status = REFRAIN_OK;
    *l = (struct arrangement){.n = n, .points = calloc((size_t)n + 1, sizeof *l->points)};
    if (!l->points) {
        log_error("out of memory: a picture of %u nodes", n);
        return REFRAIN_ERR_MEMORY;
    }
    if (!c || (c->n_dims == 1 && c->periodic) || (c->n_dims == 0 && n == 0))
        place_circle(l);
    else if (c->n_dims > 0)
        place_lattice(l, c, view);
    else
        status = place_rule(l, c);
    for (uint32_t node = 0; node < n; node++) {
        l->width = l->points[node].x > l->width ? l->points[node].x : l->width;
        l->height = l->points[node].y > l->height ? l->points[node].y : l->height;
    }
    if (status != REFRAIN_OK)
        arrangement_free(l);
    return status;
}

void arrangement_free(struct arrangement *l)
{
    free(l->points);
    *l = (struct arrangement){0};
}

bool arrangement_leaves(const struct arrangement *l, uint32_t a, uint32_t b, struct arrangement_point *way)
{
    assert(a < l->n && b < l->n);
    uint32_t from[LATTICE_DIMS], to[LATTICE_DIMS];
    bool leaves = false;
    *way = (struct arrangement_point){0, 0};
    if (!l->lattice)
        return false;
    candidate_coordinates(l->lattice, a, from);
    candidate_coordinates(l->lattice, b, to);
    for (unsigned d = 0; d < l->lattice->n_dims; d++) {
        const int64_t size = l->lattice->sizes[d];
        int64_t steps = (int64_t)to[d] - from[d];
        if (candidate_is_periodic(l->lattice, d) && 2 * llabs(steps) > size) {
            steps -= steps > 0 ? size : -size;
            leaves = true;
        }
        leaves = leaves || (d > 2 && steps != 0);
        way->x += (double)steps * l->axes[d].x;
        way->y += (double)steps * l->axes[d].y;
    }
    return leaves;
}
