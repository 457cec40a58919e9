/* SPDX-License-Identifier: BSD-3-Clause */
/* An arithmetic coder of bits: a bit with probability p takes about -log2 p bits of the output (Witten,
 * Neal, Cleary, Arithmetic coding for data compression, CACM 30, 1987).
 *
 * The state is an interval of 32-bit numbers. Each bit selects a part of it; a 1 selects the lower part:
 *
 *     low                       split                                      high
 *      |─────────── 1 ───────────|───────────────────── 0 ──────────────────|     p = 0.4
 *
 * Leading bytes that are equal in both ends are written, and the interval is widened by these bytes. */
#ifndef REFRAIN_BIT_CODER_H
#define REFRAIN_BIT_CODER_H

#include <assert.h>

#include "src/core/base/bytes.h"

#define BIT_P_BITS 12
#define BIT_P_ONE  (1u << BIT_P_BITS) /* probabilities are 1 … BIT_P_ONE - 1, in units of 1 / BIT_P_ONE */

struct bit_encoder {
    struct bytes *out;
    uint32_t low, high;
};

struct bit_decoder {
    struct bytes_reader in; /* zeros follow after its end */
    uint32_t low, high, at;
};

struct bit_encoder bit_encoder_of(struct bytes *out);
void bit_encoder_finish(struct bit_encoder *e); /* writes what is left */
struct bit_decoder bit_decoder_of(const void *data, size_t n);

static inline uint32_t bit_split(uint32_t low, uint32_t high, uint32_t p)
{
    assert(low <= high);
    return low + (uint32_t)((uint64_t)(high - low) * p >> BIT_P_BITS);
}

/* Code a bit; p is the probability that it is 1. */
static inline void bit_encode(struct bit_encoder *e, uint32_t p, unsigned bit)
{
    assert(p >= 1 && p < BIT_P_ONE);
    const uint32_t split = bit_split(e->low, e->high, p);
    if (bit)
        e->high = split;
    else
        e->low = split + 1;
    while ((e->low ^ e->high) >> 24 == 0) {
        bytes_put_u8(e->out, (uint8_t)(e->high >> 24));
        e->low <<= 8;
        e->high = e->high << 8 | 0xff;
    }
}

static inline unsigned bit_decode(struct bit_decoder *d, uint32_t p)
{
    assert(p >= 1 && p < BIT_P_ONE);
    const uint32_t split = bit_split(d->low, d->high, p);
    const unsigned bit = d->at <= split;
    if (bit)
        d->high = split;
    else
        d->low = split + 1;
    while ((d->low ^ d->high) >> 24 == 0) {
        d->low <<= 8;
        d->high = d->high << 8 | 0xff;
        d->at = d->at << 8 | (d->in.at < d->in.end ? *d->in.at++ : 0);
    }
    return bit;
}

#endif
