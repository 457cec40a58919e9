/* SPDX-License-Identifier: BSD-3-Clause */
/* Where time goes, for a few calls that the test writes one by one. */
#include <criterion/criterion.h>

#include "decoder/report/costs.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

/* rank 0   MPI_Init 0 - 100    MPI_Send 300 - 1300    MPI_Comm_group 2000 - 2100
 * rank 1   MPI_Init 0 - 300    MPI_Recv 700 - 1300
 * The run is 300 - 2100: computing of rank 0 before it, and time after MPI_Recv, are not part of
 * it. */
static void speak(struct spoken *s)
{
    spoken_start(s, 2);
    s->duration = 100;
    SAY(s, 0, 0, SPOKEN_INIT_THREAD, 0, 0);
    s->duration = 300;
    SAY(s, 1, 0, SPOKEN_INIT_THREAD, 0, 0);
    s->gap = 200;
    s->duration = 1000;
    SAY(s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
    s->gap = 700;
    s->duration = 100;
    SAY(s, 0, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    s->gap = 400;
    s->duration = 600;
    SAY(s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
    spoken_end(s);
}

static const struct cost *row(const struct costs *c, const struct spoken *s, const char *function)
{
    for (size_t i = 0; i < c->items.n; i++) {
        if (strcmp(costs_name(&s->reader, &c->items.items[i]), function) == 0)
            return &c->items.items[i];
    }
    cr_assert_fail("no row of %s", function);
    return NULL;
}

static void sum_up(struct statistics *s, const struct spoken *spoken)
{
    const struct ranges all = {0};
    cr_assert_eq(statistics_compute(s, &spoken->reader, &spoken->definitions, &all, STATISTICS_BY_SITE),
                 REFRAIN_OK);
}

/* Both ways add up to the run, and rows are sorted by time, with MPI_Init last. */
static void check_sum(const struct costs *c, const struct spoken *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->items.n; i++) {
        sum += c->items.items[i].time;
        cr_expect(i == 0 || c->items.items[i].is_init ||
                  c->items.items[i - 1].time >= c->items.items[i].time);
    }
    cr_expect(c->items.items[c->items.n - 1].is_init);
    cr_expect_eq(sum, c->computing + c->mpi + c->init);
    cr_expect_eq(row(c, s, "computation")->time, c->computing);
    cr_expect_eq(row(c, s, "MPI_Init_thread")->time, c->init);
    cr_expect_float_eq(costs_share(c, c->run), 1, 1e-12);
}

static void find_costs(struct costs *c, struct waits *waits, struct spoken *s)
{
    struct statistics statistics;
    struct timestamps_source timestamps;
    *waits = (struct waits){.search = {.to = UINT64_MAX, .worst_of = METRIC_NONE}};
    sum_up(&statistics, s);
    metrics_start(&waits->metrics);
    metrics_add_all(&waits->metrics);
    cr_assert_eq(timestamps_source_create(&timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&waits->search, &s->reader, &s->definitions, &waits->metrics, &timestamps),
                 REFRAIN_OK);
    cr_assert_eq(costs_create(c, &s->reader, &statistics, waits), REFRAIN_OK);
    timestamps_source_free(&timestamps);
    statistics_free(&statistics);
}

Test(costs, by_rank)
{
    struct spoken s;
    struct waits waits;
    struct costs c;
    speak(&s);
    find_costs(&c, &waits, &s);

    const struct cost *send = row(&c, &s, "MPI_Send"), *computing = row(&c, &s, "computation");
    cr_expect(send->by_rank && send->timed);
    cr_expect_eq(send->calls, 1);
    cr_expect_eq(send->sent, 8);
    cr_expect_eq(send->time, 1000);
    cr_expect_eq(send->most, 1000);
    cr_expect_eq(send->most_rank, 0);
    cr_expect_eq(send->least, 0);
    cr_expect_eq(send->least_rank, 1);
    cr_expect_eq(computing->most, 700);
    cr_expect_eq(computing->most_rank, 0);
    check_sum(&c, &s);
    cr_expect_eq(c.run, 2 * 1800);
    cr_expect_eq(c.computing, 700 + 400);
    cr_expect_eq(c.mpi, 1000 + 100 + 600);
    cr_expect_eq(c.init, 400);

    costs_free(&c);
    wait_search_free(&waits.search);
    spoken_free(&s);
}

/* Each call has its time at its own site, also if polls follow each other; gaps between polls of one request
 * have their own row. */
Test(costs, of_polls)
{
    struct spoken s;
    struct waits waits;
    struct costs c;
    spoken_start(&s, 1);
    s.gap = 100;
    s.duration = 900;
    SAY(&s, 0, 0, SPOKEN_IRECV, 0, 5, WORLD, 0, REQUEST(0));
    SAY(&s, 0, 0, SPOKEN_ISEND, 1, TYPE, 0, 5, WORLD, 0, REQUEST(1));
    for (int i = 0; i < 20; i++)
        SAY(&s, 0, 0, SPOKEN_GET_STATUS, REQUEST(0), 0, 0, SENT);
    SAY(&s, 0, 0, SPOKEN_TESTSOME, 1, REQUEST(1), 0, 1, NONE, 1, 0, 1, SENT);
    spoken_end(&s);
    find_costs(&c, &waits, &s);
    cr_expect_eq(row(&c, &s, "MPI_Request_get_status")->time, 20 * 900);
    cr_expect_eq(row(&c, &s, "MPI_Testsome")->time, 900);
    cr_expect_eq(row(&c, &s, "between polls")->time, 19 * 100);
    cr_expect_eq(row(&c, &s, "computation")->time, 3 * 100); /* nothing is before the first call */
    cr_expect_eq(c.computing + c.mpi, 23 * 900 + 22 * 100);
    costs_free(&c);
    wait_search_free(&waits.search);
    spoken_free(&s);
}

Test(costs, of_sums)
{
    struct spoken s;
    struct statistics statistics;
    struct costs c;
    speak(&s);
    sum_up(&statistics, &s);
    cr_assert_eq(costs_create(&c, &s.reader, &statistics, NULL), REFRAIN_OK);
    const struct cost *send = row(&c, &s, "MPI_Send");
    cr_expect(send->timed && !send->by_rank);
    cr_expect_eq(send->time, 1000);
    check_sum(&c, &s);
    cr_expect_eq(c.run, 200 + 1000 + 700 + 100 + 400 + 600);
    costs_free(&c);
    statistics_free(&statistics);
    spoken_free(&s);
}
