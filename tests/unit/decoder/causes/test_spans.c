/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/causes/reasons/spans.h"

#include <stdlib.h>

Test(spans, the_heaviest_counts)
{
    const struct span given[] = {{0, 25, 1, 0},
                                 {4, 9, 3, 1},
                                 {14, 21, 2, 2},
                                 {40, 50, 1, 3},
                                 {7, 16, 0.5, 4}},
                      wanted[] = {{0, 4, 1, 0},   {4, 9, 3, 1},   {9, 14, 1, 0},
                                  {14, 21, 2, 2}, {21, 25, 1, 0}, {40, 50, 1, 3}};
    struct spans s = {0};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        cr_assert(array_push(&s, given[i]));
    cr_assert(spans_separate(&s));
    cr_assert_eq(s.n, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < s.n; i++) {
        cr_assert_eq(s.items[i].from, wanted[i].from);
        cr_assert_eq(s.items[i].to, wanted[i].to);
        cr_assert_eq(s.items[i].of, wanted[i].of);
    }
    array_free(&s);
}

/* Compares with looking at each moment. */
Test(spans, random)
{
    enum { END = 60, MOST = 12 };
    srand(1);
    for (int round = 0; round < 2000; round++) {
        struct span given[MOST];
        struct spans s = {0};
        const size_t n = (size_t)(rand() % MOST);
        for (size_t i = 0; i < n; i++) {
            const uint64_t from = (uint64_t)(rand() % (END - 1));
            given[i] =
                (struct span){from, from + 1 + (uint64_t)rand() % (END - from), (double)i * 1.5 + 1, i};
            cr_assert(array_push(&s, given[i]));
        }
        cr_assert(spans_separate(&s));
        size_t at = 0;
        for (uint64_t t = 0; t < 2 * END; t++) {
            size_t best = MOST;
            for (size_t i = 0; i < n; i++)
                best = given[i].from <= t && t < given[i].to ? i : best; /* they become heavier */
            while (at < s.n && s.items[at].to <= t)
                at++;
            const bool there = at < s.n && s.items[at].from <= t;
            cr_assert_eq(there, best < MOST);
            cr_assert(!there || s.items[at].of == best);
        }
        array_free(&s);
    }
}
