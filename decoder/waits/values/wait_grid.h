/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of the processes: the position of each process, and the direction from one process to another.
 *
 *     4 x 2        0 ── 1 ── 2 ── 3        seen from 5:  4 at x-1, 6 at x+1, 1 at y-1
 *     x, then y    |    |    |    |                       0 at x-1 y-1, 7 further away
 *                  4 ── 5 ── 6 ── 7
 *
 * Two processes at opposite borders are neighbours if the dimension is periodic and longer than two. */
#ifndef REFRAIN_WAIT_GRID_H
#define REFRAIN_WAIT_GRID_H

#include <stdbool.h>
#include <stdint.h>

/* Sides of a process: 2 d is the lower side in dimension d, 2 d + 1 the higher one. */
enum { WAIT_GRID_DIMS = 6, WAIT_GRID_NO_SIDE = 2 * WAIT_GRID_DIMS };
#define WAIT_GRID_NOWHERE UINT32_MAX

struct wait_grid {
    unsigned n_dims; /* 0: there is none */
    uint32_t sizes[WAIT_GRID_DIMS];
    uint32_t periodic; /* a bit for each dimension */
    uint32_t first_rank, n_ranks;
    uint32_t *at; /* n_dims coordinates of each rank; if the first is WAIT_GRID_NOWHERE, the rank has no
                     place */
};

void wait_grid_free(struct wait_grid *g); /* also of a zeroed struct */
/* Returns the rank's coordinates; NULL: it has no place. */
const uint32_t *wait_grid_place(const struct wait_grid *g, uint32_t rank);
/* Returns the side of `rank` on which `neighbour` lies; WAIT_GRID_NO_SIDE: it is no neighbour. */
unsigned wait_grid_side(const struct wait_grid *g, uint32_t rank, uint32_t neighbour);

/* A direction has one digit in base 3 for each dimension, x first: 0 same coordinate, 1 lower by one, 2
 * higher by one. The last two directions are "further away" and "no place in the grid". */
uint32_t wait_grid_directions(const struct wait_grid *g); /* how many; 0 without a grid */
uint32_t wait_grid_direction(const struct wait_grid *g, uint32_t from, uint32_t to);

/* Returns the number of dimensions in which the rank is at the border. *of: number of dimensions that have a
 * border, that is, are not periodic and have at least two places. */
unsigned wait_grid_borders(const struct wait_grid *g, uint32_t rank, unsigned *of);

#endif
