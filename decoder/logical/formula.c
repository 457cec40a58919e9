/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula.h"

#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"

#include <stdlib.h>
#include <string.h>

/* Each coefficient is computed from two points that differ in nothing else; one of them is among
 * the first BASES points. */
#define BASES 16

struct points {
    const struct logical *logical;
    const uint32_t *processes;
    const struct number *number;
    size_t n; /* processes times cells */
    struct formula *f;
};

/* ---- points ---------------------------------------------------------------------------------- */

static void point_at(const struct points *p, size_t i, int64_t *variables)
{
    const struct formula *f = p->f;
    const size_t place = i / p->number->cells;
    const uint32_t rank = logical_rank(p->logical, p->processes[place]);
    const unsigned n = f->n_variables - f->has_index;
    if (f->of_rank) {
        variables[0] = rank;
    } else {
        const uint32_t *at = compass_coordinates(p->logical->compass, rank);
        for (unsigned v = 0; v < n; v++)
            variables[v] = at[v];
    }
    if (f->has_index)
        variables[n] = (int64_t)(i % p->number->cells);
}

static bool differ_in_one(const struct points *p, const int64_t *a, const int64_t *b, unsigned *v)
{
    unsigned n = 0;
    for (unsigned k = 0; k < p->f->n_variables; k++) {
        if (a[k] != b[k]) {
            n++;
            *v = k;
        }
    }
    return n == 1;
}

static int64_t modulo(int64_t value, uint32_t modulus)
{
    return modulus == 0 ? value : (value % modulus + modulus) % modulus;
}

/* Returns the value of a digit, or the whole value. */
static int64_t wanted(const struct points *p, size_t i, const struct formula_term *t)
{
    const int64_t value = (int64_t)p->number->values[i];
    return t->modulus == 0 ? value : (value - p->f->constant) / t->factor % t->modulus;
}

static int64_t evaluate(const struct points *p, const struct formula_term *t, const int64_t *variables)
{
    uint64_t value = (uint64_t)t->constant;
    for (unsigned v = 0; v < p->f->n_variables; v++)
        value += (uint64_t)t->coefs[v] * (uint64_t)variables[v];
    return modulo((int64_t)value, t->modulus);
}

/* ---- one term -------------------------------------------------------------------------------- */

static void find_coefficients(const struct points *p, struct formula_term *t)
{
    bool known[FORMULA_VARIABLES] = {false};
    int64_t a[FORMULA_VARIABLES], b[FORMULA_VARIABLES];
    unsigned left = p->f->n_variables, v;
    for (size_t i = 0; i < p->n && i < BASES && left > 0; i++) {
        point_at(p, i, a);
        for (size_t k = 0; k < p->n && left > 0; k++) {
            point_at(p, k, b);
            if (!differ_in_one(p, a, b, &v) || known[v] || (t->modulus > 0 && b[v] - a[v] != 1))
                continue;
            t->coefs[v] = (int64_t)((uint64_t)wanted(p, k, t) - (uint64_t)wanted(p, i, t)) / (b[v] - a[v]);
            if (t->modulus > 0)
                t->coefs[v] = modulo(t->coefs[v], t->modulus);
            if (t->modulus > 0 && 2 * t->coefs[v] > t->modulus)
                t->coefs[v] -= t->modulus;
            known[v] = true;
            left--;
        }
    }
}

static bool fit(const struct points *p, struct formula_term *t)
{
    int64_t variables[FORMULA_VARIABLES];
    find_coefficients(p, t);
    point_at(p, 0, variables);
    t->constant = modulo(wanted(p, 0, t) - evaluate(p, t, variables), t->modulus);
    for (size_t i = 0; i < p->n; i++) {
        point_at(p, i, variables);
        if (evaluate(p, t, variables) != wanted(p, i, t))
            return false;
    }
    return true;
}

/* Tries a formula of digits in a base. */
static bool fit_digits(const struct points *p, uint32_t base)
{
    struct formula *f = p->f;
    int64_t least = (int64_t)p->number->values[0], most = least, factor = 1;
    for (size_t i = 0; i < p->n; i++) {
        const int64_t value = (int64_t)p->number->values[i];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (least < 0 || most > INT64_MAX / base / base)
        return false;
    f->constant = least;
    f->n_terms = 0;
    for (; factor <= most - least; factor *= base) {
        if (f->n_terms == FORMULA_DIGITS)
            return false;
        struct formula_term *t = &f->terms[f->n_terms++];
        *t = (struct formula_term){.factor = factor, .modulus = base};
        if (!fit(p, t))
            return false;
    }
    return true;
}

static bool are_equal(const struct number *number, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (number->values[i] != number->values[0])
            return false;
    }
    return true;
}

/* Uses coordinates as variables if all of the ranks have them. */
static void choose_variables(const struct logical *l, const uint32_t *processes, uint32_t n,
                             struct formula *f)
{
    const struct candidate *lattice = l->compass->lattice;
    f->of_rank = !lattice || lattice->n_dims >= FORMULA_VARIABLES;
    for (uint32_t i = 0; i < n && !f->of_rank; i++)
        f->of_rank = !compass_coordinates(l->compass, logical_rank(l, processes[i]));
    f->n_variables = (f->of_rank ? 1 : lattice->n_dims) + f->has_index;
}

bool formula_find(const struct logical *l, const uint32_t *processes, uint32_t n_processes,
                  const struct number *number, struct formula *f)
{
    const struct points p = {l, processes, number, (size_t)n_processes * number->cells, f};
    *f = (struct formula){.has_index = number->cells > 1, .level = number->level, .n_terms = 1};
    if (are_equal(number, p.n)) {
        f->terms[0].factor = 1;
        f->terms[0].constant = (int64_t)number->values[0];
        return true;
    }
    choose_variables(l, processes, n_processes, f);
    f->terms[0].factor = 1;
    if (fit(&p, &f->terms[0]))
        return true;
    const struct candidate *lattice = f->of_rank ? NULL : l->compass->lattice;
    for (unsigned d = 0; lattice && d < lattice->n_dims; d++) {
        if (fit_digits(&p, lattice->sizes[d]))
            return true;
    }
    return !lattice && fit_digits(&p, l->compass->n_ranks > 1 ? l->compass->n_ranks : 2);
}

size_t formula_period(const struct logical *l)
{
    return l->compass->n_ranks > 2 ? l->compass->n_ranks : 2; /* no size of the lattice is larger */
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_factor(int64_t factor, bool first, struct bytes *out)
{
    const uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
    if (factor < 0)
        text_putc(out, '-');
    else if (!first)
        text_putc(out, '+');
    if (size != 1)
        text_printf(out, "%llu*", (unsigned long long)size);
}

/* Writes "2+x-3*y+i0"; `more`: further coefficients of the indices. Returns the number of terms. */
static unsigned put_sum(const struct formula *f, const struct formula_term *t, const uint64_t *more,
                        uint32_t depth, struct bytes *out)
{
    const unsigned n = f->n_variables - f->has_index;
    int64_t constant = t->constant;
    unsigned parts = 0;
    if (f->has_index)
        constant -= t->coefs[n];
    for (uint32_t d = 0; more && d < depth; d++)
        constant -= (int64_t)more[d];
    if (t->modulus > 0)
        constant = modulo(constant, t->modulus);
    const size_t before = out->n;
    if (constant != 0) {
        text_int(out, constant);
        parts++;
    }
    for (unsigned v = 0; v < n; v++) {
        if (t->coefs[v] == 0)
            continue;
        put_factor(t->coefs[v], parts++ == 0, out);
        if (f->of_rank)
            text_put(out, "rank");
        else
            candidate_put_axis(v, out);
    }
    for (uint32_t d = 0; d < depth; d++) {
        const int64_t coef =
            (more ? (int64_t)more[d] : 0) + (f->has_index && d == f->level ? t->coefs[n] : 0);
        if (coef != 0)
            loop_put_term(coef, d, parts++ == 0, out);
    }
    if (out->n == before) {
        text_putc(out, '0');
        parts = 1;
    }
    return parts;
}

/* Writes "3000+(x+i0)%4+4*((y-i0)%4)". */
static void put_digits(const struct formula *f, uint32_t depth, struct bytes *out)
{
    text_int(out, f->constant);
    for (unsigned i = 0; i < f->n_terms; i++) {
        const struct formula_term *t = &f->terms[i];
        text_putc(out, '+');
        if (t->factor != 1)
            text_printf(out, "%lld*(", (long long)t->factor);
        text_putc(out, '(');
        put_sum(f, t, NULL, depth, out);
        text_printf(out, ")%%%u%s", t->modulus, t->factor != 1 ? ")" : "");
    }
}

static bool is_number(const struct formula *f, const uint64_t *coefs, uint32_t depth)
{
    bool plain = f->terms[0].modulus == 0 || f->n_terms == 0;
    for (unsigned v = 0; v < f->n_variables; v++)
        plain = plain && f->terms[0].coefs[v] == 0;
    for (uint32_t d = 0; d < depth; d++)
        plain = plain && coefs[d] == 0;
    return plain;
}

static void put_more(const uint64_t *coefs, uint32_t depth, struct bytes *out)
{
    int64_t constant = 0;
    for (uint32_t d = 0; d < depth; d++) {
        if (coefs[d] == 0)
            continue;
        loop_put_term((int64_t)coefs[d], d, false, out);
        constant -= (int64_t)coefs[d];
    }
    if (constant != 0)
        text_printf(out, "%+lld", (long long)constant);
}

void formula_put(const struct formula *f, const uint64_t *coefs, uint32_t depth, bool brackets,
                 struct bytes *out)
{
    brackets = brackets && !is_number(f, coefs, depth);
    if (brackets)
        text_putc(out, '(');
    if (f->n_terms == 1 && f->terms[0].modulus == 0) {
        put_sum(f, &f->terms[0], coefs, depth, out);
    } else {
        put_digits(f, depth, out);
        put_more(coefs, depth, out);
    }
    if (brackets)
        text_putc(out, ')');
}
