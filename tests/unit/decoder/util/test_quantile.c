/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimated quartiles beside exact ones. */
#include <criterion/criterion.h>

#include "decoder/util/quantile.h"
#include "tests/unit/support/random.h"

#include <stdlib.h>

enum { MOST = 5000 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

Test(quantile, few_values_are_exact)
{
    struct quantile q = {0};
    cr_expect_eq(quantile_lower(&q), 0);
    quantile_add(&q, 7);
    cr_expect_eq(quantile_lower(&q), 7);
    quantile_add(&q, 9);
    quantile_add(&q, 1);
    quantile_add(&q, 8); /* 1 7 8 9 */
    cr_expect_eq(quantile_lower(&q), 1);
}

/* A quarter of the values, within 2 % of them, is below the estimate. */
Test(quantile, of_many_values)
{
    static double values[MOST];
    for (unsigned kind = 0; kind < 4; kind++) {
        struct quantile q = {0};
        uint64_t state = random_seed(kind);
        for (unsigned i = 0; i < MOST; i++) {
            const double x = (double)random_below(&state, 100000) / 1000;
            values[i] = kind == 0   ? x
                        : kind == 1 ? x * x * x
                        : kind == 2 ? (double)i
                                    : 100 + (x < 10 ? 50 * x : x / 100); /* a tenth is disturbed */
            quantile_add(&q, values[i]);
        }
        qsort(values, MOST, sizeof *values, ascending);
        cr_expect(quantile_lower(&q) >= values[MOST / 4 - MOST / 50] &&
                      quantile_lower(&q) <= values[MOST / 4 + MOST / 50],
                  "kind %u: %f, not %f", kind, quantile_lower(&q), values[MOST / 4]);
    }
}

Test(quantile, of_equal_values)
{
    struct quantile q = {0};
    for (unsigned i = 0; i < 100; i++)
        quantile_add(&q, 3);
    cr_expect_eq(quantile_lower(&q), 3);
}
