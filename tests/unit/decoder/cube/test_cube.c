/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile of two metrics, three call paths and three locations, in both formats. */
#include "decoder/cube/cube.h"
#include "tests/unit/support/scratch_file.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 3, METRICS = 3, PATHS = 3 };

/* by metric and call path; the last metric has nothing anywhere */
static const double values[METRICS][PATHS][LOCATIONS] = {
    {{1.5, 2, 0.25}, {0, 0, 0}, {0, 0.5, 0}},
    {{0, 0, 0}, {3, 4, 4000000000}, {0, 0, 1}},
};

static bool value(const void *context, size_t metric, size_t path, double *row)
{
    bool any = false;
    for (size_t l = 0; l < LOCATIONS; l++) {
        row[l] = ((const double(*)[PATHS][LOCATIONS])context)[metric][path][l];
        any = any || row[l] != 0;
    }
    return any;
}

static enum refrain_status write_cube(const char *path)
{
    static const char *const nodes[] = {"one", "two"};
    static const struct cube_metric metrics[METRICS] = {
        {"time", "Time", "sec", "all", CUBE_NONE, false},
        {"visits", "Visits", "occ", "how often", CUBE_NONE, true},
        {"late", "Late", "sec", "a < b", 0, false},
    };
    static const struct cube_region regions[] = {{"app & cö", ""}, {"solve", "solve.c"}};
    static const struct cube_call_path paths[PATHS] = {
        {CUBE_NONE, 0, "", 0}, {0, 1, "app.c", 17}, {0, 1, "app.c", 19}};
    static const struct cube_location locations[LOCATIONS] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}};
    static const uint32_t coordinates[LOCATIONS][2] = {{0, 0}, {CUBE_NONE, 0}, {1, 0}};
    static const struct cube_topology grid = {"grid", 2, {2, 1}, {true, false}, coordinates[0]};
    const struct cube c = {
        .machine = "machine",
        .nodes = nodes,
        .metrics = metrics,
        .regions = regions,
        .call_paths = paths,
        .locations = locations,
        .topologies = &grid,
        .n_nodes = 2,
        .n_metrics = METRICS,
        .n_regions = 2,
        .n_call_paths = PATHS,
        .n_locations = LOCATIONS,
        .n_topologies = 1,
        .value = value,
        .context = values,
    };
    return cube_write(&c, path);
}

/* Reads the whole file and ends it with NUL. The caller frees it. */
static char *read_cube(const char *ending, size_t *n)
{
    char path[SCRATCH_SIZE + 16];
    snprintf(path, sizeof path, "%s/x%s", scratch_directory, ending);
    cr_assert_eq(write_cube(path), REFRAIN_OK);
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    char *text = calloc(1, 65536);
    *n = fread(text, 1, 65535, file);
    fclose(file);
    remove(path);
    return text;
}

static void has(const char *text, const char *part)
{
    cr_expect(strstr(text, part), "no %s in %s", part, text);
}

TestSuite(cube, .init = scratch_start, .fini = scratch_stop);

Test(cube, document)
{
    size_t n;
    char *text = read_cube(".cube", &n);
    has(text, "<cube version=\"3.0\">");
    /* This metric is inside of time. */
    has(text, "<uniq_name>late</uniq_name>\n<dtype>FLOAT</dtype>\n<uom>sec</uom>\n<url></url>\n"
              "<descr>a &lt; b</descr>\n</metric>\n</metric>\n<metric id=\"1\">");
    has(text, "<name>app &amp; c?</name>");
    has(text, "<cnode id=\"0\" calleeId=\"0\">\n<cnode id=\"1\" calleeId=\"1\" line=\"17\" "
              "mod=\"app.c\">\n</cnode>\n"
              "<cnode id=\"2\" calleeId=\"1\" line=\"19\" mod=\"app.c\">\n</cnode>\n</cnode>\n</program>");
    has(text, "<node Id=\"1\">\n<name>two</name>\n<process Id=\"1\">\n<name>rank 1</name>\n<rank>1</rank>\n"
              "<thread Id=\"2\">\n<name>thread 0</name>\n<rank>0</rank>\n</thread>");
    has(text, "<cart name=\"grid\" ndims=\"2\">\n<dim size=\"2\" periodic=\"true\"/>\n<dim size=\"1\" "
              "periodic=\"false\"/>\n"
              "<coord thrdId=\"0\">0 0</coord>\n<coord thrdId=\"2\">1 0</coord>\n</cart>");
    has(text, "<matrix metricId=\"0\">\n<row cnodeId=\"0\">\n1.5\n2\n0.25\n</row>\n<row "
              "cnodeId=\"2\">\n0\n0.5\n0\n</row>\n"
              "</matrix>\n<matrix metricId=\"1\">\n<row cnodeId=\"0\">\n0\n0\n0\n</row>\n"
              "<row cnodeId=\"1\">\n3\n4\n4000000000\n</row>\n");
    free(text);
}

/* The content of a file in an archive. Checks the checksums of the file headers. */
static const char *member(const char *archive, size_t n, const char *name, size_t *size)
{
    for (size_t at = 0; at + 1024 < n; at += 512 + (*size + 511) / 512 * 512) {
        const char *head = archive + at;
        unsigned sum = 8 * ' ';
        for (size_t i = 0; i < 512; i++)
            sum += i < 148 || i >= 156 ? (unsigned char)head[i] : 0;
        cr_assert_eq(strtoul(head + 148, NULL, 8), sum);
        cr_assert_str_eq(head + 257, "ustar");
        *size = strtoul(head + 124, NULL, 8);
        if (strcmp(head, name) == 0)
            return head + 512;
    }
    cr_assert_fail("no %s", name);
    return NULL;
}

static void has_index(const char *archive, size_t n, const char *name, const int32_t *paths, int32_t n_paths)
{
    size_t size = 0;
    const char *index = member(archive, n, name, &size);
    cr_assert_eq(size, 22 + 4 * (size_t)n_paths);
    cr_expect(memcmp(index, "CUBEX.INDEX\1\0\0\0", 15) == 0);
    cr_expect(memcmp(index + 18, &n_paths, 4) == 0);
    cr_expect(memcmp(index + 22, paths, size - 22) == 0);
}

Test(cube, archive)
{
    size_t n, size = 0;
    char *archive = read_cube(".cubex", &n);
    cr_assert_eq(n % 512, 0);
    const char *document = member(archive, n, "anchor.xml", &size);
    char *anchor = strndup(document, size);
    has(anchor, "<metric id=\"1\" type=\"EXCLUSIVE\">");
    has(anchor, "<locationgroup Id=\"1\">\n<name>rank "
                "1</name>\n<rank>1</rank>\n<type>process</type>\n<location Id=\"2\">");
    has(anchor, "<name>app &amp; cö</name>");
    has(anchor, "<coord locId=\"2\">1 0</coord>");
    free(anchor);

    has_index(archive, n, "0.index", (const int32_t[]){0, 2}, 2);
    has_index(archive, n, "1.index", (const int32_t[]){0, 1, 2}, 3);
    has_index(archive, n, "2.index", (const int32_t[]){0}, 1);
    const char *data = member(archive, n, "0.data", &size);
    const double seconds[] = {1.5, 2, 0.25, 0, 0.5, 0};
    cr_assert_eq(size, 10 + sizeof seconds);
    cr_expect(memcmp(data, "CUBEX.DATA", 10) == 0 && memcmp(data + 10, seconds, sizeof seconds) == 0);
    data = member(archive, n, "1.data", &size);
    const uint64_t visits[] = {0, 0, 0, 3, 4, 4000000000, 0, 0, 1};
    cr_assert_eq(size, 10 + sizeof visits);
    cr_expect(memcmp(data + 10, visits, sizeof visits) == 0);
    free(archive);
}

Test(cube, ending)
{
    char path[SCRATCH_SIZE + 16];
    snprintf(path, sizeof path, "%s/x.cub", scratch_directory);
    cr_expect_eq(write_cube(path), REFRAIN_ERR_USAGE);
}
