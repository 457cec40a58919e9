/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials in the indices of nested loops, exact, with rational coefficients.
 *
 *     for i0 = 0 to 9  { a  for i1 = 0 to i0 { b } }         number of the event a:   3/2*i0 + 1/2*i0^2
 *
 *     terms, those of lower degree first       3/2 {1 0 …}     1/2 {2 0 …}           {powers, by loop}
 *
 * In a loop nest with affine bounds, the number of events before a construct is a sum of polynomials over an
 * index, and such a sum is a polynomial, too (J. Faulhaber 1631, with the numbers of J. Bernoulli 1713). If a
 * coefficient overflows, or the degree exceeds POLYNOMIAL_DEGREE_MAX, the polynomial becomes `inexact`, and
 * its terms must not be used. A failed allocation sets `failed`. Results inherit both flags, so a series of
 * operations needs one check at the end. */
#ifndef REFRAIN_POLYNOMIAL_H
#define REFRAIN_POLYNOMIAL_H

#include "decoder/model/system.h"
#include "src/core/base/bytes.h"

#define POLYNOMIAL_DEGREE_MAX 8 /* limit for one index, before the sum over this index */

struct polynomial_term {
    __int128 numerator;  /* not 0, */
    int64_t denominator; /* > 0, in lowest terms */
    uint8_t powers[SYSTEM_DEPTH_MAX];
};

struct polynomial {
    ARRAY(struct polynomial_term) terms; /* without two terms of the same powers */
    bool inexact, failed;
};

void polynomial_free(struct polynomial *p);

/* ---- p += … , where p is none of the others -------------------------------------------------- */

void polynomial_add(struct polynomial *p, const struct polynomial *q);
void polynomial_add_constant(struct polynomial *p, int64_t value);
/* Adds the index of loop number `level`. */
void polynomial_add_index(struct polynomial *p, uint32_t level);
/* Adds an affine number of a construct (system.h). */
void polynomial_add_affine(struct polynomial *p, const uint64_t *words, uint32_t depth);
/* Adds the sum of q over the index of loop number `level` from 0 to n - 1. The result is valid for n >= 0. */
void polynomial_add_sum(struct polynomial *p, const struct polynomial *q, uint32_t level,
                        const struct polynomial *n);
/* Adds q, rewritten for indices that count from 1. */
void polynomial_add_from_one(struct polynomial *p, const struct polynomial *q);

/* ---- results --------------------------------------------------------------------------------- */

/* Computes the value at these indices. It must be a whole number there, as every count is. Returns false if p
 * is inexact or the value overflows. */
bool polynomial_value(const struct polynomial *p, const uint64_t *indices, int64_t *value);
/* If p is affine, writes it as a construct's number (depth + 1 words) and returns true. */
bool polynomial_is_affine(const struct polynomial *p, uint32_t depth, uint64_t *words);
/* "3-1/2*i0+1/2*i0^2" */
void polynomial_put(const struct polynomial *p, struct bytes *out);
/* Appends a C expression of type int64_t, for indices i0, i1 … of that type. It uses the type `wide` for
 * __int128. Returns false if a number in it would overflow. */
bool polynomial_put_c(const struct polynomial *p, struct bytes *out);

#endif
