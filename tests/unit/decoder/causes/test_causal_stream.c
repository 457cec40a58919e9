/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that the test adds and settles itself: their order, and their causes. */
#include <criterion/criterion.h>

#include "decoder/causes/stream/causal_stream.h"

#include <stdio.h>
#include <string.h>

struct heard {
    /* "+0.1": lane 0 enters call 1. "-0.1(1@5)": lane 0 leaves it; the cause was lane 1 at 5, or
     * all members of a joint: "(all@5)". "x": a mark is forgotten. "&(0@4)(1@5)": all members of a
     * joint have entered. */
    char text[1000];
};

static void put(struct heard *h, const char *text)
{
    cr_assert_lt(strlen(h->text) + strlen(text), sizeof h->text);
    strcat(h->text, text);
}

static void put_causes(struct heard *h, const struct causal_cause *causes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[100];
        if (causes[i].lane == CAUSAL_NONE)
            snprintf(text, sizeof text, "(all@%u)", (unsigned)causes[i].at);
        else
            snprintf(text, sizeof text, "(%u@%u)", (unsigned)causes[i].lane, (unsigned)causes[i].at);
        put(h, text);
    }
    put(h, " ");
}

static enum refrain_status hear_enter(void *context, const struct causal_call *c, uint32_t mark)
{
    char text[100];
    snprintf(text, sizeof text, "%s%u.%u ", mark == CAUSAL_NONE ? "+" : "*", (unsigned)c->lane,
             (unsigned)c->number);
    put(context, text);
    return REFRAIN_OK;
}

static enum refrain_status hear_leave(void *context, const struct causal_call *c,
                                      const struct causal_cause *causes, size_t n)
{
    char text[100];
    snprintf(text, sizeof text, "-%u.%u", (unsigned)c->lane, (unsigned)c->number);
    put(context, text);
    put_causes(context, causes, n);
    return REFRAIN_OK;
}

static enum refrain_status hear_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    (void)mark;
    put(context, "&");
    put_causes(context, members, n);
    return REFRAIN_OK;
}

static void hear_forget(void *context, uint32_t mark)
{
    (void)mark;
    put(context, "x ");
}

static void start(struct causal_stream *s, struct heard *h, size_t lanes)
{
    *h = (struct heard){0};
    cr_assert_eq(causal_stream_create(
                     s, lanes, &(struct causal_sink){h, hear_enter, hear_leave, hear_forget, hear_join}),
                 REFRAIN_OK);
}

static void call(struct causal_stream *s, uint32_t lane, uint64_t number, uint64_t enter, uint64_t leave)
{
    cr_assert_eq(causal_stream_call(s, &(struct causal_call){lane, 0, number, enter, leave}, false),
                 REFRAIN_OK);
}

static struct causal_name name(uint32_t lane, uint64_t number)
{
    return (struct causal_name){lane, number};
}

static void settle(struct causal_stream *s, uint32_t lane, uint64_t number, uint32_t by, uint64_t its)
{
    const struct causal_name cause = name(by, its);
    cr_assert_eq(causal_stream_settle(s, name(lane, number), &cause, 0), REFRAIN_OK);
}

static void end(struct causal_stream *s, const struct heard *h, const char *expected)
{
    cr_assert_eq(causal_stream_end(s), REFRAIN_OK);
    cr_assert_str_eq(h->text, expected);
    cr_assert_eq(s->pending, 0);
    causal_stream_free(s);
}

/* Lane 0 receives what lane 1 sends later: its call ends after the begin of the send. */
Test(causal_stream, a_call_ends_behind_its_cause)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 2);
    call(&s, 0, 0, 10, 60);
    causal_stream_expect(&s, name(0, 0));
    call(&s, 0, 1, 70, 80);
    call(&s, 1, 0, 5, 20);
    call(&s, 1, 1, 50, 55);
    cr_assert_eq(causal_stream_hold(&s, name(1, 1)), REFRAIN_OK);
    settle(&s, 0, 0, 1, 1);
    causal_stream_release(&s, name(1, 1));
    end(&s, &h, "+0.0 +1.0 -1.0 *1.1 -1.1 -0.0(1@50) x +0.1 -0.1 ");
    cr_assert_eq(s.forced, 0);
}

/* A call that is settled late holds back its lane and the calls that depend on it. */
Test(causal_stream, what_is_not_settled_holds_back)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 2);
    call(&s, 0, 0, 10, 20);
    causal_stream_expect(&s, name(0, 0));
    call(&s, 0, 1, 30, 40);
    cr_assert_eq(causal_stream_hold(&s, name(0, 1)), REFRAIN_OK);
    call(&s, 0, 2, 41, 42);
    call(&s, 1, 0, 5, 50);
    causal_stream_expect(&s, name(1, 0));
    settle(&s, 1, 0, 0, 1);
    causal_stream_release(&s, name(0, 1));
    call(&s, 1, 1, 60, 70);
    cr_assert_str_eq(h.text, "+0.0 +1.0 ");
    cr_assert_eq(causal_stream_settle(&s, name(0, 0), NULL, 0), REFRAIN_OK);
    end(&s, &h, "+0.0 +1.0 -0.0 *0.1 -0.1 -1.0(0@30) x +0.2 -0.2 +1.1 -1.1 ");
}

/* Three polls are one call, which begins with the first poll; a call around others comes after
 * them. */
Test(causal_stream, polls_are_one_call)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 1);
    call(&s, 0, 0, 10, 20);
    cr_assert_eq(causal_stream_call(&s, &(struct causal_call){0, 3, 1, 12, 30}, true), REFRAIN_OK);
    cr_assert_eq(causal_stream_call(&s, &(struct causal_call){0, 4, 2, 12, 44}, true), REFRAIN_OK);
    cr_assert_eq(s.lanes[0].calls.items[0].call.enter, 12);
    cr_assert_eq(s.lanes[0].calls.items[0].call.leave, 44);
    cr_assert_eq(s.lanes[0].calls.items[0].call.site, 4);
    call(&s, 0, 3, 5, 50);
    cr_assert_eq(s.lanes[0].calls.items[0].call.enter, 44);
    end(&s, &h, "+0.2 -0.2 +0.3 -0.3 ");
}

/* A poll that has found something does not end the call, if other polls go on. */
Test(causal_stream, a_poll_in_the_middle)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 2);
    call(&s, 0, 0, 10, 20);
    call(&s, 0, 1, 20, 24);
    cr_assert_eq(causal_stream_call(&s, &(struct causal_call){0, 3, 2, 20, 30}, true), REFRAIN_OK);
    causal_stream_expect(&s, name(0, 2));
    cr_assert_eq(causal_stream_call(&s, &(struct causal_call){0, 4, 3, 20, 44}, true), REFRAIN_OK);
    causal_stream_expect(&s, name(0, 3));
    call(&s, 0, 4, 50, 60);
    call(&s, 1, 0, 5, 6);
    cr_assert_eq(causal_stream_hold(&s, name(1, 0)), REFRAIN_OK);
    call(&s, 1, 1, 30, 40);
    cr_assert_eq(causal_stream_hold(&s, name(1, 1)), REFRAIN_OK);
    settle(&s, 0, 3, 1, 1);
    settle(&s, 0, 2, 1, 0);
    end(&s, &h, "+0.0 -0.0 +0.3 *1.0 -1.0 *1.1 -1.1 -0.3(1@5)(1@30) +0.4 -0.4 ");
}

/* A mark that is released before its lane reaches it is not reported. */
Test(causal_stream, a_mark_that_nobody_needed)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 1);
    call(&s, 0, 0, 10, 20);
    causal_stream_expect(&s, name(0, 0));
    call(&s, 0, 1, 30, 40);
    cr_assert_eq(causal_stream_hold(&s, name(0, 1)), REFRAIN_OK);
    causal_stream_release(&s, name(0, 1));
    causal_stream_release(&s, name(0, 1)); /* it is not held any more */
    cr_assert_eq(causal_stream_settle(&s, name(0, 0), NULL, 0), REFRAIN_OK);
    end(&s, &h, "+0.0 -0.0 +0.1 -0.1 ");
}

/* Calls 0.0 and 1.0 each depend on the call after the other one, so no order exists; call 2.0 is
 * never settled. The stream forces 2.0 first, and then 0.0. */
Test(causal_stream, what_nobody_knows_is_forced)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 3);
    for (uint32_t lane = 0; lane < 2; lane++) {
        call(&s, lane, 0, 10 + lane, 20);
        causal_stream_expect(&s, name(lane, 0));
        call(&s, lane, 1, 30, 40);
        cr_assert_eq(causal_stream_hold(&s, name(lane, 1)), REFRAIN_OK);
    }
    settle(&s, 0, 0, 1, 1);
    settle(&s, 1, 0, 0, 1);
    call(&s, 2, 0, 15, 20);
    causal_stream_expect(&s, name(2, 0));
    cr_assert_eq(causal_stream_end(&s), REFRAIN_OK);
    cr_assert_eq(s.forced, 2);
    cr_assert_str_eq(h.text, "+0.0 +1.0 +2.0 -2.0 -0.0 *0.1 -0.1 -1.0(0@30) *1.1 -1.1 ");
    causal_stream_free(&s);
}

/* A call that waits for a lane that stands still keeps its cause: the stream forces the lane. */
Test(causal_stream, a_call_of_which_nothing_is_known_leaves_others_their_causes)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 2);
    call(&s, 0, 0, 50, 60); /* a send that is never received */
    causal_stream_expect(&s, name(0, 0));
    call(&s, 0, 1, 70, 90);
    cr_assert_eq(causal_stream_hold(&s, name(0, 1)), REFRAIN_OK);
    call(&s, 1, 0, 10, 90);
    causal_stream_expect(&s, name(1, 0));
    settle(&s, 1, 0, 0, 1);
    causal_stream_release(&s, name(0, 1));
    cr_assert_eq(causal_stream_end(&s), REFRAIN_OK);
    cr_assert_eq(s.forced, 1);
    cr_assert_str_eq(h.text, "+0.0 +1.0 -0.0 *0.1 -0.1 -1.0(0@70) x ");
    causal_stream_free(&s);
}

/* The stream keeps no more calls than most_pending. */
Test(causal_stream, only_so_many_are_kept)
{
    struct causal_stream s;
    struct heard h;
    start(&s, &h, 1);
    s.most_pending = 2;
    call(&s, 0, 0, 10, 20);
    causal_stream_expect(&s, name(0, 0));
    call(&s, 0, 1, 30, 40);
    call(&s, 0, 2, 50, 60);
    cr_assert_eq(s.forced, 1);
    cr_assert_eq(s.pending, 1);
    end(&s, &h, "+0.0 -0.0 +0.1 -0.1 +0.2 -0.2 ");
}

/* No call leaves a barrier before all have entered, although each is settled with one other call
 * alone as its cause. Lane 1 enters late in the stream. */
Test(causal_stream, all_of_a_joint_have_come)
{
    struct causal_stream s;
    struct heard h;
    uint32_t joint;
    start(&s, &h, 3);
    call(&s, 1, 0, 1, 4);
    causal_stream_expect(&s, name(1, 0));
    const struct causal_name calls[] = {name(0, 0), name(1, 1), name(2, 0)};
    for (uint32_t i = 0; i < 3; i++) {
        call(&s, i, calls[i].number, 5 + i, 8);
        causal_stream_expect(&s, calls[i]);
        cr_assert_eq(causal_stream_hold(&s, calls[i]), REFRAIN_OK);
    }
    cr_assert_eq(causal_stream_join(&s, calls, 3, CAUSAL_NONE, &joint), REFRAIN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(causal_stream_depend(&s, calls[i], joint, 0), REFRAIN_OK);
        settle(&s, i, calls[i].number, i == 2 ? 1 : 2, i == 2);
    }
    causal_stream_part(&s, joint);
    for (uint32_t i = 0; i < 3; i++)
        causal_stream_release(&s, calls[i]);
    call(&s, 0, 9, 9, 9);
    call(&s, 2, 9, 9, 9);
    cr_assert_eq(strchr(h.text, '-'), NULL);
    cr_assert_eq(causal_stream_settle(&s, name(1, 0), NULL, 0), REFRAIN_OK);
    cr_assert_eq(causal_stream_end(&s), REFRAIN_OK);
    cr_assert(strstr(h.text, "-1.0 *1.1 "));
    cr_assert(strstr(h.text, "&(2@7)(1@6)(0@5) "));
    for (uint32_t i = 0; i < 3; i++) {
        char left[20];
        snprintf(left, sizeof left, "-%u.%u(", (unsigned)i, (unsigned)calls[i].number);
        const char *at = strstr(h.text, left);
        cr_assert(at && at > strchr(h.text, '&'));
        cr_assert(strstr(at, "(all@7)"));
    }
    cr_assert_eq(s.forced, 0);
    cr_assert_eq(s.mark_of_call.n, 0);
    cr_assert_eq(s.unused_marks.n, s.marks.n);
    cr_assert_eq(s.unused_joints.n, s.joints.n);
    causal_stream_free(&s);
}

/* Each call depends on those before it: a joint contains a joint. No call needs the last mark. */
Test(causal_stream, a_joint_of_a_joint)
{
    struct causal_stream s;
    struct heard h;
    uint32_t first, second;
    const struct causal_name calls[] = {name(0, 0), name(1, 0), name(2, 0)};
    start(&s, &h, 3);
    for (uint32_t i = 0; i < 3; i++) {
        call(&s, i, 0, 5 - i, 9);
        causal_stream_expect(&s, calls[i]);
        cr_assert_eq(causal_stream_hold(&s, calls[i]), REFRAIN_OK);
    }
    cr_assert_eq(causal_stream_join(&s, calls, 1, CAUSAL_NONE, &first), REFRAIN_OK);
    cr_assert_eq(causal_stream_join(&s, calls + 1, 1, first, &second), REFRAIN_OK);
    cr_assert_eq(causal_stream_depend(&s, calls[2], second, 0), REFRAIN_OK);
    settle(&s, 2, 0, 0, 0);
    causal_stream_part(&s, second);
    causal_stream_part(&s, first);
    for (uint32_t i = 0; i < 3; i++)
        causal_stream_release(&s, calls[i]);
    cr_assert_eq(causal_stream_settle(&s, calls[0], NULL, 0), REFRAIN_OK);
    cr_assert_eq(causal_stream_settle(&s, calls[1], NULL, 0), REFRAIN_OK);
    cr_assert_eq(causal_stream_end(&s), REFRAIN_OK);
    const char *last = strrchr(h.text, '-');
    cr_assert(last && strstr(last, "-2.0") == last && strstr(last, "(all@5)") && strstr(last, "(0@5)"), "%s",
              h.text);
    cr_assert_eq(s.unused_marks.n, s.marks.n);
    cr_assert_eq(s.unused_joints.n, s.joints.n);
    causal_stream_free(&s);
}
