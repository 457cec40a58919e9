/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 17, coded blocks: an arithmetic decoder, and the probability that the next bit is 1. */
#include "steps.h"

#include <string.h>

enum { CERTAIN = 4096 }; /* unit of probabilities */

/* Returns x / 2^n, rounded down. */
static int64_t down(int64_t x, unsigned n)
{
    return x >= 0 ? x >> n : -((-x + (INT64_C(1) << n) - 1) >> n);
}

static int squash(int64_t x)
{
    static const int T[] = {1,    2,    4,    6,    10,   17,   27,   45,   74,   120,  194,
                            311,  488,  747,  1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785,
                            3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095};
    x = x < -2047 ? -2047 : x > 2047 ? 2047 : x;
    int y = (int)x + 2048, i = y / 128, f = y % 128;
    return (T[i] * (128 - f) + T[i + 1] * f + 64) / 128;
}

static int stretch(int p)
{
    static int of[CERTAIN];
    static bool known = false;
    for (int q = 0, x = -2047; q < CERTAIN && !known; q++) {
        while (x < 2047 && squash(x) < q)
            x++;
        of[q] = x;
    }
    known = true;
    return of[p];
}

void coder_start(struct coder *c, const struct input *block)
{
    c->in = *block;
    c->low = 0;
    c->high = UINT32_MAX;
    c->at = 0;
    for (int i = 0; i < 4; i++)
        c->at = c->at << 8 | (left(&c->in) ? *get(&c->in, 1) : 0);
    for (size_t i = 0; i < CELLS; i++)
        c->cells[i] = (struct cell){1 << 21, 0};
    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < CONTEXTS; k++)
            c->weights[i][k] = 23000;
}

static unsigned get_bit(struct coder *c, unsigned p)
{
    uint32_t split = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p / CERTAIN);
    unsigned bit = c->at <= split;
    *(bit ? &c->high : &c->low) = bit ? split : split + 1;
    while (c->low >> 24 == c->high >> 24) {
        c->low <<= 8;
        c->high = c->high << 8 | 0xFF;
        c->at = c->at << 8 | (left(&c->in) ? *get(&c->in, 1) : 0);
    }
    return bit;
}

unsigned coder_predicted(struct coder *c, const uint32_t *contexts, uint32_t node, unsigned set)
{
    struct cell *cells[CONTEXTS];
    int s[CONTEXTS];
    int64_t sum = 0;
    for (size_t i = 0; i < CONTEXTS; i++) {
        uint32_t h = contexts[i] + node * 0x9E3779B1;
        h = (h ^ h >> 15) * 0x85EBCA77;
        cells[i] = &c->cells[h >> 16];
        s[i] = stretch((int)(cells[i]->p >> 10));
        sum += c->weights[set][i] * s[i];
    }
    int p = squash(down(sum, 16));
    p = p < 1 ? 1 : p > CERTAIN - 1 ? CERTAIN - 1 : p;

    unsigned bit = get_bit(c, (unsigned)p);
    int64_t E = ((int64_t)CERTAIN * bit - p) * 80;
    for (size_t i = 0; i < CONTEXTS; i++) {
        struct cell *cell = cells[i];
        int64_t way = (int64_t)bit * ((1 << 22) - 1) - (int64_t)cell->p;
        cell->p = (uint32_t)((int64_t)cell->p + down(way * (131072 / (2 * (int64_t)cell->n + 3)), 16));
        cell->n += cell->n < 255;
        c->weights[set][i] += down(s[i] * E + 32768, 16);
    }
    return bit;
}

uint64_t coder_raw(struct coder *c, unsigned n)
{
    uint64_t x = 0;
    for (; n > 0; n--)
        x = x << 1 | get_bit(c, CERTAIN / 2);
    return x;
}

uint32_t coder_tree(struct coder *c, const uint32_t *contexts, uint32_t root, unsigned set, unsigned w)
{
    uint32_t node = root;
    for (unsigned i = w; i-- > 0;)
        node = 2 * node + coder_predicted(c, contexts, node, set + i);
    return node - (root << w);
}
