/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of `refrain stat`, compared with the calls one by one. */
#include <criterion/criterion.h>

#include "decoder/call/volume.h"
#include "decoder/stat/statistics.h"
#include "decoder/trace/cursor.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/site_calls.h"

static struct tally sum_up(const struct site_calls *s, enum site_calls_function function)
{
    const struct ranges all = {0};
    struct statistics statistics;
    cr_assert_eq(statistics_compute(&statistics, &s->reader, &s->definitions, &all, STATISTICS_BY_FUNCTION),
                 REFRAIN_OK);
    const struct tally t = statistics.functions[function];
    statistics_free(&statistics);
    return t;
}

static struct tally walk_through(const struct site_calls *s)
{
    struct tally t = {0};
    struct cursor cursor;
    struct call call;
    struct roles roles;
    struct volume_source volumes;
    struct volume_sum form = {0};
    enum refrain_status status;
    cr_assert_eq(cursor_start(&cursor, &s->reader, &s->lane), REFRAIN_OK);
    cr_assert_eq(roles_find(&roles, &s->reader.trace.functions), REFRAIN_OK);
    volume_source_start(&volumes, &s->reader, &s->definitions, &roles);
    while (cursor_next(&cursor, &call, &status)) {
        cr_assert_eq(volume_sum_of(&volumes, &call, &form), REFRAIN_OK);
        const struct volume v = volume_at(&form, call.slots);
        t.calls++;
        t.sent += v.sent;
        t.received += v.received;
    }
    cr_assert_eq(status, REFRAIN_OK);
    volume_sum_free(&form);
    roles_free(&roles);
    cursor_stop(&cursor);
    return t;
}

static void compare(enum site_calls_function function, unsigned first, unsigned end)
{
    for (unsigned seed = first; seed < end; seed++) {
        uint64_t state = random_seed(seed);
        struct site_calls s;
        site_calls_make(&s, &state, function);
        const struct tally sum = sum_up(&s, function), walked = walk_through(&s);
        cr_assert_eq(sum.calls, walked.calls, "seed %u", seed);
        cr_assert_eq(sum.sent, walked.sent, "seed %u", seed);
        cr_assert_eq(sum.received, walked.received, "seed %u", seed);
        site_calls_free(&s);
    }
}

Test(site_volume, sent_is_that_of_all_calls)
{
    compare(SITE_SEND, 0, 400);
}

Test(site_volume, received_is_that_of_all_calls)
{
    compare(SITE_TEST, 1000, 1400);
}

/* ---- loops too long to walk: these tests end only if no call is walked ----------------------- */

enum { MANY = 40 }; /* 2^MANY calls */

static struct series *run(int64_t first, int64_t step, uint64_t n)
{
    struct series *s = series_create();
    cr_assert(s);
    cr_assert_eq(series_append_run(s, first, step, n), REFRAIN_OK);
    return s;
}

/* 0 1 … period - 1, over and over. */
static struct series *cycle(unsigned period, unsigned doublings)
{
    struct series *s = series_create();
    cr_assert(s);
    for (unsigned k = 0; k < 4; k++)
        cr_assert_eq(series_append_run(s, 0, 1, period), REFRAIN_OK);
    for (unsigned i = 2; i < doublings; i++) {
        struct series *same = series_copy(s);
        cr_assert(same);
        cr_assert_eq(series_concat(s, same), REFRAIN_OK);
        series_free(same);
    }
    cr_assert_eq(series_length(s), (uint64_t)period << doublings);
    return s;
}

static const int64_t send_8[] = {8, 1, 0, 1, 0}, send_0[] = {0, 1, 0, 1, 0}, send_null[] = {8, 1, -2, 1, 0};

Test(site_volume, a_count_that_counts_up)
{
    const uint64_t n = UINT64_C(1) << MANY;
    struct site_calls s;
    site_calls_create(&s, SITE_SEND, n);
    site_calls_add_row(&s, send_8, SITE_SEND_SLOTS);
    site_calls_add_column(&s, 0, run(0, 1, n));
    const struct tally t = sum_up(&s, SITE_SEND);
    cr_assert_eq(t.calls, n);
    cr_assert_eq(t.sent, 8 * (8 * n + n / 2 * (n - 1)));
    site_calls_free(&s);
}

Test(site_volume, a_count_in_a_cycle_and_a_destination_in_another)
{
    /* Every 20 calls are the same: counts 0 … 4, destinations -2 … 17; the first is no rank. */
    const uint64_t n = UINT64_C(20) << MANY;
    struct site_calls s;
    site_calls_create(&s, SITE_SEND, n);
    site_calls_add_row(&s, (const int64_t[]){3, 1, -2, 1, 0}, SITE_SEND_SLOTS);
    site_calls_add_column(&s, 0, cycle(5, MANY + 2));
    site_calls_add_column(&s, 2, cycle(20, MANY));
    cr_assert_eq(sum_up(&s, SITE_SEND).sent, 8 * (n / 20) * (4 * (3 + 4 + 5 + 6 + 7) - 3));
    site_calls_free(&s);
}

/* ((0 0 1)^2 2)^(2^MANY): n calls, 7 rows in each turn. */
static struct rules *nested_stream(void)
{
    const uint32_t first[] = {0, 2, 4, 5};
    const struct rules_item items[] = {
        {0, 2}, {1, 1}, {RULES_REF | 0, 2}, {2, 1}, {RULES_REF | 1, UINT64_C(1) << MANY}};
    struct rules *r = NULL;
    cr_assert_eq(rules_create(3, first, items, &r), REFRAIN_OK);
    return r;
}

Test(site_volume, rows_in_a_loop_and_a_count_that_counts_up)
{
    const uint64_t times = UINT64_C(1) << MANY, n = 7 * times;
    struct site_calls s;
    site_calls_create(&s, SITE_SEND, n);
    site_calls_add_row(&s, send_0, SITE_SEND_SLOTS);
    site_calls_add_row(&s, send_null, SITE_SEND_SLOTS); /* calls 2 and 5 of each 7 */
    site_calls_add_row(&s, send_8, SITE_SEND_SLOTS);    /* 6 */
    s.group->stream = nested_stream();
    site_calls_add_column(&s, 0, run(0, 1, n));
    cr_assert_eq(trace_check(&s.trace), REFRAIN_OK);
    /* 0 + 1 + 3 + 4 + (6 + 8) = 22 the first time, and 5 * 7 more each time. */
    cr_assert_eq(sum_up(&s, SITE_SEND).sent, 8 * (22 * times + 35 * (times / 2 * (times - 1))));
    site_calls_free(&s);
}

Test(site_volume, fills_in_a_cycle_before_rows)
{
    /* 0, 1, 2, 3 calls of the filler before each row 1: 10 calls, whose counts grow together. */
    const uint64_t times = UINT64_C(1) << MANY, n = 10 * times;
    const uint32_t first[] = {0, 1};
    const struct rules_item item = {1, 4 * times};
    struct site_calls s;
    site_calls_create(&s, SITE_SEND, n);
    site_calls_add_row(&s, send_null, SITE_SEND_SLOTS);
    site_calls_add_row(&s, send_0, SITE_SEND_SLOTS);
    cr_assert_eq(rules_create(1, first, &item, &s.group->stream), REFRAIN_OK);
    site_calls_add_column(&s, 0, run(0, 1, n));
    site_calls_add_column(&s, COLUMN_FILLER, cycle(4, MANY));
    cr_assert_eq(trace_check(&s.trace), REFRAIN_OK);
    /* Rows 1 are calls 0, 2, 5 and 9 of each 10. */
    cr_assert_eq(sum_up(&s, SITE_SEND).sent, 8 * (16 * times + 40 * (times / 2 * (times - 1))));
    site_calls_free(&s);
}

Test(site_volume, bytes_below_zero_are_none)
{
    /* -10 … 9, once: 1 + … + 9. */
    struct site_calls s;
    site_calls_create(&s, SITE_TEST, 20);
    site_calls_add_row(&s, (const int64_t[]){0, 1, 0, 3, 0, 0, -10, 0}, SITE_TEST_SLOTS);
    site_calls_add_column(&s, 6, run(0, 1, 20));
    cr_assert_eq(sum_up(&s, SITE_TEST).received, 45);
    site_calls_free(&s);
}

/* Partners without a law matter only if one of them is MPI_PROC_NULL. */
Test(site_volume, partners_that_are_somebody)
{
    for (int64_t nobody = 0; nobody < 2; nobody++) {
        const int64_t dest[] = {0, 5, 3, 3 - 5 * nobody, 1};
        struct series *partners = series_create();
        struct site_calls s;
        for (size_t i = 0; i < 5; i++)
            cr_assert_eq(series_append(partners, dest[i]), REFRAIN_OK);
        site_calls_create(&s, SITE_SEND, 5);
        site_calls_add_row(&s, send_8, SITE_SEND_SLOTS);
        site_calls_add_column(&s, 2, partners);
        cr_assert_eq(sum_up(&s, SITE_SEND).sent, 8 * 8 * (uint64_t)(5 - nobody));
        site_calls_free(&s);
    }
}

/* A flag decides whether bytes count at all; where it is set, bytes below zero count as none. */
Test(site_volume, bytes_below_zero_are_none_behind_a_flag)
{
    struct series *flags = series_create();
    struct site_calls s;
    for (int64_t i = 0; i < 24; i++)
        cr_assert_eq(series_append(flags, i % 2), REFRAIN_OK);
    site_calls_create(&s, SITE_TEST, 24);
    site_calls_add_row(&s, (const int64_t[]){0, 0, 0, 3, 0, 0, -11, 0}, SITE_TEST_SLOTS);
    site_calls_add_column(&s, 1, flags);
    site_calls_add_column(&s, 6, run(0, 1, 24)); /* -10 -8 … 10 12 count */
    cr_assert_eq(sum_up(&s, SITE_TEST).received, 2 + 4 + 6 + 8 + 10 + 12);
    site_calls_free(&s);
}
