/* SPDX-License-Identifier: BSD-3-Clause */
#include "polynomial.h"

#include "decoder/util/text.h"
#include "src/core/base/gcd.h"

#include <assert.h>
#include <string.h>

typedef __int128 wide;

void polynomial_free(struct polynomial *p)
{
    array_free(&p->terms);
    *p = (struct polynomial){0};
}

/* ---- terms ----------------------------------------------------------------------------------- */

static wide absolute(wide v)
{
    return v < 0 ? -v : v;
}

static wide common_divisor(wide a, wide b)
{
    return absolute(GCD(a, b));
}

/* Sets a term to a fraction, which is reduced. Returns false on overflow. */
static bool term_set(struct polynomial_term *t, wide numerator, wide denominator)
{
    const wide divisor = common_divisor(denominator, numerator);
    t->numerator = numerator / divisor;
    t->denominator = (int64_t)(denominator / divisor);
    return denominator / divisor <= INT64_MAX;
}

/* t += u. Returns false on overflow. */
static bool term_add(struct polynomial_term *t, const struct polynomial_term *u)
{
    wide a, b, sum;
    return !__builtin_mul_overflow(t->numerator, (wide)u->denominator, &a) &&
           !__builtin_mul_overflow(u->numerator, (wide)t->denominator, &b) &&
           !__builtin_add_overflow(a, b, &sum) && term_set(t, sum, (wide)t->denominator * u->denominator);
}

static bool term_multiply(struct polynomial_term *t, const struct polynomial_term *u)
{
    /* Crosswise reduction first avoids overflows of the products. */
    const wide across = common_divisor(t->numerator, u->denominator),
               back = common_divisor(u->numerator, t->denominator);
    wide numerator;
    for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX; l++) {
        if (t->powers[l] + u->powers[l] > UINT8_MAX)
            return false;
        t->powers[l] = (uint8_t)(t->powers[l] + u->powers[l]);
    }
    return !__builtin_mul_overflow(t->numerator / across, u->numerator / back, &numerator) &&
           term_set(t, numerator, t->denominator / back * (u->denominator / across));
}

static unsigned degree(const struct polynomial_term *t)
{
    unsigned sum = 0;
    for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX; l++)
        sum += t->powers[l];
    return sum;
}

/* Orders by degree, then by more of the outer indices. */
static int term_compare(const struct polynomial_term *a, const struct polynomial_term *b)
{
    const unsigned x = degree(a), y = degree(b);
    return x != y ? (x < y ? -1 : 1) : memcmp(b->powers, a->powers, sizeof a->powers);
}

static void add_term(struct polynomial *p, const struct polynomial_term *t)
{
    size_t at = 0;
    int order = 1;
    if (t->numerator == 0)
        return;
    while (at < p->terms.n && (order = term_compare(&p->terms.items[at], t)) < 0)
        at++;
    if (at < p->terms.n && order == 0) {
        struct polynomial_term *here = &p->terms.items[at];
        p->inexact = p->inexact || !term_add(here, t);
        if (here->numerator == 0) {
            p->terms.n--;
            memmove(here, here + 1, (p->terms.n - at) * sizeof *here);
        }
    } else if (array_reserve(&p->terms, 1)) {
        struct polynomial_term *here = p->terms.items + at;
        memmove(here + 1, here, (p->terms.n - at) * sizeof *here);
        *here = *t;
        p->terms.n++;
    } else {
        p->failed = true;
    }
}

static void pass_on(struct polynomial *p, const struct polynomial *q)
{
    p->inexact = p->inexact || q->inexact;
    p->failed = p->failed || q->failed;
}

/* p += t * q */
static void add_multiple(struct polynomial *p, const struct polynomial_term *t, const struct polynomial *q)
{
    pass_on(p, q);
    for (size_t i = 0; i < q->terms.n && !p->inexact; i++) {
        struct polynomial_term product = q->terms.items[i];
        if (term_multiply(&product, t))
            add_term(p, &product);
        else
            p->inexact = true;
    }
}

static void add_product(struct polynomial *p, const struct polynomial *a, const struct polynomial *b)
{
    pass_on(p, a);
    for (size_t i = 0; i < a->terms.n; i++)
        add_multiple(p, &a->terms.items[i], b);
}

/* ---- sums ------------------------------------------------------------------------------------ */

void polynomial_add(struct polynomial *p, const struct polynomial *q)
{
    assert(p != q);
    pass_on(p, q);
    for (size_t i = 0; i < q->terms.n; i++)
        add_term(p, &q->terms.items[i]);
}

void polynomial_add_constant(struct polynomial *p, int64_t value)
{
    add_term(p, &(struct polynomial_term){.numerator = value, .denominator = 1});
}

static struct polynomial_term term_of_index(uint32_t level, int64_t factor)
{
    struct polynomial_term t = {.numerator = factor, .denominator = 1};
    t.powers[level] = 1;
    return t;
}

void polynomial_add_index(struct polynomial *p, uint32_t level)
{
    assert(level < SYSTEM_DEPTH_MAX);
    const struct polynomial_term t = term_of_index(level, 1);
    add_term(p, &t);
}

void polynomial_add_affine(struct polynomial *p, const uint64_t *words, uint32_t depth)
{
    assert(depth <= SYSTEM_DEPTH_MAX);
    polynomial_add_constant(p, (int64_t)words[0]);
    for (uint32_t d = 0; d < depth; d++) {
        const struct polynomial_term t = term_of_index(d, (int64_t)words[1 + d]);
        add_term(p, &t);
    }
}

/* Bernoulli numbers with B1 = -1/2, because sums end at n - 1. */
static const struct polynomial_term bernoulli[POLYNOMIAL_DEGREE_MAX + 1] = {
    {.numerator = 1, .denominator = 1},   {.numerator = -1, .denominator = 2},
    {.numerator = 1, .denominator = 6},   {.numerator = 0, .denominator = 1},
    {.numerator = -1, .denominator = 30}, {.numerator = 0, .denominator = 1},
    {.numerator = 1, .denominator = 42},  {.numerator = 0, .denominator = 1},
    {.numerator = -1, .denominator = 30},
};

/* p += t times the sum of i^k for i from 0 to n - 1, with powers[j] = n^j. The sum is
 *
 *     1 / (k + 1)  times the sum over j from 0 to k of  (k + 1 over j) B_j n^(k + 1 - j) */
static void add_power_sum(struct polynomial *p, const struct polynomial_term *t, unsigned k,
                          const struct polynomial *powers)
{
    int64_t choose = 1; /* k + 1 over j */
    for (unsigned j = 0; j <= k; j++) {
        struct polynomial_term factor = bernoulli[j];
        const struct polynomial_term share = {.numerator = choose, .denominator = k + 1};
        if (factor.numerator != 0 && term_multiply(&factor, &share) && term_multiply(&factor, t))
            add_multiple(p, &factor, &powers[k + 1 - j]);
        else if (factor.numerator != 0)
            p->inexact = true;
        choose = choose * (k + 1 - j) / (j + 1);
    }
}

void polynomial_add_sum(struct polynomial *p, const struct polynomial *q, uint32_t level,
                        const struct polynomial *n)
{
    assert(p != q && p != n && level < SYSTEM_DEPTH_MAX);
    struct polynomial powers[POLYNOMIAL_DEGREE_MAX + 2] = {0};
    unsigned highest = 0;
    pass_on(p, q);
    pass_on(p, n);
    for (size_t i = 0; i < q->terms.n; i++)
        highest = q->terms.items[i].powers[level] > highest ? q->terms.items[i].powers[level] : highest;
    if (highest > POLYNOMIAL_DEGREE_MAX)
        p->inexact = true;
    if (p->inexact)
        return;
    polynomial_add_constant(&powers[0], 1);
    for (unsigned j = 1; j <= highest + 1; j++)
        add_product(&powers[j], &powers[j - 1], n);
    for (size_t i = 0; i < q->terms.n; i++) {
        struct polynomial_term rest = q->terms.items[i];
        rest.powers[level] = 0;
        add_power_sum(p, &rest, q->terms.items[i].powers[level], powers);
    }
    for (unsigned j = 0; j <= highest + 1; j++) {
        pass_on(p, &powers[j]);
        polynomial_free(&powers[j]);
    }
}

/* ---- indices from one ------------------------------------------------------------------------ */

/* Multiplies p by an index minus 1. */
static void multiply_by_one_less(struct polynomial *p, uint32_t level)
{
    const struct polynomial_term index = term_of_index(level, 1), minus = {.numerator = -1, .denominator = 1};
    struct polynomial product = {0};
    add_multiple(&product, &index, p);
    add_multiple(&product, &minus, p);
    polynomial_free(p);
    *p = product;
}

void polynomial_add_from_one(struct polynomial *p, const struct polynomial *q)
{
    assert(p != q);
    pass_on(p, q);
    for (size_t i = 0; i < q->terms.n && !p->inexact; i++) {
        struct polynomial part = {0};
        struct polynomial_term constant = q->terms.items[i];
        memset(constant.powers, 0, sizeof constant.powers);
        add_term(&part, &constant);
        for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX; l++) {
            for (unsigned k = 0; k < q->terms.items[i].powers[l]; k++)
                multiply_by_one_less(&part, l);
        }
        polynomial_add(p, &part);
        polynomial_free(&part);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns the least common multiple of all denominators; 0 on overflow. */
static int64_t common_denominator(const struct polynomial *p)
{
    int64_t all = 1;
    for (size_t i = 0; i < p->terms.n && all > 0; i++) {
        const int64_t d = p->terms.items[i].denominator;
        if (__builtin_mul_overflow(all, d / (int64_t)common_divisor(d, all), &all))
            all = 0;
    }
    return all;
}

/* Finds a term's numerator over the common denominator. Returns false on overflow. */
static bool scaled_numerator(const struct polynomial_term *t, int64_t denominator, wide *out)
{
    return !__builtin_mul_overflow(t->numerator, (wide)(denominator / t->denominator), out);
}

static bool term_value(const struct polynomial_term *t, int64_t denominator, const uint64_t *indices,
                       wide *value)
{
    bool fits = scaled_numerator(t, denominator, value);
    for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX && fits; l++) {
        for (unsigned k = 0; k < t->powers[l] && fits; k++)
            fits = !__builtin_mul_overflow(*value, (wide)indices[l], value);
    }
    return fits;
}

bool polynomial_value(const struct polynomial *p, const uint64_t *indices, int64_t *value)
{
    const int64_t denominator = common_denominator(p);
    wide sum = 0, term;
    if (p->inexact || p->failed || denominator == 0)
        return false;
    for (size_t i = 0; i < p->terms.n; i++) {
        if (!term_value(&p->terms.items[i], denominator, indices, &term) ||
            __builtin_add_overflow(sum, term, &sum))
            return false;
    }
    sum /= denominator;
    *value = (int64_t)sum;
    return sum == *value;
}

bool polynomial_is_affine(const struct polynomial *p, uint32_t depth, uint64_t *words)
{
    assert(depth <= SYSTEM_DEPTH_MAX);
    for (uint32_t d = 0; d <= depth; d++)
        words[d] = 0;
    for (size_t i = 0; i < p->terms.n; i++) {
        const struct polynomial_term *t = &p->terms.items[i];
        const uint8_t *index = memchr(t->powers, 1, sizeof t->powers);
        const size_t word = index ? (size_t)(index - t->powers) + 1 : 0;
        if (t->denominator != 1 || t->numerator != (int64_t)t->numerator || degree(t) > 1 || word > depth)
            return false;
        words[word] = (uint64_t)(int64_t)t->numerator;
    }
    return !p->inexact && !p->failed;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Writes digit by digit: no printf format has room for a numerator. */
static void put_wide(wide v, struct bytes *out)
{
    char digits[40];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + (int)(absolute(v) % 10));
    while ((v /= 10) != 0);
    bytes_put(out, digits + n, sizeof digits - n);
}

/* Writes the absolute factor of a term, unless it is 1 and a power follows. */
static bool put_factor(const struct polynomial_term *t, struct bytes *out)
{
    const wide size = absolute(t->numerator);
    if (size == 1 && t->denominator == 1 && degree(t) > 0)
        return false;
    put_wide(size, out);
    if (t->denominator != 1) {
        text_putc(out, '/');
        text_int(out, t->denominator);
    }
    return true;
}

void polynomial_put(const struct polynomial *p, struct bytes *out)
{
    if (p->terms.n == 0)
        text_putc(out, '0');
    for (size_t i = 0; i < p->terms.n; i++) {
        const struct polynomial_term *t = &p->terms.items[i];
        if (t->numerator < 0 || i > 0)
            text_putc(out, t->numerator < 0 ? '-' : '+');
        bool times = put_factor(t, out);
        for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX; l++) {
            if (t->powers[l] == 0)
                continue;
            text_printf(out, times ? "*i%u" : "i%u", l);
            if (t->powers[l] > 1)
                text_printf(out, "^%u", t->powers[l]);
            times = true;
        }
    }
}

/* The sum has 128 bits: it may be larger than the quotient. */
bool polynomial_put_c(const struct polynomial *p, struct bytes *out)
{
    const int64_t denominator = common_denominator(p);
    if (denominator == 0)
        return false;
    text_put(out, "(int64_t)((");
    if (p->terms.n == 0)
        text_putc(out, '0');
    for (size_t i = 0; i < p->terms.n; i++) {
        const struct polynomial_term *t = &p->terms.items[i];
        wide numerator;
        if (!scaled_numerator(t, denominator, &numerator) || numerator != (int64_t)numerator ||
            numerator == INT64_MIN)
            return false;
        text_put(out, numerator < 0 ? (i > 0 ? " - " : "-") : i > 0 ? " + " : "");
        text_put(out, "(wide)");
        put_wide(numerator, out);
        for (uint32_t l = 0; l < SYSTEM_DEPTH_MAX; l++) {
            for (unsigned k = 0; k < t->powers[l]; k++)
                text_printf(out, " * i%u", l);
        }
    }
    text_putc(out, ')');
    if (denominator != 1)
        text_printf(out, " / %lld", (long long)denominator);
    text_putc(out, ')');
    return true;
}
