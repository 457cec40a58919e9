/* How likely is the next bit to be 1? Several contexts of it are looked at, each of which has counted what
 * came in it so far, and what they say is mixed, with weights that learn whom to believe (logistic mixing:
 * Mahoney, Adaptive weighing of context models for lossless data compression, Florida Tech. CS-2005-16).
 *
 *     context 0 ── hash ──> cell: p 22 bits | n 10 bits ── stretch ──┐
 *     context 1 ── hash ──> cell                        ── stretch ──┼─ weights ── sum ── squash ──> p
 *     …                                                              ┘
 *
 * All of it is integers, and part of the format (docs/FORMAT.md, 16): encoder and decoder have to see the
 * same. */
#ifndef REFRAIN_BIT_MODEL_H
#define REFRAIN_BIT_MODEL_H

#include "bit_coder.h"

#define BIT_MODEL_INPUTS    5
#define BIT_MODEL_SETS      64 /* of weights */
#define BIT_MODEL_CELL_BITS 16

struct bit_model {
    uint32_t cells[1 << BIT_MODEL_CELL_BITS]; /* probability of a 1, 22 bits, and number of bits seen, 10 */
    int32_t weights[BIT_MODEL_SETS][BIT_MODEL_INPUTS]; /* 65536 is 1 */
    /* Of the bit at hand. */
    uint32_t *cell[BIT_MODEL_INPUTS];
    int32_t stretched[BIT_MODEL_INPUTS];
    int32_t *weight;
    uint32_t p;
};

/* NULL when memory is short, which is logged; the caller's to free. */
struct bit_model *bit_model_create(void);
void bit_model_reset(struct bit_model *m);
/* The probability that the bit is 1, of BIT_P_ONE. `node` tells the bits of one number apart; `set` is below
 * BIT_MODEL_SETS. */
uint32_t bit_model_predict(struct bit_model *m, const uint32_t context[BIT_MODEL_INPUTS], uint32_t node,
                           unsigned set);
/* What it was. */
void bit_model_learn(struct bit_model *m, unsigned bit);

#endif
