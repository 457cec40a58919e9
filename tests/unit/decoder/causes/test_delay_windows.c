/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/causes/delay_windows.h"

static void add(struct delay_windows *w, uint64_t from, uint64_t to, uint64_t taken, uint64_t cost)
{
    const struct delay_window window = {
        from, to, (double)taken, (double)cost, .parts = 1, .waiting = (double)cost, .direct = true};
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
    const struct delay_window wanted[] = {{10, 20, .taken = 20, .cost = 14},
                                          {20, 40, .taken = 5, .cost = 1},
                                          {41, 50, .taken = 7},
                                          {60, 70, .taken = 5, .cost = 5}};
    cr_assert_eq(w.n, 4);
    for (size_t i = 0; i < w.n; i++) {
        cr_assert_eq(w.items[i].from, wanted[i].from);
        cr_assert_eq(w.items[i].to, wanted[i].to);
        cr_assert_eq(w.items[i].taken, wanted[i].taken);
        cr_assert_eq(w.items[i].cost, wanted[i].cost);
    }
    cr_assert_eq(w.items[0].parts, 3);
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
    const struct delay_window further = {10, 20, .taken = 18, .cost = 6},
                              more = {11, 20, .taken = 10, .cost = 2},
                              direct = {12, 20, .taken = 13, .cost = 8, .direct = true};
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

/* A lane that is late, too, waits for a moment only: it counts as much as it waits. */
Test(delay_windows, who_waits_long_counts)
{
    struct delay_windows w = {0};
    const uint64_t costs[] = {8, 8, 0, 1};
    for (size_t i = 0; i < 4; i++) {
        const struct delay_window window = delay_window_of(10, 26, 16, 1, costs[i], true);
        cr_assert(delay_windows_add(&w, &window));
    }
    cr_assert_eq(w.n, 1);
    cr_assert_float_eq(delay_window_left(&w.items[0]), 1 - 129.0 / 17 / 16, 1e-9);
    cr_assert_eq(delay_window_taken(&w.items[0]), 16);
    cr_assert_eq(delay_window_usual(&w.items[0]), 8);
    array_free(&w);
}

/* Of very many windows, similar ones are merged; the others stay. */
Test(delay_windows, only_so_many)
{
    struct delay_windows w = {0};
    double taken = 0, cost = 0;
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
