/* SPDX-License-Identifier: BSD-3-Clause */
/* For each thread, the call after which most is computed, or more than in other threads. */
#include <criterion/criterion.h>

#include "decoder/causes/preceding.h"

Test(preceding, has_most_of_the_time)
{
    struct preceding p;
    cr_assert_eq(preceding_create(&p, 3, 2), REFRAIN_OK);
    cr_expect_eq(preceding_find(&p, 0, 2), PRECEDING_NONE);
    preceding_add(&p, 0, 2, PRECEDING_NONE, 50, 0);
    cr_expect_eq(preceding_find(&p, 0, 2), PRECEDING_NONE);
    preceding_add(&p, 0, 2, 1, 100, 0);
    preceding_add(&p, 0, 2, 0, 20, 0);
    preceding_add(&p, 1, 2, 0, 20, 0);
    preceding_add(&p, 0, 2, 1, 0, 0);
    cr_expect_eq(preceding_find(&p, 0, 2), 1);
    cr_expect_eq(preceding_find(&p, 1, 2), 0);
    cr_expect_eq(preceding_find(&p, 1, 1), PRECEDING_NONE);
    preceding_free(&p);
}

/* All compute most after call 0, but thread 1 computes longer than others after call 1. */
Test(preceding, finds_where_a_thread_computes_longer)
{
    struct preceding p;
    cr_assert_eq(preceding_create(&p, 3, 3), REFRAIN_OK);
    for (uint32_t lane = 0; lane < 3; lane++) {
        preceding_add(&p, lane, 2, 0, 1000, 0);
        preceding_add(&p, lane, 2, 1, lane == 1 ? 500 : 100, 0);
    }
    cr_expect_eq(preceding_find(&p, 1, 2), 0);
    cr_expect_eq(preceding_find_longer(&p, 1, 2), 1);
    cr_expect_eq(preceding_find_longer(&p, 0, 2), 0);
    cr_expect_eq(preceding_find_longer(&p, 0, 1), PRECEDING_NONE);
    cr_expect(preceding_has(&p, 0, 2, 1));
    preceding_add(&p, 0, 2, 0, 10000, 0);
    cr_expect(!preceding_has(&p, 0, 2, 1));
    preceding_free(&p);
}

/* Others have no such pair of calls. */
Test(preceding, alone)
{
    struct preceding p;
    cr_assert_eq(preceding_create(&p, 3, 2), REFRAIN_OK);
    preceding_add(&p, 0, 2, 0, 1000, 0);
    preceding_add(&p, 1, 2, 0, 1000, 0);
    preceding_add(&p, 1, 2, 1, 300, 0);
    cr_expect_eq(preceding_find_longer(&p, 1, 2), 1);
    cr_expect_eq(preceding_find_longer(&p, 0, 2), 0);
    preceding_free(&p);
}

/* What is computed after one call, or after all of them, and how many times. */
Test(preceding, sums)
{
    struct preceding p;
    uint64_t times;
    cr_assert_eq(preceding_create(&p, 3, 2), REFRAIN_OK);
    cr_expect_eq(preceding_sum(&p, 0, 2, PRECEDING_ANY, &times), 0);
    cr_expect_eq(times, 0);
    preceding_add(&p, 0, 2, PRECEDING_NONE, 50, 0);
    preceding_add(&p, 0, 2, 0, 100, 0);
    preceding_add(&p, 0, 2, 0, 200, 0);
    preceding_add(&p, 1, 2, 0, 1000, 0);
    cr_expect_eq(preceding_sum(&p, 0, 2, 0, &times), 300);
    cr_expect_eq(times, 2);
    cr_expect_eq(preceding_sum(&p, 0, 2, 1, &times), 0);
    cr_expect_eq(times, 0);
    cr_expect_eq(preceding_sum(&p, 0, 2, PRECEDING_ANY, &times), 350);
    cr_expect_eq(times, 3);
    preceding_free(&p);
}

/* After more calls than there are lists, nothing is lost, and the rest is after no call in particular. */
Test(preceding, many_calls_before_one)
{
    enum { CALLS = 3 * PRECEDING_MOST };
    struct preceding p;
    uint64_t times;
    cr_assert_eq(preceding_create(&p, CALLS + 1, 1), REFRAIN_OK);
    for (uint32_t behind = 0; behind < CALLS; behind++)
        cr_assert_eq(preceding_add(&p, 0, CALLS, behind, 10, 0), REFRAIN_OK);
    cr_expect_eq(preceding_sum(&p, 0, CALLS, PRECEDING_ANY, &times), 10 * CALLS);
    cr_expect_eq(times, CALLS);
    cr_expect_eq(preceding_find(&p, 0, CALLS), PRECEDING_NONE);
    cr_assert_eq(preceding_add(&p, 0, CALLS, PRECEDING_MOST - 2, 30 * CALLS, 0), REFRAIN_OK);
    cr_expect_eq(preceding_find(&p, 0, CALLS), PRECEDING_MOST - 2);
    preceding_free(&p);
}
