/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas, in coordinates, for numbers that differ by rank:
 *
 *     tag  x  y          3000 + x + 4*y                          affine, or
 *     3000 0  0          3000 + (x+i0)%4 + 4*((y-i0)%4)          affine digits, base: a size of the lattice
 *     3001 1  0
 *     3004 0  1          where there is no lattice, of the rank
 *
 * A formula is exact for all of its ranks. n % m is 0 … m - 1, also of a negative n. */
#ifndef REFRAIN_FORMULA_H
#define REFRAIN_FORMULA_H

#include "logical.h"

enum { FORMULA_VARIABLES = 8, FORMULA_DIGITS = 4 };

struct formula {
    unsigned
        n_variables; /* coordinates, or the rank; then the index of the loop that a number has cells of */
    bool of_rank;
    bool has_index;
    uint32_t level;
    int64_t constant;
    unsigned n_terms; /* an affine formula has one term, with modulus 0 */
    struct formula_term {
        int64_t factor;
        uint32_t modulus;
        int64_t constant;
        int64_t coefs[FORMULA_VARIABLES];
    } terms[FORMULA_DIGITS];
};

/* Finds a formula for the values of a number of a step. Returns false if there is none. */
bool formula_find(const struct logical *l, const uint32_t *processes, uint32_t n_processes,
                  const struct number *number, struct formula *out);
/* Returns a number of iterations. If a number has no formula in the first of so many, it has none in more:
 * digits repeat with their base, so the values of these are all values. */
size_t formula_period(const struct logical *l);
/* Appends the formula. `coefs` are the coefficients of the `depth` indices around; indices are shown counting
 * from 1. `brackets`: put brackets around more than a plain number. */
void formula_put(const struct formula *f, const uint64_t *coefs, uint32_t depth, bool brackets,
                 struct bytes *out);

#endif
