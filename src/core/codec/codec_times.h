/* SPDX-License-Identifier: BSD-3-Clause */
/* Times in a final file: rounded, and stored by column, so that similar values are adjacent.
 *
 * A number of nanoseconds is stored as its length in bits and some of the bits after the leading
 * one (mantissa):
 *
 *     1234567 = 1 0010 1101 …b   length 21, mantissa of 4 bits 2, of 8 bits 2Dh
 *                                least 1179648, mean 1232896
 *
 * Columns of two classes of times, the first of a single call, the second of many:
 *
 *     counts       1                  500
 *     durations    mean               mean, least, most, deviation, bins
 *     gaps         mean               mean, least, most, deviation, bins      of two calls mean and least
 *
 *     counts | lengths of 4 means | of least (less) | of most (more) | of deviations | bins | mantissas
 *
 * Accuracy: a mean is within 1/512 of its value, also below 512 ns, where it has a fraction; least
 * and most are up to 1/16 further out; a deviation is within 1/32; a bin's count is within 1/8, and
 * exact below 8. Counts are exact. */
#ifndef REFRAIN_CODEC_TIMES_H
#define REFRAIN_CODEC_TIMES_H

#include "src/core/time/timing.h"

/* Append the n times, whose counts are at least 1. */
enum refrain_status codec_times_encode(const struct timing *const *times, size_t n, struct bytes *out);
/* Read n times. */
enum refrain_status codec_times_decode(struct bytes_reader *in, struct timing *times, size_t n);

#endif
