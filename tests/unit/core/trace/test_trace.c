/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/base/log.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/trace.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) cr_assert_eq((call), REFRAIN_OK)

enum { RANK, COUNT };
static struct kind kinds[] = {{(char *)"RANK", VALUE_INT, (char *)"", (char *)""},
                              {(char *)"COUNT", VALUE_INT, (char *)"", (char *)""}};

/* Add MPI_Send(dest) to the table, with a parameter of the given kind. */
static void add_function(struct trace *t, uint32_t kind)
{
    struct param param = {(char *)"dest", kind, PARAM_IN};
    struct function function = {(char *)"MPI_Send", 0, 1, &param};
    const struct functable table = {.kinds = {.items = kinds, .n = 2},
                                    .functions = {.items = &function, .n = 1}};
    uint32_t index;
    OK(functable_add_function(&t->functions, &table, 0, &index));
}

/* One function, two modules, a call from each. */
static void make_trace(struct trace *t, uint32_t first_rank)
{
    uint32_t index;
    *t = (struct trace){.first_rank = first_rank, .n_ranks = 1};
    add_function(t, RANK);
    OK(trace_intern_module(t, "app", &index));
    OK(trace_intern_module(t, "lib", &index));
    for (uint32_t module = 0; module < 2; module++) {
        struct frame frame = {module, 0x1000};
        const struct site site = {.function = 0, .n_frames = 1, .frames = &frame};
        OK(trace_intern_site(t, &site, &index));
    }
    OK(trace_check(t));
}

static void quiet(void)
{
    cr_redirect_stderr();
}

static void assert_broken(struct trace *t)
{
    const unsigned errors = log_error_count();
    cr_assert_eq(trace_check(t), REFRAIN_ERR_CHECK);
    cr_assert_eq(log_error_count(), errors + 1);
    trace_free(t);
}

/* A shape names a site twice. Merging would make one entry of the two, in the middle of a
 * skeleton. */
Test(trace, a_site_twice_is_refused, .init = quiet)
{
    struct trace t;
    make_trace(&t, 0);
    t.sites.items[1].frames[0].module = 0;
    assert_broken(&t);
}

Test(trace, a_module_twice_is_refused, .init = quiet)
{
    struct trace t;
    make_trace(&t, 0);
    memcpy(t.modules.items[1], "app", sizeof "app");
    assert_broken(&t);
}

Test(trace, a_function_twice_is_refused, .init = quiet)
{
    struct trace t;
    struct functable *f = &t.functions;
    make_trace(&t, 0);
    struct function copy = {.name = strdup(f->functions.items[0].name)};
    cr_assert(copy.name && array_push(&f->functions, copy));
    assert_broken(&t);
}

Test(trace, a_kind_twice_is_refused, .init = quiet)
{
    struct trace t;
    struct functable *f = &t.functions;
    make_trace(&t, 0);
    struct kind copy = {.name = strdup("RANK"), .set = strdup("RANK"), .prefix = strdup("")};
    cr_assert(copy.name && copy.set && copy.prefix && array_push(&f->kinds, copy));
    assert_broken(&t);
}

/* Add a shape with a set of ranks, whose skeleton is `site` once. */
static void add_shape(struct trace *t, uint32_t number, const int64_t *ranks, size_t n)
{
    const uint32_t first[] = {0, 1};
    const struct rules_item item = {0, 1};
    struct shape s = {.kind = LANE_THREAD, .number = number, .ranks = series_create()};
    OK(rules_create(1, first, &item, &s.skeleton));
    for (size_t i = 0; i < n; i++)
        OK(series_append(s.ranks, ranks[i]));
    cr_assert(array_push(&s.entries, (struct entry){.site = 0}));
    struct group g = {.ranks = series_copy(s.ranks)};
    cr_assert(array_push(&g.rows, (struct row){.n_slots = 0}));
    cr_assert(array_push(&s.entries.items[0].groups, g));
    cr_assert(array_push(&t->shapes, s));
}

/* Sets are checked run by run: neighbours, steps, and single ranks, also at the borders of
 * bytes. */
Test(trace, ranks_are_checked, .init = quiet)
{
    static const struct {
        int64_t first[20], second[20]; /* ranks of two shapes of one lane */
        size_t n_first, n_second;
        bool sound;
    } cases[] = {
        {{10, 11, 12, 13}, {14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, 4, 16, true},
        {{10, 12, 14, 16, 18}, {11, 13, 15, 17}, 5, 4, true},
        {{10, 12, 14, 16, 18}, {13, 14, 15, 16}, 5, 4, false},
        {{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, {19, 20}, 10, 2, false},
        {{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}, {15, 29}, 18, 2, false},
        {{26, 27, 28, 29, 30}, {10}, 5, 1, false}, /* 30 is not a rank of the trace */
        {{9, 10, 11, 12}, {20}, 4, 1, false},
        {{13, 12, 11, 10}, {20}, 4, 1, false},
        {{10, 10, 10}, {20}, 3, 1, false},
        {{10, 20, 15}, {29}, 3, 1, false},
        {{29}, {10, 19, 28}, 1, 3, true},
        {{10, 30, 50}, {11}, 3, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace t;
        make_trace(&t, 10);
        t.n_ranks = 20;
        add_shape(&t, 0, cases[i].first, cases[i].n_first);
        add_shape(&t, 0, cases[i].second, cases[i].n_second);
        cr_assert_eq(trace_check(&t), cases[i].sound ? REFRAIN_OK : REFRAIN_ERR_CHECK, "case %zu", i);
        trace_free(&t);
    }
}

/* A few bytes of a file may name 2^26 ranks again and again: loop 2^25 { 2 i }. */
Test(trace, sets_that_take_too_long_are_refused, .init = quiet, .timeout = 600)
{
    enum { SHAPES = 12 };
    struct trace t;
    make_trace(&t, 0);
    t.n_ranks = TRACE_RANKS_MAX;
    for (uint32_t number = 0; number < SHAPES; number++) {
        struct bytes code = {0};
        struct series *ranks;
        add_shape(&t, number, NULL, 0);
        bytes_put_uint(&code, 1);                              /* one group: */
        bytes_put_uint(&code, (TRACE_RANKS_MAX / 2 - 2) << 1); /* a loop, */
        bytes_put_uint(&code, 1);                              /* of one group: */
        bytes_put_uint(&code, 1);                              /* a leaf, */
        bytes_put_int(&code, 0);                               /* 0 + */
        bytes_put_int(&code, 2);                               /* 2 i */
        struct bytes_reader in = bytes_reader_of(code.data, code.n);
        OK(series_decode(&in, &ranks));
        cr_assert_eq(series_length(ranks), TRACE_RANKS_MAX / 2);
        struct shape *s = &t.shapes.items[number];
        series_free(s->ranks);
        series_free(s->entries.items[0].groups.items[0].ranks);
        s->ranks = ranks;
        s->entries.items[0].groups.items[0].ranks = series_copy(ranks);
        bytes_free(&code);
    }
    assert_broken(&t);
}

/* The tables of two parts describe a function differently, so its rows do not mean the same. */
Test(trace, functions_that_differ_are_not_merged, .init = quiet)
{
    struct trace a, b = {.first_rank = 1, .n_ranks = 1};
    make_trace(&a, 0);
    add_function(&b, COUNT);
    cr_assert_eq(merge_traces(&a, &b), REFRAIN_ERR_FORMAT);
    trace_free(&a);
}

Test(trace, ranks_too_far_apart_are_not_merged, .init = quiet)
{
    struct trace a, b;
    make_trace(&a, 0);
    make_trace(&b, TRACE_RANKS_MAX);
    cr_assert_eq(merge_traces(&a, &b), REFRAIN_ERR_USAGE);
    trace_free(&a);
}
