/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/base/intervals.h"

/* Compared with an array that holds, for each address, the interval that contains it. */
Test(intervals, agree_with_a_plain_search)
{
    enum { ADDRESSES = 3000, STEPS = 40000, LONGEST = 40 };
    static uintptr_t start_of[ADDRESSES + 1]; /* 0: no interval contains it */
    struct intervals t = {0};
    size_t n = 0, most = 0;
    srand(4);
    for (int step = 0; step < STEPS; step++) {
        const uintptr_t start = 1 + (uintptr_t)(rand() % (ADDRESSES - LONGEST));
        const uintptr_t end = start + 1 + (uintptr_t)(rand() % (LONGEST - 1));
        uintptr_t first = start;
        while (first < end && !start_of[first])
            first++;
        const struct interval *found = intervals_first(&t, start, end);
        cr_assert_eq(found != NULL, first < end);
        if (found) {
            const uintptr_t is = found->start;
            cr_assert_eq(is, start_of[first]);
            cr_assert_eq(found->owner, 7 * is, "it kept what came with it");
            if (rand() % 3 == 0) {
                cr_assert(intervals_remove(&t, is));
                cr_assert_not(intervals_remove(&t, is));
                for (uintptr_t a = is; start_of[a] == is; a++)
                    start_of[a] = 0;
                n--;
            }
        } else {
            const struct interval new = {start, end, INTERVALS_NO_SYMBOL, 7 * start};
            cr_assert_eq(intervals_add(&t, new), REFRAIN_OK);
            for (uintptr_t a = start; a < end; a++)
                start_of[a] = start;
            n++;
        }
        cr_assert_eq(t.n, n);
        most = n > most ? n : most;
    }
    cr_assert_gt(most, 50);
    cr_assert_leq(t.nodes.n, most, "nodes are used again");
    intervals_free(&t);
}

Test(intervals, in_order_they_do_not_make_a_chain)
{
    enum { N = 1 << 17 };
    struct intervals t = {0};
    for (uintptr_t i = 0; i < N; i++)
        cr_assert_eq(intervals_add(&t, (struct interval){16 * i, 16 * i + 8, (uint32_t)i, 0}), REFRAIN_OK);
    for (uintptr_t i = 0; i < N; i++) {
        cr_assert_eq(intervals_first(&t, 16 * i + 7, 16 * i + 8)->symbol, i);
        cr_assert_null(intervals_first(&t, 16 * i + 8, 16 * i + 16));
    }
    intervals_free(&t);
}
