/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random and are the same in each run. */
#ifndef REFRAIN_TESTS_RANDOM_H
#define REFRAIN_TESTS_RANDOM_H

#include <stdint.h>

/* xorshift64 (Marsaglia 2003): tests must not depend on the C library's generator. */
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 11) % n);
}

static inline uint64_t random_seed(unsigned number)
{
    uint64_t state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;

    random_below(&state, 2);
    return state;
}

#endif
