/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/topology/identify/identify.h"
#include "decoder/topology/identify/numbering.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pattern_library library;

static void start(void)
{
    cr_assert_eq(pattern_library_create(&library), REFRAIN_OK);
}

static void stop(void)
{
    pattern_library_free(&library);
}

TestSuite(identify, .init = start, .fini = stop);

static const char *name_of(const struct candidate *c, char *name, size_t size)
{
    struct bytes text = {0};
    candidate_put_name(c, &text);
    snprintf(name, size, "%.*s", (int)text.n, (const char *)text.data);
    bytes_free(&text);
    return name;
}

/* Number the nodes of a graph in another way; `number` gets the new number of each node. */
static struct graph renumber(const struct graph *g, unsigned seed, uint32_t *number)
{
    uint64_t state = random_seed(seed);
    struct graph_edges edges = {0};
    struct graph h;
    for (uint32_t node = 0; node < g->n; node++)
        number[node] = node;
    for (uint32_t node = g->n - 1; node > 0; node--) {
        const uint32_t other = random_below(&state, node + 1), kept = number[node];
        number[node] = number[other];
        number[other] = kept;
    }
    for (uint32_t node = 0; node < g->n; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            cr_assert(array_push(&edges, ((struct graph_edge){number[node], number[g->near[i]]})));
    cr_assert_eq(graph_create(&h, g->n, &edges), REFRAIN_OK);
    array_free(&edges);
    return h;
}

/* Each node has its own place, and all edges are edges of the pattern there. The check does not
 * use the code's own answer. */
static void expect_proved(const struct topology *t, const struct graph *g)
{
    struct graph h;
    bool *taken = calloc(g->n, sizeof *taken);
    cr_assert(taken && t->found && t->exact);
    cr_assert_eq(candidate_graph(&t->best, &h), REFRAIN_OK);
    cr_assert_eq(h.n_edges, g->n_edges);
    for (uint32_t node = 0; node < g->n; node++) {
        cr_assert(t->image[node] < g->n && !taken[t->image[node]]);
        taken[t->image[node]] = true;
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
            bool there = false;
            for (uint64_t k = h.first[t->image[node]]; k < h.first[t->image[node] + 1]; k++)
                there = there || h.near[k] == t->image[g->near[i]];
            cr_assert(there);
        }
    }
    graph_free(&h);
    free(taken);
}

/* The same pattern with the same dimensions, in any order. */
static bool is_same(const struct candidate *c, const struct candidate *d)
{
    bool taken[LATTICE_DIMS] = {false};
    if (c->pattern != d->pattern || c->n_dims != d->n_dims || c->arity != d->arity)
        return false;
    for (unsigned i = 0; i < c->n_dims; i++) {
        unsigned k = 0;
        while (k < d->n_dims && (taken[k] || c->sizes[i] != d->sizes[k] ||
                                 candidate_is_periodic(c, i) != candidate_is_periodic(d, k)))
            k++;
        if (k == d->n_dims)
            return false;
        taken[k] = true;
    }
    return true;
}

static bool has_name(const struct topology *t, const struct candidate *wanted)
{
    bool found = is_same(&t->best, wanted);
    for (size_t i = 0; i < t->synonyms.n; i++)
        found = found || is_same(&t->synonyms.items[i], wanted);
    return found;
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* Every pattern of the library, at each size up to 40 and some more, in order and shuffled. */
Test(identify, each_pattern_whatever_its_numbers)
{
    static const uint32_t more[] = {48, 60, 64, 80, 81, 96, 100, 125, 128, 210, 256};
    unsigned n_graphs = 0;
    for (uint32_t i = 3; i < 40 + sizeof more / sizeof *more; i += effort(1, 3)) {
        const uint32_t n = i < 40 ? i : more[i - 40];
        struct candidates all = {0};
        uint32_t *number = malloc(n * sizeof *number);
        uint64_t n_all;
        cr_assert(number);
        cr_assert_eq(candidates_enumerate(&all, &library, n, 1, UINT64_MAX, &n_all), REFRAIN_OK);
        cr_assert_eq(n_all, all.n);
        for (size_t k = 0; k < all.n; k++) {
            struct graph g, shuffled;
            struct topology plain, t;
            char name[128];
            name_of(&all.items[k], name, sizeof name);
            cr_assert_eq(candidate_graph(&all.items[k], &g), REFRAIN_OK);
            shuffled = renumber(&g, (unsigned)(n * 1000 + k), number);
            cr_assert_eq(topology_identify(&plain, &g, &library), REFRAIN_OK);
            cr_assert(plain.in_order, "%s", name);
            cr_assert(has_name(&plain, &all.items[k]), "%s", name);
            expect_proved(&plain, &g);
            cr_assert_eq(topology_identify(&t, &shuffled, &library), REFRAIN_OK);
            cr_assert(t.found && t.exact, "%s", name);
            cr_assert(has_name(&t, &all.items[k]), "%s", name);
            expect_proved(&t, &shuffled);
            for (unsigned test = TEST_EDGES; test < TOPOLOGY_TESTS; test++)
                cr_assert(t.left[test] <= t.left[test - 1] && t.left[test] == plain.left[test], "%s", name);
            topology_free(&t);
            topology_free(&plain);
            graph_free(&g);
            graph_free(&shuffled);
            n_graphs++;
        }
        array_free(&all);
        free(number);
    }
    cr_assert_gt(n_graphs, effort(1000, 300));
}

/* A grid with dimensions in any order, and offsets in any direction, is numbered along its
 * dimensions. */
Test(identify, plain_numberings)
{
    static const struct {
        const char *name, *rule;
        uint32_t sizes[3], stride[3];
        int dx, dy; /* offset of a third neighbour */
    } cases[] = {
        {"5x4 grid", "rank = 5*y + x", {5, 4, 1}, {1, 5, 20}, 0, 0},
        {"4x5 grid", "rank = 4*y + x", {5, 4, 1}, {4, 1, 20}, 0, 0},
        {"3x7x2 grid", "rank = 21*z + 3*y + x", {3, 7, 2}, {1, 3, 21}, 0, 0},
        {"2x7x3 grid", "rank = 14*z + 2*y + x", {3, 7, 2}, {14, 2, 1}, 0, 0},
        {"6x5 6-point stencil grid", "rank = 6*y + x", {6, 5, 1}, {1, 6, 30}, 1, -1},
        {"6x5 6-point stencil grid", "rank = 6*y + x", {6, 5, 1}, {1, 6, 30}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t *size = cases[i].sizes, *stride = cases[i].stride;
        const uint32_t n = size[0] * size[1] * size[2];
        struct graph_edges edges = {0};
        struct graph g;
        struct topology t;
        struct bytes rule = {0};
        for (uint32_t z = 0; z < size[2]; z++)
            for (uint32_t y = 0; y < size[1]; y++)
                for (uint32_t x = 0; x < size[0]; x++) {
                    const uint32_t at = x * stride[0] + y * stride[1] + z * stride[2];
                    const uint32_t dx = x + (uint32_t)cases[i].dx, dy = y + (uint32_t)cases[i].dy;
                    cr_assert(x + 1 == size[0] ||
                              array_push(&edges, ((struct graph_edge){at, at + stride[0]})));
                    cr_assert(y + 1 == size[1] ||
                              array_push(&edges, ((struct graph_edge){at, at + stride[1]})));
                    cr_assert(z + 1 == size[2] ||
                              array_push(&edges, ((struct graph_edge){at, at + stride[2]})));
                    cr_assert(!cases[i].dx || dx >= size[0] || dy >= size[1] ||
                              array_push(&edges, ((struct graph_edge){at, dx * stride[0] + dy * stride[1]})));
                }
        cr_assert_eq(graph_create(&g, n, &edges), REFRAIN_OK);
        cr_assert_eq(topology_identify(&t, &g, &library), REFRAIN_OK);
        cr_assert(t.found && t.exact && t.in_order, "%s", cases[i].name);
        char name[128];
        cr_expect_str_eq(name_of(&t.best, name, sizeof name), cases[i].name);
        uint32_t ranks[64];
        for (uint32_t node = 0; node < n; node++)
            ranks[node] = node;
        cr_assert(numbering_put_rule(&t.best, t.image, ranks, n, &rule));
        bytes_put_u8(&rule, '\0');
        cr_expect_str_eq((const char *)rule.data, cases[i].rule);
        bytes_free(&rule);
        topology_free(&t);
        graph_free(&g);
        array_free(&edges);
    }
}

/* Ranks may be an affine function of the coordinates in any direction, or no such function. */
Test(identify, rules_of_numbers)
{
    const struct candidate c = {.pattern = &library.items[0], .n = 6, .n_dims = 2, .sizes = {3, 2}};
    static const struct {
        uint32_t ranks[6];
        const char *rule;
    } cases[] = {{{0, 1, 2, 3, 4, 5}, "rank = 3*y + x"},        {{0, 2, 4, 1, 3, 5}, "rank = 2*x + y"},
                 {{5, 4, 3, 2, 1, 0}, "rank = 5 - 3*y - x"},    {{3, 4, 5, 0, 1, 2}, "rank = 3 - 3*y + x"},
                 {{7, 9, 11, 8, 10, 12}, "rank = 2*x + y + 7"}, {{0, 1, 2, 3, 5, 4}, NULL}};
    static const uint32_t image[] = {0, 1, 2, 3, 4, 5};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bytes rule = {0};
        cr_expect_eq(numbering_put_rule(&c, image, cases[i].ranks, 6, &rule), cases[i].rule != NULL);
        bytes_put_u8(&rule, '\0');
        cr_expect_str_eq((const char *)rule.data, cases[i].rule ? cases[i].rule : "");
        bytes_free(&rule);
    }
}

/* Rank 0 is at the origin of a torus, and at a corner of a grid. */
Test(identify, where_it_begins)
{
    static const char *const names[] = {"10x10 torus", "10x10 grid", "5x5x4 torus"};
    for (unsigned i = 0; i < 3; i++) {
        struct candidates all = {0};
        uint32_t number[100];
        uint64_t n_all;
        cr_assert_eq(candidates_enumerate(&all, &library, 100, 0, UINT64_MAX, &n_all), REFRAIN_OK);
        for (size_t k = 0; k < all.n; k++) {
            struct graph g, shuffled;
            struct topology t;
            char name[128];
            uint32_t at[LATTICE_DIMS];
            if (strcmp(name_of(&all.items[k], name, sizeof name), names[i]) != 0)
                continue;
            cr_assert_eq(candidate_graph(&all.items[k], &g), REFRAIN_OK);
            shuffled = renumber(&g, 5, number);
            cr_assert_eq(topology_identify(&t, &shuffled, &library), REFRAIN_OK);
            cr_assert(t.exact && !t.in_order);
            candidate_coordinates(&t.best, t.image[0], at);
            for (unsigned d = 0; d < t.best.n_dims; d++)
                cr_expect(candidate_is_periodic(&t.best, d) ? at[d] == 0 : 2 * at[d] < t.best.sizes[d]);
            topology_free(&t);
            graph_free(&g);
            graph_free(&shuffled);
        }
        array_free(&all);
    }
}

/* ---- no pattern ------------------------------------------------------------------------------ */

static bool add_random_edge(struct graph_edges *edges, uint32_t n, uint64_t *state)
{
    return array_push(edges, ((struct graph_edge){random_below(state, n), random_below(state, n)}));
}

/* Random graphs with as many nodes and edges as grids are not recognized as topologies. */
Test(identify, random_graphs_are_no_topology)
{
    for (unsigned seed = 0; seed < 200; seed++) {
        uint64_t state = random_seed(seed);
        const uint32_t n = 12 + random_below(&state, 90), n_edges = n + random_below(&state, 3 * n);
        struct graph_edges edges = {0};
        struct graph g;
        struct topology t;
        for (uint32_t node = 1; node < n; node++) /* makes the graph connected */
            cr_assert(array_push(&edges, ((struct graph_edge){node, random_below(&state, node)})));
        while (edges.n < n_edges)
            cr_assert(add_random_edge(&edges, n, &state));
        cr_assert_eq(graph_create(&g, n, &edges), REFRAIN_OK);
        cr_assert_eq(topology_identify(&t, &g, &library), REFRAIN_OK);
        cr_assert(!t.found, "seed %u", seed);
        topology_free(&t);
        graph_free(&g);
        array_free(&edges);
    }
}

/* The edges of a graph without some, and with some more; `missing` and `extra` get these edges. */
static struct graph change(const struct graph *g, uint64_t *state, unsigned n_changes,
                           struct graph_edges *missing, struct graph_edges *extra)
{
    struct graph_edges edges = {0};
    struct graph h;
    for (unsigned i = 0; i < n_changes; i++) {
        struct graph_edge e;
        do {
            e.a = random_below(state, g->n);
            e.b = random_below(state, g->n);
        } while (e.a >= e.b || (i % 2 == 0 && !graph_has_edge(g, e.a, e.b)) ||
                 (i % 2 == 1 && graph_has_edge(g, e.a, e.b)));
        cr_assert(array_push(i % 2 == 0 ? missing : extra, e));
    }
    for (uint32_t node = 0; node < g->n; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++) {
            bool gone = node > g->near[i];
            for (size_t k = 0; k < missing->n; k++)
                gone = gone || (missing->items[k].a == node && missing->items[k].b == g->near[i]);
            cr_assert(gone || array_push(&edges, ((struct graph_edge){node, g->near[i]})));
        }
    for (size_t k = 0; k < extra->n; k++)
        cr_assert(array_push(&edges, extra->items[k]));
    cr_assert_eq(graph_create(&h, g->n, &edges), REFRAIN_OK);
    array_free(&edges);
    return h;
}

static void expect_edges(const struct graph_edges *found, const struct graph_edges *wanted)
{
    for (size_t i = 0; i < wanted->n; i++) {
        bool there = false;
        for (size_t k = 0; k < found->n; k++)
            there = there ||
                    (found->items[k].a == wanted->items[i].a && found->items[k].b == wanted->items[i].b) ||
                    (found->items[k].a == wanted->items[i].b && found->items[k].b == wanted->items[i].a);
        cr_assert(there, "edge %u-%u", wanted->items[i].a, wanted->items[i].b);
    }
}

/* One to five edges of a pattern are missing or added: the pattern is named, and so are the
 * edges. */
Test(identify, changed_edges_are_named)
{
    static const char *const names[] = {"8x8 torus", "9x7 grid", "8x8 6-point stencil torus", "hypercube 6",
                                        "4x4x4 26-point stencil grid"};
    unsigned n = 0;
    for (unsigned seed = 0; seed < 200; seed++) {
        uint64_t state = random_seed(seed), n_all;
        struct candidates all = {0};
        const char *wanted = names[seed % 5];
        cr_assert_eq(candidates_enumerate(&all, &library, seed % 5 == 1 ? 63 : 64, 0, UINT64_MAX, &n_all),
                     REFRAIN_OK);
        for (size_t k = 0; k < all.n; k++) {
            struct graph g, changed;
            struct graph_edges missing = {0}, extra = {0};
            struct topology t;
            char name[128];
            if (strcmp(name_of(&all.items[k], name, sizeof name), wanted) != 0)
                continue;
            cr_assert_eq(candidate_graph(&all.items[k], &g), REFRAIN_OK);
            changed = change(&g, &state, 1 + seed % 5, &missing, &extra);
            cr_assert_eq(topology_identify(&t, &changed, &library), REFRAIN_OK);
            cr_assert(t.found && !t.exact, "%s, seed %u", wanted, seed);
            cr_expect_str_eq(name_of(&t.best, name, sizeof name), wanted);
            cr_assert_eq(t.missing.n, missing.n);
            cr_assert_eq(t.extra.n, extra.n);
            expect_edges(&t.missing, &missing);
            expect_edges(&t.extra, &extra);
            topology_free(&t);
            array_free(&missing);
            array_free(&extra);
            graph_free(&g);
            graph_free(&changed);
            n++;
        }
        array_free(&all);
    }
    cr_assert_eq(n, 200);
}

/* The same with shuffled nodes. The best name may be a synonym of the wanted one, for the same
 * graph. */
Test(identify, changed_edges_of_shuffled_nodes)
{
    static const struct {
        const char *name;
        uint32_t n;
    } cases[] = {{"8x8 torus", 64},
                 {"9x7 grid", 63},
                 {"8x8 6-point stencil torus", 64},
                 {"hypercube 6", 64},
                 {"4x4x4 26-point stencil grid", 64},
                 {"10x6 torus", 60},
                 {"12x9 8-point stencil grid", 108},
                 {"12x5 grid, periodic in x", 60},
                 {"6x5x4 torus", 120},
                 {"6x4x3 grid", 72},
                 {"9x8 6-point stencil grid", 72},
                 {"6x5x5 26-point stencil torus", 150},
                 {"40x25 torus", 1000},
                 {"7x6x2 grid", 84}};
    enum { CASES = sizeof cases / sizeof *cases };
    unsigned n = 0, n_named = 0;
    for (unsigned seed = 0; seed < 210; seed++) {
        uint64_t state = random_seed(seed), n_all;
        struct candidates all = {0};
        const char *wanted = cases[seed % CASES].name;
        uint32_t *number = malloc(cases[seed % CASES].n * sizeof *number);
        cr_assert(number);
        cr_assert_eq(candidates_enumerate(&all, &library, cases[seed % CASES].n, 0, UINT64_MAX, &n_all),
                     REFRAIN_OK);
        for (size_t k = 0; k < all.n; k++) {
            struct graph g, changed, shuffled;
            struct graph_edges missing = {0}, extra = {0};
            struct topology t;
            char name[128];
            if (strcmp(name_of(&all.items[k], name, sizeof name), wanted) != 0)
                continue;
            cr_assert_eq(candidate_graph(&all.items[k], &g), REFRAIN_OK);
            changed = change(&g, &state, 1 + seed % 5, &missing, &extra);
            shuffled = renumber(&changed, seed, number);
            for (size_t i = 0; i < missing.n; i++)
                missing.items[i] =
                    (struct graph_edge){number[missing.items[i].a], number[missing.items[i].b]};
            for (size_t i = 0; i < extra.n; i++)
                extra.items[i] = (struct graph_edge){number[extra.items[i].a], number[extra.items[i].b]};
            cr_assert_eq(topology_identify(&t, &shuffled, &library), REFRAIN_OK);
            cr_assert(t.found, "%s, seed %u", wanted, seed);
            cr_assert(!t.exact, "%s, seed %u", wanted, seed);
            cr_expect(has_name(&t, &all.items[k]), "%s, seed %u: %s", wanted, seed,
                      name_of(&t.best, name, sizeof name));
            /* Rarely, fewer differences than were made are enough. */
            cr_expect(t.missing.n + t.extra.n <= missing.n + extra.n, "%s, seed %u: %zu and %zu", wanted,
                      seed, t.missing.n, t.extra.n);
            if (t.missing.n == missing.n && t.extra.n == extra.n) {
                expect_edges(&t.missing, &missing);
                expect_edges(&t.extra, &extra);
                n_named++;
            }
            topology_free(&t);
            array_free(&missing);
            array_free(&extra);
            graph_free(&g);
            graph_free(&changed);
            graph_free(&shuffled);
            n++;
        }
        array_free(&all);
        free(number);
    }
    cr_assert_eq(n, 210);
    cr_expect_geq(n_named, 205, "%u", n_named);
}
