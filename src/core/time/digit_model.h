/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts which of 16 digits comes next, in two contexts: a general one, in which much was seen, and a special
 * one, which tells more. Each has a cell: a distribution, learned from the digits that came in the context. The
 * special cell pulls the prediction to itself, the more, the more often it has predicted better.
 *
 *     general context ── cell ──> general ──┐
 *     special context ── cell ──> special ──┴─> general + weight (special - general) ──> start
 *
 * A distribution is where the part of each digit starts in an interval of RANGE_ONE (range_coder.h):
 *
 *     cell     0    1201  3377  9000 …  16383
 *
 * How many digits a cell has learned is apart from it, because cells are read soon after they were written: a
 * processor waits if it reads 16 bytes of which it has just written 2.
 *
 * All computations use integers, and are part of the format (docs/FORMAT.md, 17): encoder and decoder must
 * get identical results. Loops have constant numbers of turns, so that they become vector instructions. */
#ifndef REFRAIN_DIGIT_MODEL_H
#define REFRAIN_DIGIT_MODEL_H

#include "range_coder.h"

enum {
    DIGITS = 16,
    DIGIT_SETS = 4, /* of weights */
    DIGIT_CELL_BITS = 13,
    DIGIT_CELLS = 1 << DIGIT_CELL_BITS,
    DIGIT_N_MOST = 24,   /* so that old digits are forgotten */
    DIGIT_N_LENGTHS = 6, /* lengths of n in bits: 0 … 5 */
    DIGIT_LEARNING = 5,
    DIGIT_LEAST = 4 /* the least width of a digit's part */
};

struct digit_cell {
    int16_t start[DIGITS]; /* start[0] is 0 */
};

struct digit_model {
    struct digit_cell *cells;                     /* DIGIT_CELLS, in the same block of memory */
    uint8_t n[DIGIT_CELLS];                       /* digits that the cell has learned, at most DIGIT_N_MOST */
    int16_t weights[DIGIT_SETS][DIGIT_N_LENGTHS]; /* by length of the special cell's n; 32768 is 1 */
};

struct digit_contexts {
    uint32_t general, special; /* hashes */
};

/* The prediction of a digit, and what made it. */
struct digit_prediction {
    struct digit_cell *general, *special;
    uint8_t *n_general, *n_special;
    int16_t *weight;
    int16_t start[DIGITS]; /* of each digit's part */
};

/* Returns a model; the caller frees it. NULL when memory is short (logged). */
struct digit_model *digit_model_create(void);
void digit_model_reset(struct digit_model *m);

/* Predicts a digit. `node` distinguishes the digits of one number; `set` is below DIGIT_SETS. */
void digit_model_predict(struct digit_model *m, const struct digit_contexts *contexts, uint32_t node,
                         unsigned set, struct digit_prediction *out);
/* Learns the real value of a predicted digit. If the contexts share a cell, it learns twice. */
void digit_model_learn(const struct digit_prediction *p, unsigned digit);

static inline uint32_t digit_start(const struct digit_prediction *p, unsigned digit)
{
    assert(digit < DIGITS);
    return (uint32_t)p->start[digit];
}

static inline uint32_t digit_width(const struct digit_prediction *p, unsigned digit)
{
    return (digit + 1 < DIGITS ? (uint32_t)p->start[digit + 1] : RANGE_ONE) - digit_start(p, digit);
}

/* Returns the digit whose part contains a position below RANGE_ONE. */
static inline unsigned digit_at(const struct digit_prediction *p, uint32_t at)
{
    uint16_t digit = 0;
    for (unsigned i = 0; i < DIGITS; i++)
        digit = (uint16_t)(digit + (p->start[i] <= (int16_t)at));
    return digit - 1u;
}

#endif
