/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "decoder/topology/identify/identify.h"
#include "src/core/base/log.h"
#include "tests/unit/support/scratch_file.h"

#include <string.h>

static struct pattern_library library;

static void start(void)
{
    scratch_start();
    cr_redirect_stderr();
    cr_assert_eq(pattern_library_create(&library), REFRAIN_OK);
}

static void stop(void)
{
    pattern_library_free(&library);
    scratch_stop();
}

TestSuite(pattern, .init = start, .fini = stop);

static enum refrain_status read_text(const char *text)
{
    scratch_write(text);
    return pattern_library_read(&library, scratch_path);
}

/* User patterns come before the built-in ones, in the order of the file. */
Test(pattern, users_have_their_own)
{
    const size_t n = library.n;
    cr_assert_eq(
        read_text("# mine\n\n knight: lattice (1,2) (2,1) (1,-2) (2,-1) # a knight's moves\n"
                  "chords: torus lattice (1) ( 7 )\r\nternary: tree 3\nplane: square grid lattice (1,0)"),
        REFRAIN_OK);
    cr_assert_eq(library.n, n + 4);
    cr_expect_str_eq(library.items[0].name, "knight");
    cr_expect_eq(library.items[0].n_dims, 2);
    cr_expect_eq(library.items[0].n_offsets, 4);
    cr_expect_eq(library.items[0].offsets[2][1], -2);
    cr_expect(library.items[1].torus_only && library.items[1].n_dims == 1);
    cr_expect_eq(library.items[1].offsets[1][0], 7);
    cr_expect_eq(library.items[2].kind, PATTERN_RULE);
    cr_expect_eq(library.items[2].arity, 3);
    cr_expect(library.items[3].square && library.items[3].grid_only);
}

Test(pattern, what_is_none_is_refused)
{
    static const char *const lines[] = {
        "knight lattice (1,2)",     ": lattice",          "a: ",          "a: latice (1,0)",
        "a: lattice (1,0) (1,0,0)", "a: lattice (0,0)",   "a: lattice (", "a: lattice (1,200)",
        "a: lattice (1,2,3,4,5)",   "a: lattice (1,0) x", "a: tree 1",    "a: tree 99999999",
        "a: square lattice",        "a: star 3",          "a: treelike",  "a: complete-graph",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const unsigned errors = log_error_count();
        cr_expect_neq(read_text(lines[i]), REFRAIN_OK, "%s", lines[i]);
        cr_expect_eq(log_error_count(), errors + 1, "%s", lines[i]);
    }
    cr_expect_eq(pattern_library_read(&library, "/nowhere/at/all"), REFRAIN_ERR_IO);
}

static uint64_t count(uint32_t n, const char *name)
{
    struct candidates all = {0};
    uint64_t n_all, found = 0;
    cr_assert_eq(candidates_enumerate(&all, &library, n, 0, UINT64_MAX, &n_all), REFRAIN_OK);
    for (size_t i = 0; i < all.n; i++)
        found += strcmp(all.items[i].pattern->name, name) == 0;
    array_free(&all);
    return found;
}

/* Each choice of sizes and periods is enumerated once. */
Test(pattern, how_many_candidates_there_are)
{
    cr_expect_eq(count(7, "grid"), 2); /* a line, a ring */
    cr_expect_eq(count(6, "grid"), 4); /* and 3x2, with three open or not */
    cr_expect_eq(count(9, "grid"), 5); /* 3x3: none, one or both periodic */
    cr_expect_eq(count(9, "6-point stencil"), 3);
    cr_expect_eq(count(12, "6-point stencil"), 6); /* 6x2: two; 4x3: four */
    cr_expect_eq(count(12, "diagonal multi-partitioning"), 0);
    cr_expect_eq(count(16, "diagonal multi-partitioning"), 1);
    cr_expect_eq(count(16, "CG exchange"), 1);
    cr_expect_eq(count(16, "recursive doubling"), 0);
    cr_expect_eq(count(12, "recursive doubling"), 1);
    cr_expect_eq(count(12, "butterfly"), 1); /* three levels of four */
    cr_expect_eq(count(16, "complete bipartite graph"), 7);
}

/* Where an offset and its opposite reach the same node, or two offsets do, an edge counts once. */
Test(pattern, small_sizes)
{
    struct candidates all = {0};
    uint64_t n_all;
    cr_assert_eq(candidates_enumerate(&all, &library, 9, 0, UINT64_MAX, &n_all), REFRAIN_OK);
    for (size_t i = 0; i < all.n; i++) {
        struct graph g;
        const struct candidate *c = &all.items[i];
        cr_assert_eq(candidate_graph(c, &g), REFRAIN_OK);
        if (strcmp(c->pattern->name, "8-point stencil") == 0 && c->periodic == 3)
            cr_expect_eq(g.n_edges, 36, "3x3: each with each");
        for (uint32_t node = 0; node < g.n; node++)
            for (uint64_t k = g.first[node]; k < g.first[node + 1]; k++)
                cr_expect(g.near[k] != node && (k == g.first[node] || g.near[k - 1] < g.near[k]) &&
                          graph_has_edge(&g, g.near[k], node));
        graph_free(&g);
    }
    array_free(&all);
}
