/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of a torus, a grid of n = rows x columns whose opposite edges meet. A map takes each place
 * to another one.
 *
 * Place i is in row i / columns and column i % columns. A map takes row r and column c to
 *
 *     row     rr r + rc c + row shift      mod rows
 *     column  cr r + cc c + column shift   mod columns
 *
 * With rr = cc = 1 and rc = cr = 0 a map only shifts; rr = cc = 0 and rc = cr = 1 transpose; -1
 * mirrors; and rr = rc = 1 leans the grid as Cannon's algorithm aligns its blocks, and diagonal
 * multi-partitioning its cells:
 *
 *     columns = 3                          0 1 2           0 4 8      rr = 1, rc = 1
 *     places   0 1 2  3 4 5  6 7 8         3 4 5    from   3 7 2      cr = 0, cc = 1
 *                                          6 7 8           6 1 5 */
#ifndef REFRAIN_TORUS_H
#define REFRAIN_TORUS_H

#include <stdbool.h>
#include <stdint.h>

struct torus_map {
    uint32_t columns; /* divides n */
    int64_t rr, rc, cr, cc;
};

struct torus_position {
    uint32_t row, column;
};

/* The map of all n places, prepared for computing: coefficients are not negative. n < 2^31. */
struct torus {
    uint32_t rows, columns;
    uint32_t rr, rc, cr, cc;
};

struct torus torus_of(const struct torus_map *m, uint32_t n);
bool torus_map_equal(const struct torus_map *a, const struct torus_map *b);

/* Reduce a shift to 0 … size - 1. */
static inline uint32_t torus_wrap(int64_t shift, uint32_t size)
{
    const int64_t rest = shift % (int64_t)size;
    return (uint32_t)(rest < 0 ? rest + size : rest);
}

/* The place to which the map takes place i, without a shift. */
static inline struct torus_position torus_move(const struct torus *t, uint32_t i)
{
    const uint64_t r = i / t->columns, c = i % t->columns;
    return (struct torus_position){(uint32_t)((t->rr * r + t->rc * c) % t->rows),
                                   (uint32_t)((t->cr * r + t->cc * c) % t->columns)};
}

/* The same with a shift, which torus_wrap has reduced. */
static inline uint32_t torus_position(const struct torus *t, struct torus_position shift, uint32_t i)
{
    struct torus_position p = torus_move(t, i);
    p.row += shift.row;
    p.column += shift.column;
    p.row -= p.row >= t->rows ? t->rows : 0;
    p.column -= p.column >= t->columns ? t->columns : 0;
    return p.row * t->columns + p.column;
}

#endif
