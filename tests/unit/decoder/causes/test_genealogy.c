/* SPDX-License-Identifier: BSD-3-Clause */
/* Pasts that are held, branch, and are merged again: compared with sums that are kept completely
 * for each. */
#include <criterion/criterion.h>

#include "decoder/causes/genealogy.h"

#include <string.h>

static uint64_t sum_of(const struct genealogy *g, uint32_t piece, uint64_t key)
{
    struct past_profile p;
    uint64_t value = 0;
    cr_assert(genealogy_sum(g, piece, &p));
    for (size_t i = 0; i < p.n; i++) {
        cr_assert(i == 0 || p.items[i - 1].key < p.items[i].key);
        value += p.items[i].key == key ? p.items[i].value : 0;
    }
    array_free(&p);
    return value;
}

/* 1 <- 2 <- 3, and 4 after 2: when 4 and 2 are released, all is one piece. */
Test(genealogy, what_one_alone_goes_back_to_is_merged)
{
    struct genealogy g = {0};
    uint32_t a, b, c, d;
    cr_assert(genealogy_begin(&g, PIECE_NONE, &a) && genealogy_add(&g, a, 1, 10, 10));
    cr_assert(genealogy_begin(&g, a, &b) && genealogy_add(&g, b, 2, 20, 30));
    cr_assert(genealogy_begin(&g, b, &c) && genealogy_add(&g, c, 1, 5, 35));
    cr_assert(genealogy_begin(&g, b, &d) && genealogy_add(&g, d, 3, 7, 37));
    cr_assert(genealogy_release(&g, a));
    cr_assert_eq(g.used, 3);
    cr_assert(genealogy_release(&g, b));
    cr_assert_eq(g.used, 3); /* two pasts share it */
    cr_assert_eq(sum_of(&g, d, 1), 10);
    cr_assert_eq(sum_of(&g, d, 3), 7);
    cr_assert(genealogy_release(&g, d));
    cr_assert_eq(g.used, 1);
    cr_assert_eq(sum_of(&g, c, 1), 15);
    cr_assert_eq(sum_of(&g, c, 2), 20);
    cr_assert_eq(sum_of(&g, c, 3), 0);
    cr_assert(genealogy_release(&g, c));
    cr_assert_eq(g.used, 0);
    genealogy_free(&g);
}

enum { ENDS = 6, KEYS = 90, STEPS = 20000 };

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Pasts continue, or begin again at another one's end. */
Test(genealogy, as_if_each_kept_all_of_its_past)
{
    struct genealogy g = {0};
    uint32_t end[ENDS], seed = 7;
    static uint64_t whole[ENDS][KEYS];
    for (size_t i = 0; i < ENDS; i++)
        cr_assert(genealogy_begin(&g, PIECE_NONE, &end[i]));
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t to = next(&seed) % ENDS, from = next(&seed) % ENDS, key = next(&seed) % KEYS;
        cr_assert(genealogy_add(&g, end[to], key, step, step));
        whole[to][key] += step;
        if (from == to || next(&seed) % 3 > 0)
            continue;
        /* Both follow what was the newest piece. */
        const uint32_t common = end[from], left = end[to];
        cr_assert(genealogy_begin(&g, common, &end[from]));
        cr_assert(genealogy_begin(&g, common, &end[to]));
        cr_assert(genealogy_release(&g, common));
        cr_assert(genealogy_release(&g, left));
        memcpy(whole[to], whole[from], sizeof whole[to]);
        cr_assert_leq(g.used, 2 * ENDS);
    }
    for (size_t i = 0; i < ENDS; i++) {
        for (uint32_t key = 0; key < KEYS; key++)
            cr_assert_eq(sum_of(&g, end[i], key), whole[i][key]);
        cr_assert(genealogy_release(&g, end[i]));
    }
    cr_assert_eq(g.used, 0);
    genealogy_free(&g);
}
