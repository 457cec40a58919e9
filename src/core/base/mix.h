/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixing 64-bit words into a hash.
 *
 * The finaliser of MurmurHash3 (Austin Appleby, public domain), applied to the running hash at each word:
 * every bit of the result depends on every bit of all words and on their order. Not for hostile input. */
#ifndef REFRAIN_MIX_H
#define REFRAIN_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    uint64_t h = (hash + UINT64_C(0x9e3779b97f4a7c15)) ^ word;

    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

/* A hash of three instructions instead of nine, for a few words that map_home will hash again. Different
 * words have different hashes, but the low bits of the hash depend only on the low bits of the words. */
static inline uint64_t mix_lightly(uint64_t hash, uint64_t word)
{
    return ((hash << 5 | hash >> 59) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

#endif
