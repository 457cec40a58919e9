/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 17, coded blocks: a range decoder, and the digits that it is told to expect. */
#include "steps.h"

enum { POSITION_BITS = 14, POSITIONS = 1 << POSITION_BITS, COUNT_MAX = 24 };

/* Returns x / 2^n, rounded down. */
static int64_t down(int64_t x, unsigned n)
{
    return x >= 0 ? x >> n : -((-x + (INT64_C(1) << n) - 1) >> n);
}

/* ---- the range decoder ----------------------------------------------------------------------- */

static void next_byte(struct coder *c)
{
    c->at = c->at << 8 | (left(&c->in) ? *get(&c->in, 1) : 0);
}

static uint32_t position(const struct coder *c)
{
    uint32_t p = c->at / (c->range / POSITIONS);
    return p < POSITIONS ? p : POSITIONS - 1;
}

static void take(struct coder *c, uint32_t start, uint32_t width)
{
    const uint32_t u = c->range / POSITIONS;
    c->at -= start * u;
    c->range = start + width < POSITIONS ? width * u : c->range - start * u;
    for (; c->range < UINT32_C(1) << 24; c->range <<= 8)
        next_byte(c);
}

uint64_t coder_raw(struct coder *c, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned part; n > 0; n -= part) {
        part = n < POSITION_BITS ? n : POSITION_BITS;
        const uint32_t width = POSITIONS >> part, x = position(c) / width;
        take(c, x * width, width);
        bits = bits << part | x;
    }
    return bits;
}

/* ---- digits ---------------------------------------------------------------------------------- */

void coder_start(struct coder *c, const struct input *block)
{
    c->in = *block;
    c->range = UINT32_MAX;
    c->at = 0;
    for (int i = 0; i < 4; i++)
        next_byte(c);
    for (size_t i = 0; i < CELLS; i++) {
        c->cells[i].n = 0;
        for (int k = 0; k <= DIGITS; k++)
            c->cells[i].c[k] = POSITIONS / DIGITS * k;
    }
    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < WEIGHTS; k++)
            c->weights[i][k] = k == 0 ? 0 : 16384;
}

static struct cell *find_cell(struct coder *c, uint32_t context, uint32_t node)
{
    const uint32_t h = context + node * 0x9E3779B1;
    return &c->cells[(h ^ h >> 15) * 0x85EBCA77 >> 19];
}

/* The cell expects the digit more than before. */
static void learn(struct cell *cell, unsigned digit)
{
    for (unsigned k = 1; k < DIGITS; k++) {
        const int64_t way = (k > digit ? POSITIONS - 1 : 0) - cell->c[k];
        cell->c[k] += down(2 * way * (65536 / (2 * cell->n + 3)), 16);
    }
    cell->n += cell->n < COUNT_MAX;
}

static unsigned get_digit(struct coder *c, struct contexts contexts, uint32_t node, unsigned set)
{
    struct cell *general = find_cell(c, contexts.general, node),
                *special = find_cell(c, contexts.special, node);
    const int64_t *G = general->c, *S = special->c;
    unsigned length = 0;
    while (special->n >> length)
        length++;
    int64_t *w = &c->weights[set][length];

    uint32_t start[DIGITS + 1] = {0};
    for (unsigned k = 1; k < DIGITS; k++) {
        const int64_t m = G[k] + down(2 * (S[k] - G[k]) * *w, 16);
        start[k] = (uint32_t)(m - m / 256 + 4 * k);
    }
    start[DIGITS] = POSITIONS;
    const uint32_t p = position(c);
    unsigned d = 0;
    while (start[d + 1] <= p)
        d++;
    take(c, start[d], start[d + 1] - start[d]);

    if (special->n > 0)
        *w += down((S[d + 1] - S[d] > G[d + 1] - G[d] ? 32767 : 0) - *w, 5);
    learn(general, d);
    learn(special, d);
    return d;
}

uint32_t coder_symbol(struct coder *c, struct contexts contexts, unsigned set, uint64_t n)
{
    uint32_t high = 0, symbol;
    unsigned digit;
    for (uint32_t node = 0;; node++) {
        high += digit = get_digit(c, contexts, node, set);
        refuse_if(&c->in, 8 * high >= n, "there is no such symbol");
        if (digit < DIGITS - 1)
            break;
    }
    symbol = 8 * high + get_digit(c, contexts, 65536 + high, set + 1);
    refuse_if(&c->in, symbol >= n, "there is no such symbol");
    return symbol;
}
