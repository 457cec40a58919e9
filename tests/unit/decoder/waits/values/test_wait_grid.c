/* SPDX-License-Identifier: BSD-3-Clause */
/* The direction of other ranks on known grids, and the place of a call. */
#include <criterion/criterion.h>

#include "decoder/waits/values/wait_grid.h"

enum { RANKS = 12 };

/* Ranks from 100 on fill the grid, x fastest. */
static struct wait_grid grid_of(uint32_t x, uint32_t y, uint32_t periodic, uint32_t *at)
{
    const struct wait_grid g = {
        .n_dims = 2, .sizes = {x, y}, .periodic = periodic, .first_rank = 100, .n_ranks = x * y, .at = at};
    for (uint32_t i = 0; i < x * y; i++) {
        at[2 * i] = i % x;
        at[2 * i + 1] = i / x;
    }
    return g;
}

Test(wait_grid, sides)
{
    uint32_t at[2 * RANKS];
    const struct wait_grid g = grid_of(4, 3, 0, at);
    cr_assert_eq(wait_grid_side(&g, 105, 104), 0);
    cr_assert_eq(wait_grid_side(&g, 105, 106), 1);
    cr_assert_eq(wait_grid_side(&g, 105, 101), 2);
    cr_assert_eq(wait_grid_side(&g, 105, 109), 3);
    cr_assert_eq(wait_grid_side(&g, 105, 105), WAIT_GRID_NO_SIDE);
    cr_assert_eq(wait_grid_side(&g, 105, 100), WAIT_GRID_NO_SIDE); /* diagonal */
    cr_assert_eq(wait_grid_side(&g, 104, 106), WAIT_GRID_NO_SIDE); /* two away */
    cr_assert_eq(wait_grid_side(&g, 104, 107), WAIT_GRID_NO_SIDE); /* not periodic */
    cr_assert_eq(wait_grid_side(&g, 104, 99), WAIT_GRID_NO_SIDE);
    cr_assert_eq(wait_grid_side(&g, 104, 112), WAIT_GRID_NO_SIDE);
}

Test(wait_grid, across_the_border)
{
    uint32_t at[2 * RANKS], at_pair[2 * RANKS];
    const struct wait_grid g = grid_of(4, 3, 1, at), pair = grid_of(2, 3, 1, at_pair);
    cr_assert_eq(wait_grid_side(&g, 104, 107), 0);
    cr_assert_eq(wait_grid_side(&g, 107, 104), 1);
    cr_assert_eq(wait_grid_side(&g, 101, 109), WAIT_GRID_NO_SIDE); /* y is open */
    cr_assert_eq(wait_grid_side(&pair, 100, 101), 1);              /* a ring of two is a line */
}

Test(wait_grid, directions)
{
    uint32_t at[2 * RANKS];
    struct wait_grid g = grid_of(4, 3, 0, at);
    cr_assert_eq(wait_grid_directions(&g), 9 + 2);
    cr_assert_eq(wait_grid_direction(&g, 105, 105), 0);
    cr_assert_eq(wait_grid_direction(&g, 105, 104), 1);
    cr_assert_eq(wait_grid_direction(&g, 105, 106), 2);
    cr_assert_eq(wait_grid_direction(&g, 105, 101), 3);
    cr_assert_eq(wait_grid_direction(&g, 105, 110), 2 + 3 * 2);
    cr_assert_eq(wait_grid_direction(&g, 105, 107), 9); /* further away */
    at[0] = WAIT_GRID_NOWHERE;
    cr_assert_eq(wait_grid_direction(&g, 105, 100), 10);
    g.n_dims = 0;
    cr_assert_eq(wait_grid_directions(&g), 0);
}

Test(wait_grid, borders)
{
    uint32_t at[2 * RANKS];
    unsigned of;
    struct wait_grid g = grid_of(4, 3, 0, at);
    cr_assert_eq(wait_grid_borders(&g, 100, &of), 2);
    cr_assert_eq(of, 2);
    cr_assert_eq(wait_grid_borders(&g, 101, &of), 1);
    cr_assert_eq(wait_grid_borders(&g, 105, &of), 0);
    g.periodic = 2;
    cr_assert_eq(wait_grid_borders(&g, 100, &of), 1);
    cr_assert_eq(of, 1);
}
