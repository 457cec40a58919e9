/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as a square of so many cells at most, for tables and pictures: where there are more ranks, each
 * cell is the sum over a block of ranks.
 *
 *     1024 ranks, at most 16 cells: blocks of 64       0-63   64-127  …
 */
#ifndef REFRAIN_MATRIX_GRID_H
#define REFRAIN_MATRIX_GRID_H

#include "matrix.h"

struct matrix_sum {
    uint64_t messages, bytes;
};

struct matrix_grid {
    const struct matrix *matrix;
    uint32_t n, block;        /* n x n cells of block x block ranks; the last ones may have fewer */
    struct matrix_sum *cells; /* n + 1 rows of n + 1: the last ones are of what comes from and goes outside */
    struct matrix_sum all;
    bool from_outside, to_outside; /* does anything? */
};

enum refrain_status matrix_grid_create(struct matrix_grid *g, const struct matrix *m, uint32_t most);
void matrix_grid_free(struct matrix_grid *g); /* also of a zeroed struct */
/* "5", or "64-127": the ranks of row or column i. */
void matrix_grid_put_ranks(const struct matrix_grid *g, uint32_t i, struct bytes *out);

static inline const struct matrix_sum *matrix_grid_at(const struct matrix_grid *g, uint32_t from, uint32_t to)
{
    return &g->cells[(size_t)from * (g->n + 1) + to];
}

#endif
