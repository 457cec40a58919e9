/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "src/core/time/rank_clock.h"
#include "tests/unit/support/random.h"

static struct rank_clock clock_of(size_t n, const struct clock_point *points)
{
    struct rank_clock c = {.rank = 7};
    for (size_t i = 0; i < n; i++)
        cr_assert(array_push(&c.points, points[i]));
    return c;
}

Test(rank_clock, one_point_is_an_offset)
{
    struct rank_clock c = clock_of(1, (struct clock_point[]){{1000, -300, 5}});
    cr_assert_eq(rank_clock_global(&c, 1000), 700);
    cr_assert_eq(rank_clock_global(&c, 0), UINT64_MAX - 299);
    cr_assert_eq(rank_clock_global(&c, 5000), 4700);
    array_free(&c.points);
}

Test(rank_clock, lines_go_through_the_points_and_on)
{
    struct rank_clock c = clock_of(3, (struct clock_point[]){{1000, 50, 0}, {2000, 60, 0}, {4000, 40, 0}});
    static const uint64_t expected[][2] = {{0, 40},      {1000, 1050}, {1500, 1555}, {1999, 2058},
                                           {2000, 2060}, {3000, 3050}, {4000, 4040}, {6000, 6020}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert_eq(rank_clock_global(&c, expected[i][0]), expected[i][1], "at %llu",
                     (unsigned long long)expected[i][0]);
    array_free(&c.points);
}

Test(rank_clock, ascends)
{
    struct rank_clock c = clock_of(3, (struct clock_point[]){{1000, 0, 0}, {1100, -97, 0}, {1200, 500, 0}});
    for (uint64_t local = 900; local < 1300; local++)
        cr_assert_leq(rank_clock_global(&c, local), rank_clock_global(&c, local + 1));
    array_free(&c.points);
}

/* Steps that end too late would show here: the slopes change, and each line has times with equal and with
 * different steps. */
Test(rank_clock, steps_are_the_same)
{
    struct rank_clock clocks[] = {
        clock_of(1, (struct clock_point[]){{1000, -300, 5}}),
        clock_of(2, (struct clock_point[]){{1000, 50, 0}, {900000, 57, 0}}),
        clock_of(4, (struct clock_point[]){{1000, 50, 0}, {2000, 60, 0}, {4000, 40, 0}, {9000, 60, 0}})};
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        struct clock_step step = {0};
        for (uint64_t local = 0; local < 20000; local++)
            cr_assert_eq(rank_clock_global_near(&clocks[i], local, &step),
                         rank_clock_global(&clocks[i], local), "clock %zu at %llu", i,
                         (unsigned long long)local);
        for (unsigned k = 0; k < 20000; k++) {
            const uint64_t local = random_below(&state, k % 2 ? 10000 : 2000000);
            cr_assert_eq(rank_clock_global_near(&clocks[i], local, &step),
                         rank_clock_global(&clocks[i], local));
        }
        cr_assert_eq(rank_clock_global_near(&clocks[i], UINT64_MAX, &step),
                     rank_clock_global(&clocks[i], UINT64_MAX));
        array_free(&clocks[i].points);
    }
    struct clock_step step = {0};
    cr_assert_eq(rank_clock_global_near(NULL, 77, &step), 77);
}

Test(rank_clock, spans_of_years)
{
    const uint64_t far = UINT64_C(1) << 62;
    struct rank_clock c =
        clock_of(2, (struct clock_point[]){{0, INT64_MAX / 2, 0}, {far, -INT64_MAX / 2 + 1000, 0}});
    cr_assert_eq(rank_clock_global(&c, far), far - (uint64_t)(INT64_MAX / 2) + 1000);
    cr_assert_eq(rank_clock_global(&c, far / 2), far / 2 + 500);
    array_free(&c.points);
}

Test(rank_clock, found_by_rank)
{
    struct rank_clock list[] = {{.rank = 2}, {.rank = 3}, {.rank = 9}};
    const struct rank_clocks c = {.items = list, .n = 3};
    cr_assert_eq(rank_clocks_find(&c, 2), &list[0]);
    cr_assert_eq(rank_clocks_find(&c, 9), &list[2]);
    cr_assert_null(rank_clocks_find(&c, 4));
    cr_assert_null(rank_clocks_find(&c, 10));
    cr_assert_null(rank_clocks_find(&(struct rank_clocks){0}, 0));
}

/* Clocks that a damaged file may contain. */
Test(rank_clock, broken_ones_are_found)
{
    static const struct {
        uint32_t rank;
        size_t n;
        struct clock_point points[2];
    } broken[] = {
        {7, 0, {{0}}},
        {7, 2, {{10, 0, 0}, {10, 1, 0}}},
        {7, 2, {{10, 0, 0}, {9, 9, 0}}},
        {7, 2, {{10, 0, 0}, {20, -10, 0}}},
        {6, 1, {{10, 0, 0}}},
        {9, 1, {{10, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct rank_clock c = clock_of(broken[i].n, broken[i].points);
        c.rank = broken[i].rank;
        const struct rank_clocks all = {.items = &c, .n = 1};
        cr_assert_eq(rank_clocks_check(&all, 7, 2), REFRAIN_ERR_CHECK, "case %zu", i);
        array_free(&c.points);
    }
}
