/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the threads of one rank that overlap. */
#include "decoder/waits/search/wait_overlaps.h"

#include <criterion/criterion.h>

enum { THREADS = 3, SITES = 2, SITE = 0, OTHER = 1 };

/* One rank with THREADS threads. */
struct rank {
    struct wait_overlaps overlaps;
    struct wait_lane lanes[THREADS];
    uint32_t first[2];
    struct wait_lanes all;
    uint64_t calls[THREADS];
};

static void start(struct rank *r)
{
    *r = (struct rank){.first = {0, THREADS}};
    for (uint32_t i = 0; i < THREADS; i++)
        r->lanes[i].thread = i;
    r->all = (struct wait_lanes){.n_ranks = 1, .first = r->first, .n = THREADS, .items = r->lanes};
    cr_assert_eq(wait_overlaps_create(&r->overlaps, &r->all, SITES), REFRAIN_OK);
}

static uint64_t call(struct rank *r, uint32_t thread, uint32_t site, uint64_t enter, uint64_t leave)
{
    const struct overlap_call c = {.call = r->calls[thread]++, .enter = enter, .leave = leave, .site = site};
    cr_assert(wait_overlaps_take(&r->overlaps, &r->all, thread, &c));
    return c.call;
}

/* Expects one wait of this length at SITE, or none if it is 0. */
static void expect(struct rank *r, uint64_t length, uint32_t thread)
{
    size_t found = 0;
    cr_assert(wait_overlaps_end(&r->overlaps, &r->all));
    for (size_t i = 0; i < r->overlaps.waits.n; i++) {
        const struct overlap_wait *w = &r->overlaps.waits.items[i];
        if (w->call.site != SITE)
            continue;
        found++;
        cr_expect_eq(w->length, length, "%llu", (unsigned long long)w->length);
        cr_expect_eq(w->cause.thread, thread);
    }
    cr_expect_eq(found, length > 0);
    wait_overlaps_free(&r->overlaps);
}

Test(wait_overlaps, until_the_other_call_ends)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10); /* the usual time */
    call(&r, 1, OTHER, 100, 200);
    call(&r, 0, SITE, 130, 212);
    expect(&r, 70, 1);
}

/* It takes 12, and usually 10: so it waited no longer than 2. */
Test(wait_overlaps, no_longer_than_it_takes_more_than_usual)
{
    struct rank r;
    start(&r);
    call(&r, 1, OTHER, 100, 200);
    call(&r, 0, SITE, 191, 203);
    call(&r, 0, SITE, 300, 310); /* even if the usual time is known later */
    expect(&r, 2, 1);
}

Test(wait_overlaps, not_for_a_call_that_ends_later)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 300);
    call(&r, 0, SITE, 130, 212);
    expect(&r, 0, 0);
}

/* The time in which both others are inside counts once. The longest one is the cause. */
Test(wait_overlaps, several_other_threads)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 160);
    call(&r, 0, SITE, 130, 212);
    call(&r, 2, OTHER, 140, 180);
    call(&r, 1, OTHER, 190, 200);
    expect(&r, 180 - 130 + 200 - 190, 1); /* 130 to 160 of 1, 160 to 180 of 2, 190 to 200 of 1 */
}

/* From 130 to 170 it waited for another rank. */
Test(wait_overlaps, not_what_it_waited_for_another_rank)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 200);
    const uint64_t waits = call(&r, 0, SITE, 130, 212);
    wait_overlaps_expect(&r.overlaps, 0, waits);
    call(&r, 0, SITE, 300, 310);
    cr_expect_eq(r.overlaps.waits.n, 0);
    wait_overlaps_explain(&r.overlaps, 0, waits, 0, 170);
    wait_overlaps_settle(&r.overlaps, 0, waits);
    expect(&r, 30, 1);
}

Test(wait_overlaps, not_if_its_own_waiting_never_becomes_known)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 200);
    wait_overlaps_expect(&r.overlaps, 0, call(&r, 0, SITE, 130, 212));
    for (uint64_t i = 0; i < 2 * OVERLAP_CALLS; i++)
        call(&r, 0, SITE, 1000 + 20 * i, 1010 + 20 * i);
    expect(&r, 0, 0);
}

Test(wait_overlaps, a_call_that_is_skipped)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 200);
    wait_overlaps_skip(&r.overlaps, 0, call(&r, 0, SITE, 130, 212));
    expect(&r, 0, 0);
}

/* The only call at its site: how long it takes usually is not known. */
Test(wait_overlaps, a_single_call)
{
    struct rank r;
    start(&r);
    call(&r, 1, OTHER, 100, 200);
    call(&r, 0, SITE, 130, 212);
    expect(&r, 0, 0);
}

/* After many calls at the site, what a call waited is told at the thread's next call. */
Test(wait_overlaps, is_told_soon)
{
    struct rank r;
    start(&r);
    for (uint64_t i = 0; i < OVERLAP_FEW; i++)
        call(&r, 0, SITE, 20 * i, 10 + 20 * i);
    call(&r, 1, OTHER, 10000, 10100);
    call(&r, 0, SITE, 10030, 10112);
    cr_expect_eq(r.overlaps.waits.n, 0);
    call(&r, 0, SITE, 20000, 20010);
    cr_expect_eq(r.overlaps.waits.n, 1);
    cr_expect_eq(r.overlaps.undecided.n, 0);
    expect(&r, 70, 1);
}

/* The other thread waits for another rank until 150; this is known later. */
Test(wait_overlaps, not_what_the_other_waits_for_another_rank)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    const uint64_t other = call(&r, 1, OTHER, 100, 200);
    wait_overlaps_expect(&r.overlaps, 1, other);
    call(&r, 0, SITE, 130, 212);
    call(&r, 0, SITE, 300, 310);
    cr_expect_eq(r.overlaps.lanes[0]->next, 1);
    wait_overlaps_explain(&r.overlaps, 1, other, 100, 150);
    wait_overlaps_settle(&r.overlaps, 1, other);
    expect(&r, 50, 1);
}

/* After the lock, the other thread makes many short calls while this one is still in its call. */
Test(wait_overlaps, many_calls_later)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 1000);
    call(&r, 0, SITE, 130, 5000);
    for (uint64_t i = 0; i < 3 * OVERLAP_CALLS; i++)
        call(&r, 1, OTHER, 1100 + 10 * i, 1101 + 10 * i);
    expect(&r, 1000 - 130 + OVERLAP_OTHERS - 1, 1);
}

/* The inner call has its own time, from 110 to 180. */
Test(wait_overlaps, a_call_around_another_one)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 90, 195);
    call(&r, 0, OTHER, 110, 180);
    call(&r, 0, SITE, 100, 200);
    expect(&r, 10, 1);
}

/* A call that receives comes when it ends, after others that began later. */
Test(wait_overlaps, a_call_that_comes_late)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 0, SITE, 100, 300);
    call(&r, 2, OTHER, 198, 199);
    call(&r, 1, OTHER, 90, 200);
    expect(&r, 100, 1);
}

/* Many calls that all wait for another rank, and one whose waiting is never known, explain nothing. */
Test(wait_overlaps, many_that_wait_for_another_rank)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 0, SITE, 100, 5000);
    for (uint64_t i = 0; i < 2 * OVERLAP_OTHERS; i++)
        wait_overlaps_explain(&r.overlaps, 1, call(&r, 1, OTHER, 200 + 100 * i, 290 + 100 * i), 0,
                              UINT64_MAX);
    wait_overlaps_skip(&r.overlaps, 2, call(&r, 2, OTHER, 210, 4000));
    expect(&r, 0, 0);
}

Test(wait_overlaps, equal_ends)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    call(&r, 1, OTHER, 100, 200);
    call(&r, 0, SITE, 110, 200);
    expect(&r, 0, 0);
}

/* A call that only waits for another rank does not show how long calls take usually. */
Test(wait_overlaps, all_explained)
{
    struct rank r;
    start(&r);
    call(&r, 0, SITE, 0, 10);
    wait_overlaps_explain(&r.overlaps, 0, call(&r, 0, SITE, 20, 50), 20, 50);
    call(&r, 1, OTHER, 100, 200);
    call(&r, 0, SITE, 190, 210);
    expect(&r, 10, 1);
}
