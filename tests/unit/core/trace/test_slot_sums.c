/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/trace/slot_sums.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "tests/unit/support/synthetic.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#define OK(call) cr_assert_eq((call), REFRAIN_OK)

enum { ROUNDS = 200, SUMS = 2 }; /* an array of three has two */

static struct trace merge(uint32_t ranks, enum synthetic_order order, bool finish)
{
    const struct synthetic_run run = synthetic_run_on("rounds", synthetic_rounds, ranks, ROUNDS, 1);
    struct trace t = {0};
    OK(synthetic_merge(&run, order, ranks, finish, &t));
    return t;
}

/* Encode and decode; t is used up. */
static struct trace transport(struct trace *t, unsigned flags)
{
    struct bytes image = {0};
    struct trace back = {0};
    OK(codec_encode(t, flags, &image));
    OK(codec_decode("rounds", image.data, image.n, &back, NULL));
    bytes_free(&image);
    trace_free(t);
    return back;
}

/* The number of groups of the site that have so many sums. */
static size_t groups_with(const struct trace *t, size_t site, size_t sums)
{
    size_t n = 0;
    for (size_t s = 0; s < t->shapes.n; s++) {
        const struct entry *e = &t->shapes.items[s].entries.items[site];
        for (size_t g = 0; g < e->groups.n; g++)
            n += e->groups.items[g].sums.n == sums;
    }
    return n;
}

/* Sums are found, merged, written and read, and expand to what was recorded. */
Test(slot_sums, rounds_expand_to_what_was_recorded)
{
    for (uint32_t ranks = 1; ranks <= 9; ranks++) {
        const struct synthetic_run run = synthetic_run_on("rounds", synthetic_rounds, ranks, ROUNDS, 1);
        for (int order = 0; order < SYNTHETIC_ORDERS; order++) {
            struct trace t = merge(ranks, (enum synthetic_order)order, false);
            t = transport(&t, 0);
            OK(merge_finish(&t));
            t = transport(&t, CODEC_FINAL);
            cr_assert_gt(groups_with(&t, 0, SUMS), 0);
            OK(slot_sums_expand(&t, UINT64_MAX));
            OK(trace_check(&t));
            cr_assert_eq(groups_with(&t, 0, SUMS), 0);
            cr_assert(synthetic_matches(&run, &t), "%u ranks, order %d", ranks, order);
            trace_free(&t);
        }
    }
}

Test(slot_sums, sums_are_those_of_the_calls)
{
    struct trace t = merge(6, SYNTHETIC_BINOMIAL, true);
    cr_expect_eq(groups_with(&t, 0, SUMS), 1);
    cr_expect_eq(groups_with(&t, 0, 0), 0);
    /* The factor is a function of the rank; where nothing is added, it is the factor of the sum
     * beside it. */
    cr_expect_eq(groups_with(&t, 1, SUMS), 1);
    const struct slot_sum *sum = t.shapes.items[0].entries.items[1].groups.items[0].sums.items;
    for (int64_t rank = 0; rank < 6; rank++) {
        cr_expect_eq(rankfn_at(&sum[0].factor, (uint64_t)rank, rank), rank % 2 ? 4 : 8);
        cr_expect_eq(rankfn_at(&sum[1].factor, (uint64_t)rank, rank), rank % 2 ? 4 : 8);
    }
    /* Ranks whose displacements are no sums, and ranks without columns, are groups of their own. */
    cr_expect_eq(groups_with(&t, 2, SUMS), 1);
    cr_expect_eq(groups_with(&t, 2, 0), 1);
    cr_expect_eq(groups_with(&t, 3, SUMS), 1);
    cr_expect_eq(groups_with(&t, 3, 0), 1);
    trace_free(&t);
}

/* The file has 200 rounds of the counts of three calls, of 10 bits each, and little else. */
Test(slot_sums, displacements_take_no_bytes)
{
    struct trace t = merge(4, SYNTHETIC_BINOMIAL, true);
    struct bytes image = {0};
    OK(codec_encode(&t, CODEC_FINAL, &image));
    const size_t counts = 4 * 4 * 3 * ROUNDS * 10 / 8;
    cr_expect_lt(image.n, counts + counts / 4, "%zu bytes, of which counts take %zu", image.n, counts);
    bytes_free(&image);
    trace_free(&t);
}

static struct row *row_of(struct trace *t, size_t site)
{
    return &t->shapes.items[0].entries.items[site].groups.items[0].rows.items[0];
}

/* Two sites have the same row, with a count that begins at 5: each site expands its own copy. */
Test(slot_sums, rows_that_share_their_slots)
{
    struct trace t = merge(1, SYNTHETIC_BINOMIAL, true);
    row_slot_own(row_of(&t, 2), 2)->constant = row_slot_own(row_of(&t, 3), 2)->constant = 5;
    t = transport(&t, CODEC_FINAL);
    const struct row *a = row_of(&t, 2), *b = row_of(&t, 3);
    cr_assert_eq(a->blocks[0], b->blocks[0]);
    OK(slot_sums_expand(&t, UINT64_MAX));
    for (uint32_t i = 0; i < 10; i++) {
        const int64_t expected = (const int64_t[]){8, 3, 5, 0, 0, 3, 0, 5, 5, 0}[i];
        cr_expect_eq(rankfn_at(row_slot(a, i), 0, 0), expected);
        cr_expect_eq(rankfn_at(row_slot(b, i), 0, 0), expected);
    }
    trace_free(&t);
}

static void quiet(void)
{
    cr_redirect_stderr();
}

Test(slot_sums, what_sums_make_is_bounded, .init = quiet)
{
    struct trace t = merge(2, SYNTHETIC_BINOMIAL, true);
    cr_expect_eq(slot_sums_expand(&t, 8 * ROUNDS), REFRAIN_ERR_FORMAT);
    trace_free(&t);
}

/* A change to the first sum of the trace, which the check has to refuse. */
static void expect_refused(void (*change)(struct group *g))
{
    struct trace t = merge(1, SYNTHETIC_BINOMIAL, true);
    change(&t.shapes.items[0].entries.items[0].groups.items[0]);
    cr_expect_eq(trace_check(&t), REFRAIN_ERR_CHECK);
    trace_free(&t);
}

static void near_itself(struct group *g)
{
    g->sums.items[0].distance = 1;
}

static void before_the_row(struct group *g)
{
    g->sums.items[0].distance = g->sums.items[0].slot + 1;
}

static void behind_the_row(struct group *g)
{
    g->sums.items[1].slot = g->rows.items[0].n_slots;
}

static void in_a_column(struct group *g)
{
    g->sums.items[0].slot = g->columns.items[g->columns.n - 1].slot;
}

static void descending(struct group *g)
{
    g->sums.items[1].slot = g->sums.items[0].slot;
}

static void of_more_ranks(struct group *g)
{
    g->sums.items[0].factor.forms = RANKFN_PLAIN;
}

Test(slot_sums, impossible_sums_are_refused, .init = quiet)
{
    expect_refused(near_itself);
    expect_refused(before_the_row);
    expect_refused(behind_the_row);
    expect_refused(in_a_column);
    expect_refused(descending);
    expect_refused(of_more_ranks);
}
