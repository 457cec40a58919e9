/* SPDX-License-Identifier: BSD-3-Clause */
/* How likely is the next bit to be 1? Several contexts of it are looked at, each of which has counted what
 * came in it so far, and what they say is mixed, with weights that learn whom to believe (logistic mixing:
 * Mahoney, Adaptive weighing of context models for lossless data compression, Florida Tech. CS-2005-16).
 *
 *     context 0 ── hash ──> cell: p 22 bits | n 10 bits ── stretch ──┐
 *     context 1 ── hash ──> cell                        ── stretch ──┼─ weights ── sum ── squash ──> p
 *     …                                                              ┘
 *
 * All of it is integers, and part of the format (docs/FORMAT.md, 17): encoder and decoder have to see the
 * same. */
#ifndef REFRAIN_BIT_MODEL_H
#define REFRAIN_BIT_MODEL_H

#include "bit_coder.h"

enum {
    BIT_MODEL_INPUTS = 5,
    BIT_MODEL_SETS = 64, /* of weights */
    BIT_MODEL_CELL_BITS = 16,
    BIT_MODEL_P_BITS = 22,  /* of a cell's probability */
    BIT_MODEL_N_BITS = 10,  /* of its count, … */
    BIT_MODEL_N_MOST = 255, /* … which goes no further, so that what is old is forgotten */
    BIT_MODEL_STRETCHED =
        2047, /* the largest stretched probability: 256 is a factor of e between p and 1 - p */
    BIT_MODEL_LEARNING = 80
};

struct bit_model {
    uint32_t cells[1 << BIT_MODEL_CELL_BITS]; /* probability of a 1, 22 bits, and number of bits seen, 10 */
    int32_t weights[BIT_MODEL_SETS][BIT_MODEL_INPUTS]; /* 65536 is 1 */
};

/* A bit that has been predicted, and by what. */
struct bit_prediction {
    uint32_t p; /* that it is 1, of BIT_P_ONE */
    uint32_t *cells[BIT_MODEL_INPUTS];
    int32_t stretched[BIT_MODEL_INPUTS];
    int32_t *weights;
};

/* Functions of a few values, looked up; made with the first model. */
struct bit_model_tables {
    int16_t stretch[BIT_P_ONE];
    uint16_t squash[2 * (BIT_MODEL_STRETCHED + 1)]; /* of x + BIT_MODEL_STRETCHED; not 0 */
    struct {
        uint32_t rate, next; /* 65536 / (n + 1.5); n + 1, at most BIT_MODEL_N_MOST */
    } count[BIT_MODEL_N_MOST + 1];
};
extern struct bit_model_tables bit_model_tables;

/* NULL when memory is short, which is logged; the caller's to free. */
struct bit_model *bit_model_create(void);
void bit_model_reset(struct bit_model *m);

/* Both are inline and their loops unrolled, since a call's times are some 16 bits: that saves a quarter of
 * the instructions. */

/* `node` tells the bits of one number apart; `set` is below BIT_MODEL_SETS. */
static inline struct bit_prediction
bit_model_predict(struct bit_model *m, const uint32_t context[BIT_MODEL_INPUTS], uint32_t node, unsigned set)
{
    const uint32_t of_node = node * UINT32_C(0x9E3779B1);
    struct bit_prediction b = {.weights = m->weights[set]};
    int64_t sum = 0;
#pragma GCC unroll BIT_MODEL_INPUTS
    for (size_t i = 0; i < BIT_MODEL_INPUTS; i++) {
        uint32_t hash = context[i] + of_node;
        hash = (hash ^ hash >> 15) * UINT32_C(0x85EBCA77);
        b.cells[i] = &m->cells[hash >> (32 - BIT_MODEL_CELL_BITS)];
        b.stretched[i] = bit_model_tables.stretch[*b.cells[i] >> (32 - BIT_P_BITS)];
        sum += (int64_t)b.weights[i] * b.stretched[i];
    }
    sum >>= 16;
    if (sum > BIT_MODEL_STRETCHED)
        sum = BIT_MODEL_STRETCHED;
    if (sum < -BIT_MODEL_STRETCHED)
        sum = -BIT_MODEL_STRETCHED;
    b.p = bit_model_tables.squash[sum + BIT_MODEL_STRETCHED];
    return b;
}

/* What it was. Of two contexts with one cell the second one sees what the first has made of it. */
static inline void bit_model_learn(const struct bit_prediction *b, unsigned bit)
{
    const int32_t to = bit ? (1 << BIT_MODEL_P_BITS) - 1 : 0,
                  error = ((int32_t)(bit << BIT_P_BITS) - (int32_t)b->p) * BIT_MODEL_LEARNING;
#pragma GCC unroll BIT_MODEL_INPUTS
    for (size_t i = 0; i < BIT_MODEL_INPUTS; i++) {
        const uint32_t cell = *b->cells[i], n = cell & ((1u << BIT_MODEL_N_BITS) - 1);
        const int32_t p = (int32_t)(cell >> BIT_MODEL_N_BITS);
        const int64_t way = (int64_t)(to - p) * bit_model_tables.count[n].rate >> 16;
        *b->cells[i] = (uint32_t)(p + (int32_t)way) << BIT_MODEL_N_BITS | bit_model_tables.count[n].next;
        b->weights[i] += (b->stretched[i] * error + (1 << 15)) >> 16;
    }
}

#endif
