/* SPDX-License-Identifier: BSD-3-Clause */
/* The begin of a run, for a few calls that the test writes one by one. */
#include <criterion/criterion.h>

#include "decoder/stat/run_begin.h"
#include "tests/unit/support/spoken.h"

static void say(struct spoken *s, uint32_t rank, uint64_t gap, uint64_t duration)
{
    s->gap = gap;
    s->duration = duration;
    SAY(s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0,
        GROUP(gap + duration)); /* calls with equal arguments would get the mean of their times */
}

static void init(struct spoken *s, uint32_t rank, uint64_t gap, uint64_t duration)
{
    s->gap = gap;
    s->duration = duration;
    SAY(s, rank, 0, SPOKEN_INIT_THREAD, rank, 0);
}

static uint64_t begin_of(struct spoken *s)
{
    struct timestamps_source source;
    struct roles roles;
    uint64_t begin;
    spoken_end(s);
    cr_assert_eq(timestamps_source_create(&source, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(roles_find(&roles, &s->reader.trace.functions), REFRAIN_OK);
    cr_assert_eq(run_begin_find(&begin, &s->reader, &source, &roles), REFRAIN_OK);
    timestamps_source_free(&source);
    roles_free(&roles);
    spoken_free(s);
    return begin;
}

Test(run_begin, is_where_the_last_leaves)
{
    struct spoken s;
    spoken_start(&s, 2);
    init(&s, 0, 0, 100);
    say(&s, 0, 1000, 10);
    say(&s, 1, 0, 50);
    init(&s, 1, 20, 300);
    say(&s, 1, 10, 10);
    cr_expect_eq(begin_of(&s), 50 + 20 + 300);
}

/* The only call of rank 1 may not have returned. It does not move the begin of the run past the
 * calls of the others. */
Test(run_begin, not_of_a_last_call)
{
    struct spoken s;
    spoken_start(&s, 2);
    init(&s, 0, 0, 100);
    say(&s, 0, 1000, 10);
    init(&s, 1, 0, 5000);
    cr_expect_eq(begin_of(&s), 100);
}

Test(run_begin, without_it_is_the_first_call)
{
    struct spoken s;
    spoken_start(&s, 1);
    say(&s, 0, 0, 100);
    say(&s, 0, 0, 100);
    cr_expect_eq(begin_of(&s), 0);
}

Test(run_begin, cuts)
{
    cr_expect_eq(run_part(100, 50, 120), 20);
    cr_expect_eq(run_part(100, 110, 120), 10);
    cr_expect_eq(run_part(100, 50, 90), 0);
}
