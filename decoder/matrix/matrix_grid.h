/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix reduced to a square with a limited number of cells, for tables and pictures. If there are more
 * ranks than cells, each cell is the sum over a block of ranks.
 *
 *     1024 ranks, at most 16 cells: blocks of 64       0-63   64-127  …
 *
 * The ranks may be in another order; then a block has ranks that are adjacent in that order. */
#ifndef REFRAIN_MATRIX_GRID_H
#define REFRAIN_MATRIX_GRID_H

#include <assert.h>

#include "matrix.h"

struct matrix_sum {
    uint64_t messages, bytes;
};

struct matrix_grid {
    const struct matrix *matrix;
    const uint32_t *order;    /* all ranks; NULL: as they are numbered */
    uint32_t *places;         /* place of each rank in `order`, by rank - first rank; NULL likewise */
    uint32_t n, block;        /* n x n cells of block x block ranks; the last ones may have fewer */
    struct matrix_sum *cells; /* n + 1 rows of n + 1: the last ones are for messages from and to outside */
    struct matrix_sum all;
    bool from_outside, to_outside; /* does anything? */
};

/* `order` has each rank of the matrix once, and remains owned by the caller. NULL: ranks in ascending
 * order. */
enum refrain_status matrix_grid_create(struct matrix_grid *g, const struct matrix *m, uint32_t most,
                                       const uint32_t *order);
void matrix_grid_free(struct matrix_grid *g); /* also of a zeroed struct */
/* "5", or "64-127": the ranks of row or column i; "12+3" for the lowest and how many more there are, if they
 * do not follow each other. */
void matrix_grid_put_ranks(const struct matrix_grid *g, uint32_t i, struct bytes *out);
/* Returns the rank at a place. */
uint32_t matrix_grid_rank(const struct matrix_grid *g, uint32_t place);

static inline const struct matrix_sum *matrix_grid_at(const struct matrix_grid *g, uint32_t from, uint32_t to)
{
    assert(from <= g->n && to <= g->n);
    return &g->cells[(size_t)from * (g->n + 1) + to];
}

#endif
