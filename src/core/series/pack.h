/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of irregular values in memory: the least value, and for each value its difference from the least.
 * All differences have as many bits as the largest difference needs.
 *
 *     70 64 99 71        least 64, width 6        words  6 | 0 | 35 | 7
 *
 * Values are 64-bit integers in two's complement; a value is found in constant time. Blocks do not change. */
#ifndef REFRAIN_PACK_H
#define REFRAIN_PACK_H

#include <stddef.h>
#include <stdint.h>

struct pack {
    uint32_t n;
    uint32_t width; /* bits, 0 … 64 */
    uint64_t least;
    uint64_t words[]; /* lowest bits first; one word more than is filled */
};

struct pack *pack_create(const uint64_t *values, uint32_t n); /* n >= 1; NULL when memory is short */
/* Make a block of the values scale * v + shift, for each v of p. */
struct pack *pack_map(const struct pack *p, uint64_t scale, uint64_t shift);
uint64_t pack_at(const struct pack *p, uint32_t i);
size_t pack_bytes(const struct pack *p); /* memory held */

#endif
