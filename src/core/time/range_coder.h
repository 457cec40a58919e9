/* SPDX-License-Identifier: BSD-3-Clause */
/* A range coder: a part of the whole interval takes the fewer bits the wider it is, 1/n of it log2 n bits
 * (Martin, Range encoding: an algorithm for removing redundancy from a digitised message, 1979).
 *
 *     0            start      start + width                          RANGE_ONE
 *     |──────────────|▒▒▒▒▒▒▒▒▒▒▒▒▒|─────────────────────────────────────|
 *     low                                                           low + range
 *
 * The part becomes the next interval. Its highest byte is written as soon as `range` has only three bytes. If
 * `low` later exceeds 32 bits, the carry goes into the bytes that were written. */
#ifndef REFRAIN_RANGE_CODER_H
#define REFRAIN_RANGE_CODER_H

#include <assert.h>

#include "src/core/base/bytes.h"

#define RANGE_BITS  14
#define RANGE_ONE   (UINT32_C(1) << RANGE_BITS)
#define RANGE_LEAST (UINT32_C(1) << 24) /* a smaller range is widened */

struct range_encoder {
    struct bytes *out;
    size_t begin; /* bytes in `out` before */
    uint32_t low, range;
};

struct range_decoder {
    struct bytes_reader in; /* zeros follow after its end */
    uint32_t at, range;     /* `at` is counted from `low` */
};

struct range_encoder range_encoder_of(struct bytes *out);
void range_encoder_finish(struct range_encoder *e); /* writes what is left */
struct range_decoder range_decoder_of(const void *data, size_t n);

/* Adds 1 to the number that the written bytes are. */
void range_encoder_carry(struct range_encoder *e);

/* Returns the range of a part; the last part also has the rest of the division. */
static inline uint32_t range_of_part(uint32_t range, uint32_t start, uint32_t width)
{
    const uint32_t unit = range >> RANGE_BITS;
    return start + width == RANGE_ONE ? range - start * unit : width * unit;
}

static inline void range_encode(struct range_encoder *e, uint32_t start, uint32_t width)
{
    assert(width > 0 && start + width <= RANGE_ONE);
    if (__builtin_add_overflow(e->low, start * (e->range >> RANGE_BITS), &e->low))
        range_encoder_carry(e);
    e->range = range_of_part(e->range, start, width);
    for (; e->range < RANGE_LEAST; e->range <<= 8, e->low <<= 8)
        bytes_put_u8(e->out, (uint8_t)(e->low >> 24));
}

/* Returns a position in the next part, below RANGE_ONE. */
static inline uint32_t range_decoder_at(const struct range_decoder *d)
{
    const uint32_t at = d->at / (d->range >> RANGE_BITS);
    return at < RANGE_ONE ? at : RANGE_ONE - 1;
}

/* Takes the part that contains range_decoder_at. */
static inline void range_decode(struct range_decoder *d, uint32_t start, uint32_t width)
{
    assert(width > 0 && start + width <= RANGE_ONE);
    d->at -= start * (d->range >> RANGE_BITS);
    d->range = range_of_part(d->range, start, width);
    for (; d->range < RANGE_LEAST; d->range <<= 8)
        d->at = d->at << 8 | (d->in.at < d->in.end ? *d->in.at++ : 0);
}

#endif
