/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of lanes, compared with a list of all calls; and the memory that they take. */
#include <criterion/criterion.h>

#include "decoder/waits/values/wait_places.h"

#include <stdlib.h>

enum { CALLS = 20000, LANES = 2 };

static uint32_t roll(uint64_t *dice, uint32_t n)
{
    *dice = *dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*dice >> 33) % n;
}

/* Changes at random calls, some twice at one call, some to the same place. */
static void make_changes(struct wait_places *p, size_t lane, uint64_t *dice, uint32_t *place_of)
{
    uint32_t place = 0;
    cr_assert_eq(wait_places_add(p, lane, 0, 0), REFRAIN_OK);
    for (uint64_t call = 0; call < CALLS; call++) {
        for (uint32_t times = roll(dice, 8); times > 5; times--) {
            place = roll(dice, 300);
            cr_assert_eq(wait_places_add(p, lane, call, place), REFRAIN_OK);
        }
        place_of[call] = place;
        /* While changes are added, earlier calls are looked up, too. */
        const uint64_t asked = call - roll(dice, (uint32_t)call / 2 + 1);
        cr_assert_eq(wait_places_find(p, lane, asked), place_of[asked]);
    }
}

Test(wait_places, are_found)
{
    static uint32_t place_of[LANES][CALLS];
    struct wait_places p;
    uint64_t dice = 7;
    cr_assert_eq(wait_places_create(&p, LANES), REFRAIN_OK);
    for (size_t lane = 0; lane < LANES; lane++)
        make_changes(&p, lane, &dice, place_of[lane]);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (uint64_t call = 0; call < CALLS; call++)
            cr_assert_eq(wait_places_find(&p, lane, call), place_of[lane][call]);
        for (uint64_t call = CALLS; call-- > 0;)
            cr_assert_eq(wait_places_find(&p, lane, call), place_of[lane][call]);
        cr_assert_eq(wait_places_find(&p, lane, UINT64_MAX), place_of[lane][CALLS - 1]);
    }
    wait_places_free(&p);
}

Test(wait_places, changes)
{
    struct wait_places p;
    cr_assert_eq(wait_places_create(&p, 2), REFRAIN_OK);
    for (uint32_t i = 0; i < 2; i++)
        cr_assert_eq(wait_places_add(&p, i, 0, 7), REFRAIN_OK);
    wait_places_add(&p, 0, 3, 1);
    wait_places_add(&p, 0, 4, 1); /* no change */
    wait_places_add(&p, 0, 9, 2);
    wait_places_add(&p, 0, 9, 3); /* the last change at a call counts */
    cr_assert_eq(wait_places_find(&p, 0, 2), 7);
    cr_assert_eq(wait_places_find(&p, 0, 3), 1);
    cr_assert_eq(wait_places_find(&p, 0, 8), 1);
    cr_assert_eq(wait_places_find(&p, 0, 9), 3);
    cr_assert_eq(wait_places_find(&p, 0, UINT64_MAX), 3);
    cr_assert_eq(wait_places_find(&p, 1, 9), 7);
    wait_places_free(&p);
}

/* A loop through three places. */
Test(wait_places, take_some_bytes_a_change)
{
    struct wait_places p;
    cr_assert_eq(wait_places_create(&p, 1), REFRAIN_OK);
    for (uint64_t call = 0; call < 3 * CALLS; call++)
        cr_assert_eq(wait_places_add(&p, 0, 10 * call, (uint32_t)(call % 3)), REFRAIN_OK);
    const struct wait_lane_places *l = &p.lanes[0];
    cr_assert_lt(l->changes.n + l->marks.n * sizeof *l->marks.items, 3 * 3 * CALLS);
    cr_assert_eq(wait_places_find(&p, 0, 10 * CALLS - 1), (CALLS - 1) % 3);
    wait_places_free(&p);
}
