/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/topology/survey/displacement.h"
#include "decoder/topology/survey/layers.h"

#include <stdio.h>
#include <string.h>

#define SIDE 6
#define N    (SIDE * SIDE)

static struct pattern_library library;
static struct matrix matrix;
static struct matrix_labels labels;
static struct traffic whole;
static struct layers layers;
static struct comm_members world = {.comm = 1, .n = N};
static struct survey_choice choice = {.threshold = 0.05};

static void start(void)
{
    cr_assert_eq(pattern_library_create(&library), REFRAIN_OK);
    matrix = (struct matrix){.n_ranks = N, .labels = &labels};
}

static void stop(void)
{
    layers_free(&layers);
    traffic_free(&whole);
    matrix_free(&matrix);
    matrix_labels_free(&labels);
    pattern_library_free(&library);
}

TestSuite(layers, .init = start, .fini = stop);

static void send(uint32_t site, int64_t tag, uint32_t from, uint32_t to, uint64_t bytes)
{
    const struct matrix_label label = {.site = site, .comm = 1, .tag = tag};
    cr_assert_eq(matrix_add_labelled(&matrix, &label, from, to, 1, bytes), REFRAIN_OK);
}

static void divide(void)
{
    struct communicators comms = {.items = {.items = &world, .n = 1, .cap = 1}};
    matrix_finish(&matrix);
    cr_assert_eq(traffic_create(&whole, &matrix), REFRAIN_OK);
    cr_assert_eq(layers_create(&layers, &matrix, &comms, &whole, NULL, &library, &choice), REFRAIN_OK);
}

/* Each direction has a call site of its own. */
static void send_halo(void)
{
    for (uint32_t node = 0; node < N; node++) {
        if (node % SIDE > 0)
            send(1, 1, node, node - 1, 100);
        if (node % SIDE < SIDE - 1)
            send(2, 2, node, node + 1, 100);
        if (node >= SIDE)
            send(3, 3, node, node - SIDE, 100);
        if (node < N - SIDE)
            send(4, 4, node, node + SIDE, 100);
    }
}

/* The text is static: the next call overwrites it. */
static char *summary(size_t i)
{
    static char text[200];
    struct bytes name = {0};
    const struct topology *t = &layers.items.items[i]->survey.components.items[0].topology;
    cr_assert(t->found);
    candidate_put_name(&t->best, &name);
    snprintf(text, sizeof text, "%.*s", (int)name.n, (const char *)name.data);
    bytes_free(&name);
    return text;
}

Test(layers, halo_and_transposition)
{
    send_halo();
    for (uint32_t node = 0; node < N; node++)
        if (node % SIDE != node / SIDE)
            send(5, 9, node, node % SIDE * SIDE + node / SIDE, 30);
    divide();
    cr_assert_eq(layers.items.n, 2);
    cr_expect_eq(layers.base, layers.items.items[0]);
    cr_expect_str_eq(summary(0), "6x6 grid");
    cr_expect_eq(layers.items.items[0]->labels.n, 4);
    cr_expect_eq(layers.items.items[1]->survey.components.n, N / 2 - SIDE / 2);
    struct displacements d;
    cr_assert_eq(displacements_create(&d, &layers.base->survey, &layers.items.items[1]->traffic, false),
                 REFRAIN_OK);
    cr_expect(d.transposed);
    cr_expect_eq(d.n_pairs, (N - SIDE) / 2);
    cr_expect_eq(d.items.n, SIDE - 1);
    struct bytes text = {0};
    displacements_put(&d, 2, &text);
    cr_expect_eq(text.n, strlen("x,y with y,x"));
    bytes_free(&text);
    displacements_free(&d);
}

Test(layers, halo_and_tree)
{
    send_halo();
    for (uint32_t node = 1; node < N; node++)
        send(5, node % 20, (node - 1) / 2, node, 1000); /* many tags: too many to be labels */
    divide();
    cr_assert_eq(layers.items.n, 2);
    cr_expect_str_eq(summary(0), "36-node binary tree");
    cr_expect_str_eq(summary(1), "6x6 grid");
    cr_expect_eq(layers.base, layers.items.items[1], "a tree has no coordinates");
}

/* All traffic is one pattern: there is one layer. */
Test(layers, one_pattern)
{
    send_halo();
    divide();
    cr_assert_eq(layers.items.n, 1);
    cr_expect_eq(layers.items.items[0]->traffic.all.messages, whole.all.messages);
}

Test(layers, of_nothing)
{
    divide();
    cr_expect_eq(layers.items.n, 0);
    cr_expect_null(layers.base);
}

/* ---- distances ------------------------------------------------------------------------------- */

static uint32_t at(uint32_t x, uint32_t y)
{
    return y % SIDE * SIDE + x % SIDE;
}

static uint64_t pairs_of(const struct displacements *d, int32_t x, int32_t y)
{
    for (size_t i = 0; i < d->items.n; i++)
        if (d->items.items[i].steps[0] == x && d->items.items[i].steps[1] == y)
            return d->items.items[i].n_pairs;
    return 0;
}

/* On a torus each distance has two ways, and half of the way round is one distance, too. */
Test(layers, distances_on_a_torus)
{
    struct survey survey;
    struct displacements d;
    for (uint32_t node = 0; node < N; node++) {
        const uint32_t x = node % SIDE, y = node / SIDE;
        send(1, 1, node, at(x + 1, y), 1000);
        send(1, 1, node, at(x, y + 1), 1000);
        send(1, 1, node, at(x + 2, y), 3);
        send(1, 1, node, at(x + SIDE - 1, y + 1), 2);
        send(1, 1, node, at(x, y + 3), 1);
    }
    matrix_finish(&matrix);
    cr_assert_eq(traffic_create(&whole, &matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &whole, &library, &choice), REFRAIN_OK);
    cr_assert(survey_is_lattice(&survey));
    cr_assert_eq(displacements_create(&d, &survey, &whole, true), REFRAIN_OK);
    cr_expect_eq(d.items.n, 3);
    cr_expect_eq(pairs_of(&d, 2, 0), N);
    cr_expect_eq(pairs_of(&d, 1, -1), N);
    cr_expect_eq(pairs_of(&d, 0, 3), N / 2);
    cr_expect_eq(d.items.items[0].steps[0], 2, "most bytes first");
    cr_expect_eq(d.sum.bytes, N * (3 + 2 + 1));
    cr_expect_not(d.transposed);
    displacements_free(&d);
    cr_assert_eq(displacements_create(&d, &survey, &whole, false), REFRAIN_OK);
    cr_expect_eq(d.items.n, 5);
    cr_expect_eq(pairs_of(&d, 1, 0), N);
    displacements_free(&d);
    survey_free(&survey);
}

static const struct displacement *from_site(const struct displacements *d, uint32_t site, int32_t x,
                                            int32_t y)
{
    for (size_t i = 0; i < d->items.n; i++) {
        const struct displacement *one = &d->items.items[i];
        if (one->site == site && one->steps[0] == x && one->steps[1] == y)
            return one;
    }
    return NULL;
}

/* The direction of each send, and its call site. Half of the way round is one direction; messages
 * to outside of the run are counted apart. */
Test(layers, ways_of_senders)
{
    struct survey survey;
    struct displacements d;
    struct bytes text = {0};
    for (uint32_t node = 0; node < N; node++) {
        const uint32_t x = node % SIDE, y = node / SIDE;
        send(1, 1, node, at(x + 1, y), 1000);
        send(2, 1, node, at(x + SIDE - 1, y), 700);
        send(2, 1, node, at(x, y + 1), 500);
        send(3, 1, node, at(x, y + 3), 1);
    }
    send(3, 1, 0, MATRIX_OUTSIDE, 9);
    send(3, 1, 4, 4, 8);
    matrix_finish(&matrix);
    cr_assert_eq(traffic_create(&whole, &matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &whole, &library, &choice), REFRAIN_OK);
    cr_assert(survey_is_lattice(&survey));
    cr_assert_eq(displacements_of_senders(&d, &survey, &matrix, NULL, true), REFRAIN_OK);
    cr_expect_eq(d.items.n, 5);
    cr_assert(from_site(&d, 1, 1, 0) && from_site(&d, 2, -1, 0) && from_site(&d, 2, 0, 1));
    cr_expect_eq(from_site(&d, 1, 1, 0)->sum.bytes, 1000 * N);
    cr_expect_eq(from_site(&d, 2, -1, 0)->sum.bytes, 700 * N);
    cr_assert(from_site(&d, 3, 0, 3));
    cr_expect_eq(from_site(&d, 3, 0, 3)->sum.messages, N);
    cr_expect_eq(d.elsewhere.bytes, 9);
    displacement_put_direction(from_site(&d, 2, -1, 0), 2, &text);
    bytes_put_u8(&text, ' ');
    displacement_put_direction(from_site(&d, 3, 0, 0), 2, &text);
    bytes_put_u8(&text, '\0');
    cr_expect_str_eq((const char *)text.data, "x-1 self");
    bytes_free(&text);
    displacements_free(&d);
    cr_assert_eq(displacements_of_senders(&d, &survey, &matrix, NULL, false), REFRAIN_OK);
    cr_expect(from_site(&d, MATRIX_NO_SITE, 1, 0) && !from_site(&d, 1, 1, 0));
    displacements_free(&d);
    survey_free(&survey);
}

/* A layer that does not fit the known coordinates keeps its own topology. */
Test(layers, known_coordinates)
{
    struct placement p;
    cr_assert_eq(placement_parse(&p, "6x6"), REFRAIN_OK);
    cr_assert_eq(placement_fill(&p, N), REFRAIN_OK);
    send_halo();
    for (uint32_t node = 1; node < N; node++)
        send(9, 9, node, 0, 400);
    choice = (struct survey_choice){.threshold = 0.05, .given = &p};
    divide();
    choice = (struct survey_choice){.threshold = 0.05};
    cr_assert_eq(layers.items.n, 2);
    cr_expect_str_eq(summary(0), "36-node star");
    cr_expect_str_eq(summary(1), "6x6 grid");
    cr_assert_eq(layers.base, layers.items.items[1]);
    cr_expect_eq(layers.base->survey.given, &p);
    placement_free(&p);
}

/* With many labels: up to TAGS_MOST tags have a label each, more do not. */
Test(layers, labels_by_site)
{
    for (int64_t tag = 0; tag < 2000; tag++)
        send(1, tag, (uint32_t)tag % N, (uint32_t)(tag + 1) % N, 10);
    for (int64_t tag = 0; tag < 2; tag++)
        for (uint32_t node = 0; node < N; node++)
            send(2, tag, node, tag == 0 ? (node + 1) % N : 0, 300);
    divide();
    cr_assert_eq(layers.items.n, 2, "a ring of two sites, and a star");
    cr_expect_eq(layers.items.items[0]->labels.n, 2001);
    cr_expect_eq(layers.items.items[1]->labels.n, 1);
}
