/* SPDX-License-Identifier: BSD-3-Clause */
/* For each thread, the call after which most is computed. */
#include <criterion/criterion.h>

#include "decoder/causes/preceding.h"

Test(preceding, has_most_of_the_time)
{
    struct preceding p;
    cr_assert_eq(preceding_create(&p, 3, 2), REFRAIN_OK);
    cr_expect_eq(preceding_find(&p, 0, 2), PRECEDING_NONE);
    preceding_add(&p, 0, 2, PRECEDING_NONE, 50);
    cr_expect_eq(preceding_find(&p, 0, 2), PRECEDING_NONE);
    preceding_add(&p, 0, 2, 1, 100);
    preceding_add(&p, 0, 2, 0, 20);
    preceding_add(&p, 1, 2, 0, 20);
    preceding_add(&p, 0, 2, 1, 0);
    cr_expect_eq(preceding_find(&p, 0, 2), 1);
    cr_expect_eq(preceding_find(&p, 1, 2), 0);
    cr_expect_eq(preceding_find(&p, 1, 1), PRECEDING_NONE);
    preceding_free(&p);
}
