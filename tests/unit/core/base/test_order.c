/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/base/order.h"

Test(order, numbers_of_32_bits)
{
    uint32_t items[] = {7, UINT32_MAX, 0, 7, UINT32_C(1) << 31, 1};
    static const uint32_t sorted[] = {0, 1, 7, 7, UINT32_C(1) << 31, UINT32_MAX};
    const size_t n = sizeof items / sizeof items[0];
    qsort(items, n, sizeof *items, order_u32);
    cr_assert_arr_eq(items, sorted, sizeof sorted);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(*(uint32_t *)bsearch(&sorted[i], items, n, sizeof *items, order_u32), sorted[i]);
    const uint32_t missing = 8;
    cr_assert_null(bsearch(&missing, items, n, sizeof *items, order_u32));
}

Test(order, numbers_of_64_bits)
{
    uint64_t items[] = {UINT64_C(1) << 32, UINT64_MAX, 0, UINT64_C(1) << 63, UINT32_MAX, 0};
    static const uint64_t sorted[] = {0, 0, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    qsort(items, sizeof items / sizeof items[0], sizeof *items, order_u64);
    cr_assert_arr_eq(items, sorted, sizeof sorted);
}

Test(order, structs_that_begin_with_a_number)
{
    struct numbered {
        uint32_t number;
        char name;
    } items[] = {{3, 'c'}, {1, 'a'}, {2, 'b'}};
    qsort(items, 3, sizeof *items, order_u32);
    for (unsigned i = 0; i < 3; i++)
        cr_assert_eq(items[i].name, (char)('a' + i));
}
