/* SPDX-License-Identifier: BSD-3-Clause */
#include "digit_model.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Cells are read at random: none should be in two lines of the cache. */
#define LINE 64

struct digit_model *digit_model_create(void)
{
    struct digit_model *m = malloc(sizeof *m + LINE + DIGIT_CELLS * sizeof *m->cells);
    if (!m) {
        log_error("out of memory: a model of times");
        return NULL;
    }
    m->cells = (struct digit_cell *)(((uintptr_t)(m + 1) + LINE - 1) / LINE * LINE);
    digit_model_reset(m);
    return m;
}

void digit_model_reset(struct digit_model *m)
{
    struct digit_cell even = {{0}};
    for (unsigned k = 1; k < DIGITS; k++)
        even.start[k] = (int16_t)(k * (RANGE_ONE / DIGITS));
    for (size_t i = 0; i < DIGIT_CELLS; i++)
        m->cells[i] = even;
    memset(m->n, 0, sizeof m->n);
    for (size_t s = 0; s < DIGIT_SETS; s++) {
        m->weights[s][0] = 0; /* a cell that knows nothing */
        for (size_t i = 1; i < DIGIT_N_LENGTHS; i++)
            m->weights[s][i] = 1 << 14;
    }
}

/* Moves a number towards `to` by a share; 32768 is 1. */
static inline int16_t pulled(int16_t start, int16_t to, int16_t share)
{
    return (int16_t)(start + ((int16_t)(2 * (to - start)) * share >> 16));
}

/* ---- predicting ---------------------------------------------------------------------------------- */

/* Pulls a copy of the general cell. Each digit keeps a part of at least DIGIT_LEAST, whatever was learned. */
static inline void mix(int16_t *restrict start, const int16_t *restrict general,
                       const int16_t *restrict special, int16_t share)
{
    for (unsigned k = 0; k < DIGITS; k++) {
        const int16_t mixed = pulled(general[k], special[k], share);
        start[k] = (int16_t)(mixed - (mixed >> 8) + (int)(DIGIT_LEAST * k));
    }
}

static inline uint32_t find_cell(uint32_t context, uint32_t node)
{
    const uint32_t hash = context + node * UINT32_C(0x9E3779B1);
    return (hash ^ hash >> 15) * UINT32_C(0x85EBCA77) >> (32 - DIGIT_CELL_BITS);
}

static inline unsigned length_of(uint8_t n)
{
    return n == 0 ? 0 : 32u - (unsigned)__builtin_clz(n);
}

void digit_model_predict(struct digit_model *m, const struct digit_contexts *contexts, uint32_t node,
                         unsigned set, struct digit_prediction *out)
{
    assert(set < DIGIT_SETS);
    _Static_assert(RANGE_ONE >> 8 == DIGITS * DIGIT_LEAST, "what all digits lose is what each gets");
    const uint32_t general = find_cell(contexts->general, node), special = find_cell(contexts->special, node);
    out->general = &m->cells[general];
    out->special = &m->cells[special];
    out->n_general = &m->n[general];
    out->n_special = &m->n[special];
    out->weight = &m->weights[set][length_of(m->n[special])];
    mix(out->start, out->general->start, out->special->start, *out->weight);
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

static inline void learn(struct digit_cell *cell, uint8_t *n, unsigned digit)
{
    const int16_t *to = certain + (DIGITS - 1 - digit), rate = rates[*n];
    for (unsigned k = 0; k < DIGITS; k++)
        cell->start[k] = pulled(cell->start[k], to[k], rate);
    *n = (uint8_t)(*n + (*n < DIGIT_N_MOST));
}

static inline int width_in(const struct digit_cell *c, unsigned digit)
{
    return (digit + 1 < DIGITS ? c->start[digit + 1] : (int)RANGE_ONE) - c->start[digit];
}

void digit_model_learn(const struct digit_prediction *p, unsigned digit)
{
    if (*p->n_special > 0) {
        const bool better = width_in(p->special, digit) > width_in(p->general, digit);
        const int to = better ? INT16_MAX : 0;
        *p->weight = (int16_t)(*p->weight + ((to - *p->weight) >> DIGIT_LEARNING));
    }
    learn(p->general, p->n_general, digit);
    learn(p->special, p->n_special, digit);
}
