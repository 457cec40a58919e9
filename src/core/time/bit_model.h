/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the probability that the next bit is 1. Several contexts each have a probability, learned from
 * the bits seen in them. These are mixed with weights, which learn how reliable each context is (logistic
 * mixing: Mahoney, Adaptive weighing of context models for lossless data compression, Florida Tech.
 * CS-2005-16).
 *
 *     context 0 ── hash ──> cell: p 22 bits | n 10 bits ── stretch ──┐
 *     context 1 ── hash ──> cell                        ── stretch ──┼─ weights ── sum ── squash ──> p
 *     …                                                              ┘
 *
 * All computations use integers, and are part of the format (docs/FORMAT.md, 17): encoder and decoder must
 * get identical results. */
#ifndef REFRAIN_BIT_MODEL_H
#define REFRAIN_BIT_MODEL_H

#include <assert.h>

#include "bit_coder.h"

enum {
    BIT_MODEL_INPUTS = 5,
    BIT_MODEL_SETS = 64, /* of weights */
    BIT_MODEL_CELL_BITS = 16,
    BIT_MODEL_P_BITS = 22,  /* bits of a cell's probability */
    BIT_MODEL_N_BITS = 10,  /* bits of a cell's count, … */
    BIT_MODEL_N_MOST = 255, /* … which stops here, so that old bits are forgotten */
    BIT_MODEL_STRETCHED =
        2047, /* the largest stretched probability: 256 is a factor of e between p and 1 - p */
    BIT_MODEL_LEARNING = 80
};

struct bit_model {
    uint32_t cells[1 << BIT_MODEL_CELL_BITS]; /* probability of a 1, 22 bits, and number of bits seen, 10 */
    int32_t weights[BIT_MODEL_SETS][BIT_MODEL_INPUTS]; /* 65536 is 1 */
};

/* The prediction of a bit, and the cells and weights that made it. */
struct bit_prediction {
    uint32_t p; /* probability that it is 1, in units of 1 / BIT_P_ONE */
    uint32_t *cells[BIT_MODEL_INPUTS];
    int32_t stretched[BIT_MODEL_INPUTS];
    int32_t *weights;
};

/* Tables of functions with few arguments; filled when the first model is made. */
struct bit_model_tables {
    int16_t stretch[BIT_P_ONE];
    uint16_t squash[2 * (BIT_MODEL_STRETCHED + 1)]; /* of x + BIT_MODEL_STRETCHED; not 0 */
    struct {
        uint32_t rate, next; /* 65536 / (n + 1.5); n + 1, at most BIT_MODEL_N_MOST */
    } count[BIT_MODEL_N_MOST + 1];
};
extern struct bit_model_tables bit_model_tables;

/* Make a model; the caller frees it. NULL when memory is short (logged). */
struct bit_model *bit_model_create(void);
void bit_model_reset(struct bit_model *m);

/* Both functions are inline and their loops are unrolled, because the times of a call take about 16 bits:
 * this saves a quarter of the instructions. */

/* Predict a bit. `node` distinguishes the bits of one number; `set` is below BIT_MODEL_SETS. */
static inline struct bit_prediction
bit_model_predict(struct bit_model *m, const uint32_t context[BIT_MODEL_INPUTS], uint32_t node, unsigned set)
{
    assert(set < BIT_MODEL_SETS);
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

/* Learn the real value of a predicted bit. If two contexts share a cell, the second one sees the cell as
 * changed by the first. */
static inline void bit_model_learn(const struct bit_prediction *b, unsigned bit)
{
    const int32_t to = bit ? (1 << BIT_MODEL_P_BITS) - 1 : 0;
    /* 64 bits, so that compilers do not multiply by the constant once for each input. */
    const int64_t error = ((int32_t)(bit << BIT_P_BITS) - (int32_t)b->p) * BIT_MODEL_LEARNING;
#pragma GCC unroll BIT_MODEL_INPUTS
    for (size_t i = 0; i < BIT_MODEL_INPUTS; i++) {
        const uint32_t cell = *b->cells[i], n = cell & ((1u << BIT_MODEL_N_BITS) - 1);
        const int32_t p = (int32_t)(cell >> BIT_MODEL_N_BITS);
        const int64_t way = (int64_t)(to - p) * bit_model_tables.count[n].rate >> 16;
        *b->cells[i] = (uint32_t)(p + (int32_t)way) << BIT_MODEL_N_BITS | bit_model_tables.count[n].next;
        b->weights[i] += (int32_t)((b->stretched[i] * error + (1 << 15)) >> 16);
    }
}

#endif
