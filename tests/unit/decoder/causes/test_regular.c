/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that compute longer each time, beside ranks that are stopped now and then. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/reasons/regular.h"

#include <string.h>

enum { TURNS = 40 };

static struct regular regular_of(const struct found *f, uint64_t run)
{
    struct regular r;
    cr_assert_eq(regular_find(&r, &f->critical.path.delays, &f->search.lanes, &f->search.reader->trace, run),
                 REFRAIN_OK);
    return r;
}

/* Two ranks exchange messages in turn. Rank 1 computes 1200 each time, rank 0 1000, and 20000 each tenth time; its
 * messages have different tags, so that calls do not get the mean of their times. */
static void disturbed(struct spoken *s, uint32_t often)
{
    spoken_start(s, 2);
    for (uint32_t i = 0; i < TURNS; i++) {
        const bool stopped = i % 10 == 3;
        SEND(s, stopped ? 20000 : 1000, 100, 0, 1, 3 * i);
        RECV(s, often, stopped ? 19000 : 100, 1, 0, 3 * i);
        SEND(s, 50, 100, 1, 0, 3 * i + 1);
        RECV(s, 50, 500, 0, 1, 3 * i + 1);
    }
}

Test(regular, beside_what_is_irregular)
{
    struct spoken s;
    struct found f;
    struct bytes out = {0};
    spoken_start(&s, 3);
    for (uint32_t i = 0; i < TURNS; i++) {
        const uint32_t own[] = {i % 10 == 3 ? 60000 : 10000 + i % 7, 12000 + i % 5, 10000 + i % 3};
        const uint32_t last = own[0] > own[1] ? own[0] : own[1];
        for (uint32_t rank = 0; rank < 3; rank++)
            CALL(&s, own[rank], last - own[rank] + 10, rank, SPOKEN_ALLREDUCE, 1 + (i * i + 7 * i) % 1009,
                 TYPE, 0, WORLD, 0);
    }
    find(&f, &s);
    const struct regular r = regular_of(&f, 800000);
    cr_assert_gt(r.excess, 0);
    cr_expect_eq(r.lane, 1);
    cr_assert_eq(r.n, 1);
    cr_expect(r.excess > 1900 * (TURNS - 2) && r.excess < 2100 * TURNS, "%u", (unsigned)r.excess);
    cr_expect_gt(r.cost, 0);
    const struct causes_view view = {.search = &f.search, .preceding = &f.critical.path.delays.preceding};
    regular_put(&r, &view, 800000, &out);
    bytes_put_u8(&out, '\0');
    cr_expect_eq(
        strncmp((const char *)out.data, "Each time, not only now and then, rank 1 computes longer: ", 58), 0,
        "%s", (const char *)out.data);
    cr_expect(strstr((const char *)out.data, " between one MPI_Allreduce and the next: at least 12.0"), "%s",
              (const char *)out.data);
    bytes_free(&out);
    /* It is not worth a line in a long run. */
    cr_expect_eq(regular_of(&f, UINT64_C(100000000)).excess, 0);
    stop(&f);
}

Test(regular, without_an_excess)
{
    struct spoken s;
    struct found f;
    disturbed(&s, 1000);
    find(&f, &s);
    cr_expect_eq(regular_of(&f, 800000).excess, 0);
    stop(&f);
}

/* Times vary by more than what the quartiles of two ranks are apart: the next run may have it the other way round. */
Test(regular, by_chance)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t i = 0; i < TURNS; i++) {
        const uint32_t own[] = {10000 + i * 37 % 41 * 500, 13000 + i * 23 % 41 * 500};
        const uint32_t last = own[0] > own[1] ? own[0] : own[1];
        for (uint32_t rank = 0; rank < 2; rank++)
            CALL(&s, own[rank], last - own[rank] + 10, rank, SPOKEN_ALLREDUCE, 1 + (i * i + 7 * i) % 1009,
                 TYPE, 0, WORLD, 0);
    }
    find(&f, &s);
    cr_expect_eq(regular_of(&f, 800000).excess, 0);
    stop(&f);
}

/* In each second turn the ranks compute 10000, rank 1 30000, in the others hardly anything; rank 1 500 longer: that is
 * not what it computes longer in all. The counts differ, so that calls do not get the mean of all times. */
Test(regular, visits_of_two_kinds)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    for (uint32_t i = 0; i < 2 * TURNS; i++) {
        const bool is_long = i % 2 == 0;
        const uint32_t last = is_long ? 30000 : 1000, others = is_long ? 10000 : 500;
        for (uint32_t rank = 0; rank < 3; rank++)
            CALL(&s, rank == 1 ? last : others, rank == 1 ? 10 : last - others + 10, rank, SPOKEN_ALLREDUCE,
                 1 + is_long, TYPE, 0, WORLD, 0);
    }
    find(&f, &s);
    cr_expect_eq(regular_of(&f, 1300000).excess, 0);
    stop(&f);
}
