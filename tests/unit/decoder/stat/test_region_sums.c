/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls and times by region, for a trace in which all calls and all gaps last equally long. */
#include <criterion/criterion.h>
#include <string.h>

#include "decoder/stat/region_sums.h"
#include "tests/unit/support/spoken.h"

enum { GAP = 1000, DURATION = 4000, CALL = GAP + DURATION };

static struct spoken s;
static struct region_sums sums;

#define BEGIN(thread, name) SAY(&s, 0, thread, SPOKEN_REGION_BEGIN, LETTERS(1, name))
#define END(thread, name)   SAY(&s, 0, thread, SPOKEN_REGION_END, LETTERS(1, name))
#define WORK(thread)        SAY(&s, 0, thread, SPOKEN_BARRIER, WORLD, 0)

static void start(void)
{
    spoken_start(&s, 1);
    s.gap = GAP;
    s.duration = DURATION;
}

static void compute(void)
{
    const struct ranges all = {0};
    spoken_end(&s);
    cr_assert_eq(region_sums_compute(&sums, &s.reader, &all), REFRAIN_OK);
    cr_assert(sums.timed);
}

static void end(void)
{
    region_sums_free(&sums);
    spoken_free(&s);
}

static const struct region_sum *find(char name)
{
    const uint32_t number = text_table_find(&sums.names, &name, 1);
    cr_assert_neq(number, MAP_NONE);
    return &sums.items.items[number];
}

static void expect_share(const struct region_share *x, uint64_t time, uint64_t calls)
{
    cr_expect_eq(x->time, time, "%llu", (unsigned long long)x->time);
    cr_expect_eq(x->mpi_time, calls * DURATION, "%llu", (unsigned long long)x->mpi_time);
    cr_expect_eq(x->calls, calls, "%llu", (unsigned long long)x->calls);
}

/* A region lasts from the begin of the call that begins it to the end of the call that ends it. */
Test(region_sums, own_is_without_what_is_inside)
{
    start();
    WORK(0), BEGIN(0, 'a'), WORK(0), BEGIN(0, 'b'), WORK(0), WORK(0), END(0, 'b'), WORK(0), END(0, 'a'),
        WORK(0);
    compute();
    expect_share(&find('a')->all, 8 * CALL - GAP, 4);
    expect_share(&find('a')->own, 4 * CALL, 2);
    expect_share(&find('b')->all, 4 * CALL - GAP, 2);
    expect_share(&find('b')->own, 4 * CALL - GAP, 2);
    cr_expect_eq(find('a')->visits, 1);
    expect_share(&sums.outside.own, 2 * CALL, 2);
    end();
}

Test(region_sums, a_region_in_itself_counts_once)
{
    start();
    for (int i = 0; i < 10; i++)
        BEGIN(0, 'a'), WORK(0), BEGIN(0, 'a'), WORK(0), END(0, 'a'), END(0, 'a');
    compute();
    cr_expect_eq(find('a')->visits, 20);
    cr_expect_eq(find('a')->all.calls, 20);
    cr_expect_eq(find('a')->own.calls, 20);
    cr_expect_eq(find('a')->all.time, find('a')->own.time);
    cr_expect_eq(find('a')->all.time, 10 * (6 * CALL - GAP));
    end();
}

Test(region_sums, each_thread_has_regions_of_its_own)
{
    start();
    BEGIN(0, 'a'), WORK(0), BEGIN(1, 'b'), WORK(0), WORK(1), END(0, 'a'), WORK(1), END(1, 'b');
    compute();
    cr_expect_eq(find('a')->all.calls, 2);
    cr_expect_eq(find('b')->all.calls, 2);
    cr_expect_eq(sums.outside.visits, 2);
    cr_expect_eq(sums.outside.own.calls, 0);
    cr_expect_eq(sums.faults.unmatched + sums.faults.crossed + sums.faults.unended, 0);
    end();
}

Test(region_sums, what_is_not_ended_ends_with_the_thread)
{
    start();
    BEGIN(0, 'a'), WORK(0), BEGIN(0, 'b'), WORK(0);
    compute();
    expect_share(&find('a')->all, 4 * CALL - GAP, 2);
    expect_share(&find('b')->all, 2 * CALL - GAP, 1);
    cr_expect_eq(sums.faults.unended, 2);
    end();
}
