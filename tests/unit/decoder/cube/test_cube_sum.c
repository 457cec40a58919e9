/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of two small profiles. */
#include "decoder/cube/cube_data.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct cube_metric metrics[] = {{"time", "Time", "sec", "all", CUBE_NONE, false},
                                             {"visits", "Visits", "occ", "how often", CUBE_NONE, true}};

/* The number of a location is digits: metric, call path, location. */
static bool value(const void *context, size_t metric, size_t path, double *row)
{
    const struct cube *c = context;
    for (size_t l = 0; l < c->n_locations; l++)
        row[l] = (double)(100 * (metric + 1) + 10 * path + l);
    return true;
}

/* app            app
 *   solve 5        MPI_Send 3
 *     MPI_Recv 10  solve 9
 *     MPI_Recv 20    MPI_Recv 14
 *                    MPI_Recv 24 */
static const struct cube_region regions[] = {
    {"app", ""}, {"solve", ""}, {"MPI_Recv", "MPI"}, {"MPI_Send", "MPI"}};
static const struct cube_call_path paths_a[] = {
    {CUBE_NONE, 0, "", 0}, {0, 1, "a.c", 5}, {1, 2, "a.c", 10}, {1, 2, "a.c", 20}};
static const struct cube_call_path paths_b[] = {
    {CUBE_NONE, 0, "", 0}, {0, 3, "b.c", 3}, {0, 1, "b.c", 9}, {2, 2, "b.c", 14}, {2, 2, "b.c", 24}};
static const char *const nodes_a[] = {"one", "two"}, *const nodes_b[] = {"three", "one"};
static const struct cube_location locations_a[] = {{0, 0, 0}, {1, 0, 1}};
static const struct cube_location locations_b[] = {{1, 0, 0}, {1, 1, 0}, {0, 0, 1}};

static struct cube a = {.machine = "machine",
                        .nodes = nodes_a,
                        .metrics = metrics,
                        .regions = regions,
                        .call_paths = paths_a,
                        .locations = locations_a,
                        .n_nodes = 2,
                        .n_metrics = 2,
                        .n_regions = 4,
                        .n_call_paths = 4,
                        .n_locations = 2,
                        .value = value,
                        .context = &a};
static struct cube b = {.machine = "machine",
                        .nodes = nodes_b,
                        .metrics = metrics,
                        .regions = regions,
                        .call_paths = paths_b,
                        .locations = locations_b,
                        .n_nodes = 2,
                        .n_metrics = 2,
                        .n_regions = 4,
                        .n_call_paths = 5,
                        .n_locations = 3,
                        .value = value,
                        .context = &b};

static double at(const struct cube *c, size_t metric, const char *function, uint32_t line, uint32_t rank,
                 uint32_t thread)
{
    double row[3];
    for (size_t i = 0; i < c->n_call_paths; i++) {
        const struct cube_call_path *p = &c->call_paths[i];
        if (p->line != line || strcmp(c->regions[p->region].name, function) != 0)
            continue;
        c->value(c->context, metric, i, row);
        for (size_t l = 0; l < c->n_locations; l++)
            if (c->locations[l].rank == rank && c->locations[l].thread == thread)
                return row[l];
    }
    cr_assert_fail("no %s at %u, rank %u", function, line, rank);
    return 0;
}

/* Locations by node, parents before children, each node's name as the locations say. */
static void check_order(const struct cube *c)
{
    for (size_t l = 1; l < c->n_locations; l++)
        cr_expect(c->locations[l - 1].node <= c->locations[l].node);
    for (size_t i = 1; i < c->n_call_paths; i++)
        cr_expect(c->call_paths[i].parent < i);
    cr_expect_eq(c->call_paths[0].parent, CUBE_NONE);
}

Test(cube_sum, copy)
{
    struct cube_data d;
    double row[2];
    cr_assert_eq(cube_data_copy(&d, &a), REFRAIN_OK);
    cr_expect_eq(d.cube.n_call_paths, 4);
    cr_expect(d.cube.value(d.cube.context, 1, 2, row));
    cr_expect_float_eq(row[1], 221, 1e-12);
    cr_expect_str_eq(d.cube.nodes[1], "two");
    cr_expect(d.cube.metrics[1].is_count);
    cube_data_free(&d);
}

Test(cube_sum, difference)
{
    const struct cube *const from[] = {&a, &b};
    const double weights[] = {-1, 1};
    struct cube_data d;
    cr_assert_eq(cube_data_sum(&d, from, weights, 2), REFRAIN_OK);
    const struct cube *c = &d.cube;
    cr_expect_eq(c->n_call_paths, 5, "app, solve, its two receives, MPI_Send");
    cr_expect_eq(c->n_regions, 4);
    cr_expect_eq(c->n_locations, 3);
    check_order(c);
    cr_expect_float_eq(at(c, 0, "app", 0, 0, 0), 102 - 100, 1e-12);
    cr_expect_float_eq(at(c, 0, "app", 0, 1, 0), 100 - 101, 1e-12);
    cr_expect_float_eq(at(c, 0, "app", 0, 1, 1), 101, 1e-12, "the other profile does not have this thread");
    cr_expect_float_eq(at(c, 1, "MPI_Recv", 14, 0, 0), 232 - 220, 1e-12, "paired in the order of lines");
    cr_expect_float_eq(at(c, 1, "MPI_Recv", 24, 0, 0), 242 - 230, 1e-12);
    cr_expect_float_eq(at(c, 1, "MPI_Send", 3, 0, 0), 212, 1e-12, "the other profile does not have it");
    cr_expect_not(c->metrics[1].is_count, "it may be negative");
    for (size_t l = 0; l < c->n_locations; l++)
        cr_expect_str_eq(c->nodes[c->locations[l].node], c->locations[l].rank == 0 ? "one" : "three");
    cube_data_free(&d);
}

/* Of unequal numbers, those of the same line are the same. */
Test(cube_sum, same_lines)
{
    static const struct cube_call_path paths[] = {
        {CUBE_NONE, 0, "", 0}, {0, 1, "a.c", 5}, {1, 2, "a.c", 10}, {1, 2, "a.c", 15}, {1, 2, "a.c", 20}};
    struct cube third = a;
    third.call_paths = paths;
    third.n_call_paths = 5;
    third.context = &third;
    const struct cube *const from[] = {&a, &third};
    const double weights[] = {0.5, 0.5};
    struct cube_data d;
    cr_assert_eq(cube_data_sum(&d, from, weights, 2), REFRAIN_OK);
    cr_expect_eq(d.cube.n_call_paths, 5);
    check_order(&d.cube);
    cr_expect_float_eq(at(&d.cube, 0, "MPI_Recv", 10, 1, 0), 121, 1e-12);
    cr_expect_float_eq(at(&d.cube, 0, "MPI_Recv", 15, 1, 0), 0.5 * 131, 1e-12);
    cr_expect_float_eq(at(&d.cube, 0, "MPI_Recv", 20, 1, 0), 0.5 * 131 + 0.5 * 141, 1e-12);
    cube_data_free(&d);
}

/* The same less the same is nothing. */
Test(cube_sum, nothing)
{
    const struct cube *const from[] = {&b, &b};
    const double weights[] = {-1, 1};
    struct cube_data d;
    double row[3];
    cr_assert_eq(cube_data_sum(&d, from, weights, 2), REFRAIN_OK);
    cr_expect_eq(d.cube.n_call_paths, 5);
    for (size_t i = 0; i < d.cube.n_call_paths; i++)
        cr_expect_not(d.cube.value(d.cube.context, 0, i, row));
    cube_data_free(&d);
}
