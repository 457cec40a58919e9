/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that stand for times where times may be rounded by a factor.
 *
 * A grid of base b and floor f: integers, each at most b times the one before, or one more where that is not
 * an integer's distance. Every time has a neighbour on each side that may stand for it.
 *
 *     base 1.2     0 1 2 3 4 5 6 7 8 9 10 12 14 16 19 22 26 31 …
 *     floor 100        0 13 100 120 144 172 …
 *
 * What holds for a time t and what stands for it, r:
 *
 *     t < f          |r - t| < f
 *     t >= f         t / b <= r <= t * b;  r = t as long as t (b - 1) < 1
 *
 * Of two neighbours one has an odd number, and is taken unless errors have to be made up for: then the bins
 * are b^2 wide, and each odd one stands in the geometric middle of its own. */
#ifndef REFRAIN_TIME_GRID_H
#define REFRAIN_TIME_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* A base is a number of millionths. */
#define TIME_BASE_ONE   UINT32_C(1000000)
#define TIME_BASE_LEAST UINT32_C(1010000)
#define TIME_BASE_MOST  UINT32_C(100000000)
#define TIME_FLOOR_MOST (UINT64_C(1) << 40)

struct time_grid {
    uint32_t base;
    uint64_t floor; /* nanoseconds */
    uint32_t n;     /* less than 1 << bits */
    uint32_t alone,
        n_alone; /* from this number on, so many values stand for themselves alone: neighbours are too far */
    unsigned bits;
    uint32_t slack;         /* 2 (b - 1), times 2^16 */
    uint64_t *values;       /* ascending, from 0; owned */
    uint32_t start[8 * 64]; /* by length in bits and the three bits behind the leading one: the last number
                               whose value is not larger than any such time */
};

/* False arguments are the caller's fault: base from TIME_BASE_LEAST to TIME_BASE_MOST, floor up to
 * TIME_FLOOR_MOST. */
enum refrain_status time_grid_create(struct time_grid *g, uint32_t base, uint64_t floor);
void time_grid_free(struct time_grid *g);

/* May another value than number i itself stand for times from there to the next value? */
static inline bool time_grid_has_choice(const struct time_grid *g, uint32_t i)
{
    return i - g->alone >= g->n_alone;
}

/* The number of the largest value that is not larger than t. */
static inline uint32_t time_grid_find(const struct time_grid *g, uint64_t t)
{
    const unsigned length = 63u - (unsigned)__builtin_clzll(t | 1);
    uint32_t i = g->start[8 * length + ((unsigned)(t << (63 - length) >> 60) & 7)];
    while (i + 1 < g->n && g->values[i + 1] <= t)
        i++;
    return i;
}

#endif
