/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, written call by call; and at random, compared with a model of MPI's queues that
 * decides which receive gets which message. */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "decoder/match/stream/call_stream.h"
#include "decoder/match/stream/process_groups.h"
#include "heard.h"
#include "src/core/base/array.h"
#include "tests/unit/support/random.h"

Test(matching, keeps_the_order_of_a_channel)
{
    struct spoken s;
    spoken_start(&s, 2);
    SEND(&s, 0, 1, 5);
    SEND(&s, 0, 1, 6);
    SEND(&s, 0, 1, 5);
    RECV(&s, 1, 0, 6, 0, 6);
    RECV(&s, 1, ANY_RANK, 5, 0, 5);
    RECV(&s, 1, 0, ANY_TAG, 0, 5);
    expect(&s, "message  0:1 -> 1:0  comm=MPI_COMM_WORLD  tag=6  bytes=8\n"
               "message  0:0 -> 1:1  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:2 -> 1:2  comm=MPI_COMM_WORLD  tag=5  bytes=8\n");
}

Test(matching, puts_a_wildcard_where_it_was_posted)
{
    struct spoken s;
    spoken_start(&s, 2);
    IRECV(&s, 1, ANY_RANK, ANY_TAG, 0);
    IRECV(&s, 1, 0, 5, 1);
    WAIT(&s, 1, 1, STATUS(0, 5, 8));
    WAIT(&s, 1, 0, STATUS(0, 5, 8));
    SEND(&s, 0, 1, 5);
    SEND(&s, 0, 1, 5);
    expect(&s, "message  0:0 -> 1:0, 1:3  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:1 -> 1:1, 1:2  comm=MPI_COMM_WORLD  tag=5  bytes=8\n");
}

Test(matching, a_wildcard_stops_only_what_it_may_take)
{
    struct spoken s;
    spoken_start(&s, 2);
    IRECV(&s, 1, ANY_RANK, 9, 0); /* until the end: it has the last message */
    for (int i = 0; i < 3; i++) {
        SEND(&s, 0, 1, 5);
        RECV(&s, 1, 0, 5, 0, 5);
    }
    SEND(&s, 0, 1, 9);
    WAIT(&s, 1, 0, STATUS(0, 9, 8));
    expect(&s, "message  0:0 -> 1:1  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:1 -> 1:2  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:2 -> 1:3  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:3 -> 1:0, 1:4  comm=MPI_COMM_WORLD  tag=9  bytes=8\n");
}

/* The receiver comes first, so the sends find their receives when they begin. */
Test(matching, what_is_cancelled_takes_nothing)
{
    struct spoken s;
    spoken_start(&s, 2);
    IRECV(&s, 0, 1, 5, 0);
    IRECV(&s, 0, 1, 5, 1);
    SAY(&s, 0, 0, SPOKEN_CANCEL, REQUEST(0), 0);
    WAIT(&s, 0, 0, CANCELLED);
    WAIT(&s, 0, 1, STATUS(1, 5, 8));
    ISEND(&s, 1, 0, 5, 0);
    ISEND(&s, 1, 0, 5, 1);
    SAY(&s, 1, 0, SPOKEN_CANCEL, REQUEST(0), 0);
    SAY(&s, 1, 0, SPOKEN_WAITALL, 2, REQUEST(1), REQUEST(0), 0, 2, NONE, NONE, 2, SENT, CANCELLED);
    expect(&s, "unmatched  0:0  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=1  tag=5  cancelled\n"
               "unmatched  1:0  MPI_Isend  send  comm=MPI_COMM_WORLD  peer=0  tag=5  bytes=8  cancelled\n"
               "message  1:1 -> 0:1, 0:4  comm=MPI_COMM_WORLD  tag=5  bytes=8\n");
}

/* No call asks whether the send was cancelled. A send that was received was not. */
Test(matching, what_is_cancelled_and_freed_may_be_cancelled)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int i = 0; i < 3; i++)
        ISEND(&s, 1, 0, 5 + i, i);
    for (int i = 0; i < 2; i++)
        SAY(&s, 1, 0, SPOKEN_CANCEL, REQUEST(i), 0);
    for (int i = 0; i < 3; i++)
        SAY(&s, 1, 0, SPOKEN_REQUEST_FREE, REQUEST(i), 0, NONE);
    RECV(&s, 0, 1, 5, 1, 5);
    expect(&s,
           "message  1:0 -> 0:0  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
           "unmatched  1:1  MPI_Isend  send  comm=MPI_COMM_WORLD  peer=0  tag=6  bytes=8  cancelled\n"
           "unmatched  1:2  MPI_Isend  send  comm=MPI_COMM_WORLD  peer=0  tag=7  bytes=8  never received\n");
}

/* The same with receives. */
Test(matching, a_receive_that_is_cancelled_and_freed_may_be_cancelled)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int i = 0; i < 3; i++)
        IRECV(&s, 0, 1, 5 + i, i);
    for (int i = 0; i < 2; i++)
        SAY(&s, 0, 0, SPOKEN_CANCEL, REQUEST(i), 0);
    for (int i = 0; i < 3; i++)
        SAY(&s, 0, 0, SPOKEN_REQUEST_FREE, REQUEST(i), 0, NONE);
    SEND(&s, 1, 0, 5);
    expect(&s, "message  1:0 -> 0:0, ?  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "unmatched  0:1  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=1  tag=6  cancelled\n"
               "unmatched  0:2  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=1  tag=7  never sent\n");
}

Test(matching, persistent_requests_begin_when_they_are_started)
{
    struct spoken s;
    spoken_start(&s, 2);
    SAY(&s, 0, 0, SPOKEN_SEND_INIT, 1, TYPE, 1, 5, WORLD, 0, REQUEST(0));
    SAY(&s, 0, 0, SPOKEN_SEND_INIT, 2, TYPE, 1, 5, WORLD, 0, REQUEST(1));
    SAY(&s, 1, 0, SPOKEN_RECV_INIT, ANY_RANK, 5, WORLD, 0, REQUEST(0));
    for (int i = 0; i < 2; i++) {
        SAY(&s, 0, 0, SPOKEN_STARTALL, 2, REQUEST(1), REQUEST(0), 0, 2, REQUEST(1), REQUEST(0));
        SAY(&s, 0, 0, SPOKEN_WAITALL, 2, REQUEST(0), REQUEST(1), 0, 2, REQUEST(0), REQUEST(1), 2, SENT, SENT);
        for (int k = 0; k < 2; k++) {
            SAY(&s, 1, 0, SPOKEN_START, REQUEST(0), 0, REQUEST(0));
            SAY(&s, 1, 0, SPOKEN_WAIT, REQUEST(0), 0, REQUEST(0), STATUS(0, 5, k ? 8 : 16));
        }
    }
    SAY(&s, 1, 0, SPOKEN_REQUEST_FREE, REQUEST(0), 0, NONE);
    expect(&s, "message  0:2 -> 1:1, 1:2  comm=MPI_COMM_WORLD  tag=5  bytes=16\n"
               "message  0:2 -> 1:3, 1:4  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:4 -> 1:5, 1:6  comm=MPI_COMM_WORLD  tag=5  bytes=16\n"
               "message  0:4 -> 1:7, 1:8  comm=MPI_COMM_WORLD  tag=5  bytes=8\n");
}

Test(matching, a_probed_message_has_its_place_from_the_probe_on)
{
    struct spoken s;
    spoken_start(&s, 2);
    SEND(&s, 0, 1, 5);
    SEND(&s, 0, 1, 5);
    SAY(&s, 1, 0, SPOKEN_MPROBE, ANY_RANK, ANY_TAG, WORLD, 0, MESSAGE(0), STATUS(0, 5, 8));
    RECV(&s, 1, 0, 5, 0, 5);
    SAY(&s, 1, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(0, 5, 8));
    SAY(&s, 1, 0, SPOKEN_MPROBE, NULL_RANK, 5, WORLD, 0, NONE, STATUS(NULL_RANK, ANY_TAG, 0));
    expect(&s, "message  0:0 -> 1:2  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:1 -> 1:1  comm=MPI_COMM_WORLD  tag=5  bytes=8\n");
}

/* No MPI does this. */
Test(matching, a_message_that_nobody_knows_is_found_and_received)
{
    struct spoken s;
    spoken_start(&s, 2);
    SAY(&s, 1, 0, SPOKEN_MPROBE, ANY_RANK, ANY_TAG, WORLD, 0, MESSAGE(0), STATUS(0, ANY_TAG, 8));
    SAY(&s, 1, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(0, ANY_TAG, 8));
    expect(&s, "unmatched  1:1  MPI_Mrecv  receive  comm=MPI_COMM_WORLD  peer=outside  tag=MPI_ANY_TAG  the "
               "peer is not in this trace\n");
}

Test(matching, the_first_call_that_tells_completes)
{
    struct spoken s;
    spoken_start(&s, 2);
    SEND(&s, 0, 1, 5);
    SEND(&s, 0, 1, 6);
    IRECV(&s, 1, 0, 5, 0);
    IRECV(&s, 1, 0, 6, 1);
    SAY(&s, 1, 0, SPOKEN_GET_STATUS, REQUEST(0), 0, 0, SENT);
    SAY(&s, 1, 0, SPOKEN_GET_STATUS, REQUEST(0), 0, 1, STATUS(0, 5, 8));
    WAIT(&s, 1, 0, STATUS(0, 5, 8));
    SAY(&s, 1, 0, SPOKEN_TESTSOME, 2, NONE, REQUEST(1), 0, 2, NONE, REQUEST(1), 0, 0);
    SAY(&s, 1, 0, SPOKEN_TESTSOME, 2, NONE, REQUEST(1), 0, 2, NONE, NONE, 1, 1, 1, STATUS(0, 6, 8));
    expect(&s, "message  0:0 -> 1:0, 1:3  comm=MPI_COMM_WORLD  tag=5  bytes=8\n"
               "message  0:1 -> 1:1, 1:6  comm=MPI_COMM_WORLD  tag=6  bytes=8\n");
}

/* Libraries have one request for all messages to and from MPI_PROC_NULL, so the request of a send
 * may be freed in place of the receive's. */
Test(matching, nobody_sends_no_message_that_is_unknown)
{
    struct spoken s;
    spoken_start(&s, 2);
    IRECV(&s, 1, NULL_RANK, ANY_TAG, 0);
    SAY(&s, 1, 0, SPOKEN_REQUEST_FREE, REQUEST(0), 0, NONE);
    IRECV(&s, 1, 0, ANY_TAG, 1);
    SAY(&s, 1, 0, SPOKEN_REQUEST_FREE, REQUEST(1), 0, NONE);
    expect(&s,
           "unmatched  1:2  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=0  tag=MPI_ANY_TAG  nobody knows "
           "which message it took\n");
}

Test(matching, says_what_is_left_and_why)
{
    struct spoken s;
    spoken_start(&s, 3);
    SEND(&s, 0, 1, 5);
    SEND(&s, 0, NULL_RANK, 5);
    RECV(&s, 1, NULL_RANK, 5, NULL_RANK, ANY_TAG);
    RECV(&s, 1, 0, 6, 0, 6);
    IRECV(&s, 1, 2, 7, 0);
    ISEND(&s, 2, 1, 7, 0);
    SAY(&s, 2, 0, SPOKEN_RECV, 0, 5, WORLD); /* it did not return */
    expect(&s,
           "unmatched  1:2  MPI_Irecv  receive  comm=MPI_COMM_WORLD  peer=2  tag=7  never completed\n"
           "message  2:0 -> 1:2, ?  comm=MPI_COMM_WORLD  tag=7  bytes=8\n"
           "unmatched  2:1  MPI_Recv  receive  comm=MPI_COMM_WORLD  peer=0  tag=5  never completed\n"
           "unmatched  2:0  MPI_Isend  send  comm=MPI_COMM_WORLD  peer=1  tag=7  bytes=8  never completed\n"
           "unmatched  0:0  MPI_Send  send  comm=MPI_COMM_WORLD  peer=1  tag=5  bytes=8  never received\n"
           "unmatched  1:1  MPI_Recv  receive  comm=MPI_COMM_WORLD  peer=0  tag=6  never sent\n");
}

/* Thread 1 completes the second and fourth request of thread 0, all of which have the same number,
 * wherever that is in a turn of thread 0. */
Test(matching, a_number_tells_which_request_another_thread_completes)
{
    for (int before = 0; before < 70; before++) {
        struct spoken s;
        char lines[1000];
        size_t n = 0;
        spoken_start(&s, 2);
        for (int i = 0; i < before; i++)
            SEND(&s, 1, NULL_RANK, 0);
        for (int i = 0; i < 4; i++) {
            const int posted = (int)spoken_calls(&s, 1, 0);
            SEND(&s, 0, 1, i);
            IRECV(&s, 1, ANY_RANK, ANY_TAG, 3);
            if (i % 2 == 0)
                WAIT(&s, 1, 3, STATUS(0, i, 8));
            else
                SAY(&s, 1, 1, SPOKEN_WAIT, FOREIGN(3, 0), 0, NONE, STATUS(0, i, 8));
            const char *by = i % 2 ? ".1" : "";
            n += (size_t)snprintf(lines + n, sizeof lines - n,
                                  "message  0:%d -> 1:%d, 1%s:%d  comm=MPI_COMM_WORLD  tag=%d  bytes=8\n", i,
                                  posted, by, i % 2 ? i / 2 : posted + 1, i);
        }
        expect(&s, lines);
    }
}

/* ---- windows: the operations alone ----------------------------------------------------------- */

Test(matching, an_access_belongs_to_an_epoch)
{
    static const struct {
        enum operation_kind kind;
        uint64_t call, opened; /* opened: -1 for none */
    } expected[] = {
        {OPERATION_COLLECTIVE, 0, -1}, {OPERATION_OPEN, 1, 1},  {OPERATION_COLLECTIVE, 1, -1},
        {OPERATION_RMA, 2, 1},         {OPERATION_CLOSE, 3, 1}, {OPERATION_COLLECTIVE, 3, -1},
        {OPERATION_OPEN, 4, 4},        {OPERATION_RMA, 5, 4},   {OPERATION_RMA, 6, -1},
        {OPERATION_CLOSE, 7, 4},
    };
    struct spoken s;
    struct operation_source source;
    struct call_stream *stream;
    const struct operation *op;
    enum refrain_status status;
    size_t n = 0;
    spoken_start(&s, 2);
    SAY(&s, 0, 0, SPOKEN_WIN_CREATE, WORLD, 0, 0);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, 0, 0, 0);
    SAY(&s, 0, 0, SPOKEN_PUT, 3, TYPE, 1, 0, 0);
    SAY(&s, 0, 0, SPOKEN_WIN_FENCE, NO_SUCCEED, 0, 0);
    SAY(&s, 0, 0, SPOKEN_WIN_LOCK, 1, 0, 0);
    SAY(&s, 0, 0, SPOKEN_PUT, 3, TYPE, 1, 0, 0);
    SAY(&s, 0, 0, SPOKEN_PUT, 3, TYPE, 0, 0, 0); /* only the other target is locked */
    SAY(&s, 0, 0, SPOKEN_WIN_UNLOCK, 1, 0, 0);
    spoken_end(&s);
    cr_assert_eq(operation_source_create(&source, &s.reader, &s.definitions), REFRAIN_OK);
    cr_assert_eq(call_stream_create(&source, 0, &stream), REFRAIN_OK);
    while (call_stream_next_operation(stream, &op, &status)) {
        cr_assert_lt(n, sizeof expected / sizeof expected[0]);
        cr_assert_eq(op->kind, expected[n].kind, "operation %zu", n);
        cr_assert_eq(op->call.call, expected[n].call, "operation %zu", n);
        cr_assert_eq(op->in_epoch, expected[n].opened != (uint64_t)-1, "operation %zu", n);
        if (op->in_epoch)
            cr_assert_eq(op->post.call, expected[n].opened, "operation %zu", n);
        if (op->kind == OPERATION_RMA)
            cr_assert_eq(op->sent, 24);
        n++;
    }
    cr_assert_eq(status, REFRAIN_OK);
    cr_assert_eq(n, sizeof expected / sizeof expected[0]);
    call_stream_free(stream);
    operation_source_free(&source);
    spoken_free(&s);
}

/* A test that returns false is reported on request, and so are the partners of an epoch. */
Test(matching, tests_and_partners)
{
    struct spoken s;
    struct operation_source source;
    struct call_stream *stream;
    const struct operation *op;
    enum refrain_status status;
    spoken_start(&s, 3);
    SAY(&s, 0, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    SAY(&s, 0, 0, SPOKEN_GET_STATUS, REQUEST(0), 0, 0, SENT); /* 1 */
    SAY(&s, 0, 0, SPOKEN_GET_STATUS, REQUEST(0), 0, 1, STATUS(1, 5, 8));
    SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(1, 5, 8));
    SAY(&s, 0, 0, SPOKEN_WIN_CREATE, WORLD, 0, 0);
    SAY(&s, 0, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(0));
    SAY(&s, 0, 0, SPOKEN_GROUP_INCL, GROUP(0), 2, 2, 1, 0, GROUP(1));
    SAY(&s, 0, 0, SPOKEN_GROUP_DIFFERENCE, GROUP(0), GROUP(1), 0, GROUP(2));
    SAY(&s, 0, 0, SPOKEN_WIN_POST, GROUP(1), 0, 0); /* 8 */
    /* the same number for another group */
    SAY(&s, 0, 0, SPOKEN_GROUP_INCL, GROUP(0), 1, 0, 0, GROUP(1));
    SAY(&s, 0, 0, SPOKEN_WIN_TEST, 0, 0, 0); /* 10 */
    SAY(&s, 0, 0, SPOKEN_WIN_TEST, 0, 0, 1);
    SAY(&s, 0, 0, SPOKEN_WIN_POST, GROUP(2), 0, 0); /* 12 */
    spoken_end(&s);
    cr_assert_eq(operation_source_create(&source, &s.reader, &s.definitions), REFRAIN_OK);
    for (int details = 0; details < 2; details++) {
        uint64_t tested[2] = {0}, opened = 0;
        size_t n = 0;
        source.details = details;
        cr_assert_eq(call_stream_create(&source, 0, &stream), REFRAIN_OK);
        while (call_stream_next_operation(stream, &op, &status)) {
            if (op->kind == OPERATION_TEST) {
                cr_assert_lt(n, 2);
                cr_assert_eq(op->of, n == 0 ? OPERATION_RECEIVE : OPERATION_CLOSE);
                tested[n++] = op->call.call;
            }
            if (op->kind == OPERATION_OPEN || op->kind == OPERATION_CLOSE)
                cr_assert_eq(op->partners != NULL, details);
            if (op->partners && op->post.call == 8) {
                cr_assert_eq(op->partners->n, 2);
                cr_assert(op->partners->ranks[0] == 2 && op->partners->ranks[1] == 1);
                opened++;
            } else if (op->partners) {
                cr_assert_eq(op->partners->n, 1);
                cr_assert_eq(op->partners->ranks[0], 0);
            }
        }
        cr_assert_eq(status, REFRAIN_OK);
        cr_assert_eq(n, details ? 2 : 0);
        if (details)
            cr_assert(tested[0] == 1 && tested[1] == 10 && opened == 3);
        call_stream_free(stream);
    }
    operation_source_free(&source);
    spoken_free(&s);
}

struct senders {
    ARRAY(uint32_t) ranks;
};

static enum refrain_status note_sender(void *context, const struct matching_message *m)
{
    return array_push(&((struct senders *)context)->ranks, m->send.rank) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Rank 2 sends to 1, which then sends to 0, for longer than a rank's turn. */
Test(matching, causes_come_first_in_order)
{
    enum { TIMES = 3000 };
    struct spoken s;
    struct senders senders = {0};
    const struct matching_sink sink = {.context = &senders, .message = note_sender, .in_order = true};
    spoken_start(&s, 3);
    for (int i = 0; i < TIMES; i++) {
        RECV(&s, 0, 1, 5, 1, 5);
        RECV(&s, 1, 2, 5, 2, 5);
        SEND(&s, 1, 0, 5);
        SEND(&s, 2, 1, 5);
    }
    spoken_end(&s);
    cr_assert_eq(matching_run(&s.reader, &s.definitions, &sink), REFRAIN_OK);
    cr_assert_eq(senders.ranks.n, 2 * TIMES);
    size_t to_1 = 0, to_0 = 0;
    for (size_t i = 0; i < senders.ranks.n; i++) {
        to_1 += senders.ranks.items[i] == 2;
        to_0 += senders.ranks.items[i] == 1;
        cr_assert_leq(to_0, to_1, "message %zu", i);
    }
    array_free(&senders.ranks);
    spoken_free(&s);
}

static enum refrain_status ignore_collective(void *context, const struct matching_collective *c)
{
    (void)context;
    (void)c;
    return REFRAIN_OK;
}

/* Rank 1 sends to 0, which then sends to 2, and then all meet. Rank 2 lacks a call that the others
 * have made, but still no rank gets far ahead. */
Test(matching, causes_come_first_behind_calls_that_differ)
{
    enum { TIMES = 500 };
    struct spoken s;
    struct senders senders = {0};
    const struct matching_sink sink = {
        .context = &senders, .message = note_sender, .collective = ignore_collective, .in_order = true};
    spoken_start(&s, 3);
    BCAST(&s, 0, 0, 0);
    BCAST(&s, 1, 0, 0);
    for (int i = 0; i < TIMES; i++) {
        RECV(&s, 0, 1, 5, 1, 5);
        SEND(&s, 0, 2, 5);
        SEND(&s, 1, 0, 5);
        RECV(&s, 2, 0, 5, 0, 5);
        for (uint32_t rank = 0; rank < 3; rank++)
            BARRIER(&s, rank, 0);
    }
    spoken_end(&s);
    cr_assert_eq(matching_run(&s.reader, &s.definitions, &sink), REFRAIN_OK);
    cr_assert_eq(senders.ranks.n, 2 * TIMES);
    for (size_t i = 0; i < senders.ranks.n; i++)
        cr_assert_eq(senders.ranks.items[i], i % 2 ? 0 : 1, "message %zu", i);
    array_free(&senders.ranks);
    spoken_free(&s);
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Times decide the order of threads' calls, so damaged times are an error. */
Test(matching, damaged_times_are_an_error)
{
    struct spoken s;
    struct senders senders = {0};
    struct bytes times = {0};
    const struct matching_sink sink = {.context = &senders, .message = note_sender};
    spoken_start(&s, 2);
    SEND(&s, 0, 1, 5);
    SAY(&s, 0, 1, SPOKEN_SEND, 1, TYPE, NULL_RANK, 5, WORLD, 0);
    RECV(&s, 1, 0, 5, 0, 5);
    spoken_end(&s);
    cr_expect_eq(matching_run(&s.reader, &s.definitions, &sink), REFRAIN_OK);
    cr_expect_eq(senders.ranks.n, 1);
    bytes_put_uint(&times, 0); /* grids */
    bytes_put_uint(&times, 0); /* without a bound */
    cr_assert_eq(annex_add(&s.reader.trace.annex, 0, ANNEX_TIMES, 0, times.data, times.n), REFRAIN_OK);
    s.reader.annex = times.data;
    cr_expect_eq(matching_run(&s.reader, &s.definitions, &sink), REFRAIN_ERR_FORMAT);
    array_free(&senders.ranks);
    bytes_free(&times);
    spoken_free(&s);
}

/* ---- at random ------------------------------------------------------------------------------- */

enum { RANKS = 4, TAGS = 3, REQUESTS = 8, STEPS = 400 };

/* A message that is on its way, or has arrived before its receive. */
struct message {
    uint32_t source, dest, tag;
    uint64_t call;
    bool arrived, taken;
};

/* A receive request. */
struct posted {
    bool used, cancelled;
    int64_t source, tag;
    uint64_t call, order;
    size_t message; /* SIZE_MAX: none yet */
};

/* A pair of calls that the model matched. `found`: matching_run has matched it, too. `caused`: it
 * was reported after all messages that came before it on its two ranks. */
struct pair {
    uint32_t source, dest;
    uint64_t sent, posted, completed;
    bool found, caused;
};

/* MPI's queues: a message takes the first posted receive that accepts it; a receive takes the
 * first message that has arrived and that it accepts. */
struct model {
    struct spoken spoken;
    uint64_t random, order;
    ARRAY(struct message) messages; /* in the order of the sends */
    ARRAY(size_t) arrived;          /* in the order of arrival, over all ranks */
    struct posted posted[RANKS][REQUESTS];
    ARRAY(struct pair) pairs;
};

static bool wants(const struct posted *p, const struct message *m)
{
    return p->used && p->message == SIZE_MAX && (p->source == ANY_RANK || p->source == m->source) &&
           (p->tag == ANY_TAG || p->tag == m->tag);
}

static void arrive(struct model *m, size_t message)
{
    struct message *arriving = &m->messages.items[message];
    struct posted *first = NULL;
    arriving->arrived = true;
    for (size_t i = 0; i < REQUESTS; i++) {
        struct posted *p = &m->posted[arriving->dest][i];
        if (wants(p, arriving) && (!first || p->order < first->order))
            first = p;
    }
    if (first) {
        first->message = message;
        arriving->taken = true;
    } else {
        cr_assert(array_push(&m->arrived, message));
    }
}

/* Deliver the first message of some pair of ranks; false if all messages have arrived. */
static bool some_arrive(struct model *m)
{
    const size_t n = m->messages.n, from = n ? random_below(&m->random, (uint32_t)n) : 0;
    for (size_t k = 0; k < n; k++) {
        const struct message *chosen = &m->messages.items[(from + k) % n];
        if (chosen->arrived)
            continue;
        for (size_t i = 0; i < n; i++) {
            const struct message *first = &m->messages.items[i];
            if (!first->arrived && first->source == chosen->source && first->dest == chosen->dest) {
                arrive(m, i);
                return true;
            }
        }
    }
    return false;
}

static void send_one(struct model *m, uint32_t rank)
{
    const struct message message = {.source = rank,
                                    .dest = random_below(&m->random, RANKS),
                                    .tag = random_below(&m->random, TAGS),
                                    .call = spoken_calls(&m->spoken, rank, 0)};
    SAY(&m->spoken, rank, 0, SPOKEN_SEND, 1, TYPE, message.dest, message.tag, WORLD, 0);
    cr_assert(array_push(&m->messages, message));
}

static void post(struct model *m, uint32_t rank, size_t request, int64_t source, int64_t tag)
{
    struct posted *p = &m->posted[rank][request];
    *p = (struct posted){.used = true,
                         .source = source,
                         .tag = tag,
                         .call = spoken_calls(&m->spoken, rank, 0),
                         .order = m->order++,
                         .message = SIZE_MAX};
    SAY(&m->spoken, rank, 0, SPOKEN_IRECV, source, tag, WORLD, 0, REQUEST(request));
    for (size_t i = 0; i < m->arrived.n; i++) {
        struct message *message = &m->messages.items[m->arrived.items[i]];
        if (!message->taken && message->dest == rank && wants(p, message)) {
            message->taken = true;
            p->message = m->arrived.items[i];
            return;
        }
    }
}

/* Complete a request that has a message. */
static void complete(struct model *m, uint32_t rank, size_t request)
{
    struct posted *p = &m->posted[rank][request];
    const struct message *message = &m->messages.items[p->message];
    const struct pair pair = {
        message->source, rank, message->call, p->call, spoken_calls(&m->spoken, rank, 0), false, false};
    SAY(&m->spoken, rank, 0, SPOKEN_WAIT, REQUEST(request), 0, NONE,
        STATUS(message->source, message->tag, 8));
    cr_assert(array_push(&m->pairs, pair));
    p->used = false;
}

/* At the end all messages arrive and are received, and receives without a message are cancelled. */
static void finish(struct model *m)
{
    while (some_arrive(m))
        ;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (size_t i = REQUESTS; i-- > 0;) {
            struct posted *p = &m->posted[rank][i];
            if (p->used && p->message != SIZE_MAX)
                complete(m, rank, i);
            if (!p->used)
                continue;
            SAY(&m->spoken, rank, 0, SPOKEN_CANCEL, REQUEST(i), 0);
            WAIT(&m->spoken, rank, i, CANCELLED);
            p->used = false;
        }
        for (size_t i = 0; i < m->messages.n; i++) {
            const struct message *message = &m->messages.items[i];
            while (!message->taken && message->dest == rank) { /* another message may come first */
                post(m, rank, 0, ANY_RANK, message->tag);
                complete(m, rank, 0);
            }
        }
    }
}

/* Has every message that came to the rank before the call been reported? */
static bool is_told(const struct model *m, uint32_t rank, uint64_t call)
{
    for (size_t i = 0; i < m->pairs.n; i++) {
        const struct pair *p = &m->pairs.items[i];
        if (p->dest == rank && p->completed < call && !p->found)
            return false;
    }
    return true;
}

static enum refrain_status check_message(void *context, const struct matching_message *found)
{
    struct model *m = context;
    for (size_t i = 0; i < m->pairs.n; i++) {
        struct pair *p = &m->pairs.items[i];
        if (p->found || p->source != found->send.rank || p->dest != found->receive.rank ||
            p->sent != found->send.call)
            continue;
        cr_assert_eq(found->receive.call, p->posted);
        cr_assert_eq(found->completed.call, p->completed);
        p->caused = is_told(m, p->source, p->sent) && is_told(m, p->dest, p->completed);
        p->found = true;
        return REFRAIN_OK;
    }
    return REFRAIN_ERR_CHECK;
}

static enum refrain_status check_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)context;
    cr_assert_eq(u->reason, MATCHING_CANCELLED, "%s", matching_reasons[u->reason]);
    return REFRAIN_OK;
}

static void play(unsigned seed)
{
    struct model m = {.random = random_seed(seed)};
    spoken_start(&m.spoken, RANKS);
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t rank = random_below(&m.random, RANKS);
        const size_t request = random_below(&m.random, REQUESTS);
        struct posted *p = &m.posted[rank][request];
        if (random_below(&m.random, 3) == 0)
            send_one(&m, rank);
        else if (random_below(&m.random, 3) == 0)
            some_arrive(&m);
        else if (!p->used)
            post(&m, rank, request, (int64_t)random_below(&m.random, RANKS + 2) % (RANKS + 1) - 1,
                 (int64_t)random_below(&m.random, TAGS + 1) - 1);
        else if (p->message != SIZE_MAX)
            complete(&m, rank, request);
    }
    finish(&m);
    spoken_end(&m.spoken);
    struct match_hints hints = {0};
    for (int run = 0; run < 4; run++) {
        const struct matching_sink sink = {.context = &m,
                                           .message = check_message,
                                           .unmatched = check_unmatched,
                                           .in_order = run > 0,
                                           .hints = run > 1 ? &hints : NULL};
        cr_assert_eq(matching_run(&m.spoken.reader, &m.spoken.definitions, &sink), REFRAIN_OK);
        for (size_t i = 0; i < m.pairs.n; i++) {
            cr_assert(m.pairs.items[i].found, "seed %u, run %d, message %zu", seed, run, i);
            cr_assert(run < 3 || m.pairs.items[i].caused, "seed %u, message %zu", seed, i);
            m.pairs.items[i].found = false;
        }
    }
    match_hints_free(&hints);
    cr_assert_eq(m.pairs.n, m.messages.n);
    array_free(&m.messages);
    array_free(&m.arrived);
    array_free(&m.pairs);
    spoken_free(&m.spoken);
}

Test(matching, is_that_of_mpi_queues)
{
    for (unsigned seed = 0; seed < 200; seed++)
        play(seed);
}
