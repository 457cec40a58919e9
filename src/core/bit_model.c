#include "bit_model.h"

#include "log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    P_BITS = 22,     /* of a cell's probability */
    N_BITS = 10,     /* of its count, … */
    N_MOST = 255,    /* … which goes no further, so that what is old is forgotten */
    STRETCHED = 2047 /* the largest stretched probability: 256 is a factor of e between p and 1 - p */
};

#define WEIGHT_AT_FIRST 23000 /* of 65536 */
#define LEARNING        80
#define HASH_NODE       UINT32_C(0x9E3779B1)
#define HASH            UINT32_C(0x85EBCA77)

/* 4096 / (1 + e^(-x / 256)) for x = -2048, -1920, … 2048. */
static const uint16_t squashed[33] = {1,    2,    4,    6,    10,   17,   27,   45,   74,   120,  194,
                                      311,  488,  747,  1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785,
                                      3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095};

static int16_t stretched[BIT_P_ONE]; /* the other way round */
static uint32_t rates[N_MOST + 1];   /* 65536 / (n + 1.5) */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t squash(int32_t x)
{
    if (x > STRETCHED)
        x = STRETCHED;
    if (x < -STRETCHED)
        x = -STRETCHED;
    const uint32_t at = (uint32_t)(x + 2048), i = at >> 7, part = at & 127;
    return (squashed[i] * (128 - part) + squashed[i + 1] * part + 64) >> 7;
}

static void make_tables(void)
{
    uint32_t p = 0;
    for (int32_t x = -STRETCHED; x <= STRETCHED; x++) {
        for (const uint32_t to = squash(x); p <= to && p < BIT_P_ONE; p++)
            stretched[p] = (int16_t)x;
    }
    for (; p < BIT_P_ONE; p++)
        stretched[p] = STRETCHED;
    for (uint32_t n = 0; n <= N_MOST; n++)
        rates[n] = 131072 / (2 * n + 3);
}

struct bit_model *bit_model_create(void)
{
    struct bit_model *m = malloc(sizeof *m);
    pthread_once(&once, make_tables);
    if (m)
        bit_model_reset(m);
    else
        log_error("out of memory: a model of times");
    return m;
}

void bit_model_reset(struct bit_model *m)
{
    for (size_t i = 0; i < sizeof m->cells / sizeof m->cells[0]; i++)
        m->cells[i] = UINT32_C(1) << (P_BITS - 1 + N_BITS);
    for (size_t s = 0; s < BIT_MODEL_SETS; s++) {
        for (size_t i = 0; i < BIT_MODEL_INPUTS; i++)
            m->weights[s][i] = WEIGHT_AT_FIRST;
    }
}

uint32_t bit_model_predict(struct bit_model *m, const uint32_t context[BIT_MODEL_INPUTS], uint32_t node,
                           unsigned set)
{
    int64_t sum = 0;
    m->weight = m->weights[set];
    for (size_t i = 0; i < BIT_MODEL_INPUTS; i++) {
        uint32_t hash = context[i] + node * HASH_NODE;
        hash = (hash ^ hash >> 15) * HASH;
        m->cell[i] = &m->cells[hash >> (32 - BIT_MODEL_CELL_BITS)];
        m->stretched[i] = stretched[*m->cell[i] >> (32 - BIT_P_BITS)];
        sum += (int64_t)m->weight[i] * m->stretched[i];
    }
    sum >>= 16;
    m->p = squash(sum > STRETCHED ? STRETCHED : sum < -STRETCHED ? -STRETCHED : (int32_t)sum);
    m->p = m->p < 1 ? 1 : m->p > BIT_P_ONE - 1 ? BIT_P_ONE - 1 : m->p;
    return m->p;
}

void bit_model_learn(struct bit_model *m, unsigned bit)
{
    const int32_t error = ((int32_t)(bit << BIT_P_BITS) - (int32_t)m->p) * LEARNING;
    for (size_t i = 0; i < BIT_MODEL_INPUTS; i++) {
        const uint32_t cell = *m->cell[i], n = cell & ((1u << N_BITS) - 1);
        const int64_t p = cell >> N_BITS, to = bit ? (1 << P_BITS) - 1 : 0;
        const int64_t next = p + ((to - p) * rates[n] >> 16);
        *m->cell[i] = (uint32_t)next << N_BITS | (n < N_MOST ? n + 1 : n);
        m->weight[i] += (m->stretched[i] * error + (1 << 15)) >> 16;
    }
}
