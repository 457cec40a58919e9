/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a rank with their operations: written call by call, and at random, compared with
 * each thread's calls alone. */
#include <criterion/criterion.h>

#include "decoder/match/stream/call_stream.h"
#include "decoder/times/timed_lane.h"
#include "decoder/util/text.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/spoken.h"

#define SEND(s, thread, tag) SAY(s, 0, thread, SPOKEN_SEND, 1, TYPE, 1, tag, WORLD, 0)
#define IRECV(s, thread, request)                                                                            \
    SAY(s, 0, thread, SPOKEN_IRECV, ANY_RANK, ANY_TAG, WORLD, 0, REQUEST(request))
#define WAIT(s, thread, request) SAY(s, 0, thread, SPOKEN_WAIT, REQUEST(request), 0, NONE, STATUS(1, 5, 8))
#define WAIT_FOR(s, thread, request, other)                                                                  \
    SAY(s, 0, thread, SPOKEN_WAIT, FOREIGN(request, other), 0, NONE, STATUS(1, 5, 8))
/* a call without an operation */
#define CANCEL(s, thread, request) SAY(s, 0, thread, SPOKEN_CANCEL, REQUEST(request), 0)

/* The calls of the test, and a stream of rank 0's calls. */
struct fixture {
    struct spoken spoken;
    struct operation_source source;
    struct timestamps_source timestamps;
    struct call_stream *stream;
};

static void start(struct fixture *f)
{
    *f = (struct fixture){0};
    spoken_start(&f->spoken, 2);
}

/* The test has no more calls. */
static void end(struct fixture *f)
{
    struct spoken *s = &f->spoken;
    SAY(s, 1, 0, SPOKEN_CANCEL, REQUEST(0), 0);
    spoken_end(s);
    cr_assert_eq(operation_source_create(&f->source, &s->reader, &s->definitions), REFRAIN_OK);
    cr_assert_eq(timestamps_source_create(&f->timestamps, &s->reader, true), REFRAIN_OK);
}

static struct call_stream *open(struct fixture *f)
{
    call_stream_free(f->stream);
    cr_assert_eq(call_stream_create(&f->source, 0, &f->stream), REFRAIN_OK);
    return f->stream;
}

static void stop(struct fixture *f)
{
    call_stream_free(f->stream);
    timestamps_source_free(&f->timestamps);
    operation_source_free(&f->source);
    spoken_free(&f->spoken);
}

/* ---- in words -------------------------------------------------------------------------------- */

/* "receive"; "end of 0:3" for the completion of what call 3 of thread 0 began, "never 0:3" if it
 * never completes. */
static void put_operation(const struct operation *op, struct bytes *out)
{
    const char *const names[] = {
        [OPERATION_SEND] = "send", [OPERATION_RECEIVE] = "receive", [OPERATION_COLLECTIVE] = "collective"};
    if (op->kind == OPERATION_COMPLETE)
        text_printf(out, " %s%u:%u", op->outcome == OPERATION_NEVER ? "never " : "end of ", op->post.thread,
                    (unsigned)op->post.call);
    else
        text_printf(out, " %s", names[op->kind]);
}

/* A line for each call: "0:3 receive". */
static void expect_calls(struct fixture *f, const char *lines)
{
    struct bytes said = {0};
    struct stream_call c;
    enum refrain_status status;
    open(f);
    while (call_stream_next(f->stream, &c, &status)) {
        cr_assert_eq(c.call->thread, call_stream_thread(f->stream, c.lane));
        text_printf(&said, "%u:%u", c.call->thread, (unsigned)c.call->index);
        for (size_t i = 0; i < c.n_operations; i++)
            put_operation(&c.operations[i], &said);
        text_put(&said, "\n");
    }
    cr_assert_eq(status, REFRAIN_OK);
    bytes_put_u8(&said, '\0');
    cr_assert_str_eq((const char *)said.data, lines);
    bytes_free(&said);
}

/* A line for each operation: "0:3 receive". */
static void expect_operations(struct fixture *f, const char *lines)
{
    struct bytes said = {0};
    const struct operation *op;
    enum refrain_status status;
    open(f);
    while (call_stream_next_operation(f->stream, &op, &status)) {
        text_printf(&said, "%u:%u", op->call.thread, (unsigned)op->call.call);
        put_operation(op, &said);
        text_put(&said, "\n");
    }
    cr_assert_eq(status, REFRAIN_OK);
    cr_assert(call_stream_is_over(f->stream));
    bytes_put_u8(&said, '\0');
    cr_assert_str_eq((const char *)said.data, lines);
    bytes_free(&said);
}

Test(call_stream, each_call_comes_with_what_it_means)
{
    struct fixture f;
    struct spoken *s = &f.spoken;
    start(&f);
    IRECV(s, 0, 0);
    CANCEL(s, 0, 0);
    SAY(s, 0, 0, SPOKEN_ISEND, 1, TYPE, 1, 5, WORLD, 0, REQUEST(1));
    SAY(s, 0, 0, SPOKEN_WAITALL, 2, REQUEST(1), REQUEST(0), 0, 2, NONE, NONE, 2, SENT, STATUS(1, 5, 8));
    SAY(s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    CANCEL(s, 0, 0);
    end(&f);
    expect_calls(&f, "0:0 receive\n"
                     "0:1\n"
                     "0:2 send\n"
                     "0:3 end of 0:2 end of 0:0\n"
                     "0:4 collective\n"
                     "0:5\n");
    expect_operations(&f, "0:0 receive\n"
                          "0:2 send\n"
                          "0:3 end of 0:2\n"
                          "0:3 end of 0:0\n"
                          "0:4 collective\n");
    stop(&f);
}

/* A request whose number is used again, and one at the end, which no call completes. */
Test(call_stream, what_never_completes)
{
    struct fixture f;
    struct spoken *s = &f.spoken;
    start(&f);
    IRECV(s, 0, 0);
    CANCEL(s, 0, 0);
    IRECV(s, 0, 0);
    end(&f);
    expect_calls(&f, "0:0 receive\n"
                     "0:1\n"
                     "0:2 never 0:0 receive\n");
    expect_operations(&f, "0:0 receive\n"
                          "0:0 never 0:0\n"
                          "0:2 receive\n"
                          "0:2 never 0:2\n");
    stop(&f);
}

Test(call_stream, a_rank_without_calls_has_an_empty_one)
{
    struct fixture f;
    struct stream_call c;
    enum refrain_status status;
    start(&f);
    end(&f);
    cr_assert_eq(call_stream_lanes(open(&f)), 0);
    cr_assert_not(call_stream_next(f.stream, &c, &status));
    cr_assert_eq(status, REFRAIN_OK);
    stop(&f);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Thread 1 completes a request of thread 0, so that thread 0 may use its number again. */
static void say_two_threads(struct fixture *f)
{
    struct spoken *s = &f->spoken;
    start(f);
    s->duration = 10;
    s->gap = 1000;
    CANCEL(s, 1, 7);
    s->gap = 500;
    WAIT_FOR(s, 1, 3, 0);
    s->gap = 100;
    IRECV(s, 0, 3);
    s->gap = 2000;
    IRECV(s, 0, 3);
    s->gap = 1;
    WAIT(s, 0, 3);
    end(f);
}

Test(call_stream, requests_tell_which_thread_goes_on)
{
    static const char lines[] = "0:0 receive\n"
                                "1:0\n"
                                "1:1 end of 0:0\n"
                                "0:1 receive\n"
                                "0:2 end of 0:1\n";
    struct fixture f;
    say_two_threads(&f);
    expect_calls(&f, lines);
    /* timestamps alone, without by_time, do not change the order */
    f.source.timestamps = &f.timestamps;
    expect_calls(&f, lines);
    cr_assert_eq(call_stream_lanes(f.stream), 2);
    stop(&f);
}

Test(call_stream, threads_take_turns_or_go_on_by_time)
{
    struct fixture f;
    struct spoken *s = &f.spoken;
    start(&f);
    s->duration = 10;
    for (int i = 0; i < 3; i++) {
        s->gap = 1000;
        SEND(s, 0, i);
        s->gap = i == 0 ? 500 : 1000;
        SEND(s, 1, i + 10);
    }
    end(&f);
    f.source.timestamps = &f.timestamps;
    expect_calls(&f, "0:0 send\n0:1 send\n0:2 send\n1:0 send\n1:1 send\n1:2 send\n");
    f.source.by_time = true;
    expect_calls(&f, "1:0 send\n0:0 send\n1:1 send\n0:1 send\n1:2 send\n0:2 send\n");
    stop(&f);
}

/* A thread that is stopped does not continue after its call; the operations of that call all
 * come. */
Test(call_stream, a_thread_is_stopped)
{
    struct fixture f;
    struct spoken *s = &f.spoken;
    const struct operation *op;
    enum refrain_status status;
    start(&f);
    for (int i = 0; i < 2; i++)
        SAY(s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, i, WORLD, 0);
    SEND(s, 1, 5);
    end(&f);
    cr_assert(call_stream_next_operation(open(&f), &op, &status));
    cr_assert(op->call.thread == 0 && op->call.call == 0);
    call_stream_stop(f.stream, 0, true);
    cr_assert(call_stream_next_operation(f.stream, &op, &status));
    cr_assert_eq(op->call.thread, 1);
    cr_assert_not(call_stream_next_operation(f.stream, &op, &status));
    cr_assert_eq(status, REFRAIN_OK);
    cr_assert_not(call_stream_is_over(f.stream));
    call_stream_stop(f.stream, 0, false);
    cr_assert(call_stream_next_operation(f.stream, &op, &status));
    cr_assert(op->call.thread == 0 && op->call.call == 1);
    cr_assert_not(call_stream_next_operation(f.stream, &op, &status));
    cr_assert(call_stream_is_over(f.stream));
    stop(&f);
}

/* A thread is created after a hundred calls and joined before the last ones, whichever thread's
 * turn it is. */
Test(call_stream, a_thread_that_begins_late_and_ends_early)
{
    enum { BEFORE = 100, WITHIN = 70, BEHIND = 10 };
    struct fixture f;
    struct spoken *s = &f.spoken;
    struct stream_call c;
    enum refrain_status status;
    start(&f);
    for (int i = 0; i < BEFORE; i++)
        CANCEL(s, 0, 0);
    spoken_order(s, 0, 1, 0);
    for (int i = 0; i < WITHIN; i++)
        CANCEL(s, 1, 0);
    spoken_order(s, 0, 0, 1);
    for (int i = 0; i < BEHIND; i++)
        CANCEL(s, 0, 0);
    end(&f);
    for (int timed = 0; timed < 2; timed++) {
        size_t n = 0;
        f.source.timestamps = timed ? &f.timestamps : NULL; /* all at the same time */
        f.source.by_time = timed;
        open(&f);
        for (; call_stream_next(f.stream, &c, &status); n++)
            cr_assert_eq(c.call->thread, n >= BEFORE && n < BEFORE + WITHIN, "call %zu", n);
        cr_assert_eq(status, REFRAIN_OK);
        cr_assert_eq(n, BEFORE + WITHIN + BEHIND);
    }
    stop(&f);
}

/* Each thread comes after the other one, as in a damaged trace: both continue all the same. */
Test(call_stream, threads_that_come_behind_each_other)
{
    struct fixture f;
    struct spoken *s = &f.spoken;
    start(&f);
    f.spoken.orders[f.spoken.n_orders++] = (struct spoken_order){0, {0, 0, 1, 1}};
    f.spoken.orders[f.spoken.n_orders++] = (struct spoken_order){0, {1, 0, 0, 1}};
    /* a thread that does not exist */
    f.spoken.orders[f.spoken.n_orders++] = (struct spoken_order){0, {1, 0, 2, 1}};
    CANCEL(s, 0, 0);
    CANCEL(s, 1, 0);
    end(&f);
    expect_calls(&f, "0:0\n1:0\n");
    stop(&f);
}

/* ---- at random ------------------------------------------------------------------------------- */

enum { REQUESTS = 4, STEPS = 600 };

/* Calls of all threads, which complete requests of their own and of other threads. */
static void say_anything(struct fixture *f, unsigned seed)
{
    struct spoken *s = &f->spoken;
    uint64_t random = random_seed(seed);
    bool used[SPOKEN_THREADS][REQUESTS] = {0};
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t thread = random_below(&random, SPOKEN_THREADS);
        const uint32_t home = random_below(&random, 3) ? thread : random_below(&random, SPOKEN_THREADS);
        const uint32_t request = random_below(&random, REQUESTS);
        const uint32_t what = random_below(&random, 6);
        s->gap = random_below(&random, 5000);
        s->duration = random_below(&random, 500);
        if (what == 0) {
            CANCEL(s, thread, REQUESTS);
        } else if (what == 1) {
            SEND(s, thread, step % 3);
        } else if (used[home][request]) {
            if (home == thread)
                WAIT(s, thread, request);
            else
                WAIT_FOR(s, thread, request, home);
            used[home][request] = false;
        } else if (!used[thread][request]) {
            IRECV(s, thread, request);
            used[thread][request] = true;
        }
    }
}

/* The call is the next one of its thread, which `lane` walks alone. */
static void check_call(const struct fixture *f, struct timed_lane *lane, const struct stream_call *c)
{
    enum refrain_status status;
    cr_assert(timed_lane_next(lane, &status));
    cr_assert_eq(c->call->index, lane->call.index);
    cr_assert_eq(c->call->site, lane->call.site);
    cr_assert_eq(c->call->row, lane->call.row);
    cr_assert_eq(c->call->n_slots, lane->call.n_slots);
    cr_assert_arr_eq(c->call->slots, lane->call.slots, c->call->n_slots * sizeof *c->call->slots);
    cr_assert_eq(c->timestamp->enter, f->source.timestamps ? lane->timestamp.enter : 0);
    cr_assert_eq(c->timestamp->leave, f->source.timestamps ? lane->timestamp.leave : 0);
}

/* The operation belongs to the call, and is the next one of the other stream, which gives
 * operations alone. */
static void check_operation(const struct stream_call *c, const struct operation *op,
                            struct call_stream *other)
{
    const struct operation *same;
    enum refrain_status status;
    cr_assert(call_stream_next_operation(other, &same, &status));
    cr_assert_eq(same->kind, op->kind);
    cr_assert_eq(same->call.thread, op->call.thread);
    cr_assert_eq(same->call.call, op->call.call);
    cr_assert_eq(same->post.call, op->post.call);
    if (op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_NEVER)
        return;
    cr_assert_eq(op->call.thread, c->call->thread);
    cr_assert_eq(op->call.call, c->call->index);
    cr_assert_eq(op->call.timestamp.enter, c->timestamp->enter);
    cr_assert_eq(op->call.timestamp.leave, c->timestamp->leave);
    cr_assert_eq(op->function, c->call->function);
}

static void check_all(struct fixture *f)
{
    struct timed_lane lanes[SPOKEN_THREADS];
    struct lane_ref ref;
    struct stream_call c;
    struct call_stream *other;
    const struct operation *op;
    enum refrain_status status;
    size_t n = 0;
    for (size_t at = 0; reader_next_lane(&f->spoken.reader, 0, LANE_THREAD, &at, &ref); n++)
        cr_assert_eq(timed_lane_start(&lanes[n], &f->spoken.reader, &f->timestamps, &ref), REFRAIN_OK);
    cr_assert_eq(call_stream_create(&f->source, 0, &other), REFRAIN_OK);
    cr_assert_eq(call_stream_lanes(open(f)), n);
    while (call_stream_next(f->stream, &c, &status)) {
        check_call(f, &lanes[c.lane], &c);
        for (size_t i = 0; i < c.n_operations; i++)
            check_operation(&c, &c.operations[i], other);
    }
    cr_assert_eq(status, REFRAIN_OK);
    for (size_t i = 0; i < n; i++) {
        cr_assert_not(timed_lane_next(&lanes[i], &status), "calls of lane %zu are missing", i);
        timed_lane_stop(&lanes[i]);
    }
    while (call_stream_next_operation(other, &op, &status))
        cr_assert(op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_NEVER);
    cr_assert_eq(status, REFRAIN_OK);
    call_stream_free(other);
}

Test(call_stream, has_all_calls_of_all_threads)
{
    for (unsigned seed = 0; seed < 50; seed++) {
        struct fixture f;
        start(&f);
        say_anything(&f, seed);
        end(&f);
        check_all(&f);
        f.source.timestamps = &f.timestamps;
        check_all(&f);
        f.source.by_time = true;
        check_all(&f);
        stop(&f);
    }
}
