/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/causes/delay_windows.h"

static void add(struct delay_windows *w, uint64_t from, uint64_t to, uint64_t taken, uint64_t cost)
{
    const struct delay_window window = {from, to, taken, cost, true, 1};
    cr_assert(delay_windows_add(w, &window));
}

/* Two windows end at the same call, a third at a later one; one window is added late, and one lies
 * in between. */
Test(delay_windows, one_behind_the_other)
{
    struct delay_windows w = {0};
    add(&w, 10, 20, 9, 8);
    add(&w, 12, 20, 8, 5);
    add(&w, 15, 40, 5, 1);
    add(&w, 60, 70, 5, 5);
    add(&w, 10, 20, 3, 1);
    add(&w, 41, 50, 7, 0);
    const struct delay_window wanted[] = {
        {10, 20, 20, 14, true, 1}, {20, 40, 5, 1, true, 1}, {41, 50, 7, 0, true, 1}, {60, 70, 5, 5, true, 1}};
    cr_assert_eq(w.n, 4);
    for (size_t i = 0; i < w.n; i++) {
        cr_assert_eq(w.items[i].from, wanted[i].from);
        cr_assert_eq(w.items[i].to, wanted[i].to);
        cr_assert_eq(w.items[i].taken, wanted[i].taken);
        cr_assert_eq(w.items[i].cost, wanted[i].cost);
    }
    cr_assert_eq(w.items[0].waits, 3);
    cr_assert_eq(delay_window_usual(&w.items[0]), 2);
    cr_assert_eq(delay_window_usual(&w.items[3]), 0);
    cr_assert_eq(delay_window_left(&w.items[3]), 0);
    cr_assert_eq(delay_window_left(&w.items[2]), 1);
    array_free(&w);
}

/* Waiting for ranks that waited themselves counts only where no rank waits directly. */
Test(delay_windows, those_who_wait_directly)
{
    struct delay_windows w = {0};
    const struct delay_window further = {10, 20, 18, 6, false, 1}, more = {11, 20, 10, 2, false, 1},
                              direct = {12, 20, 13, 8, true, 1};
    cr_assert(delay_windows_add(&w, &further));
    cr_assert(delay_windows_add(&w, &more));
    cr_assert_eq(w.items[0].taken, 28);
    cr_assert(delay_windows_add(&w, &direct));
    cr_assert(delay_windows_add(&w, &more));
    cr_assert_eq(w.n, 1);
    cr_assert_eq(w.items[0].taken, 13);
    cr_assert_eq(w.items[0].cost, 8);
    array_free(&w);
}

/* Of very many windows, similar ones are merged; the others stay. */
Test(delay_windows, only_so_many)
{
    struct delay_windows w = {0};
    uint64_t taken = 0, cost = 0;
    bool found = false;
    for (uint64_t i = 0; i < 10 * DELAY_WINDOWS; i++)
        add(&w, i * 10, i * 10 + 9, i == 777 ? 100 : 10, i == 777 ? 99 : 1);
    cr_assert_leq(w.n, DELAY_WINDOWS);
    for (size_t i = 0; i < w.n; i++) {
        taken += w.items[i].taken;
        cost += w.items[i].cost;
        cr_assert(i == 0 || w.items[i - 1].to < w.items[i].from);
        found = found || (w.items[i].from == 7770 && w.items[i].to == 7779);
    }
    cr_assert(found);
    cr_assert_eq(taken, 10 * DELAY_WINDOWS * 10 + 90);
    cr_assert_eq(cost, 10 * DELAY_WINDOWS + 98);
    array_free(&w);
}
