/* SPDX-License-Identifier: BSD-3-Clause */
/* The values to which times are rounded in lossy modes: by at most a factor, and by at most a fixed
 * distance.
 *
 * A grid has a base b, a floor f and a bound s. It consists of integers, each at most b times the
 * one before (but at least one more), and at most 2 s more. A time may be rounded to its neighbour
 * on either side.
 *
 *     base 1.2                      0 1 2 3 4 5 6 7 8 9 10 12 14 16 19 22 26 31 … 9034 10840 │ 12000 14000 …
 *     floor 100                     0 13 100 120 144 172 …                                 │ multiples of 2 s
 *                                   └─────────────── a table, values 0 … n - 1 ────────────┘
 *
 * A time t is rounded to a value r with these bounds:
 *
 *     t < f          |r - t| < f, and |r - t| <= 2 s
 *     t >= f         t / b <= r <= t * b, and |r - t| <= 2 s;  r = t as long as t (b - 1) < 1
 *
 * One of two neighbours has an odd number. It is taken unless errors must be compensated. So the
 * bins are b^2 wide, and each odd value is in the geometric middle of its bin. */
#ifndef REFRAIN_TIME_GRID_H
#define REFRAIN_TIME_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* A base is given in millionths. */
#define TIME_BASE_ONE   UINT32_C(1000000)
#define TIME_BASE_LEAST UINT32_C(1010000)
#define TIME_BASE_MOST  UINT32_C(100000000)
#define TIME_FLOOR_MOST (UINT64_C(1) << 40)
#define TIME_BOUND_MOST TIME_FLOOR_MOST

struct time_grid {
    uint32_t base;
    uint64_t floor, bound; /* nanoseconds */
    uint64_t step;         /* 2 * bound: the difference of neighbouring values after the table */
    uint64_t first;        /* value number n, the first one after the table, is first * step */
    uint32_t n;
    uint32_t alone,
        n_alone;      /* the n_alone values from number `alone` on stand only for themselves, because their
                         neighbours are too far away */
    uint64_t *values; /* n values, ascending, from 0; then value number n; owned */
    uint16_t start[16 * 64]; /* by length in bits and the four bits after the leading one: the last number in
                                the table whose value is not larger than any such time */
};

/* The caller must ensure valid arguments: base from TIME_BASE_LEAST to TIME_BASE_MOST, floor up to
 * TIME_FLOOR_MOST, bound from 1 to TIME_BOUND_MOST, floor at most 2 * bound. */
enum refrain_status time_grid_create(struct time_grid *g, uint32_t base, uint64_t floor, uint64_t bound);
void time_grid_free(struct time_grid *g);

/* May times between value number i and the next value be rounded to either of them? */
static inline bool time_grid_has_choice(const struct time_grid *g, uint64_t i)
{
    return i - g->alone >= g->n_alone;
}

/* Return value number i. i must be a result of time_grid_find for a time below 2^63, or one more. */
static inline uint64_t time_grid_value(const struct time_grid *g, uint64_t i)
{
    return i < g->n ? g->values[i] : (i - g->n + g->first) * g->step;
}

/* Return the number of the largest value that is not larger than t. */
static inline uint64_t time_grid_find(const struct time_grid *g, uint64_t t)
{
    if (t >= g->first * g->step)
        return g->n + (t / g->step - g->first);
    const unsigned length = 63u - (unsigned)__builtin_clzll(t | 1);
    uint32_t i = g->start[16 * length + ((unsigned)(t << (63 - length) >> 59) & 15)];
    i += g->values[i + 1] <= t; /* usually one step; it is unpredictable, so there is no branch */
    while (g->values[i + 1] <= t)
        i++;
    return i;
}

#endif
