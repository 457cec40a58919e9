/* SPDX-License-Identifier: BSD-3-Clause */
/* Irregular values as bytes, so that a general compressor after comes near their entropy.
 *
 *     1 2 1 1 2 2 1 2 1      two values: numbers 0 1 0 0 1 1 0 1 0, a bit each        B2 00
 *     70000 3 1966 70001     numbers of 17 bits: their low bytes, their middle bytes, their high bits
 *
 * Values are written as they are or as differences, as numbers above the least one or in a dictionary:
 * whichever has the lowest entropy, taken byte by byte in each plane. docs/FORMAT.md, section 7, has the
 * code. */
#ifndef REFRAIN_BITPLANE_CODE_H
#define REFRAIN_BITPLANE_CODE_H

#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

/* Append n >= 2 values. What fails is remembered in `out`. */
void bitplane_encode(const uint64_t *values, size_t n, struct bytes *out);
/* Can so many values follow? Asked before room is made for them. */
bool bitplane_fits(const struct bytes_reader *in, uint64_t n);
/* Read n >= 2 values. REFRAIN_ERR_FORMAT, logged by the caller, when bitplane_encode cannot have written
 * them. */
enum refrain_status bitplane_decode(struct bytes_reader *in, uint64_t *values, size_t n);

#endif
