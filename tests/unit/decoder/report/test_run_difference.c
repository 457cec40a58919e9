/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs side by side, with profiles made by hand. */
#include <criterion/criterion.h>

#include "decoder/report/run_difference.h"

#include <stdio.h>
#include <string.h>

static uint32_t text(struct run_profile *p, const char *words)
{
    uint32_t number;
    cr_assert_eq(text_table_intern(&p->texts, words, strlen(words) + 1, &number), REFRAIN_OK);
    return number;
}

static void start(struct run_profile *p, uint32_t threads, double run, double computation)
{
    *p = (struct run_profile){.file = strdup("a.refrain"), .ranks = threads, .threads = threads};
    p->knows[FACT_RUN] = p->knows[FACT_COMPUTATION] = true;
    p->facts[FACT_RUN] = run;
    p->facts[FACT_COMPUTATION] = computation;
    p->places[PLACES_SITES].knows[PLACE_TIME] = p->places[PLACES_SITES].knows[PLACE_CALLS] = true;
}

/* "MPI_Recv exchange (halo.c:31)" */
static void add(struct run_profile *p, const char *function, uint64_t line, double time, double calls)
{
    char name[64];
    snprintf(name, sizeof name, "%s exchange (halo.c:%d)", function, (int)line);
    const struct run_place place = {.key = text(p, function),
                                    .name = text(p, name),
                                    .line = line,
                                    .has_line = true,
                                    .values = {[PLACE_TIME] = time, [PLACE_CALLS] = calls}};
    cr_assert(array_push(&p->places[PLACES_SITES].items, place));
}

static const struct run_difference_row *row(const struct run_difference *d, const char *name)
{
    for (size_t i = 0; i < d->lists[PLACES_SITES].rows.n; i++) {
        if (strcmp(run_difference_name(d, PLACES_SITES, &d->lists[PLACES_SITES].rows.items[i], NULL), name) ==
            0)
            return &d->lists[PLACES_SITES].rows.items[i];
    }
    cr_assert_fail("no row %s", name);
    return NULL;
}

static void end(struct run_difference *d, struct run_profile *runs, size_t n)
{
    run_difference_free(d);
    for (size_t i = 0; i < n; i++)
        run_profile_free(&runs[i]);
}

static const size_t two[] = {0, 1, 2};

/* Ten lines were added before: the line of one site is now that of the other. */
Test(run_difference, lines_move)
{
    struct run_profile runs[2];
    struct run_difference d;
    const struct run_place *moved;
    start(&runs[0], 4, 3, 1);
    add(&runs[0], "MPI_Send", 10, 1, 100);
    add(&runs[0], "MPI_Send", 20, 0.5, 100);
    start(&runs[1], 4, 3, 1);
    add(&runs[1], "MPI_Send", 20, 1.25, 100);
    add(&runs[1], "MPI_Send", 30, 0.5, 100);
    cr_assert_eq(run_difference_create(&d, runs, two, 2), REFRAIN_OK);
    cr_assert_eq(d.lists[PLACES_SITES].rows.n, 2);
    const struct run_difference_row *first = row(&d, "MPI_Send exchange (halo.c:20)");
    const struct run_change change = run_difference_change(&d, PLACES_SITES, first, PLACE_TIME);
    cr_expect_float_eq(change.from, 1, 1e-12);
    cr_expect_float_eq(change.to, 1.25, 1e-12);
    cr_expect_not(change.has_noise);
    run_difference_name(&d, PLACES_SITES, first, &moved);
    cr_assert(moved);
    cr_expect_eq(moved->line, 10);
    cr_expect_eq(first, &d.lists[PLACES_SITES].rows.items[0], "the largest change first");
    end(&d, runs, 2);
}

/* One run has one more site: sites that are alike are the same. */
static void try_one_more(bool before)
{
    struct run_profile runs[2];
    struct run_difference d;
    start(&runs[before ? 1 : 0], 4, 3, 1);
    add(&runs[before ? 1 : 0], "MPI_Send", 10, 1, 100);
    add(&runs[before ? 1 : 0], "MPI_Send", 20, 1, 400);
    start(&runs[before ? 0 : 1], 4, 3, 1);
    add(&runs[before ? 0 : 1], "MPI_Send", 12, 1, 100);
    add(&runs[before ? 0 : 1], "MPI_Send", 18, 2, 4);
    add(&runs[before ? 0 : 1], "MPI_Send", 29, 1, 400);
    add(&runs[before ? 0 : 1], "MPI_Wait", 30, 0.5, 1);
    cr_assert_eq(run_difference_create(&d, runs, two, 2), REFRAIN_OK);
    cr_assert_eq(d.lists[PLACES_SITES].rows.n, 4);
    const struct run_difference_row *alone = row(&d, "MPI_Send exchange (halo.c:18)"),
                                    *other = row(&d, "MPI_Wait exchange (halo.c:30)");
    cr_expect_eq(run_difference_place(&d, PLACES_SITES, alone, 0) != NULL, before);
    cr_expect_eq(run_difference_place(&d, PLACES_SITES, alone, 1) != NULL, !before);
    cr_expect_eq(run_difference_place(&d, PLACES_SITES, other, 1) != NULL, !before);
    cr_expect(run_difference_place(
        &d, PLACES_SITES, row(&d, before ? "MPI_Send exchange (halo.c:20)" : "MPI_Send exchange (halo.c:29)"),
        before ? 0 : 1));
    end(&d, runs, 2);
}

Test(run_difference, new_and_gone)
{
    try_one_more(false);
    try_one_more(true);
}

/* Three runs of one program, two of the other: mean 2 and 4, pooled variance (2 + 2) / 3,
 * Student's 3.182 at three degrees of freedom. */
Test(run_difference, noise)
{
    static const size_t groups[] = {0, 3, 5};
    static const double times[] = {1, 2, 3, 3, 5};
    struct run_profile runs[5];
    struct run_difference d;
    struct run_spread s;
    for (int i = 0; i < 5; i++) {
        start(&runs[i], 4, times[i], 1);
        if (i != 1)
            add(&runs[i], "MPI_Send", 10, times[i], 100);
    }
    cr_assert_eq(run_difference_create(&d, runs, groups, 2), REFRAIN_OK);
    cr_assert(run_difference_fact(&d, FACT_RUN, 0, &s));
    cr_expect_eq(s.n, 3);
    cr_expect_float_eq(s.mean, 2, 1e-12);
    cr_expect_float_eq(s.deviation, 1, 1e-12);
    cr_expect_float_eq(s.least, 1, 1e-12);
    cr_expect_float_eq(s.most, 3, 1e-12);
    const struct run_change change = run_difference_fact_change(&d, FACT_RUN);
    cr_expect(change.has_noise);
    cr_expect_float_eq(change.noise, 3.182 * 1.1547005 * 0.9128709, 1e-3);
    cr_assert(
        run_difference_value(&d, PLACES_SITES, &d.lists[PLACES_SITES].rows.items[0], PLACE_TIME, 0, &s));
    cr_expect_eq(s.n, 3, "a run without the place counts");
    cr_expect_float_eq(s.mean, 4.0 / 3, 1e-12);
    cr_expect_eq(d.scaling, SCALING_NONE);
    end(&d, runs, 5);
}

/* A mean counts runs without the place as 0, and says how many have it. */
Test(run_difference, of_some_runs)
{
    static const size_t one[] = {0, 3};
    struct run_profile runs[3];
    struct run_difference d;
    struct run_spread s;
    struct bytes name = {0};
    for (int i = 0; i < 3; i++) {
        start(&runs[i], 4, 3, 1);
        add(&runs[i], "MPI_Send", 10, 1, 100);
        if (i != 1)
            add(&runs[i], "MPI_Recv", 20, 3, 100);
    }
    cr_assert_eq(run_difference_create(&d, runs, one, 1), REFRAIN_OK);
    const struct run_difference_row *recv = row(&d, "MPI_Recv exchange (halo.c:20)"),
                                    *send = row(&d, "MPI_Send exchange (halo.c:10)");
    cr_expect_eq(run_difference_runs(&d, PLACES_SITES, recv), 2);
    cr_expect_eq(run_difference_runs(&d, PLACES_SITES, send), 3);
    cr_expect(run_difference_value(&d, PLACES_SITES, recv, PLACE_TIME, 0, &s));
    cr_expect_float_eq(s.mean, 2, 1e-12);
    run_difference_put_name(&d, PLACES_SITES, recv, &name);
    run_difference_put_name(&d, PLACES_SITES, send, &name);
    bytes_put_u8(&name, '\0');
    cr_expect_str_eq((const char *)name.data,
                     "MPI_Recv exchange (halo.c:20), in 2 of 3 runsMPI_Send exchange (halo.c:10)");
    bytes_free(&name);
    end(&d, runs, 3);
}

static enum run_scaling scaling(uint32_t threads, double computation)
{
    struct run_profile runs[2];
    struct run_difference d;
    start(&runs[0], 4, 10, 8);
    add(&runs[0], "MPI_Send", 10, 1, 100);
    add(&runs[0], "MPI_Recv", 11, 1, 100);
    start(&runs[1], threads, 4, computation);
    add(&runs[1], "MPI_Send", 10, 0.5, 100);
    add(&runs[1], "MPI_Recv", 11, 1, 100);
    cr_assert_eq(run_difference_create(&d, runs, two, 2), REFRAIN_OK);
    const enum run_scaling found = d.scaling;
    if (found == SCALING_STRONG) {
        cr_expect_float_eq(run_difference_ideal(&d, 1), 4.0 / threads, 1e-12);
        cr_expect_eq(&d.lists[PLACES_SITES].rows.items[0], row(&d, "MPI_Recv exchange (halo.c:11)"),
                     "what lost most");
    } else if (found == SCALING_WEAK) {
        cr_expect_float_eq(run_difference_ideal(&d, 1), 1, 1e-12);
    }
    end(&d, runs, 2);
    return found;
}

Test(run_difference, scaling)
{
    cr_expect_eq(scaling(4, 2), SCALING_NONE);
    cr_expect_eq(scaling(8, 4), SCALING_STRONG);
    cr_expect_eq(scaling(8, 8), SCALING_WEAK);
    cr_expect_eq(scaling(8, 7.5), SCALING_WEAK);
    cr_expect_eq(scaling(8, 5.7), SCALING_NEITHER);
    cr_expect_eq(scaling(2, 16), SCALING_STRONG);
}

/* Comparisons that are not of one program, of whole runs, or of times of one kind. */
Test(run_difference, caveats)
{
    struct run_profile runs[2];
    struct run_difference d;
    struct bytes out = {0};
    start(&runs[0], 2, 3, 1);
    start(&runs[1], 2, 3, 1);
    runs[0].program = strdup("app");
    runs[1].program = strdup("other");
    runs[0].cut_off = true;
    runs[1].has_means = true;
    cr_assert_eq(run_difference_create(&d, runs, two, 2), REFRAIN_OK);
    run_difference_put_words(&d, 3, &out);
    bytes_put_u8(&out, '\0');
    const char *words = (const char *)out.data;
    cr_expect(strstr(words, "These are different programs: A is app, B is other.\n"), "%s", words);
    cr_expect(strstr(words, "A was cut off"), "%s", words);
    cr_expect(strstr(words, "B has only mean times"), "%s", words);
    cr_expect_not(strstr(words, "B was cut off"), "%s", words);
    bytes_free(&out);
    end(&d, runs, 2);
}
