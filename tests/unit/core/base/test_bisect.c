/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdint.h>

#include "src/core/base/bisect.h"

/* A condition that holds for the first `holds` indices and counts how often it is checked. */
struct threshold {
    uint64_t n, holds;
    unsigned looks;
};

static bool holds(struct threshold *t, uint64_t i)
{
    cr_assert_lt(i, t->n);
    t->looks++;
    return i < t->holds;
}

static unsigned log2_above(uint64_t n)
{
    unsigned bits = 0;
    for (; n > 0; n /= 2)
        bits++;
    return bits;
}

static void expect_found(uint64_t n, uint64_t where)
{
    struct threshold t = {.n = n, .holds = where};
    cr_assert_eq(BISECT(i, n, holds(&t, i)), where, "%llu of %llu", (unsigned long long)where,
                 (unsigned long long)n);
    cr_assert_leq(t.looks, log2_above(n));
}

Test(bisect, every_index_is_found_in_few_looks)
{
    for (uint64_t n = 0; n < 70; n++) {
        for (uint64_t where = 0; where <= n; where++)
            expect_found(n, where);
    }
}

Test(bisect, indices_can_be_as_large_as_their_type)
{
    const uint64_t many = UINT64_MAX;
    const uint64_t wheres[] = {0, 1, UINT64_C(1) << 32, UINT64_C(1) << 63, many - 1, many};
    for (size_t k = 0; k < sizeof wheres / sizeof wheres[0]; k++)
        expect_found(many, wheres[k]);
    const uint32_t n = UINT32_MAX, where = UINT32_MAX - 2;
    cr_assert_eq(BISECT(i, n, i < where), where);
    cr_assert_eq(sizeof BISECT(i, n, i < where), sizeof n);
}

Test(bisect, bounds_of_what_is_there_several_times)
{
    const uint32_t ranks[] = {0, 2, 2, 5, 7};
    const size_t n = sizeof ranks / sizeof ranks[0];
    static const size_t not_less[] = {0, 1, 1, 3, 3, 3, 4, 4, 5}, greater[] = {1, 1, 3, 3, 3, 4, 4, 5, 5},
                        last[] = {0, 0, 2, 2, 2, 3, 3, 4, 4};
    for (uint32_t x = 0; x < 9; x++) {
        cr_assert_eq(BISECT(i, n, ranks[i] < x), not_less[x]);
        cr_assert_eq(BISECT(i, n, ranks[i] <= x), greater[x]);
        cr_assert_eq(BISECT(i, n - 1, ranks[i + 1] <= x), last[x]);
    }
}

Test(bisect, the_number_is_looked_at_once)
{
    size_t n = 4;
    cr_assert_eq(BISECT(i, n++, i < 9), 4);
    cr_assert_eq(n, 5);
}
