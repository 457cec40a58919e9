/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/lane/site_sums.h"
#include "src/core/lane/lane.h"
#include "tests/unit/support/random.h"

#include <criterion/criterion.h>

#define OK(call) cr_assert_eq((call), REFRAIN_OK)

enum { ROUNDS = 300, MOST = 4, RANK = 2 };

/* Calls of one site, with n counts below `bound`, and displacements. */
struct calls {
    int64_t n;
    int64_t bound;
    int64_t factor;
    int64_t gap;        /* before the last displacement, in the last call */
    bool is_of_another; /* the arrays of the first call have one element less */
};

static void record_call(struct lane *l, const struct calls *c, int round, uint64_t *random)
{
    const int64_t n = c->n - (c->is_of_another && round == 0);
    int64_t slots[2 * MOST + 2] = {n};
    slots[n + 1] = n;
    for (int64_t i = 1; i <= n; i++) {
        slots[i] = random_below(random, (uint32_t)c->bound);
        slots[n + 1 + i] = i == 1 ? 0 : slots[n + i] + c->factor * slots[i - 1];
    }
    slots[2 * n + 1] += round == ROUNDS - 1 ? c->gap : 0;
    OK(lane_record(l, 0, slots, (uint32_t)(2 * n + 2), 1, 1));
}

/* The number of sums that are found. */
static size_t sums_of(struct calls calls)
{
    struct frame frame = {.offset = 16};
    const struct site site = {.n_frames = 1, .frames = &frame};
    struct lane *l = lane_create(LANE_THREAD, 0, false);
    struct trace t = {.first_rank = RANK, .n_ranks = 1};
    uint64_t random = random_seed(1);
    uint32_t index;
    OK(lane_add_site(l, &site, &index));
    for (int round = 0; round < ROUNDS; round++)
        record_call(l, &calls, round, &random);
    OK(lane_store(l, RANK, &t));
    const struct group *g = &t.shapes.items[0].entries.items[0].groups.items[0];
    const size_t sums = g->sums.n;
    for (size_t i = 0; i < sums; i++) {
        cr_expect_eq(g->sums.items[i].distance, calls.n + 2);
        cr_expect_eq(rankfn_at(&g->sums.items[i].factor, 0, RANK), calls.factor);
    }
    trace_free(&t);
    lane_free(l);
    return sums;
}

Test(site_sums, displacements_are_sums_of_counts)
{
    cr_expect_eq(sums_of((struct calls){.n = 4, .bound = 1000, .factor = 1}), 3);
    cr_expect_eq(sums_of((struct calls){.n = 3, .bound = 1000, .factor = 8}), 2);
    cr_expect_eq(sums_of((struct calls){.n = 4, .bound = 1000, .factor = -4}), 3);
    cr_expect_eq(sums_of((struct calls){.n = 2, .bound = 1000, .factor = 8}), 1);
}

Test(site_sums, one_call_without_them_is_enough)
{
    cr_expect_eq(sums_of((struct calls){.n = 4, .bound = 1000, .factor = 1, .gap = 1}), 0);
    cr_expect_eq(sums_of((struct calls){.n = 4, .bound = 1000, .factor = 1, .is_of_another = true}), 0);
}

/* The second of two displacements in elements equals the first count, and shares its column. */
Test(site_sums, what_is_a_count_needs_no_sum)
{
    cr_expect_eq(sums_of((struct calls){.n = 2, .bound = 1000, .factor = 1}), 0);
}

/* Counts are the same in each call, so there are no columns. */
Test(site_sums, rows_without_columns_have_none)
{
    cr_expect_eq(sums_of((struct calls){.n = 4, .bound = 1, .factor = 1}), 0);
}
