/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials in the indices of nested loops, exact, with rational coefficients.
 *
 *     for i0 = 0 to 9  { a  for i1 = 0 to i0 { b } }         number of the event a:   3/2*i0 + 1/2*i0^2
 *
 *     terms, those of lower degree first       3/2 {1 0 …}     1/2 {2 0 …}           {powers, by loop}
 *
 * Counting what comes before something in a loop nest with affine bounds is adding up polynomials over an
 * index, which gives polynomials (J. Faulhaber 1631, by the numbers of J. Bernoulli 1713). A coefficient that
 * has no room, or a degree beyond POLYNOMIAL_DEGREE_MAX, makes a polynomial `inexact`: nothing may be read
 * off it then. A failed allocation sets `failed`. Both are passed on to what is made of it, so that a row of
 * operations needs one check at the end. */
#ifndef REFRAIN_POLYNOMIAL_H
#define REFRAIN_POLYNOMIAL_H

#include "decoder/model/system.h"
#include "src/core/base/bytes.h"

#define POLYNOMIAL_DEGREE_MAX 8 /* in one index, before it is summed up */

struct polynomial_term {
    __int128 numerator;  /* not 0, */
    int64_t denominator; /* > 0, in lowest terms */
    uint8_t powers[SYSTEM_DEPTH_MAX];
};

struct polynomial {
    ARRAY(struct polynomial_term) terms; /* each product of indices once */
    bool inexact, failed;
};

void polynomial_free(struct polynomial *p);

/* ---- p += … , where p is none of the others -------------------------------------------------- */

void polynomial_add(struct polynomial *p, const struct polynomial *q);
void polynomial_add_constant(struct polynomial *p, int64_t value);
/* The index of loop number `level`. */
void polynomial_add_index(struct polynomial *p, uint32_t level);
/* A number as constructs have it (system.h). */
void polynomial_add_affine(struct polynomial *p, const uint64_t *words, uint32_t depth);
/* The sum of q over the index of loop number `level` from 0 to n - 1. It holds where n >= 0. */
void polynomial_add_sum(struct polynomial *p, const struct polynomial *q, uint32_t level,
                        const struct polynomial *n);
/* q, with indices that count from 1. */
void polynomial_add_from_one(struct polynomial *p, const struct polynomial *q);

/* ---- what it says ---------------------------------------------------------------------------- */

/* Its value is a whole number for these indices, as of all that counts something. False if it is inexact, or
 * has no room. */
bool polynomial_value(const struct polynomial *p, const uint64_t *indices, int64_t *value);
/* The number as constructs have it, depth + 1 words, if it is one. */
bool polynomial_is_affine(const struct polynomial *p, uint32_t depth, uint64_t *words);
/* "3-1/2*i0+1/2*i0^2" */
void polynomial_put(const struct polynomial *p, struct bytes *out);
/* An expression of C of type int64_t, for indices i0, i1 … of that type, in which `wide` is __int128. False
 * if a number in it would have no room. */
bool polynomial_put_c(const struct polynomial *p, struct bytes *out);

#endif
