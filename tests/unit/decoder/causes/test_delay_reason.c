/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines that say why ranks wait. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/reasons/delay_reason_text.h"

#include <string.h>

enum { TURNS = 20 };

/* Returns the text, of all reasons for the waiting of some kinds. `t` is without view and request. */
static struct bytes text_of(const struct found *f, const uint64_t *by_lane, uint64_t kinds,
                            struct reason_text t)
{
    const struct delays *d = &f->critical.path.delays;
    const struct causes_view view = {.search = &f->search, .preceding = &d->preceding};
    const struct reason_request request = {
        .site = DELAYS_ANYWHERE, .kinds = kinds, .time = d->waiting, .by_lane = by_lane};
    struct bytes out = {0};
    struct reasons r;
    t.view = &view;
    t.request = &request;
    cr_assert_eq(reasons_find(&r, d, &view, &request), REFRAIN_OK);
    reasons_put(&r, &t, &out);
    bytes_put_u8(&out, '\0');
    cr_assert_not(out.failed);
    reasons_free(&r);
    return out;
}

/* The reasons for the waiting of some kinds, of which each rank has so much: text that they contain. */
static void expect_of(const struct found *f, const uint64_t *by_lane, uint64_t kinds, const char *words)
{
    struct bytes out = text_of(f, by_lane, kinds, (struct reason_text){0});
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
           "because rank 1 computes 75.90 us longer in all (19 times) between one MPI_Send and the next "
           "(explains ");
    stop(&f);
}

/* There is nothing to compare it with. */
Test(delay_reason, alone)
{
    struct spoken s;
    struct found f;
    uneven(&s, false);
    find(&f, &s);
    expect(&f, 1, 0,
           "because rank 1 computes 76.00 us in all (19 times) between one MPI_Send and the next, which only "
           "this rank "
           "runs (explains ");
    stop(&f);
}

/* Rank 1 computes 4000 once, rank 0 nothing. */
Test(delay_reason, once)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++)
        CALL(&s, 10, 10, rank, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    CALL(&s, 10, 4000, 0, SPOKEN_BARRIER, WORLD, 0);
    CALL(&s, 4000, 10, 1, SPOKEN_BARRIER, WORLD, 0);
    find(&f, &s);
    expect(&f, 1, 0, " us longer (once) between MPI_Comm_group and MPI_Barrier (explains ");
    stop(&f);
}

/* Rank 1 computes `most` in one turn, and otherwise as long as rank 0. Another count, so that these calls do not get the
 * mean of all times. */
static void in_one_turn(struct spoken *s, uint32_t most)
{
    spoken_start(s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t here = i == 7 ? most : 10;
        CALL(s, 10, here + 10, 0, SPOKEN_ALLREDUCE, 1 + (i == 7), TYPE, 0, WORLD, 0);
        CALL(s, here, 20, 1, SPOKEN_ALLREDUCE, 1 + (i == 7), TYPE, 0, WORLD, 0);
    }
}

/* The text does not sound as if it came each time. */
Test(delay_reason, once_of_many_times)
{
    struct spoken s;
    struct found f;
    in_one_turn(&s, 9000000);
    find(&f, &s);
    expect(&f, 1, 0,
           " longer in all, nearly all of it once (of 19 times, until 0.009 s), between one MPI_Allreduce "
           "and the next ");
    stop(&f);
}

/* Also if the rank takes only a few times as long in all: "4.0 times as long" would sound so, too. */
Test(delay_reason, once_of_many_long_times)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t here = i == 7 ? 63000000 : 1000000;
        CALL(&s, 1000000, here - 1000000 + 10, 0, SPOKEN_ALLREDUCE, 1 + (i == 7), TYPE, 0, WORLD, 0);
        CALL(&s, here, 10, 1, SPOKEN_ALLREDUCE, 1 + (i == 7), TYPE, 0, WORLD, 0);
    }
    find(&f, &s);
    expect(&f, 1, 0, " longer in all, nearly all of it once (of 19 times, until 0.070 s), between one ");
    stop(&f);
}

/* Before each allreduce the ranks compute 100; in each fifth turn there is a barrier before, and ranks 1 and 2 compute
 * 6000. Other counts, so that these calls do not get the mean of all times. */
static void seldom(struct spoken *s)
{
    spoken_start(s, 4);
    for (unsigned i = 0; i < TURNS; i++) {
        for (uint32_t rank = 0; rank < 4 && i % 5 == 4; rank++)
            CALL(s, 10, 10, rank, SPOKEN_BARRIER, WORLD, 0);
        const uint32_t longest = i % 5 == 4 ? 6000 : 100;
        for (uint32_t rank = 0; rank < 4; rank++) {
            const uint32_t own = rank == 1 || rank == 2 ? longest : 100;
            CALL(s, own, longest - own + 10, rank, SPOKEN_ALLREDUCE, 1 + (i % 5 == 4), TYPE, 0, WORLD, 0);
        }
    }
}

/* What is computed before the same call, but after other calls, is not compared. */
Test(delay_reason, after_one_call)
{
    struct spoken s;
    struct found f;
    seldom(&s);
    find(&f, &s);
    expect(&f, 1, 0,
           "because ranks 1-2 each compute 23.60 us longer in all (4 times) between MPI_Barrier and "
           "MPI_Allreduce (explains ");
    stop(&f);
}

/* Both come to the barrier once, but not from the same call. */
Test(delay_reason, once_after_different_calls)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 10, 10, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    CALL(&s, 10, 100, 1, SPOKEN_SEND, 1, TYPE, 0, 1, WORLD, 0);
    CALL(&s, 90, 10, 0, SPOKEN_RECV, 1, 1, WORLD, 0, STATUS(1, 1, 8));
    CALL(&s, 1000, 3010, 0, SPOKEN_BARRIER, WORLD, 0);
    CALL(&s, 4000, 20, 1, SPOKEN_BARRIER, WORLD, 0);
    find(&f, &s);
    expect(&f, 1, 0, "because rank 1 computes 4.0 times as long between MPI_Send and MPI_Barrier (explains ");
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

/* In four of five turns it is rank 1, and rank 0 in the others. There is nobody to compare both with. */
Test(delay_reason, alternates_unevenly)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t late = i % 5 > 0;
        SEND(&s, 3000, 100, late, 1 - late, i);
        RECV(&s, 1000, 2100, 1 - late, late, i);
    }
    find(&f, &s);
    expect(&f, 1, 4,
           "because rank 1 computes longest most times, others at other times (the waiting is caused by rank "
           "1 in ");
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
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 10, 0, 1, i);
        RECV(&s, 0, 3190, 0, 1, i);
        RECV(&s, 0, i == 0 ? 3100 : 3190, 1, 0, i);
        SEND(&s, 3000, 10, 1, 0, i);
    }
    find(&f, &s);
    for (said.finding = 3; said.finding <= 5; said.finding++) {
        struct bytes out =
            text_of(&f, (uint64_t[SPOKEN_RANKS]){1, 1}, DELAYS_ANY_KIND, (struct reason_text){.said = &said});
        const char *text = (const char *)out.data;
        cr_expect_eq(strstr(text, "because of the chain of finding 3 (explains ") != NULL, said.finding > 3,
                     "%s", text);
        cr_expect_eq(strstr(text, "one after the other") != NULL, said.finding == 3, "%s", text);
        bytes_free(&out);
    }
    stop(&f);
}

Test(delay_reason, after_another_reason)
{
    static const char *const words[] = {"              because rank 1", "without that delay the run",
                                        "              also because rank 1",
                                        "without the delay of rank 1 the run"};
    struct spoken s;
    struct found f;
    const struct removal removal = {.run = 90000, .without = {40000}};
    uneven(&s, true);
    find(&f, &s);
    for (unsigned i = 0; i < 4; i++) {
        struct bytes out = text_of(&f, (uint64_t[SPOKEN_RANKS]){1, 0}, DELAYS_ANY_KIND,
                                   (struct reason_text){.removal = &removal, .is_further = i >= 2});
        cr_expect(strstr((const char *)out.data, words[i]), "%s", (const char *)out.data);
        bytes_free(&out);
    }
    stop(&f);
}

/* Before each message to rank 0, rank 1 computes, and is in a broadcast to itself: each time `computes` and
 * `is_in`. */
static void two_places(struct spoken *s, struct found *f, uint32_t computes, uint32_t is_in)
{
    spoken_start(s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        CALL(s, computes, is_in, 1, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        SEND(s, 10, 100, 1, 0, i);
        RECV(s, 10, computes + is_in + 100, 0, 1, i);
    }
    find(f, s);
}

/* Computing is the first reason unless a call costs more than twice as much. */
Test(delay_reason, several)
{
    static const struct {
        uint32_t computes, is_in;
        bool call;        /* is the first reason a call? */
        const char *also; /* NULL: no further reason */
    } cases[] = {{6000, 3000, false, "  also because MPI_Bcast (20 calls of 8 B) itself takes "},
                 {3000, 5000, false, "  also because MPI_Bcast (20 calls of 8 B) itself takes "},
                 {2000, 8000, true, "  also because rank 1 computes "},
                 {9500, 500, false, NULL},
                 {500, 9500, true, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spoken s;
        struct found f;
        two_places(&s, &f, cases[i].computes, cases[i].is_in);
        struct bytes out = text_of(
            &f, (uint64_t[SPOKEN_RANKS]){1, 0}, DELAYS_ANY_KIND,
            (struct reason_text){.removal = &(struct removal){
                                     .run = 90000, .without = {40000, 60000}, .instant = {35000, 70000}}});
        const char *text = (const char *)out.data, *also = strstr(text, "  also because ");
        cr_expect(strstr(text, cases[i].call ? "  because MPI_Bcast (20 calls of 8 B) itself takes "
                                             : "  because rank 1 computes "),
                  "%zu: %s", i, text);
        cr_expect_eq(also != NULL, cases[i].also != NULL, "%zu: %s", i, text);
        cr_expect(strstr(text, cases[i].call
                                   ? "if it took no time the run would take 35.00 us instead of 90.00 us\n"
                                   : "without that delay the run would take 40.00 us instead of 90.00 us\n"),
                  "%s", text);
        if (also) {
            cr_expect_eq(strncmp(also, cases[i].also, strlen(cases[i].also)), 0, "%zu: %s", i, text);
            cr_expect(
                strstr(also,
                       cases[i].call
                           ? "without the delay of rank 1 the run would take 60.00 us instead of 90.00 us\n"
                           : "if it took no time the run would take 70.00 us instead of 90.00 us\n"),
                "%s", text);
        }
        bytes_free(&out);
        stop(&f);
    }
}

/* Rank 1 is in two different calls before each message. */
Test(delay_reason, one_call)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        CALL(&s, 3000, 4000, 1, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        CALL(&s, 10, 3000, 1, SPOKEN_BARRIER, SELF, 0);
        SEND(&s, 10, 100, 1, 0, i);
        RECV(&s, 10, 10110, 0, 1, i);
    }
    find(&f, &s);
    struct bytes out = text_of(&f, (uint64_t[SPOKEN_RANKS]){1, 0}, DELAYS_ANY_KIND, (struct reason_text){0});
    const char *text = (const char *)out.data;
    cr_expect(strstr(text, "  because rank 1 computes "), "%s", text);
    cr_expect(strstr(text, "  also because MPI_Bcast (20 calls of 8 B) itself takes "), "%s", text);
    cr_expect_not(strstr(text, "MPI_Barrier ("), "%s", text);
    bytes_free(&out);
    stop(&f);
}

Test(delay_reason, json_of_several)
{
    struct spoken s;
    struct found f;
    struct reasons r;
    struct bytes out = {0};
    two_places(&s, &f, 6000, 3000);
    const struct delays *d = &f.critical.path.delays;
    const struct causes_view view = {.search = &f.search, .preceding = &d->preceding};
    const struct reason_request request = {.site = DELAYS_ANYWHERE,
                                           .kinds = DELAYS_ANY_KIND,
                                           .time = d->waiting,
                                           .by_lane = (uint64_t[SPOKEN_RANKS]){1, 0}};
    const struct removal removal = {.run = 90000, .without = {40000, 60000}};
    cr_assert_eq(reasons_find(&r, d, &view, &request), REFRAIN_OK);
    struct json j = {.out = &out};
    json_object(&j, NULL);
    reasons_put_json(&r, &(struct reason_text){.view = &view, .request = &request, .removal = &removal}, &j);
    json_end(&j);
    bytes_put_u8(&out, '\0');
    const char *text = (const char *)out.data, *also = strstr(text, "\"also\"");
    cr_assert(also, "%s", text);
    const char *longer = strstr(text, "\"longer\""), *transfer = strstr(text, "\"transfer\"");
    cr_expect(longer && longer < also, "%s", text);
    cr_expect(transfer && transfer > also, "%s", text);
    reasons_free(&r);
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
    expect(&f, 0, 1, "because MPI_Bcast (20 calls of 8 B) itself takes this time, on rank 0 (explains ");
    struct bytes out =
        text_of(&f, (uint64_t[SPOKEN_RANKS]){0, 1}, DELAYS_ANY_KIND, (struct reason_text){.crowded = true});
    cr_expect(
        strstr((const char *)out.data, " itself takes this time, or waits for a processor, on rank 0 ("),
        "%s", (const char *)out.data);
    bytes_free(&out);
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
           "because rank 1 computes 60.00 us in all (60 times) between one MPI_Bcast and the next, which "
           "only this "
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
              " us in all (20 times) before MPI_Send, which the other ranks do not run (explains ");
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
