/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with loops, whose rounds are told from notes (rounds.h): the same is reported as if each call had been
 * matched. */
#include "heard.h"
#include "tests/unit/support/random.h"

#include <stdlib.h>

/* ---- comparing ----------------------------------------------------------------------------------- */

struct listener {
    struct heard heard;
    uint64_t calls, next[SPOKEN_RANKS]; /* of each rank: its next call */
    uint64_t operations, sent;
};

static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    return hear_message(&((struct listener *)context)->heard, m);
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    return hear_collective(&((struct listener *)context)->heard, c);
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    return hear_unmatched(&((struct listener *)context)->heard, u);
}

static enum refrain_status take_call(void *context, const struct call *call, const struct timestamp *t,
                                     const struct call_fields *f)
{
    struct listener *l = context;
    (void)t;
    cr_assert(f);
    cr_assert_eq(call->index, l->next[call->rank]++, "rank %u", call->rank);
    l->calls++;
    return REFRAIN_OK;
}

/* A sum of all that an operation says, whatever the order. */
static enum refrain_status take_operation(void *context, const struct operation *op)
{
    struct listener *l = context;
    const uint64_t words[] = {
        op->kind,   op->of,        op->call.rank,     op->call.call, op->post.call,
        op->number, op->posted_by, (uint64_t)op->tag, op->sent,      (uint64_t)op->peer};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        sum = (sum ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15) + (sum >> 29);
    l->operations += sum;
    cr_assert_eq(op->call.call + 1, l->next[op->call.rank], "an operation comes right behind its call");
    return REFRAIN_OK;
}

static enum refrain_status take_sent(void *context, const struct matching_sent *s)
{
    struct listener *l = context;
    l->sent += (s->completed.call + 1) * 31 + s->completed.rank * 7 + s->receive.call * 131 + s->receive.rank;
    return REFRAIN_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in alphabetical order; the order of the report may differ. */
static char **sort_lines(struct bytes *b, size_t *n)
{
    char **lines = calloc(b->n + 1, sizeof *lines);
    bytes_put_u8(b, 0);
    cr_assert(lines && !b->failed);
    *n = 0;
    for (char *line = strtok((char *)b->data, "\n"); line; line = strtok(NULL, "\n"))
        lines[(*n)++] = line;
    qsort(lines, *n, sizeof *lines, by_text);
    return lines;
}

static struct listener walk(struct spoken *s, bool off, bool in_order, uint64_t *told)
{
    struct listener l = {0};
    struct match_hints hints = {0};
    struct matching_rounds rounds = {.off = off};
    const struct matching_sink sink = {.context = &l,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .sent = take_sent,
                                       .call = take_call,
                                       .operation = take_operation,
                                       .unmatched = take_unmatched,
                                       .in_order = in_order,
                                       .hints = in_order ? &hints : NULL,
                                       .rounds = &rounds};
    l.heard.text.functions = &s->reader.trace.functions;
    cr_assert_eq(matching_run(&s->reader, &s->definitions, &sink), REFRAIN_OK);
    match_hints_free(&hints);
    *told = rounds.told;
    return l;
}

/* Returns the number of calls that were told from notes. */
static uint64_t compare(struct spoken *s)
{
    uint64_t told = 0;
    spoken_end(s);
    for (int in_order = 0; in_order < 2; in_order++) {
        uint64_t none;
        struct listener one = walk(s, true, in_order, &none), other = walk(s, false, in_order, &told);
        size_t n, m;
        char **lines = sort_lines(&one.heard.lines, &n), **others = sort_lines(&other.heard.lines, &m);
        cr_assert_eq(none, 0);
        cr_assert_eq(n, m);
        for (size_t i = 0; i < n; i++)
            cr_assert_str_eq(lines[i], others[i]);
        cr_assert_eq(one.calls, other.calls);
        cr_assert_eq(one.operations, other.operations);
        cr_assert_eq(one.sent, other.sent);
        free(lines);
        free(others);
        bytes_free(&one.heard.lines);
        bytes_free(&other.heard.lines);
    }
    spoken_free(s);
    return told;
}

/* ---- programs ------------------------------------------------------------------------------------ */

static void exchange(struct spoken *s, uint32_t ranks, int64_t tag)
{
    for (uint32_t i = 0; i < ranks; i++) {
        const int64_t left = (i + ranks - 1) % ranks, right = (i + 1) % ranks;
        IRECV(s, i, left, tag, 0);
        ISEND(s, i, right, tag, 1);
        WAIT(s, i, 0, STATUS(left, tag, 8));
        WAIT(s, i, 1, SENT);
    }
}

static void all(struct spoken *s, uint32_t ranks)
{
    for (uint32_t i = 0; i < ranks; i++)
        ALLREDUCE(s, i, 0);
}

Test(rounds, a_ring_with_a_collective)
{
    struct spoken s;
    spoken_start(&s, 3);
    exchange(&s, 3, 1);
    all(&s, 3);
    for (int i = 0; i < 100; i++) {
        exchange(&s, 3, 5);
        all(&s, 3);
    }
    exchange(&s, 3, 2);
    all(&s, 3);
    cr_expect_gt(compare(&s), 80 * 3 * 5);
}

/* Two loops, one after the other, and rows that alternate. */
Test(rounds, rows_that_come_again_every_second_time)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int i = 0; i < 60; i++)
        exchange(&s, 2, i % 2);
    all(&s, 2);
    for (int i = 0; i < 60; i++)
        exchange(&s, 2, 7);
    cr_expect_gt(compare(&s), 80 * 2 * 4);
}

/* The work of each rank is another, and ranks are apart by a call. */
Test(rounds, ranks_that_do_different_things)
{
    struct spoken s;
    spoken_start(&s, 3);
    BCAST(&s, 0, 0, 0);
    BCAST(&s, 1, 0, 0);
    BCAST(&s, 2, 0, 0);
    for (int i = 0; i < 50; i++) {
        SEND(&s, 0, 1, 5);
        RECV(&s, 1, 0, 5, 0, 5);
        SEND(&s, 1, 2, 6);
        RECV(&s, 2, ANY_RANK, ANY_TAG, 1, 6);
        SEND(&s, 2, 0, 7);
        RECV(&s, 0, 2, 7, 2, 7);
    }
    cr_expect_gt(compare(&s), 30 * 6);
}

/* A message is always on its way from one iteration to the next one: there is no cut. */
Test(rounds, messages_that_cross_all_cuts)
{
    struct spoken s;
    spoken_start(&s, 2);
    SEND(&s, 0, 1, 5);
    for (int i = 0; i < 50; i++) {
        SEND(&s, 0, 1, 5);
        RECV(&s, 1, 0, 5, 0, 5);
        all(&s, 2);
    }
    RECV(&s, 1, 0, 5, 0, 5);
    cr_expect_eq(compare(&s), 0);
}

Test(rounds, persistent_requests)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t i = 0; i < 2; i++) {
        SAY(&s, i, 0, SPOKEN_RECV_INIT, 1 - i, 5, WORLD, 0, REQUEST(0));
        SAY(&s, i, 0, SPOKEN_SEND_INIT, 1, TYPE, 1 - i, 5, WORLD, 0, REQUEST(1));
    }
    for (int k = 0; k < 50; k++) {
        for (uint32_t i = 0; i < 2; i++) {
            SAY(&s, i, 0, SPOKEN_STARTALL, 2, REQUEST(0), REQUEST(1), 0, 2, REQUEST(0), REQUEST(1));
            SAY(&s, i, 0, SPOKEN_WAITALL, 2, REQUEST(0), REQUEST(1), 0, 2, REQUEST(0), REQUEST(1), 2,
                STATUS(1 - i, 5, 8), SENT);
        }
    }
    cr_expect_gt(compare(&s), 30 * 4);
}

/* What is refused, freed or never received is not told from notes, and nothing is lost. */
Test(rounds, what_cannot_be_told_again)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int k = 0; k < 50; k++) {
        exchange(&s, 2, 3);
        SEND(&s, 0, 1, 99); /* never received */
    }
    cr_expect_eq(compare(&s), 0);
    spoken_start(&s, 2);
    for (int k = 0; k < 50; k++) {
        for (uint32_t i = 0; i < 2; i++) {
            SAY(&s, i, 0, SPOKEN_WIN_CREATE, WORLD, 0, WINDOW(0));
            SAY(&s, i, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
            SAY(&s, i, 0, SPOKEN_WIN_FREE, WINDOW(0), 0, NONE);
        }
    }
    cr_expect_eq(compare(&s), 0);
}

/* ---- at random ------------------------------------------------------------------------------------ */

enum { ACTIONS = 12 };

struct action {
    uint32_t kind, from, to;
    int64_t tag;
};

static void say(struct spoken *s, uint32_t ranks, const struct action *a, int64_t tag)
{
    switch (a->kind) {
    case 0:
        SEND(s, a->from, a->to, tag);
        RECV(s, a->to, a->from, tag, a->from, tag);
        break;
    case 1:
        SEND(s, a->from, a->to, tag);
        RECV(s, a->to, ANY_RANK, ANY_TAG, a->from, tag);
        break;
    case 2:
        ISEND(s, a->from, a->to, tag, 0);
        IRECV(s, a->to, a->from, tag, 1);
        WAIT(s, a->to, 1, STATUS(a->from, tag, 8));
        WAIT(s, a->from, 0, SENT);
        break;
    case 3:
        SEND(s, a->from, a->to, tag);
        SAY(s, a->to, 0, SPOKEN_MPROBE, a->from, tag, WORLD, 0, MESSAGE(0), STATUS(a->from, tag, 8));
        SAY(s, a->to, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(a->from, tag, 8));
        break;
    case 4:
        for (uint32_t i = 0; i < ranks; i++)
            BCAST(s, i, 0, a->from);
        break;
    default:
        for (uint32_t i = 0; i < ranks; i++)
            BARRIER(s, i, 0);
    }
}

static void random_actions(struct action *actions, size_t n, uint32_t ranks, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t from = (uint32_t)random_below(state, ranks),
                       to = (from + 1 + (uint32_t)random_below(state, ranks - 1)) % ranks;
        actions[i] =
            (struct action){(uint32_t)random_below(state, 6), from, to, (int64_t)random_below(state, 3)};
    }
}

Test(rounds, random_programs)
{
    uint64_t state = 5, told = 0, programs = 0;
    for (int k = 0; k < 150; k++) {
        const uint32_t ranks = 2 + (uint32_t)random_below(&state, 3);
        struct spoken s;
        spoken_start(&s, ranks);
        for (uint64_t loops = 1 + random_below(&state, 3); loops > 0; loops--) {
            struct action body[ACTIONS];
            const size_t n = 1 + (size_t)random_below(&state, ACTIONS);
            const uint64_t times = 1 + random_below(&state, 30), alternate = 1 + random_below(&state, 3);
            random_actions(body, n, ranks, &state);
            for (uint64_t i = 0; i < times; i++) {
                for (size_t a = 0; a < n; a++)
                    say(&s, ranks, &body[a], body[a].tag + 10 * (int64_t)(i % alternate));
            }
        }
        const uint64_t now = compare(&s);
        told += now;
        programs += now > 0;
    }
    cr_expect_gt(programs, 20, "only %llu programs had rounds", (unsigned long long)programs);
    cr_expect_gt(told, 10000);
}
