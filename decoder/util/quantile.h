/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the lower quartile of many values in little memory: a quarter of the values is below it. Five markers
 * move so that the middle one stays at the quartile:
 *
 *     marker      0        1          2          3         4
 *     at          least    1/8        1/4        5/8       most of the values
 *
 * After Jain, Chlamtac: The P2 algorithm for dynamic calculation of quantiles and histograms without storing
 * observations (1985). Of up to four values the result is one of them. */
#ifndef REFRAIN_QUANTILE_H
#define REFRAIN_QUANTILE_H

#include <stdint.h>

enum { QUANTILE_MARKERS = 5 };

struct quantile {
    uint32_t n;                    /* number of values */
    uint32_t at[QUANTILE_MARKERS]; /* how many values are up to this marker */
    float value[QUANTILE_MARKERS]; /* ascending */
};

/* A zeroed struct has no values. */
void quantile_add(struct quantile *q, double value);
double quantile_lower(const struct quantile *q); /* 0 if there are no values */

#endif
