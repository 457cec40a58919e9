/* SPDX-License-Identifier: BSD-3-Clause */
/* The line that says why ranks wait. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/delay_reason.h"

#include <string.h>

enum { TURNS = 20 };

/* The reason for the waiting of some kinds, of which each rank has so much: text that it contains. */
static void expect_of(const struct found *f, const uint64_t *by_lane, uint64_t kinds, const char *words)
{
    const struct delays *d = &f->critical.path.delays;
    const struct causes_view view = {.search = &f->search, .preceding = &d->preceding};
    const struct reason_request request = {
        .site = DELAYS_ANYWHERE, .kinds = kinds, .time = d->waiting, .by_lane = by_lane};
    struct bytes out = {0};
    cr_assert_eq(delays_put_reason(d, &view, &request, &out), REFRAIN_OK);
    bytes_put_u8(&out, '\0');
    cr_expect(strstr((const char *)out.data, words), "%s", (const char *)out.data);
    bytes_free(&out);
}

/* The reason for all waiting of two ranks, which wait so long each. */
static void expect(const struct found *f, uint64_t first, uint64_t second, const char *begin)
{
    expect_of(f, (uint64_t[SPOKEN_RANKS]){first, second}, DELAYS_ANY_KIND, begin);
}

/* Rank 1 computes 4000, rank 0 1000; in the end rank 0 sends twice, too, or not at all. */
static void uneven(struct spoken *s, bool both_send)
{
    spoken_start(s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        RECV(s, 1000, 3100, 0, 1, i);
        SEND(s, 4000, 100, 1, 0, i);
    }
    if (both_send) {
        SEND(s, 50, 50, 0, 1, TURNS);
        SEND(s, 100, 50, 0, 1, TURNS + 1);
        RECV(s, 200, 50, 1, 0, TURNS);
        RECV(s, 0, 50, 1, 0, TURNS + 1);
    }
}

Test(delay_reason, longer)
{
    struct spoken s;
    struct found f;
    uneven(&s, true);
    find(&f, &s);
    expect(&f, 1, 0,
           "because rank 1 computes 4.0 times as long between one MPI_Send and the next (explains ");
    stop(&f);
}

/* There is nothing to compare it with. */
Test(delay_reason, alone)
{
    struct spoken s;
    struct found f;
    uneven(&s, false);
    find(&f, &s);
    expect(
        &f, 1, 0,
        "because rank 1 computes 4.000 us each time between one MPI_Send and the next, which only this rank "
        "runs (explains ");
    stop(&f);
}

/* In each turn another rank computes 3000, and the others 1000. */
Test(delay_reason, alternates)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 100, i % 2, 1 - i % 2, i);
        RECV(&s, 1000, 2100, 1 - i % 2, i % 2, i);
    }
    find(&f, &s);
    expect(&f, 1, 1,
           "because a different rank computes longest each time (the waiting is caused by rank 0 in 50 %, "
           "rank 1 in 50 % of it), ");
    stop(&f);
}

/* Each rank sends a result that it computed from what the other one sent. */
Test(delay_reason, serialized)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 10, 0, 1, i);
        RECV(&s, 0, 3190, 0, 1, i);
        RECV(&s, 0, i == 0 ? 3100 : 3190, 1, 0, i);
        SEND(&s, 3000, 10, 1, 0, i);
    }
    find(&f, &s);
    expect(&f, 1, 1,
           "because ranks work one after the other (serialized): each computes as much as the others, but "
           "the others wait meanwhile; the time is that of ");
    stop(&f);
}

/* The second finding with the same chain refers to the first one. After another reason, the ranks are named. */
Test(delay_reason, said_before)
{
    struct spoken s;
    struct found f;
    struct reasons_said said = {0};
    struct bytes out = {0};
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 10, 0, 1, i);
        RECV(&s, 0, 3190, 0, 1, i);
        RECV(&s, 0, i == 0 ? 3100 : 3190, 1, 0, i);
        SEND(&s, 3000, 10, 1, 0, i);
    }
    find(&f, &s);
    const struct delays *d = &f.critical.path.delays;
    const struct causes_view view = {.search = &f.search, .preceding = &d->preceding};
    const struct reason_request request = {.site = DELAYS_ANYWHERE,
                                           .kinds = DELAYS_ANY_KIND,
                                           .time = d->waiting,
                                           .by_lane = (uint64_t[SPOKEN_RANKS]){1, 1},
                                           .said = &said};
    for (said.finding = 3; said.finding <= 5; said.finding++) {
        out.n = 0;
        cr_assert_eq(delays_put_reason(d, &view, &request, &out), REFRAIN_OK);
        bytes_put_u8(&out, '\0');
        const char *text = (const char *)out.data;
        cr_expect_eq(strstr(text, "because of the chain of finding 3 (explains ") != NULL, said.finding > 3,
                     "%s", text);
        cr_expect_eq(strstr(text, "one after the other") != NULL, said.finding == 3, "%s", text);
    }
    bytes_free(&out);
    stop(&f);
}

Test(delay_reason, after_another_reason)
{
    static const char *const words[] = {"without that delay the run", "without the delay of rank 1 the run"};
    struct spoken s;
    struct found f;
    struct bytes out = {0};
    const struct removal removal = {.any = true, .kind = REASON_LONGER, .run = 90000, .without = 40000};
    uneven(&s, true);
    find(&f, &s);
    const struct delays *d = &f.critical.path.delays;
    const struct causes_view view = {.search = &f.search, .preceding = &d->preceding};
    for (unsigned i = 0; i < 2; i++) {
        const struct reason_request request = {.site = DELAYS_ANYWHERE,
                                               .kinds = DELAYS_ANY_KIND,
                                               .time = d->waiting,
                                               .by_lane = (uint64_t[SPOKEN_RANKS]){1, 0},
                                               .without = &removal,
                                               .is_second = i == 1};
        out.n = 0;
        cr_assert_eq(delays_put_reason(d, &view, &request, &out), REFRAIN_OK);
        bytes_put_u8(&out, '\0');
        cr_expect(strstr((const char *)out.data, words[i]), "%s", (const char *)out.data);
    }
    bytes_free(&out);
    stop(&f);
}

/* Rank 0 is in a broadcast to itself while rank 1 waits for the next message from rank 0. */
Test(delay_reason, transfer)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        CALL(&s, 100, 4000, 0, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        SEND(&s, 10, 100, 0, 1, i);
        RECV(&s, 100, 4110, 1, 0, i);
    }
    find(&f, &s);
    expect(&f, 0, 1, "because MPI_Bcast itself takes this time, on rank 0 (explains ");
    stop(&f);
}

/* Before each send there are four gaps of 1000 at one place: each is one time. */
Test(delay_reason, of_one_gap)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        for (unsigned k = 0; k < 4; k++)
            CALL(&s, 1000, 10, 1, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        SEND(&s, 0, 100, 1, 0, i);
        RECV(&s, 100, 4040, 0, 1, i);
    }
    find(&f, &s);
    expect(&f, 1, 0,
           "because rank 1 computes 1.000 us each time between one MPI_Bcast and the next, which only this "
           "rank runs (explains ");
    stop(&f);
}

/* Rank 0 waits 3000 for rank 1, then 3000 more for rank 2: each computes after another call. */
Test(delay_reason, after_different_calls)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    for (unsigned i = 0; i < TURNS; i++) {
        RECV(&s, 10, 3030, 0, 1, i);
        RECV(&s, 10, 2990, 0, 2, i);
        CALL(&s, 10, 10, 0, SPOKEN_BARRIER, WORLD, 0);
        CALL(&s, 10, 10, 1, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        SEND(&s, 3000, 10, 1, 0, i);
        CALL(&s, 10, 3020, 1, SPOKEN_BARRIER, WORLD, 0);
        CALL(&s, 10, 10, 2, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
        SEND(&s, 6000, 10, 2, 0, i);
        CALL(&s, 10, 20, 2, SPOKEN_BARRIER, WORLD, 0);
    }
    find(&f, &s);
    expect_of(&f, (uint64_t[SPOKEN_RANKS]){1}, EVENTS(EVENT_RECEIVE),
              " each time before MPI_Send, which the other ranks do not run (explains ");
    stop(&f);
}

/* Rank 0 works, then waits in a barrier until ranks 1 to 3 have worked one after the other. */
Test(delay_reason, chain_before_a_barrier)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 4);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 10, 0, 1, i);
        CALL(&s, 10, 9100, 0, SPOKEN_BARRIER, WORLD, 0);
        RECV(&s, 10, 3010, 1, 0, i);
        SEND(&s, 3000, 10, 1, 2, i);
        CALL(&s, 10, 6080, 1, SPOKEN_BARRIER, WORLD, 0);
        RECV(&s, 10, 6030, 2, 1, i);
        SEND(&s, 3000, 10, 2, 3, i);
        CALL(&s, 10, 3060, 2, SPOKEN_BARRIER, WORLD, 0);
        RECV(&s, 10, 9060, 3, 2, i);
        CALL(&s, 3000, 50, 3, SPOKEN_BARRIER, WORLD, 0);
    }
    find(&f, &s);
    expect_of(&f, (uint64_t[SPOKEN_RANKS]){3, 2, 1}, EVENTS(EVENT_BARRIER),
              "because ranks work one after the other (serialized): ");
    expect_of(&f, (uint64_t[SPOKEN_RANKS]){0, 1, 2, 3}, EVENTS(EVENT_RECEIVE),
              "; rank 0 starts again only after MPI_Barrier, where it waits ");
    stop(&f);
}
