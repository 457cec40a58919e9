/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits_topology.h"

#include "decoder/topology/identify/difference.h"
#include "decoder/topology/survey/displacement.h"
#include "decoder/topology/survey/topology_name.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>

const char *const waits_roles[WAITS_ROLES] = {[WAITS_CORNER] = "corner",
                                              [WAITS_EDGE] = "edge",
                                              [WAITS_FACE] = "face",
                                              [WAITS_INTERIOR] = "interior",
                                              [WAITS_NOWHERE] = "no place"};

/* ---- the grid -------------------------------------------------------------------------------- */

static void set_place(struct wait_grid *g, uint32_t node, uint32_t place)
{
    uint32_t *at = &g->at[(size_t)node * g->n_dims];
    if (place == IMAGE_NONE)
        return;
    for (unsigned d = 0; d < g->n_dims; d++) {
        at[d] = place % g->sizes[d];
        place /= g->sizes[d];
    }
}

static enum refrain_status reserve(struct wait_grid *g, const struct traffic *t, unsigned n_dims,
                                   const uint32_t *sizes)
{
    const size_t n = (size_t)t->n_ranks * n_dims;
    *g = (struct wait_grid){.n_dims = n_dims, .first_rank = t->first_rank, .n_ranks = t->n_ranks};
    g->at = malloc((n + 1) * sizeof *g->at);
    if (!g->at) {
        log_error("out of memory: a grid of %u ranks", t->n_ranks);
        *g = (struct wait_grid){0};
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        g->at[i] = WAIT_GRID_NOWHERE;
    for (unsigned d = 0; d < n_dims; d++)
        g->sizes[d] = sizes[d];
    return REFRAIN_OK;
}

static enum refrain_status take_lattice(struct wait_grid *g, const struct survey *s)
{
    const struct survey_component *p = &s->components.items[0];
    const struct candidate *c = &p->topology.best;
    const enum refrain_status status = reserve(g, s->traffic, c->n_dims, c->sizes);
    for (unsigned d = 0; d < g->n_dims; d++)
        g->periodic |= (uint32_t)candidate_is_periodic(c, d) << d;
    for (uint32_t i = 0; status == REFRAIN_OK && i < p->n_ranks; i++)
        set_place(g, p->ranks[i], p->topology.image[i]);
    return status;
}

static enum refrain_status take_placement(struct wait_grid *g, const struct survey *s,
                                          const struct placement *p)
{
    const enum refrain_status status = reserve(g, s->traffic, p->n_dims, p->sizes);
    g->periodic = p->periodic;
    for (uint32_t i = 0; status == REFRAIN_OK && i < p->n; i++)
        set_place(g, i, p->at[i]);
    return status;
}

/* An identified lattice has the periods that messages use. If no messages were sent, the known
 * coordinates remain. */
enum refrain_status waits_topology_create(struct waits_topology *t)
{
    const struct survey *s = t->survey;
    t->grid = (struct wait_grid){0};
    if (survey_is_lattice(s))
        return s->components.items[0].topology.best.n_dims > WAIT_GRID_DIMS ? REFRAIN_OK
                                                                            : take_lattice(&t->grid, s);
    return s->given && s->given->n_dims <= WAIT_GRID_DIMS ? take_placement(&t->grid, s, s->given)
                                                          : REFRAIN_OK;
}

void waits_topology_free(struct waits_topology *t)
{
    wait_grid_free(&t->grid);
}

/* ---- in words -------------------------------------------------------------------------------- */

void waits_topology_put_name(const struct waits_topology *t, struct bytes *out)
{
    if (survey_is_lattice(t->survey))
        topology_put_name(&t->survey->components.items[0].topology, out);
    else
        placement_put_name(t->survey->given, out);
    text_printf(out, " (%s)", t->origin);
}

void waits_topology_put_direction(const struct wait_grid *g, uint32_t direction, struct bytes *out)
{
    static const char *const points[3][3] = {
        {"", "north", "south"}, {"west", "north-west", "south-west"}, {"east", "north-east", "south-east"}};
    const uint32_t all = wait_grid_directions(g);
    if (direction + 2 >= all || direction == 0) {
        text_put(out, direction == 0         ? "the same place"
                      : direction + 2 == all ? "further away"
                                             : "no place in the grid");
        return;
    }
    uint32_t rest = direction;
    for (unsigned d = 0, n = 0; d < g->n_dims; d++, rest /= 3) {
        if (rest % 3 == 0)
            continue;
        text_put(out, n++ > 0 ? " " : "");
        candidate_put_axis(d, out);
        text_put(out, rest % 3 == 1 ? "-1" : "+1");
    }
    const uint32_t x = direction % 3, y = direction / 3 % 3;
    if (g->n_dims <= 3 && direction < 9)
        text_printf(out, " (%s)", points[x][y]);
}

/* ---- roles ----------------------------------------------------------------------------------- */

enum waits_role waits_role_of(const struct wait_grid *g, uint32_t rank)
{
    unsigned of;
    const unsigned borders = wait_grid_borders(g, rank, &of);
    if (!wait_grid_place(g, rank))
        return WAITS_NOWHERE;
    if (borders == 0)
        return WAITS_INTERIOR;
    return borders == of ? WAITS_CORNER : borders + 1 == of ? WAITS_EDGE : WAITS_FACE;
}
