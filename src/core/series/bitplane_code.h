/* SPDX-License-Identifier: BSD-3-Clause */
/* Irregular values as bytes, in an order that lets a general compressor come near their entropy.
 *
 *     1 2 1 1 2 2 1 2 1      two values: numbers 0 1 0 0 1 1 0 1 0, a bit each        B2 00
 *     70000 3 1966 70001     numbers of 17 bits: their low bytes, their middle bytes, their high bits
 *
 * There are four ways: values or differences, each as numbers above the least one or as numbers in a
 * dictionary. The encoder takes the way with the lowest entropy of the bytes of all planes. docs/FORMAT.md,
 * section 7, has the code. */
#ifndef REFRAIN_BITPLANE_CODE_H
#define REFRAIN_BITPLANE_CODE_H

#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

/* Append n >= 2 values. A failure sets out->failed. */
void bitplane_encode(const uint64_t *values, size_t n, struct bytes *out);
/* Can the input contain n more values? Call this before you allocate memory for them. */
bool bitplane_fits(const struct bytes_reader *in, uint64_t n);
/* Read n >= 2 values. REFRAIN_ERR_FORMAT, logged by the caller, when bitplane_encode cannot have written
 * them. */
enum refrain_status bitplane_decode(struct bytes_reader *in, uint64_t *values, size_t n);

#endif
