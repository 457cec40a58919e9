/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/base/id_allocator.h"

static uint32_t take(struct id_allocator *p, uint64_t class, bool expect_new)
{
    uint32_t id;
    bool is_new;
    cr_assert_eq(id_allocator_acquire(p, class, &id, &is_new), REFRAIN_OK);
    cr_assert_eq(is_new, expect_new);
    return id;
}

Test(id_allocator, numbers_are_dense_over_classes_and_smallest_first_within_one)
{
    struct id_allocator p = {0};
    cr_assert_eq(take(&p, 7, true), 0);
    cr_assert_eq(take(&p, 9, true), 1);
    cr_assert_eq(take(&p, 7, true), 2);
    cr_assert(id_allocator_release(&p, 2));
    cr_assert(id_allocator_release(&p, 0));
    cr_assert_eq(take(&p, 7, false), 0);
    cr_assert_eq(take(&p, 9, true), 3);
    cr_assert_eq(take(&p, 7, false), 2);
    cr_assert_eq(take(&p, 7, true), 4);
    id_allocator_free(&p);
}

Test(id_allocator, what_is_not_in_use_cannot_be_given_back)
{
    struct id_allocator p = {0};
    cr_assert_not(id_allocator_release(&p, 0));
    cr_assert_eq(take(&p, 1, true), 0);
    cr_assert(id_allocator_release(&p, 0));
    cr_assert_not(id_allocator_release(&p, 0));
    cr_assert_not(id_allocator_release(&p, 5));
    cr_assert_eq(take(&p, 1, false), 0);
    cr_assert_eq(take(&p, 1, true), 1);
    id_allocator_free(&p);
}

/* Compared with a table that is searched from the start each time. */
Test(id_allocator, agrees_with_a_plain_search)
{
    enum { CLASSES = 5, STEPS = 20000, IDS = STEPS };
    struct id_allocator p = {0};
    static uint64_t class_of[IDS];
    static bool taken[IDS];
    uint32_t n = 0;
    srand(1);
    for (int step = 0; step < STEPS; step++) {
        if (rand() % 2 || n == 0) {
            uint64_t class = (uint64_t)(rand() % CLASSES) << 40;
            uint32_t expected = 0;
            while (expected < n && (taken[expected] || class_of[expected] != class))
                expected++;
            cr_assert_eq(take(&p, class, expected == n), expected);
            class_of[expected] = class;
            taken[expected] = true;
            n += expected == n;
        } else {
            uint32_t id = (uint32_t)rand() % n;
            cr_assert_eq(id_allocator_release(&p, id), taken[id]);
            taken[id] = false;
        }
    }
    id_allocator_free(&p);
}
