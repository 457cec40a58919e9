/* SPDX-License-Identifier: BSD-3-Clause */
/* A wave visits the processes place by place. Steps of processes with the same place come together.
 *
 *     x+y = 0 to 4         0 1 2
 *                          1 2 3
 *                          2 3 4 */
#ifndef REFRAIN_WAVE_H
#define REFRAIN_WAVE_H

#include "decoder/logical/logical.h"

enum { WAVE_DIMS = 4 };

struct wave {
    unsigned n_dims;      /* 0: the place is the rank */
    int coefs[WAVE_DIMS]; /* factors of the coordinates, each -1, 0 or 1; for the rank only the first */
    int64_t first, last;  /* first and last place that has ranks */
};

/* Makes wave number `number` of all possible waves, simple ones first. Returns false after the last. */
bool wave_take(const struct compass *c, unsigned number, struct wave *out);
int64_t wave_place(const struct wave *w, const struct compass *c, uint32_t rank);
/* "x+y = 0 to 4", "x = 3 to 0" */
void wave_put(const struct wave *w, struct bytes *out);

#endif
