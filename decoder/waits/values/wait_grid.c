/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_grid.h"

#include <stdlib.h>

void wait_grid_free(struct wait_grid *g)
{
    free(g->at);
    *g = (struct wait_grid){0};
}

const uint32_t *wait_grid_place(const struct wait_grid *g, uint32_t rank)
{
    if (g->n_dims == 0 || rank < g->first_rank || rank - g->first_rank >= g->n_ranks)
        return NULL;
    const uint32_t *at = &g->at[(size_t)(rank - g->first_rank) * g->n_dims];
    return at[0] == WAIT_GRID_NOWHERE ? NULL : at;
}

/* Returns the signed distance in dimension d, the shorter way round. */
static int64_t step(const struct wait_grid *g, unsigned d, const uint32_t *from, const uint32_t *to)
{
    const int64_t size = g->sizes[d], way = (int64_t)to[d] - (int64_t)from[d];
    if (size <= 2 || !(g->periodic >> d & 1))
        return way;
    return way > size / 2 ? way - size : -way > size / 2 ? way + size : way;
}

unsigned wait_grid_side(const struct wait_grid *g, uint32_t rank, uint32_t neighbour)
{
    const uint32_t *from = wait_grid_place(g, rank), *to = wait_grid_place(g, neighbour);
    unsigned side = WAIT_GRID_NO_SIDE;
    for (unsigned d = 0; from && to && d < g->n_dims; d++) {
        const int64_t way = step(g, d, from, to);
        if (way == 0)
            continue;
        if (side != WAIT_GRID_NO_SIDE || way > 1 || way < -1)
            return WAIT_GRID_NO_SIDE;
        side = 2 * d + (way > 0);
    }
    return side;
}

/* Returns the number of directions of neighbours, including the process itself. */
static uint32_t near_directions(const struct wait_grid *g)
{
    uint32_t n = 1;
    for (unsigned d = 0; d < g->n_dims; d++)
        n *= 3;
    return n;
}

uint32_t wait_grid_directions(const struct wait_grid *g)
{
    return g->n_dims == 0 ? 0 : near_directions(g) + 2;
}

uint32_t wait_grid_direction(const struct wait_grid *g, uint32_t from, uint32_t to)
{
    const uint32_t *a = wait_grid_place(g, from), *b = wait_grid_place(g, to), near = near_directions(g);
    uint32_t direction = 0;
    for (unsigned d = g->n_dims; a && b && d-- > 0;) {
        const int64_t way = step(g, d, a, b);
        if (way > 1 || way < -1)
            return near;
        direction = 3 * direction + (way < 0 ? 1 : way > 0 ? 2 : 0);
    }
    return a && b ? direction : near + 1;
}

unsigned wait_grid_borders(const struct wait_grid *g, uint32_t rank, unsigned *of)
{
    const uint32_t *at = wait_grid_place(g, rank);
    unsigned n = 0;
    *of = 0;
    for (unsigned d = 0; at && d < g->n_dims; d++) {
        if (g->sizes[d] < 2 || (g->periodic >> d & 1))
            continue;
        *of += 1;
        n += at[d] == 0 || at[d] + 1 == g->sizes[d];
    }
    return n;
}
