/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "decoder/topology/identify/difference.h"
#include "decoder/topology/survey/rank_order.h"
#include "src/core/base/log.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/scratch_file.h"

#include <string.h>

static struct pattern_library library;
static struct matrix matrix;
static struct traffic traffic;
static struct survey survey;

static void start(void)
{
    scratch_start();
    cr_redirect_stderr();
    cr_assert_eq(pattern_library_create(&library), REFRAIN_OK);
}

static void stop(void)
{
    survey_free(&survey);
    traffic_free(&traffic);
    matrix_free(&matrix);
    pattern_library_free(&library);
    scratch_stop();
}

TestSuite(survey, .init = start, .fini = stop);

static void take(double threshold, bool by_messages)
{
    const struct survey_choice choice = {.threshold = threshold, .by_messages = by_messages};
    matrix_finish(&matrix);
    survey_free(&survey);
    traffic_free(&traffic);
    cr_assert_eq(traffic_create(&traffic, &matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
}

static void send(uint32_t from, uint32_t to, uint64_t messages, uint64_t bytes)
{
    cr_assert_eq(matrix_add(&matrix, from, to, messages, bytes), REFRAIN_OK);
}

/* Both directions count; weak pairs, messages to the sender itself, and processes outside have
 * sums of their own. */
Test(survey, what_counts)
{
    matrix.first_rank = 10;
    matrix.n_ranks = 5;
    for (uint32_t i = 0; i < 4; i++)
        send(10 + i, 10 + (i + 1) % 4, 1, i == 0 ? 60 : 100);
    send(11, 10, 1, 40); /* with 60 the other way */
    send(10, 12, 50, 4); /* weak by bytes, but not by messages */
    send(13, 13, 2, 7);
    send(13, MATRIX_OUTSIDE, 3, 11);
    take(0.05, false);
    cr_assert_eq(survey.components.n, 1);
    cr_expect_eq(survey.n_weak, 1);
    cr_expect_eq(survey.n_silent, 1, "rank 14");
    cr_expect(survey.components.items[0].topology.exact);
    cr_expect_eq(survey.components.items[0].topology.best.n_dims, 1, "a ring of four");
    cr_expect_eq(survey.inside.messages, 5 + 2);
    cr_expect_eq(survey.inside.bytes, 400 + 7);
    cr_expect_eq(traffic.all.messages, 5 + 50 + 2 + 3);
    cr_expect_eq(traffic.outside.bytes, 11);
    take(0.05, true);
    cr_expect_eq(survey.n_weak, 4, "the ring, beside fifty messages");
    take(0, false);
    cr_expect_eq(survey.n_weak, 0);
}

/* Neighbours on a line are adjacent, whatever their numbers; then come the next component, and the
 * silent ranks. */
Test(survey, ranks_in_the_order_of_their_places)
{
    static const uint32_t line[] = {5, 9, 3, 8, 2}, pair[] = {4, 7};
    uint32_t *order;
    matrix.first_rank = 2;
    matrix.n_ranks = 8;
    for (size_t i = 1; i < 5; i++)
        send(line[i], line[i - 1], 1, 100);
    send(pair[1], pair[0], 1, 100);
    take(0, false);
    cr_assert_eq(survey.components.n, 2);
    cr_assert_eq(rank_order_create(&order, &survey), REFRAIN_OK);
    const bool forward = order[0] == line[0];
    for (size_t i = 0; i < 5; i++)
        cr_expect_eq(order[i], line[forward ? i : 4 - i]);
    cr_expect_eq(order[5] + order[6], 11);
    cr_expect_eq(order[7], 6, "it sends nothing");
    free(order);
}

/* Messages without bytes are counted by number. */
Test(survey, empty_messages)
{
    matrix.n_ranks = 3;
    send(0, 1, 5, 0);
    send(1, 2, 5, 0);
    take(0.05, false);
    cr_assert_eq(survey.components.n, 1);
    cr_expect_eq(survey.components.items[0].n_ranks, 3);
    cr_expect_eq(survey.inside.messages, 10);
}

Test(survey, components)
{
    matrix.n_ranks = 14;
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t i = 0; i < 4; i++)
            send(row + 3 * i, row + 3 * ((i + 1) % 4), 1, 8);
    take(0.05, false);
    cr_assert_eq(survey.components.n, 3);
    cr_expect_eq(survey.n_silent, 2);
    for (uint32_t row = 0; row < 3; row++) {
        const struct survey_component *p = &survey.components.items[row];
        cr_assert_eq(p->n_ranks, 4);
        cr_expect(p->topology.exact && p->topology.in_order);
        for (uint32_t i = 0; i < 4; i++)
            cr_expect(p->ranks[i] == row + 3 * i && survey.node_of[row + 3 * i] == i &&
                      survey.component_of[row + 3 * i] == row);
    }
    cr_expect_eq(survey.inside.bytes, 96);
}

Test(survey, of_nobody)
{
    take(0.05, false);
    cr_expect_eq(survey.components.n, 0);
    matrix.n_ranks = 4;
    take(0.05, false);
    cr_expect_eq(survey.n_silent, 4);
}

/* ---- matrices from files --------------------------------------------------------------------- */

static enum refrain_status read_text(const char *text)
{
    scratch_write(text);
    return matrix_read(&matrix, scratch_path);
}

Test(survey, matrix_files)
{
    cr_assert_eq(read_text("from,to,messages,bytes\n0,1,3,24\n\n# a comment\n1 0 5 # bytes\n 4\t2\n0,1,1,1"),
                 REFRAIN_OK);
    cr_assert_eq(matrix.n_ranks, 5);
    cr_assert_eq(matrix.cells.n, 3);
    cr_expect_eq(matrix.cells.items[0].messages, 4);
    cr_expect_eq(matrix.cells.items[0].bytes, 25);
    cr_expect(matrix.cells.items[1].messages == 1 && matrix.cells.items[1].bytes == 5);
    cr_expect(matrix.cells.items[2].from == 4 && matrix.cells.items[2].bytes == 0);
}

Test(survey, files_that_are_no_matrix)
{
    static const char *const texts[] = {"0\n",    "0,1,2,3,4\n",  "0 x\n",   "0 1\nfrom to\n",
                                        "-1 2\n", "0 99999999\n", "0,1;2\n", "0 1 2.5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const unsigned errors = log_error_count();
        cr_expect_eq(read_text(texts[i]), REFRAIN_ERR_FORMAT, "%s", texts[i]);
        cr_expect_eq(log_error_count(), errors + 1, "%s", texts[i]);
    }
    cr_assert_eq(read_text(""), REFRAIN_OK);
    cr_expect_eq(matrix.n_ranks, 0);
}

/* ---- holes ----------------------------------------------------------------------------------- */

/* A grid of 8 x 8 with other numbers, without some of its nodes. */
static void send_grid(const uint32_t *number, const bool *silent)
{
    matrix.n_ranks = 64;
    for (uint32_t node = 0; node < 64; node++) {
        if (node % 8 < 7 && !silent[node] && !silent[node + 1])
            send(number[node], number[node + 1], 1, 8);
        if (node < 56 && !silent[node] && !silent[node + 8])
            send(number[node], number[node + 8], 1, 8);
    }
}

Test(survey, grids_with_holes)
{
    for (unsigned seed = 0; seed < 40; seed++) {
        uint64_t state = random_seed(seed);
        uint32_t number[64];
        bool silent[64] = {false};
        matrix_free(&matrix);
        for (uint32_t i = 0; i < 64; i++)
            number[i] = i;
        for (uint32_t i = 63; i > 0 && seed % 2 == 1; i--) {
            const uint32_t other = random_below(&state, i + 1), kept = number[i];
            number[i] = number[other];
            number[other] = kept;
        }
        const uint32_t n_holes = 1 + seed % 4; /* inside: corners and sides stay */
        for (uint32_t i = 0; i < n_holes; i++)
            silent[8 * (1 + random_below(&state, 6)) + 1 + i] = true;
        send_grid(number, silent);
        take(0.05, false);
        cr_assert_eq(survey.components.n, 1);
        const struct topology *t = &survey.components.items[0].topology;
        cr_assert(t->found && t->exact, "seed %u", seed);
        cr_expect(t->best.n_dims == 2 && t->best.sizes[0] == 8 && t->best.sizes[1] == 8);
        cr_expect_eq(t->n_holes, n_holes);
        cr_expect_eq(survey.inside.messages, traffic.all.messages);
        for (uint32_t i = 0; i < n_holes && seed % 2 == 0; i++)
            for (uint32_t node = 0; node < survey.components.items[0].n_ranks; node++)
                cr_expect_eq(t->image[node], survey.components.items[0].ranks[node]);
    }
}

/* A random graph with silent ranks is not a lattice with holes. */
Test(survey, random_graphs_have_no_holes)
{
    for (unsigned seed = 0; seed < 60; seed++) {
        uint64_t state = random_seed(seed);
        const uint32_t n = 20 + random_below(&state, 60), used = n - 1 - random_below(&state, n / 5);
        matrix_free(&matrix);
        matrix.n_ranks = n;
        for (uint32_t node = 1; node < used; node++)
            send(node, random_below(&state, node), 1, 8);
        for (uint32_t i = 0; i < used; i++)
            send(random_below(&state, used), random_below(&state, used), 1, 8);
        take(0.05, false);
        for (size_t i = 0; i < survey.components.n; i++)
            cr_assert(survey.components.items[i].n_ranks < 10 || !survey.components.items[i].topology.found,
                      "seed %u", seed);
    }
}

/* ---- members, labels ------------------------------------------------------------------------- */

/* A communicator's members are nodes in its order; messages of other ranks do not count. */
Test(survey, members)
{
    static const uint32_t members[] = {7, 3, 5, 1};
    matrix.n_ranks = 8;
    for (uint32_t i = 0; i < 3; i++)
        send(members[i], members[i + 1], 1, 8);
    send(1, 2, 1, 8);
    matrix_finish(&matrix);
    cr_assert_eq(traffic_create_of(&traffic, &matrix, matrix.cells.items, matrix.cells.n, members, 4),
                 REFRAIN_OK);
    cr_expect_eq(traffic.n_ranks, 4);
    cr_expect_eq(traffic.outside.messages, 1);
    for (uint32_t node = 0; node < 4; node++) {
        cr_expect_eq(traffic_rank(&traffic, node), members[node]);
        cr_expect_eq(traffic_node(&traffic, members[node]), node);
    }
    cr_expect_eq(traffic_node(&traffic, 2), TRAFFIC_NOBODY);
    cr_assert_eq(survey_create(&survey, &traffic, &library, &(struct survey_choice){.threshold = 0.05}),
                 REFRAIN_OK);
    struct bytes rule = {0};
    bool affine;
    cr_assert_eq(survey_put_rule(&survey, &survey.components.items[0], &rule, &affine), REFRAIN_OK);
    cr_expect(affine);
    cr_expect_eq(rule.n, strlen("rank = x"));
    bytes_free(&rule);
}

/* ---- coordinates that are known -------------------------------------------------------------- */

static void expect_sizes(const char *text, unsigned n_dims, uint32_t first, uint32_t last, uint32_t periodic)
{
    struct placement p;
    cr_assert_eq(placement_parse(&p, text), REFRAIN_OK, "%s", text);
    cr_expect(p.n_dims == n_dims && p.sizes[0] == first && p.sizes[n_dims - 1] == last, "%s", text);
    cr_expect_eq(p.periodic, periodic, "%s: %u", text, p.periodic);
}

Test(survey, sizes_in_words)
{
    static const char *const wrong[] = {"",    "x",    "8x",   "8xx8",  "0x8",
                                        "8p8", "8x8q", "-8x8", "8x8pp", "99999999x99999999"};
    expect_sizes("12", 1, 12, 12, 0);
    expect_sizes("8x4", 2, 8, 4, 0);
    expect_sizes("8x4p", 2, 8, 4, 3);
    expect_sizes("8px4", 2, 8, 4, 1);
    expect_sizes("8ox4p", 2, 8, 4, 2);
    expect_sizes("8px4x2p", 3, 8, 2, 5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct placement p;
        cr_expect_eq(placement_parse(&p, wrong[i]), REFRAIN_ERR_USAGE, "%s", wrong[i]);
    }
}

static void take_at(struct placement *p)
{
    const struct survey_choice choice = {.threshold = 0.05, .given = p};
    matrix_finish(&matrix);
    survey_free(&survey);
    traffic_free(&traffic);
    cr_assert_eq(traffic_create(&traffic, &matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
}

/* The order of MPI_Cart_create: the last dimension varies fastest. */
Test(survey, given_sizes)
{
    struct placement p;
    matrix.n_ranks = 12;
    for (uint32_t rank = 0; rank < 12; rank++) {
        if (rank % 3 < 2)
            send(rank, rank + 1, 1, 8);
        send(rank, (rank + 3) % 12, 1, 8);
    }
    cr_assert_eq(placement_parse(&p, "4px3"), REFRAIN_OK);
    cr_assert_eq(placement_fill(&p, 12), REFRAIN_OK);
    take_at(&p);
    const struct topology *t = &survey.components.items[0].topology;
    uint32_t at[LATTICE_DIMS];
    cr_assert(t->found && t->exact);
    candidate_coordinates(&t->best, t->image[7], at);
    cr_expect(at[0] == 2 && at[1] == 1);
    cr_expect_eq(t->best.periodic, 1);
    /* The topology may have other periods than given if these are exact; otherwise the differences
     * are reported. */
    p.periodic = 3;
    take_at(&p);
    t = &survey.components.items[0].topology;
    cr_expect(t->exact && t->best.periodic == 1);
    matrix_free(&matrix);
    matrix.n_ranks = 12;
    send(0, 11, 1, 8);
    send(0, 1, 1, 8);
    take_at(&p);
    t = &survey.components.items[0].topology;
    cr_expect(t->found && !t->exact);
    cr_expect_eq(t->n_holes, 9, "ranks that are silent");
    cr_expect_eq(t->extra.n, 1);
    placement_free(&p);
}

Test(survey, coordinates_from_files)
{
    static const char *const wrong[] = {
        "0,1\n9,2\n", "0,1\n1,1\n", "0,1\n0,2\n", "0,1,2\n1,2\n", "0\n", "0,x\n", ""};
    struct placement p = {0};
    matrix.n_ranks = 4;
    send(0, 1, 1, 8);
    send(1, 2, 1, 8);
    take(0.05, false);
    scratch_write("rank,x\n0,2\n1 1\n2\t0\n");
    cr_assert_eq(placement_read(&p, &traffic, scratch_path), REFRAIN_OK);
    cr_expect(p.n_dims == 1 && p.sizes[0] == 3 && p.at[0] == 2 && p.at[3] == IMAGE_NONE);
    placement_free(&p);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scratch_write(wrong[i]);
        p = (struct placement){0};
        cr_expect_eq(placement_read(&p, &traffic, scratch_path), REFRAIN_ERR_FORMAT, "%s", wrong[i]);
        placement_free(&p);
    }
}

/* Given coordinates are used only where they are exact. Other names of the same graph remain, and
 * so do the counts of what each test left. */
Test(survey, given_where_exact)
{
    struct placement p;
    struct survey_choice choice = {.threshold = 0.05, .given = &p};
    matrix.n_ranks = 16;
    for (uint32_t rank = 0; rank < 16; rank++) {
        send(rank, rank / 4 * 4 + (rank + 1) % 4, 1, 8);
        send(rank, (rank + 4) % 16, 1, 8);
    }
    matrix_finish(&matrix);
    cr_assert_eq(traffic_create(&traffic, &matrix), REFRAIN_OK);
    cr_assert_eq(placement_parse(&p, "4x4p"), REFRAIN_OK);
    cr_assert_eq(placement_fill(&p, 16), REFRAIN_OK);
    for (int some = 0; some < 2; some++) {
        choice.where_exact = some;
        cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
        const struct topology *t = &survey.components.items[0].topology;
        cr_expect(t->exact && t->given && survey.given == &p);
        cr_expect_gt(t->synonyms.n, 0, "a hypercube, too");
        for (size_t i = 0; i < t->synonyms.n; i++)
            cr_expect(t->synonyms.items[i].n_dims != 2 || t->synonyms.items[i].sizes[0] != 4, "itself");
        cr_expect_gt(t->left[TEST_NODES], t->left[TEST_ISOMORPHISM]);
        cr_expect_eq(t->left[TEST_ISOMORPHISM], t->synonyms.n + 1);
        survey_free(&survey);
    }
    /* The ranks do not communicate on an 8 x 2 grid. */
    placement_free(&p);
    cr_assert_eq(placement_parse(&p, "8x2"), REFRAIN_OK);
    cr_assert_eq(placement_fill(&p, 16), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
    cr_expect(survey.components.items[0].topology.exact && !survey.components.items[0].topology.given &&
              !survey.given);
    survey_free(&survey);
    choice.where_exact = false;
    cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
    cr_expect(!survey.components.items[0].topology.exact && survey.components.items[0].topology.given);
    placement_free(&p);
}

/* A row of a grid is a line with its own coordinates; a block is a smaller grid. */
Test(survey, places_of_some)
{
    const uint32_t row[] = {4, 5, 6, 7}, block[] = {5, 6, 9, 10}, one[] = {3};
    struct placement all, some;
    cr_assert_eq(placement_parse(&all, "4x4p"), REFRAIN_OK);
    cr_assert_eq(placement_fill(&all, 16), REFRAIN_OK);
    cr_assert_eq(placement_of_some(&some, &all, row, 4), REFRAIN_OK);
    cr_expect(some.n_dims == 1 && some.sizes[0] == 4 && some.periodic == 1);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(some.at[i], i);
    placement_free(&some);
    cr_assert_eq(placement_of_some(&some, &all, block, 4), REFRAIN_OK);
    cr_expect(some.n_dims == 2 && some.sizes[0] == 2 && some.sizes[1] == 2 && some.periodic == 0);
    cr_expect(some.at[1] == 2 && some.at[2] == 1, "the last dimension is the fast one of ranks");
    placement_free(&some);
    cr_assert_eq(placement_of_some(&some, &all, one, 1), REFRAIN_OK);
    cr_expect(some.n_dims == 0 && some.at[0] == IMAGE_NONE);
    placement_free(&some);
    all.at[6] = IMAGE_NONE;
    cr_assert_eq(placement_of_some(&some, &all, row, 4), REFRAIN_OK);
    cr_expect_eq(some.n_dims, 0, "one has no image");
    placement_free(&some);
    placement_free(&all);
}

/* Many components: the sums are those of all of them, and weak pairs between components count as
 * outside. */
Test(survey, many_parts)
{
    matrix.n_ranks = 4000;
    for (uint32_t rank = 0; rank < 4000; rank += 2)
        send(rank, rank + 1, 1, 100);
    for (uint32_t rank = 0; rank + 2 < 4000; rank += 2)
        send(rank + 1, rank + 2, 1, 1);
    take(0.05, false);
    cr_expect_eq(survey.components.n, 2000);
    cr_expect_eq(survey.inside.messages, 2000);
    cr_expect_eq(survey.inside.bytes, 200000);
}
