/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads that share the work that some of them do. */
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
