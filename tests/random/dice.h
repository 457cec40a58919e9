/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that follow from a seed alone, everywhere the same: splitmix64. */
#ifndef TESTS_RANDOM_DICE_H
#define TESTS_RANDOM_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *d)
{
    uint64_t z = (d->state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* 0 … n-1 */
static inline int dice_below(struct dice *d, int n)
{
    return (int)(dice_next(d) % (uint64_t)n);
}

static inline bool dice_chance(struct dice *d, int percent)
{
    return dice_below(d, 100) < percent;
}

/* Others, which go on by themselves: the same for the same `salt`. */
static inline struct dice dice_fork(struct dice d, uint64_t salt)
{
    d.state ^= (salt + 1) * 0xd6e8feb86659fd93;
    return (struct dice){dice_next(&d)};
}

#endif
