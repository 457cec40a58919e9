/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdint.h>

#include "src/core/base/gcd.h"

static uint64_t by_trial(uint64_t a, uint64_t b)
{
    uint64_t d = a < b ? a : b;
    while (a % d != 0 || b % d != 0)
        d--;
    return d;
}

Test(gcd, of_all_small_numbers)
{
    for (uint64_t a = 1; a < 40; a++) {
        for (uint64_t b = 1; b < 40; b++)
            cr_assert_eq(GCD(a, b), by_trial(a, b));
    }
}

Test(gcd, of_zero_it_is_the_other_one)
{
    const uint64_t zero = 0, seven = 7;
    cr_assert_eq(GCD(zero, seven), 7);
    cr_assert_eq(GCD(seven, zero), 7);
    cr_assert_eq(GCD(zero, zero), 0);
}

Test(gcd, of_numbers_of_all_bits)
{
    const uint64_t a = UINT64_MAX, b = UINT64_MAX / 3; /* 2^64 - 1 = 3 * 5 * 17 * 257 * 641 * 65537 * … */
    cr_assert_eq(GCD(a, b), b);
    cr_assert_eq(GCD(a, a - 1), 1);
    const uint32_t c = UINT32_C(1) << 31, d = UINT32_C(3) << 30;
    cr_assert_eq(GCD(c, d), UINT32_C(1) << 30);
}

Test(gcd, of_wide_and_of_negative_numbers)
{
    const __int128 a = (__int128)1 << 100, b = ((__int128)1 << 90) * -15;
    const __int128 divisor = GCD(a, b);
    cr_assert((divisor < 0 ? -divisor : divisor) == (__int128)1 << 90);
    cr_assert(GCD(a, (__int128)0) == a);
}
