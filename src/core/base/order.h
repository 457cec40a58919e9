/* SPDX-License-Identifier: BSD-3-Clause */
/* Ascending order of numbers, for qsort and bsearch on arrays of numbers, or of structs that begin with a
 * number. */
#ifndef REFRAIN_ORDER_H
#define REFRAIN_ORDER_H

#include <stdint.h>

static inline int order_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static inline int order_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

#endif
