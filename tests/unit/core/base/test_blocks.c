/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/base/blocks.h"

static struct blocks blocks;

Test(blocks, members_are_found_from_inside)
{
    bool marked;
    const uintptr_t base = UINT64_C(0x7f1234500000);
    cr_assert_eq(blocks_find(&blocks, base, 1 << 16), 0);
    cr_assert(blocks_add(&blocks, base - 48));
    cr_assert_eq(blocks_find(&blocks, base + 100, 1 << 16), base - 48, "in the leaf before");
    cr_assert_eq(blocks_find(&blocks, base - 48, 0), base - 48);
    cr_assert_eq(blocks_find(&blocks, base - 33, 15), base - 48);
    cr_assert_eq(blocks_find(&blocks, base - 32, 15), 0, "out of reach");
    cr_assert_eq(blocks_find(&blocks, base - 49, 1 << 16), 0);
    cr_assert(blocks_mark(&blocks, base - 48));
    cr_assert_not(blocks_mark(&blocks, base - 48));
    cr_assert(blocks_remove(&blocks, base - 48, &marked));
    cr_assert(marked);
    cr_assert_not(blocks_remove(&blocks, base - 48, &marked));
    cr_assert_not(marked);
}

Test(blocks, what_cannot_be_a_member)
{
    bool marked;
    cr_assert_not(blocks_add(&blocks, 24));
    cr_assert_not(blocks_add(&blocks, UINT64_C(1) << 47));
    cr_assert_not(blocks_remove(&blocks, 24, &marked));
    cr_assert_not(blocks_remove(&blocks, UINT64_C(1) << 60, &marked));
    cr_assert_eq(blocks_find(&blocks, UINT64_C(1) << 60, 1 << 16), 0);
    cr_assert_eq(blocks_find(&blocks, 5, 1 << 16), 0);
}

/* Compared with an array of flags. */
Test(blocks, agree_with_a_plain_search)
{
    enum { GRANULES = 140000, STEPS = 60000, REACH = 1 << 16 };
    static bool member[GRANULES], mark[GRANULES];
    const uintptr_t base = UINT64_C(0x5555555ff000); /* across three leaves */
    srand(3);
    for (int step = 0; step < STEPS; step++) {
        const int g = rand() % GRANULES;
        const uintptr_t address = base + (uintptr_t)g * BLOCKS_GRANULE;
        const int action = rand() % 4;
        bool marked;
        if (action == 0) {
            cr_assert(blocks_add(&blocks, address));
            member[g] = true;
        } else if (action == 1) {
            cr_assert_eq(blocks_remove(&blocks, address, &marked), member[g]);
            cr_assert_eq(marked, mark[g]);
            member[g] = mark[g] = false;
        } else if (action == 2 && member[g]) {
            cr_assert_eq(blocks_mark(&blocks, address), !mark[g]);
            mark[g] = true;
        } else {
            const uintptr_t inside = address + (uintptr_t)(rand() % BLOCKS_GRANULE);
            int k = g;
            while (k >= 0 && !member[k] && inside - (base + (uintptr_t)k * BLOCKS_GRANULE) <= REACH)
                k--;
            const uintptr_t expected = k >= 0 ? base + (uintptr_t)k * BLOCKS_GRANULE : 0;
            cr_assert_eq(blocks_find(&blocks, inside, REACH),
                         expected && inside - expected <= REACH ? expected : 0);
        }
    }
}
