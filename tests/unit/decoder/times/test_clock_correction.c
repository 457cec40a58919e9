/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/times/clock_correction.h"

Test(clock_correction, nothing_changes_without_any)
{
    struct clock_correction s = {0};
    cr_assert_eq(clock_correction_time(&s, 0), 0);
    cr_assert_eq(clock_correction_time(&s, UINT64_MAX), UINT64_MAX);
    cr_assert(clock_correction_raise(&s, 100, 100));
    cr_assert(clock_correction_raise(&s, 100, 50));
    cr_assert_eq(s.items.n, 0);
}

Test(clock_correction, one_is_made_up_for_with_time)
{
    struct clock_correction s = {0};
    cr_assert(clock_correction_raise(&s, 1000, 1010));
    cr_assert_eq(clock_correction_time(&s, 999), 999);
    cr_assert_eq(clock_correction_time(&s, 1000), 1010);
    cr_assert_eq(clock_correction_time(&s, 1127), 1137);
    cr_assert_eq(clock_correction_time(&s, 1128), 1137);
    cr_assert_eq(clock_correction_time(&s, 1000 + 1280), 1000 + 1280);
    cr_assert_eq(clock_correction_time(&s, 1000 + 1279), 1000 + 1279 + 1);
    clock_correction_free(&s);
}

Test(clock_correction, what_is_late_enough_needs_no_other)
{
    struct clock_correction s = {0};
    cr_assert(clock_correction_raise(&s, 1000, 2000));
    cr_assert(clock_correction_raise(&s, 1500, 2000));
    cr_assert_eq(s.items.n, 1);
    cr_assert(clock_correction_raise(&s, 1500, 5000));
    cr_assert_eq(s.items.n, 2);
    cr_assert(clock_correction_raise(&s, 1500, 6000)); /* the same moment again */
    cr_assert_eq(s.items.n, 2);
    cr_assert_eq(clock_correction_time(&s, 1499), 2496);
    cr_assert_eq(clock_correction_time(&s, 1500), 6000);
    clock_correction_free(&s);
}

Test(clock_correction, a_larger_one_before_takes_in_others)
{
    struct clock_correction s = {0};
    cr_assert(clock_correction_raise(&s, 1000, 1050));
    cr_assert(clock_correction_raise(&s, 2000, 2020));
    cr_assert(clock_correction_raise(&s, 3000, 4000));
    cr_assert(clock_correction_raise(&s, 500, 600));
    cr_assert_eq(s.items.n, 2);
    cr_assert_eq(clock_correction_time(&s, 1000), 1000 + 100 - 500 / CLOCK_CORRECTION_RATE);
    cr_assert_eq(clock_correction_time(&s, 2000), 2000 + 100 - 1500 / CLOCK_CORRECTION_RATE);
    cr_assert_eq(clock_correction_time(&s, 3000), 4000);
    clock_correction_free(&s);
}

/* Raised in any order, all times are at least what was asked for. */
Test(clock_correction, times_ascend)
{
    enum { N = 300 };
    struct clock_correction s = {0};
    uint64_t x = 7, at[N], least[N];
    for (size_t i = 0; i < N; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        at[i] = (x >> 40) % 100000;
        least[i] = at[i] + (x >> 20) % 5000;
        cr_assert(clock_correction_raise(&s, at[i], least[i]));
    }
    for (size_t i = 0; i < N; i++)
        cr_assert_geq(clock_correction_time(&s, at[i]), least[i]);
    for (uint64_t t = 0; t < 120000; t++) {
        cr_assert_leq(clock_correction_time(&s, t), clock_correction_time(&s, t + 1));
        cr_assert_geq(clock_correction_time(&s, t), t);
    }
    clock_correction_free(&s);
}
