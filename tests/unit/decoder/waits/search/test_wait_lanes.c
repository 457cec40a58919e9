/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads that share the work that some of them do; since when calls wait. */
#include <criterion/criterion.h>

#include "decoder/waits/search/wait_lanes.h"

#include <string.h>

static void expect(const uint64_t values[6], const bool wanted[6])
{
    uint32_t first[] = {0, 2, 4, 6};
    const struct wait_lanes lanes = {.n_ranks = 3, .first = first, .n = 6};
    bool shares[6];
    size_t n = 0;
    for (size_t i = 0; i < 6; i++)
        n += wanted[i];
    cr_expect_eq(wait_lanes_sharing(&lanes, values, shares), n);
    cr_expect_eq(wait_lanes_sharing(&lanes, values, NULL), n);
    cr_expect(memcmp(shares, wanted, sizeof shares) == 0);
}

/* Three ranks of two threads. */
Test(wait_lanes, that_share)
{
    expect((uint64_t[]){5, 0, 7, 0, 0, 0}, (bool[]){1, 0, 1, 0, 1, 0}); /* first threads */
    expect((uint64_t[]){0, 5, 0, 7, 0, 6}, (bool[]){0, 1, 0, 1, 0, 1}); /* second threads */
    expect((uint64_t[]){5, 5, 0, 7, 0, 0}, (bool[]){1, 1, 1, 1, 1, 1});
    expect((uint64_t[]){0, 0, 0, 0, 0, 0}, (bool[]){0, 0, 0, 0, 0, 0});
}

/* A call around others, which ended at 80, waits from then on. */
Test(wait_lanes, an_outer_call_waits_after_its_inner_calls)
{
    const struct wait_lane lane = {.call = 7, .span = {.begin = 80, .leave = 100}};
    struct wait_shares shares;
    struct call_ref outer = {.call = 7, .timestamp = {10, 100}};
    cr_expect_eq(wait_lane_begin(&lane, &outer, false, &shares), 80);
    cr_expect_eq(shares.n, 0);
    outer.call = 5; /* an earlier call */
    cr_expect_eq(wait_lane_begin(&lane, &outer, false, &shares), 10);
}
