/* SPDX-License-Identifier: BSD-3-Clause */
#include "digit_model.h"

#include "src/core/base/log.h"

#include <stdlib.h>

struct digit_model *digit_model_create(void)
{
    struct digit_model *m = malloc(sizeof *m);
    if (m)
        digit_model_reset(m);
    else
        log_error("out of memory: a model of times");
    return m;
}

void digit_model_reset(struct digit_model *m)
{
    struct digit_cell even = {{0}};
    for (unsigned k = 1; k < DIGITS; k++)
        even.start[k] = (int16_t)(k * (RANGE_ONE / DIGITS));
    for (size_t i = 0; i < sizeof m->cells / sizeof m->cells[0]; i++)
        m->cells[i] = even;
    for (size_t s = 0; s < DIGIT_SETS; s++) {
        m->weights[s][0] = 0; /* a cell that knows nothing */
        for (size_t i = 1; i < DIGIT_N_LENGTHS; i++)
            m->weights[s][i] = 1 << 14;
    }
}

/* Moves each number towards the one of `to` by a share; 32768 is 1. */
static inline void pull(int16_t *restrict start, const int16_t *restrict to, int16_t share)
{
    for (unsigned k = 0; k < DIGITS; k++)
        start[k] = (int16_t)(start[k] + ((int16_t)(2 * (to[k] - start[k])) * share >> 16));
}

/* ---- predicting ---------------------------------------------------------------------------------- */

static inline struct digit_cell *find_cell(struct digit_model *m, uint32_t context, uint32_t node)
{
    const uint32_t hash = context + node * UINT32_C(0x9E3779B1);
    return &m->cells[(hash ^ hash >> 15) * UINT32_C(0x85EBCA77) >> (32 - DIGIT_CELL_BITS)];
}

static inline unsigned length_of(int16_t n)
{
    return n == 0 ? 0 : 32u - (unsigned)__builtin_clz((unsigned)n);
}

void digit_model_predict(struct digit_model *m, const struct digit_contexts *contexts, uint32_t node,
                         unsigned set, struct digit_prediction *out)
{
    assert(set < DIGIT_SETS);
    _Static_assert(RANGE_ONE >> 8 == DIGITS * DIGIT_LEAST, "what all digits lose is what each gets");
    struct digit_cell *general = find_cell(m, contexts->general, node),
                      *special = find_cell(m, contexts->special, node);
    struct digit_cell mixed = *general;
    out->general = general;
    out->special = special;
    out->weight = &m->weights[set][length_of(special->start[0])];
    pull(mixed.start, special->start, *out->weight);
    /* Each digit keeps a part of at least DIGIT_LEAST, whatever was learned. */
    for (unsigned k = 0; k < DIGITS; k++)
        out->start[k] = (int16_t)(mixed.start[k] - (mixed.start[k] >> 8) + (int)(DIGIT_LEAST * k));
    out->start[0] = 0;
}

/* ---- learning ------------------------------------------------------------------------------------ */

/* Rates of learning: the more digits are known, the less a new one changes; 32768 is 1. */
#define RATE(n) 65536 / (2 * (n) + 3)
static const int16_t rates[DIGIT_N_MOST + 1] = {
    RATE(0),  RATE(1),  RATE(2),  RATE(3),  RATE(4),  RATE(5),  RATE(6),  RATE(7),  RATE(8),
    RATE(9),  RATE(10), RATE(11), RATE(12), RATE(13), RATE(14), RATE(15), RATE(16), RATE(17),
    RATE(18), RATE(19), RATE(20), RATE(21), RATE(22), RATE(23), RATE(24)};

/* The distribution of a digit that is certain starts here: END for all digits after it. */
#define END (RANGE_ONE - 1)
static const int16_t certain[2 * DIGITS] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                            0,   0,   0,   0,   0,   END, END, END, END, END, END,
                                            END, END, END, END, END, END, END, END, END, END};

static inline void learn(struct digit_cell *cell, unsigned digit)
{
    const int16_t n = cell->start[0];
    pull(cell->start, certain + (DIGITS - 1 - digit), rates[n]);
    cell->start[0] = (int16_t)(n + (n < DIGIT_N_MOST));
}

static inline int width_in(const struct digit_cell *c, unsigned digit)
{
    return (digit + 1 < DIGITS ? c->start[digit + 1] : (int)RANGE_ONE) - (digit > 0 ? c->start[digit] : 0);
}

void digit_model_learn(const struct digit_prediction *p, unsigned digit)
{
    if (p->special->start[0] > 0) {
        const bool better = width_in(p->special, digit) > width_in(p->general, digit);
        const int to = better ? INT16_MAX : 0;
        *p->weight = (int16_t)(*p->weight + ((to - *p->weight) >> DIGIT_LEARNING));
    }
    learn(p->general, digit);
    learn(p->special, digit);
}
