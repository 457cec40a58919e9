/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "src/core/merge/merge.h"
#include "src/core/merge/merge_tree.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/synthetic.h"

static const struct {
    const char *name;
    void (*program)(struct synthetic_rank *r);
    uint32_t n_dims;
} programs[] = {
    {"2-D periodic", synthetic_grid_periodic, 2},
    {"2-D periodic, one line", synthetic_grid_periodic_loop, 2},
    {"2-D with nulls", synthetic_grid_null, 2},
    {"2-D with nulls, one line", synthetic_grid_null_loop, 2},
    {"2-D with if", synthetic_grid_if, 2},
    {"3-D with nulls, one line", synthetic_grid_null_loop, 3},
    {"2-D halo", synthetic_halo_periodic, 2},
    {"2-D halo with if", synthetic_halo_if, 2},
    {"ring", synthetic_ring, 1},
    {"xor", synthetic_xor, 1},
    {"master", synthetic_master, 1},
    {"irregular", synthetic_irregular, 1},
    {"partners", synthetic_partners, 1},
    {"wildcard", synthetic_wildcard, 1},
    {"vector", synthetic_vector, 1},
    {"arrays", synthetic_arrays, 1},
    {"exchange", synthetic_exchange, 1},
    {"bytes", synthetic_bytes, 1},
    {"pairs", synthetic_pairs, 1},
    {"orders", synthetic_orders, 1},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static struct trace merge(const struct synthetic_run *run, enum synthetic_order order, uint32_t seed,
                          bool finish)
{
    struct trace t;
    cr_assert_eq(synthetic_merge(run, order, seed, finish, &t), REFRAIN_OK);
    return t;
}

static void check(const struct synthetic_run *run, enum synthetic_order order)
{
    struct trace t = merge(run, order, run->ranks, false);
    cr_assert(synthetic_matches(run, &t), "%s on %u ranks, order %d", run->name, run->ranks, order);
    cr_assert_eq(merge_finish(&t), REFRAIN_OK);
    cr_assert(synthetic_matches(run, &t), "%s on %u ranks, order %d, finished", run->name, run->ranks, order);
    trace_free(&t);
}

Test(merge, every_program_expands_to_what_was_recorded)
{
    for (uint32_t ranks = 1; ranks <= 70; ranks += effort(1, 3) * (ranks < 10 ? 1 : ranks < 28 ? 3 : 7))
        for (size_t p = 0; p < PROGRAMS; p++) {
            struct synthetic_run run =
                synthetic_run_on(programs[p].name, programs[p].program, ranks, 12, programs[p].n_dims);
            for (int order = 0; order < SYNTHETIC_ORDERS; order++)
                check(&run, (enum synthetic_order)order);
        }
}

Test(merge, long_loops_expand_to_what_was_recorded)
{
    for (size_t p = 0; p < PROGRAMS; p++) {
        struct synthetic_run run =
            synthetic_run_on(programs[p].name, programs[p].program, 6, 700, programs[p].n_dims);
        check(&run, SYNTHETIC_BINOMIAL);
    }
}

static void expect_same_size(const struct synthetic_run *a, const struct synthetic_run *b)
{
    for (int order = 0; order < SYNTHETIC_ORDERS; order++) {
        struct trace s = merge(a, (enum synthetic_order)order, 1, true);
        struct trace t = merge(b, (enum synthetic_order)order, 2, true);
        struct synthetic_size x = synthetic_measure(&s), y = synthetic_measure(&t);
        cr_expect(x.shapes == y.shapes && x.groups == y.groups && x.rows == y.rows &&
                      x.columns == y.columns && x.items == y.items,
                  "%s, order %d: %ux%u has %zu shapes, %zu groups, %zu rows, %zu columns, %zu items; "
                  "%ux%u has %zu %zu %zu %zu %zu",
                  a->name, order, a->ranks, a->iterations, x.shapes, x.groups, x.rows, x.columns, x.items,
                  b->ranks, b->iterations, y.shapes, y.groups, y.rows, y.columns, y.items);
        trace_free(&s);
        trace_free(&t);
    }
}

static void expect_no_growth(const char *name, void (*program)(struct synthetic_rank *r), uint32_t n_dims,
                             const uint32_t *ranks)
{
    struct synthetic_run first = synthetic_run_on(name, program, ranks[0], 10, n_dims);
    for (int i = 1; ranks[i]; i++) {
        struct synthetic_run more = synthetic_run_on(name, program, ranks[i], 10, n_dims);
        expect_same_size(&first, &more);
    }
}

Test(merge, grids_do_not_grow_with_ranks)
{
    static const uint32_t square[] = {25, 64, 100, 0}, cube[] = {27, 64, 216, 0};
    expect_no_growth("2-D periodic", synthetic_grid_periodic, 2, square);
    expect_no_growth("2-D periodic, one line", synthetic_grid_periodic_loop, 2, square);
    expect_no_growth("2-D with nulls", synthetic_grid_null, 2, square);
    expect_no_growth("2-D with nulls, one line", synthetic_grid_null_loop, 2, square);
    expect_no_growth("2-D with if", synthetic_grid_if, 2, square);
    expect_no_growth("3-D periodic", synthetic_grid_periodic, 3, cube);
    expect_no_growth("3-D with nulls", synthetic_grid_null, 3, cube);
    expect_no_growth("3-D with nulls, one line", synthetic_grid_null_loop, 3, cube);
    expect_no_growth("3-D with if", synthetic_grid_if, 3, cube);
}

Test(merge, nothing_grows_with_iterations)
{
    for (size_t p = 0; p < PROGRAMS; p++) {
        if (programs[p].program == synthetic_irregular || programs[p].program == synthetic_wildcard ||
            programs[p].program == synthetic_orders || programs[p].program == synthetic_arrays)
            continue; /* random values are not compressed */
        struct synthetic_run few =
            synthetic_run_on(programs[p].name, programs[p].program, 9, 100, programs[p].n_dims);
        struct synthetic_run many = few;
        many.iterations = effort(10000, 1000);
        expect_same_size(&few, &many);
    }
}

Test(merge, shapes_are_those_of_the_program)
{
    static const struct {
        void (*program)(struct synthetic_rank *r);
        uint32_t ranks, n_dims;
        size_t shapes;
    } expected[] = {
        {synthetic_grid_periodic, 36, 2, 1},  {synthetic_grid_null, 36, 2, 1},
        {synthetic_grid_null_loop, 36, 2, 1}, {synthetic_grid_if, 36, 2, 9},
        {synthetic_grid_if, 64, 3, 27},       {synthetic_grid_null_loop, 64, 3, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct synthetic_run run =
            synthetic_run_on("shapes", expected[i].program, expected[i].ranks, 10, expected[i].n_dims);
        struct trace t = merge(&run, SYNTHETIC_BINOMIAL, 0, true);
        struct synthetic_size size = synthetic_measure(&t);
        /* one more shape: that of the definitions; a group for each site of each shape */
        cr_assert_eq(size.shapes, expected[i].shapes + 1, "case %zu: %zu shapes", i, size.shapes);
        size_t entries = 0;
        for (size_t s = 0; s < t.shapes.n; s++)
            entries += t.shapes.items[s].entries.n;
        cr_assert_eq(size.groups, entries, "case %zu: %zu groups of %zu entries", i, size.groups, entries);
        trace_free(&t);
    }
}

/* A border rank has constants where other ranks have counters: it gets a column too. */
Test(merge, a_group_is_given_the_columns_of_another)
{
    struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 16, 200, 1);
    struct trace t = merge(&run, SYNTHETIC_BINOMIAL, 0, true);
    struct synthetic_size size = synthetic_measure(&t);
    cr_assert_eq(size.shapes, 1);
    cr_assert_eq(size.groups, 2);
    cr_assert_eq(size.rows, 2);
    cr_assert_eq(size.columns, 2, "0 1 2 … and -1 -1 -1 …");
    for (size_t e = 0; e < 2; e++) {
        const struct group *g = &t.shapes.items[0].entries.items[e].groups.items[0];
        cr_assert_gt(g->columns.n, 0);
        for (size_t c = 0; c < g->columns.n; c++) {
            const struct rankfn *slot = row_slot(&g->rows.items[0], g->columns.items[c].slot);
            cr_assert_eq(slot->forms, RANKFN_CONSTANT);
            cr_assert_eq(slot->constant, 0, "a column's slot is 0 in the rows");
        }
    }
    cr_assert(synthetic_matches(&run, &t));
    trace_free(&t);
}

/* Three random orders keep a group each, because refining them would cost more; two regular ones
 * are refined to one. */
Test(merge, groups_are_found_again_among_many)
{
    struct synthetic_run run = synthetic_run_on("orders", synthetic_orders, 40, 400, 1);
    for (int order = 0; order < SYNTHETIC_ORDERS; order++)
        for (uint32_t seed = 1; seed < 5; seed++) {
            struct trace t = merge(&run, (enum synthetic_order)order, seed, true);
            struct synthetic_size size = synthetic_measure(&t);
            cr_assert_eq(size.shapes, 1);
            cr_assert_eq(size.groups, 4, "order %d: %zu groups", order, size.groups);
            cr_assert(synthetic_matches(&run, &t));
            trace_free(&t);
        }
}

/* xor partners of 2^9 ranks: nine rows, whose slots are functions of the rank. */
Test(merge, partners_stay_rows)
{
    struct synthetic_run run = synthetic_run_on("xor", synthetic_xor, 512, 5, 1);
    struct trace t = merge(&run, SYNTHETIC_BINOMIAL, 0, true);
    struct synthetic_size size = synthetic_measure(&t);
    cr_assert_eq(size.shapes, 1);
    cr_assert_eq(size.groups, 2);
    cr_assert_eq(size.rows, 18);
    cr_assert_eq(size.columns, 0);
    trace_free(&t);
}

Test(merge, settled_slots_are_offsets_where_they_are_ranks)
{
    struct synthetic_run run = synthetic_run_on("one rank", synthetic_ring, 2, 3, 1);
    struct trace t;
    cr_assert_eq(synthetic_trace(&run, 0, &t), REFRAIN_OK);
    cr_assert_eq(merge_finish(&t), REFRAIN_OK);
    /* On rank 0 of two: MPI_Recv(4, null, tag), MPI_Send(4, 1, tag) */
    const struct entry *entries = t.shapes.items[0].entries.items;
    const struct row *recv = &entries[0].groups.items[0].rows.items[0];
    const struct row *send = &entries[1].groups.items[0].rows.items[0];
    cr_assert_eq(row_slot(recv, 1)->forms, RANKFN_CONSTANT, "nobody is not a neighbour");
    cr_assert_eq(row_slot(send, 1)->forms, RANKFN_OFFSET);
    cr_assert_eq(row_slot(send, 1)->offset, 1);
    cr_assert_eq(row_slot(send, 0)->forms, RANKFN_CONSTANT, "a count is not a rank");
    trace_free(&t);
}

static struct series *one(int64_t value)
{
    struct series *s = series_create();
    cr_assert_eq(series_append(s, value), REFRAIN_OK);
    return s;
}

Test(merge, tables_are_united)
{
    struct synthetic_run run = synthetic_run_on("master", synthetic_master, 2, 3, 1);
    struct trace a, b;
    cr_assert_eq(synthetic_trace(&run, 0, &a), REFRAIN_OK);
    cr_assert_eq(synthetic_trace(&run, 1, &b), REFRAIN_OK);
    cr_assert_eq(trace_add_meta(&a, "command", "a"), REFRAIN_OK);
    cr_assert_eq(trace_add_meta(&b, "command", "b"), REFRAIN_OK);
    cr_assert_eq(trace_add_meta(&b, META_MODULE "- b", "/b"), REFRAIN_OK);
    cr_assert_eq(functable_add_constant(&a.functions, "ERROR", 0, "MPI_SUCCESS"), REFRAIN_OK);
    cr_assert_eq(functable_add_constant(&b.functions, "ERROR", 0, "MPI_SUCCESS"), REFRAIN_OK);
    cr_assert_eq(functable_add_constant(&b.functions, "ERROR", 1, "MPI_ERR_BUFFER"), REFRAIN_OK);
    /* a has MPI_Recv as function 0, b as function 1. */
    struct rank_time of_a = {0, one(0), one(100)}, of_b = {1, one(1), one(200)},
                     other = {0, one(1), one(300)};
    cr_assert(array_push(&a.rank_times, of_a));
    cr_assert(array_push(&b.rank_times, of_b));
    cr_assert(array_push(&b.rank_times, other));
    cr_assert_eq(merge_traces(&a, &b), REFRAIN_OK);
    cr_assert_eq(a.n_ranks, 2);
    cr_assert_str_eq(trace_meta(&a, "command"), "a");
    cr_assert_str_eq(trace_meta(&a, META_MODULE "- b"), "/b");
    cr_assert_eq(a.meta.n, 2);
    cr_assert_eq(a.functions.functions.n, 2);
    cr_assert_eq(a.functions.constants.n, 2);
    cr_assert_eq(a.modules.n, 2);
    cr_assert_eq(a.sites.n, 4);
    cr_assert_eq(a.rank_times.n, 2);
    cr_assert_eq(series_length(a.rank_times.items[0].ranks), 2);
    cr_assert_eq(series_at(a.rank_times.items[0].sums, 1), 200);
    cr_assert_eq(series_at(a.rank_times.items[1].sums, 0), 300);
    cr_assert_eq(b.shapes.n, 0, "used up");
    trace_free(&a);
    trace_free(&b);
}

Test(merge, ranks_must_follow_each_other)
{
    struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 4, 3, 1);
    struct trace a, b;
    cr_assert_eq(synthetic_trace(&run, 2, &a), REFRAIN_OK);
    cr_assert_eq(synthetic_trace(&run, 1, &b), REFRAIN_OK);
    cr_assert_eq(merge_traces(&a, &b), REFRAIN_ERR_USAGE);
    cr_assert_eq(b.shapes.n, 0, "used up");
    trace_free(&a);
}

Test(merge, a_tree_takes_one_after_the_other)
{
    for (uint32_t ranks = 1; ranks < 40; ranks += ranks < 18 ? 1 : 7) {
        struct synthetic_run run = synthetic_run_on("tree", synthetic_halo_if, ranks, 3, 2);
        struct merge_tree tree = {0};
        struct trace t;
        for (uint32_t rank = 0; rank < ranks; rank++) {
            cr_assert_eq(synthetic_trace(&run, rank, &t), REFRAIN_OK);
            cr_assert_eq(merge_tree_add(&tree, &t), REFRAIN_OK);
            cr_assert_eq(tree.held.n, (size_t)__builtin_popcount(rank + 1));
        }
        cr_assert_eq(merge_tree_finish(&tree, &t), REFRAIN_OK);
        cr_assert_eq(tree.held.n, 0);
        cr_assert(synthetic_matches(&run, &t));
        trace_free(&t);
    }
}

Test(merge, a_tree_refuses_what_comes_out_of_order)
{
    struct synthetic_run run = synthetic_run_on("tree", synthetic_ring, 4, 3, 1);
    struct merge_tree tree = {0};
    struct trace t;
    cr_assert_eq(synthetic_trace(&run, 2, &t), REFRAIN_OK);
    cr_assert_eq(merge_tree_add(&tree, &t), REFRAIN_OK);
    cr_assert_eq(synthetic_trace(&run, 1, &t), REFRAIN_OK);
    cr_assert_eq(merge_tree_add(&tree, &t), REFRAIN_ERR_USAGE);
    merge_tree_free(&tree);
}
