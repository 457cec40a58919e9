/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials compared with sums that are added up. */
#include <criterion/criterion.h>

#include "decoder/scan/polynomial.h"
#include "tests/unit/support/random.h"

static int64_t value_of(const struct polynomial *p, const uint64_t *indices)
{
    int64_t value = 0;
    cr_assert(polynomial_value(p, indices, &value));
    return value;
}

static void is_text(const struct polynomial *p, const char *text)
{
    struct bytes out = {0};
    polynomial_put(p, &out);
    cr_assert(out.n == strlen(text) && memcmp(out.data, text, out.n) == 0, "%.*s instead of %s", (int)out.n,
              (char *)out.data, text);
    bytes_free(&out);
}

/* The sum of i^k, taken k times over, compared with adding up. */
Test(polynomial, sums_of_powers)
{
    struct polynomial n = {0}, q = {0};
    polynomial_add_index(&n, 1);
    polynomial_add_constant(&q, 1);
    for (unsigned k = 0; k <= POLYNOMIAL_DEGREE_MAX; k++) {
        struct polynomial sum = {0}, product = {0};
        int64_t added = 0;
        polynomial_add_sum(&sum, &q, 0, &n);
        for (uint64_t i = 0; i < 20; i++) {
            cr_assert_eq(value_of(&sum, (uint64_t[]){0, i}), added, "the sum of i^%u to %d", k, (int)i);
            added += value_of(&q, &i);
        }
        cr_assert(!sum.inexact && !sum.failed);
        /* i^(k + 1): its differences are sums of lower powers, so it is made term by term. */
        for (size_t i = 0; i < q.terms.n; i++) {
            struct polynomial_term t = q.terms.items[i];
            t.powers[0]++;
            cr_assert(array_push(&product.terms, t));
        }
        polynomial_free(&sum);
        polynomial_free(&q);
        q = product;
    }
    struct polynomial sum = {0};
    polynomial_add_sum(&sum, &q, 0, &n);
    cr_assert(sum.inexact, "of a higher degree");
    polynomial_free(&sum);
    polynomial_free(&q);
    polynomial_free(&n);
}

/* for i0 < 10 { for i1 < 3 + i0 { for i2 < 1 + i0 + 2 i1 { … } } }: how often, up to some indices */
Test(polynomial, a_nest)
{
    const uint64_t bounds[3][3] = {{10}, {3, 1}, {1, 1, 2}};
    struct polynomial one = {0}, inner = {0}, middle = {0}, outer = {0}, n = {0};
    polynomial_add_constant(&one, 1);
    polynomial_add_affine(&n, bounds[2], 2);
    polynomial_add_sum(&inner, &one, 2, &n);
    polynomial_free(&n);
    polynomial_add_affine(&n, bounds[1], 1);
    polynomial_add_sum(&middle, &inner, 1, &n);
    polynomial_free(&n);
    polynomial_add_index(&n, 0);
    polynomial_add_sum(&outer, &middle, 0, &n);
    uint64_t all = 0;
    for (uint64_t i = 0; i < 10; i++) {
        uint64_t here = 0;
        cr_assert_eq((uint64_t)value_of(&outer, &i), all);
        for (uint64_t j = 0; j < 3 + i; j++)
            here += 1 + i + 2 * j;
        cr_assert_eq((uint64_t)value_of(&middle, &i), here);
        all += here;
    }
    is_text(&inner, "1+i0+2*i1");
    polynomial_free(&one);
    polynomial_free(&inner);
    polynomial_free(&middle);
    polynomial_free(&outer);
    polynomial_free(&n);
}

Test(polynomial, text)
{
    struct polynomial p = {0}, one = {0}, n = {0}, shown = {0};
    is_text(&p, "0");
    polynomial_add_index(&n, 0);
    polynomial_add_sum(&p, &n, 0, &n); /* i (i - 1) / 2 */
    is_text(&p, "-1/2*i0+1/2*i0^2");
    polynomial_add_from_one(&shown, &p); /* (i - 1) (i - 2) / 2 */
    is_text(&shown, "1-3/2*i0+1/2*i0^2");
    for (uint64_t i = 0; i < 9; i++) {
        const uint64_t next = i + 1;
        cr_assert_eq(value_of(&p, &i), value_of(&shown, &next));
    }
    polynomial_add_constant(&one, 1);
    polynomial_add_constant(&one, -1);
    is_text(&one, "0");
    struct bytes c = {0};
    cr_assert(polynomial_put_c(&shown, &c));
    static const char text[] = "(int64_t)(((wide)2 - (wide)3 * i0 + (wide)1 * i0 * i0) / 2)";
    cr_assert(c.n == sizeof text - 1 && memcmp(c.data, text, c.n) == 0, "%.*s", (int)c.n, (char *)c.data);
    bytes_free(&c);
    polynomial_free(&p);
    polynomial_free(&one);
    polynomial_free(&n);
    polynomial_free(&shown);
}

/* A polynomial that does not fit is reported as such, and gives no wrong result. */
Test(polynomial, large_numbers)
{
    struct polynomial p = {0}, q = {0}, n = {0};
    int64_t value;
    polynomial_add_constant(&n, INT64_MAX);
    polynomial_add_index(&p, 0);
    for (int i = 0; i < 3 && !p.inexact; i++) {
        polynomial_add_sum(&q, &p, 0, &n);
        polynomial_add(&p, &q);
        polynomial_free(&q);
        for (size_t k = 0; k < p.terms.n; k++)
            p.terms.items[k].powers[0] = 3;
    }
    cr_assert(p.inexact);
    cr_assert_not(polynomial_value(&p, (uint64_t[]){1}, &value));
    polynomial_free(&p);
    polynomial_add_index(&p, 0);
    polynomial_add_constant(&p, INT64_MAX);
    cr_assert(polynomial_value(&p, (uint64_t[]){0}, &value));
    cr_assert_not(polynomial_value(&p, (uint64_t[]){1}, &value));
    polynomial_free(&p);
    polynomial_free(&n);
}
