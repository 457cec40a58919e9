#include <criterion/criterion.h>

#include "decoder/trace/shifts.h"

Test(shifts, nothing_changes_without_any)
{
    struct shifts s = {0};
    cr_assert_eq(shifts_time(&s, 0), 0);
    cr_assert_eq(shifts_time(&s, UINT64_MAX), UINT64_MAX);
    cr_assert(shifts_raise(&s, 100, 100));
    cr_assert(shifts_raise(&s, 100, 50));
    cr_assert_eq(s.items.n, 0);
}

Test(shifts, one_is_made_up_for_with_time)
{
    struct shifts s = {0};
    cr_assert(shifts_raise(&s, 1000, 1010));
    cr_assert_eq(shifts_time(&s, 999), 999);
    cr_assert_eq(shifts_time(&s, 1000), 1010);
    cr_assert_eq(shifts_time(&s, 1127), 1137);
    cr_assert_eq(shifts_time(&s, 1128), 1137);
    cr_assert_eq(shifts_time(&s, 1000 + 1280), 1000 + 1280);
    cr_assert_eq(shifts_time(&s, 1000 + 1279), 1000 + 1279 + 1);
    shifts_free(&s);
}

Test(shifts, what_is_late_enough_needs_no_other)
{
    struct shifts s = {0};
    cr_assert(shifts_raise(&s, 1000, 2000));
    cr_assert(shifts_raise(&s, 1500, 2000));
    cr_assert_eq(s.items.n, 1);
    cr_assert(shifts_raise(&s, 1500, 5000));
    cr_assert_eq(s.items.n, 2);
    cr_assert(shifts_raise(&s, 1500, 6000)); /* the same moment again */
    cr_assert_eq(s.items.n, 2);
    cr_assert_eq(shifts_time(&s, 1499), 2496);
    cr_assert_eq(shifts_time(&s, 1500), 6000);
    shifts_free(&s);
}

Test(shifts, a_larger_one_before_takes_in_others)
{
    struct shifts s = {0};
    cr_assert(shifts_raise(&s, 1000, 1050));
    cr_assert(shifts_raise(&s, 2000, 2020));
    cr_assert(shifts_raise(&s, 3000, 4000));
    cr_assert(shifts_raise(&s, 500, 600));
    cr_assert_eq(s.items.n, 2);
    cr_assert_eq(shifts_time(&s, 1000), 1000 + 100 - 500 / SHIFTS_RATE);
    cr_assert_eq(shifts_time(&s, 2000), 2000 + 100 - 1500 / SHIFTS_RATE);
    cr_assert_eq(shifts_time(&s, 3000), 4000);
    shifts_free(&s);
}

/* Raised in any order, all that were asked for hold. */
Test(shifts, times_ascend)
{
    enum { N = 300 };
    struct shifts s = {0};
    uint64_t x = 7, at[N], least[N];
    for (size_t i = 0; i < N; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        at[i] = (x >> 40) % 100000;
        least[i] = at[i] + (x >> 20) % 5000;
        cr_assert(shifts_raise(&s, at[i], least[i]));
    }
    for (size_t i = 0; i < N; i++)
        cr_assert_geq(shifts_time(&s, at[i]), least[i]);
    for (uint64_t t = 0; t < 120000; t++) {
        cr_assert_leq(shifts_time(&s, t), shifts_time(&s, t + 1));
        cr_assert_geq(shifts_time(&s, t), t);
    }
    shifts_free(&s);
}
