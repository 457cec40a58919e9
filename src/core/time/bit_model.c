/* SPDX-License-Identifier: BSD-3-Clause */
#include "bit_model.h"

#include "src/core/base/log.h"

#include <pthread.h>
#include <stdlib.h>

#define WEIGHT_AT_FIRST 23000 /* initial weight, in units of 1/65536 */

/* 4096 / (1 + e^(-x / 256)) for x = -2048, -1920, … 2048. */
static const uint16_t squashed[33] = {1,    2,    4,    6,    10,   17,   27,   45,   74,   120,  194,
                                      311,  488,  747,  1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785,
                                      3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095};

struct bit_model_tables bit_model_tables;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t squash(int32_t x)
{
    const uint32_t at = (uint32_t)(x + 2048), i = at >> 7, part = at & 127;
    return (squashed[i] * (128 - part) + squashed[i + 1] * part + 64) >> 7;
}

static void make_tables(void)
{
    struct bit_model_tables *t = &bit_model_tables;
    const int32_t most = BIT_MODEL_STRETCHED;
    uint32_t p = 0;
    for (int32_t x = -most; x <= most; x++) {
        const uint32_t to = squash(x);
        t->squash[x + most] = (uint16_t)(to < 1 ? 1 : to > BIT_P_ONE - 1 ? BIT_P_ONE - 1 : to);
        for (; p <= to && p < BIT_P_ONE; p++)
            t->stretch[p] = (int16_t)x;
    }
    for (; p < BIT_P_ONE; p++)
        t->stretch[p] = (int16_t)most;
    for (uint32_t n = 0; n <= BIT_MODEL_N_MOST; n++) {
        t->count[n].rate = 131072 / (2 * n + 3);
        t->count[n].next = n < BIT_MODEL_N_MOST ? n + 1 : n;
    }
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
        m->cells[i] = UINT32_C(1) << (BIT_MODEL_P_BITS - 1 + BIT_MODEL_N_BITS);
    for (size_t s = 0; s < BIT_MODEL_SETS; s++) {
        for (size_t i = 0; i < BIT_MODEL_INPUTS; i++)
            m->weights[s][i] = WEIGHT_AT_FIRST;
    }
}
