/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_share.h"

#include "src/settings/config.h"

#include <assert.h>

/* Minimum budget of logs in memory. It may exceed the share of the file, because the coded size is not
 * known in advance. */
#define LEAST (UINT64_C(16) << 10)

static int ranks = 1; /* as far as known */
static struct time_budget budget;
static bool has_budget;

uint64_t time_share_bytes(void)
{
    const uint64_t part =
        config.times_of_all == UINT64_MAX ? UINT64_MAX : config.times_of_all / (uint64_t)ranks;
    return part < config.times_of_rank ? part : config.times_of_rank;
}

static uint64_t budget_of(uint64_t bytes)
{
    return bytes > LEAST ? bytes : LEAST;
}

struct time_budget *time_share_budget(void)
{
    if (time_share_bytes() == UINT64_MAX)
        return NULL;
    if (!has_budget)
        atomic_store(&budget.left, budget_of(time_share_bytes()));
    has_budget = true;
    return &budget;
}

void time_share_ranks(int size)
{
    assert(size > 0);
    const uint64_t before = budget_of(time_share_bytes());
    ranks = size;
    const uint64_t now = budget_of(time_share_bytes()), less = before > now ? before - now : 0;
    uint64_t left = atomic_load(&budget.left);
    while (has_budget && !atomic_compare_exchange_weak(&budget.left, &left, left > less ? left - less : 0))
        ;
}
