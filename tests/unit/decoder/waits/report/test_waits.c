/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in a few calls that the test writes one by one, with their times. */
#include <criterion/criterion.h>

#include "decoder/waits/report/wait_report.h"
#include "tests/unit/support/spoken.h"

/* The results of a search of all calls. */
struct found {
    struct spoken *spoken;
    struct metrics metrics;
    struct timestamps_source timestamps;
    struct wait_search search;
    struct wait_report report;
};

/* A call that begins `gap_` after the one before it, and lasts `duration_`. */
#define CALL(s, gap_, duration_, rank, function, ...)                                                        \
    do {                                                                                                     \
        (s)->gap = gap_;                                                                                     \
        (s)->duration = duration_;                                                                           \
        SAY(s, rank, 0, function, __VA_ARGS__);                                                              \
    } while (0)
#define SEND(s, gap, duration, rank, dest, tag)                                                              \
    CALL(s, gap, duration, rank, SPOKEN_SEND, 1, TYPE, dest, tag, WORLD, 0)
#define RECV(s, gap, duration, rank, source, tag)                                                            \
    CALL(s, gap, duration, rank, SPOKEN_RECV, source, tag, WORLD, 0, STATUS(source, tag, 8))

/* Ranks that make the same calls would get the mean of their times. So each rank gets more calls
 * at its end, as many as its number. */
static void tell_ranks_apart(struct spoken *s)
{
    for (uint32_t rank = 0; rank < s->n_ranks; rank++) {
        for (uint32_t i = 0; i < rank; i++)
            CALL(s, 0, 0, rank, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    }
}

static void search_as(struct found *f, struct spoken *s, const struct metric *more,
                      const struct wait_search *how)
{
    *f = (struct found){.spoken = s, .search = *how};
    f->search.worst.most = 3;
    f->search.worst_of = METRIC_NONE;
    tell_ranks_apart(s);
    spoken_end(s);
    metrics_start(&f->metrics);
    metrics_add_all(&f->metrics);
    if (more)
        metrics_add(&f->metrics, more);
    cr_assert_eq(timestamps_source_create(&f->timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&f->search, &s->reader, &s->definitions, &f->metrics, &f->timestamps),
                 REFRAIN_OK);
    cr_assert_eq(wait_report_create(&f->report, &f->search, METRIC_NONE), REFRAIN_OK);
}

static void search(struct found *f, struct spoken *s, const struct metric *more, uint64_t from, uint64_t to)
{
    search_as(f, s, more, &(struct wait_search){.from = from, .to = to});
}

static void search_roughly(struct found *f, struct spoken *s, uint64_t from, uint64_t to, uint64_t slack)
{
    search_as(f, s, NULL, &(struct wait_search){.from = from, .to = to, .slack = slack});
}

static void search_on(struct found *f, struct spoken *s, const struct wait_grid *grid,
                      struct wait_places *places)
{
    search_as(f, s, NULL, &(struct wait_search){.grid = grid, .places = places, .to = UINT64_MAX});
}

static void find(struct found *f, struct spoken *s)
{
    search(f, s, NULL, 0, UINT64_MAX);
}

static uint64_t value(const struct found *f, const char *metric)
{
    return wait_report_value(&f->report, metrics_find(&f->metrics, metric), WAIT_ALL_SITES);
}

static uint64_t of_lane(const struct found *f, const char *metric, size_t lane)
{
    uint64_t by_lane[SPOKEN_RANKS * SPOKEN_THREADS] = {0};
    wait_report_add_lanes(&f->search, metrics_find(&f->metrics, metric), WAIT_ALL_SITES, by_lane);
    return by_lane[lane];
}

static uint64_t most_at_a_site(const struct found *f, const char *metric)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < f->search.reader->trace.sites.n; i++) {
        const uint64_t here = wait_report_value(&f->report, metrics_find(&f->metrics, metric), i);
        most = here > most ? here : most;
    }
    return most;
}

static void stop(struct found *f)
{
    wait_report_free(&f->report);
    wait_search_free(&f->search);
    timestamps_source_free(&f->timestamps);
    spoken_free(f->spoken);
}

/* Rank 0 receives from 1000 to 5000, rank 1 sends at 4000. */
static void speak_late_sender(struct spoken *s)
{
    spoken_start(s, 2);
    RECV(s, 1000, 4000, 0, 1, 5);
    SEND(s, 4000, 500, 1, 0, 5);
}

Test(waits, late_sender)
{
    struct spoken s;
    struct found f;
    speak_late_sender(&s);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 3000);
    cr_assert_eq(of_lane(&f, "mpi_latesender", 0), 3000);
    cr_assert_eq(value(&f, "mpi_latesender_wo"), 0);
    cr_assert_eq(value(&f, "mpi_cls_count"), 1);
    cr_assert_eq(value(&f, "mpi_point2point"), 4500);
    cr_assert_eq(value(&f, "mpi_communication"), 4500);
    cr_assert_gt(value(&f, "mpi"), 4500);
    cr_assert_eq(value(&f, "bytes_sent"), 8);
    cr_assert_eq(value(&f, "visits"), 3 + 2); /* with the one call that makes the ranks differ; the program */
    cr_assert_eq(f.report.waiting, 3000);
    cr_assert_eq(f.report.causes.n, 1);
    cr_assert_eq(f.search.worst.heap.n, 1);
    cr_assert_eq(f.search.worst.heap.items[0].begin, 1000);
    cr_assert_eq(f.search.worst.heap.items[0].cause.rank, 1);
    stop(&f);
}

Test(waits, only_what_lies_between)
{
    struct spoken s;
    struct found f;
    speak_late_sender(&s);
    search(&f, &s, NULL, 1500, 2500);
    cr_assert_eq(value(&f, "mpi_latesender"), 1000);
    cr_assert_eq(value(&f, "time"), 1000);
    cr_assert_eq(value(&f, "visits"), 0 + 2);
    cr_assert_eq(f.search.worst.heap.items[0].begin, 1500);
    cr_assert_eq(f.search.worst.heap.items[0].end, 2500);
    stop(&f);
}

/* The error of times is that of the searched part, too. */
Test(waits, errors_between)
{
    struct spoken s;
    struct found f;
    speak_late_sender(&s);
    search_roughly(&f, &s, 6000, UINT64_MAX, 10);
    cr_assert_eq(wait_report_error(&f.search, metrics_find(&f.metrics, "mpi_latesender"), WAIT_ALL_SITES), 0);
    stop(&f);
    speak_late_sender(&s);
    search_roughly(&f, &s, 3000, UINT64_MAX, 10);
    cr_assert_eq(wait_report_error(&f.search, metrics_find(&f.metrics, "mpi_latesender"), WAIT_ALL_SITES),
                 10);
    stop(&f);
}

/* Rank 2's second message arrives long before rank 1's first one. But one call completes all
 * receives, so another order is not possible. */
Test(waits, no_order_in_one_call)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    for (int step = 0; step < 2; step++) {
        CALL(&s, 10, 10, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
        CALL(&s, 10, 10, 0, SPOKEN_IRECV, 2, 5, WORLD, 0, REQUEST(1));
        CALL(&s, 10, 8000, 0, SPOKEN_WAITALL, 2, REQUEST(0), REQUEST(1), 0, 2, NONE, NONE, 2, STATUS(1, 5, 8),
             STATUS(2, 5, 8));
        SEND(&s, 5000, 100, 1, 0, 5);
        SEND(&s, 500, 100, 2, 0, 5);
    }
    find(&f, &s);
    cr_assert_gt(value(&f, "mpi_latesender"), 4000);
    cr_assert_eq(value(&f, "mpi_latesender_wo"), 0);
    stop(&f);
}

/* While rank 0 waits for tag 5, sent at 4000, the message of rank 2 that it receives next has been
 * sent at 100. */
Test(waits, wrong_order)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    RECV(&s, 1000, 4000, 0, 1, 5);
    RECV(&s, 10, 50, 0, 2, 6);
    SEND(&s, 4000, 500, 1, 0, 5);
    SEND(&s, 100, 50, 2, 0, 6);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 3000);
    cr_assert_eq(value(&f, "mpi_latesender_wo"), 3000);
    cr_assert_eq(value(&f, "mpi_lswo_different"), 3000);
    cr_assert_eq(value(&f, "mpi_lswo_same"), 0);
    cr_assert_eq(f.report.waiting, 3000); /* counted once */
    stop(&f);
}

/* Rank 1 posts its first receive at 3000, while the first send waits, and the second at 9000, when
 * the second send is over. */
Test(waits, late_receiver)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    SEND(&s, 1000, 4000, 0, 1, 5);
    SEND(&s, 1000, 100, 0, 1, 6);
    RECV(&s, 3000, 2000, 1, 0, 5);
    RECV(&s, 4000, 100, 1, 0, 6);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latereceiver"), 2000);
    cr_assert_eq(of_lane(&f, "mpi_latereceiver", 0), 2000);
    cr_assert_eq(value(&f, "mpi_clr_count"), 1);
    cr_assert_eq(value(&f, "mpi_latesender"), 0);
    stop(&f);
}

/* The first send is over before its receive is posted, so no send of that size waits for a
 * receiver. A larger one may. */
Test(waits, an_eager_send)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    SEND(&s, 0, 100, 0, 1, 5);
    SEND(&s, 3000, 4000, 0, 1, 6);                                 /* from 3100 to 7100 */
    CALL(&s, 2900, 5000, 0, SPOKEN_SEND, 2, TYPE, 1, 7, WORLD, 0); /* from 10000 to 15000 */
    RECV(&s, 2000, 100, 1, 0, 5);
    RECV(&s, 2900, 100, 1, 0, 6);                                           /* at 5000 */
    CALL(&s, 6900, 1000, 1, SPOKEN_RECV, 0, 7, WORLD, 0, STATUS(0, 7, 16)); /* at 12000 */
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latereceiver"), 2000); /* from 10000 to 12000 */
    cr_assert_eq(value(&f, "mpi_clr_count"), 1);
    stop(&f);
}

/* As above, but the second send ends when its receive is posted, after the receiver has computed for all of its
 * time: the library held it back. If the receiver was in MPI meanwhile, it could have ended the send; if the send
 * goes on for long, it waits for something else. */
Test(waits, a_small_send_that_was_held_back)
{
    static const struct {
        uint64_t send, busy; /* duration of the send; begin of the receiver's other call, 0: none */
        uint64_t waiting;
    } cases[] = {{2000, 0, 1900}, {4000, 0, 0}, {2000, 3500, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spoken s;
        struct found f;
        spoken_start(&s, 3);
        SEND(&s, 0, 100, 0, 1, 5);
        SEND(&s, 3000, cases[i].send, 0, 1, 6); /* from 3100 */
        RECV(&s, 2000, 100, 1, 0, 5);
        if (cases[i].busy) {
            SEND(&s, cases[i].busy - 2100, 100, 1, 2, 7);
            RECV(&s, 4900 - cases[i].busy, 100, 1, 0, 6); /* at 5000 */
            RECV(&s, cases[i].busy + 100, 10, 2, 1, 7);
        } else {
            RECV(&s, 2900, 100, 1, 0, 6); /* at 5000 */
        }
        find(&f, &s);
        cr_assert_eq(value(&f, "mpi_latereceiver"), cases[i].waiting, "case %zu", i);
        stop(&f);
    }
}

/* A rank without a trace does not count, and a call that did not return is not counted as other
 * MPI. */
Test(waits, a_run_that_was_cut_off)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    SEND(&s, 0, 1000, 0, 1, 5);
    RECV(&s, 500, 500, 1, 0, 5);
    CALL(&s, 2000, 7000, 0, SPOKEN_RECV, 2, 5, WORLD);
    s.n_ranks = 2; /* rank 2 has no trace */
    find(&f, &s);
    cr_assert_eq(f.report.ranks, 2);
    cr_assert_eq(f.report.threads, 2);
    cr_assert_eq(f.report.unreturned, 7000);
    stop(&f);
}

/* A non-blocking send waits in its MPI_Wait; the wait is known only after the message. */
Test(waits, a_wait_for_a_send)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 100, 50, 0, SPOKEN_ISEND, 1, TYPE, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 850, 4000, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    RECV(&s, 3000, 2000, 1, 0, 5);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latereceiver"), 2000); /* from 1000 to 3000 */
    stop(&f);
}

/* Of two messages that one call completes, the one sent last counts, once; the lane continues
 * meanwhile. */
Test(waits, the_last_of_several)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    CALL(&s, 100, 50, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 100, 50, 0, SPOKEN_IRECV, 2, 6, WORLD, 0, REQUEST(1));
    CALL(&s, 700, 5000, 0, SPOKEN_WAITALL, 2, REQUEST(0), REQUEST(1), 0, 2, NONE, NONE, 2, STATUS(1, 5, 8),
         STATUS(2, 6, 8));
    CALL(&s, 100, 50, 0, SPOKEN_CANCEL, REQUEST(0), 0);
    SEND(&s, 4000, 500, 1, 0, 5);
    SEND(&s, 2000, 500, 2, 0, 6);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 3000); /* from 1000 to 4000 */
    cr_assert_eq(value(&f, "mpi_cls_count"), 1);
    stop(&f);
}

/* Rank 1 enters at 5000, and is the last. */
static void speak_late_member(struct spoken *s)
{
    spoken_start(s, 3);
    for (uint32_t rank = 0; rank < 3; rank++)
        CALL(s, rank == 1 ? 5000 : 1000 * (rank + 1), rank == 1 ? 100 : 5500 - 1000 * (rank + 1), rank,
             SPOKEN_BARRIER, WORLD, 0);
}

Test(waits, barrier)
{
    struct spoken s;
    struct found f;
    speak_late_member(&s);
    find(&f, &s);
    cr_assert_eq(of_lane(&f, "mpi_barrier_wait", 0), 4000);
    cr_assert_eq(of_lane(&f, "mpi_barrier_wait", 1), 0);
    cr_assert_eq(of_lane(&f, "mpi_barrier_wait", 2), 2000);
    cr_assert_eq(value(&f, "mpi_barrier_completion"), 800); /* two of them from 5100 to 5500 */
    cr_assert_eq(value(&f, "mpi_sync_collective"), 4500 + 100 + 2500);
    stop(&f);
}

Test(waits, all_with_all_and_from_a_root)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 1000, 4100, 0, SPOKEN_ALLREDUCE, 1, TYPE, SUM, WORLD, 0);
    CALL(&s, 900, 2100, 0, SPOKEN_BCAST, 1, TYPE, 1, WORLD, 0); /* from 6000 on */
    CALL(&s, 5000, 100, 1, SPOKEN_ALLREDUCE, 1, TYPE, SUM, WORLD, 0);
    CALL(&s, 2900, 100, 1, SPOKEN_BCAST, 1, TYPE, 1, WORLD, 0); /* from 8000 on */
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_wait_nxn"), 4000);
    cr_assert_eq(value(&f, "mpi_latebroadcast"), 2000);
    cr_assert_eq(of_lane(&f, "mpi_latebroadcast", 0), 2000);
    cr_assert_eq(value(&f, "mpi_barrier_wait"), 0);
    stop(&f);
}

/* The MPI_Wait waits, not the call that begins the barrier. */
Test(waits, a_barrier_that_does_not_block)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 1000, 50, 0, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 950, 4000, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    CALL(&s, 5000, 50, 1, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 950, 40, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_barrier_wait"), 3000); /* from 2000 to 5000 */
    cr_assert_eq(of_lane(&f, "mpi_barrier_wait", 0), 3000);
    stop(&f);
}

/* Rank 2 sends from 2000 on, and rank 0 asks for its message at 4200, after it has waited for rank 1 until
 * 4000. */
Test(waits, receiver_waits_for_another_message)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    RECV(&s, 1000, 3100, 0, 1, 5);
    RECV(&s, 100, 300, 0, 2, 6);
    SEND(&s, 4000, 50, 1, 0, 5);
    SEND(&s, 2000, 2400, 2, 0, 6);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latereceiver"), 2200);
    cr_assert_eq(value(&f, "mpi_latereceiver_wo"), 2000);
    cr_assert_eq(of_lane(&f, "mpi_latereceiver_wo", 2), 2000);
    stop(&f);
}

/* ---- polls and probes ------------------------------------------------------------------------ */

/* From 1000 to 38000, except for 30000 in which the thread does something else. Other time between
 * two polls is part of the state, and of the time of polls. (Calls with equal arguments would get
 * the mean of their times.) */
Test(waits, polls_are_one_state)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 900, 50, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 50, 500, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
    CALL(&s, 30000, 500, 0, SPOKEN_TESTSOME, 2, REQUEST(0), NONE, 0, 2, REQUEST(0), NONE, 0, 0);
    CALL(&s, 4000, 500, 0, SPOKEN_TESTSOME, 2, NONE, REQUEST(0), 0, 2, NONE, REQUEST(0), 0, 0);
    CALL(&s, 500, 1000, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, NONE, 1, 0, 1, STATUS(1, 5, 8));
    SEND(&s, 37000, 500, 1, 0, 5);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 6000);
    cr_assert_eq(value(&f, "mpi_point2point"), 50 + 7000 + 500);
    cr_assert_eq(value(&f, "visits"), 7 + 2);
    stop(&f);
}

/* Two requests are polled in turn, at two sites, from 1100 to 8000; the message is sent at 7500. Each site has waited
 * for its part of this time: its polls took four times 900, with three gaps of 100, and three times 1000. */
Test(waits, polls_in_turn)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 800, 100, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 0, 100, 0, SPOKEN_IRECV, 1, 6, WORLD, 0, REQUEST(1));
    for (int i = 0; i < 3; i++) {
        CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
        CALL(&s, 100, 900, 0, SPOKEN_GET_STATUS, REQUEST(1), 0, 0, SENT);
    }
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, NONE, 1, 0, 1, STATUS(1, 5, 8));
    CALL(&s, 100, 100, 0, SPOKEN_WAIT, REQUEST(1), 0, NONE, STATUS(1, 6, 8));
    SEND(&s, 7500, 100, 1, 0, 5);
    SEND(&s, 0, 100, 1, 0, 6);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 6400);
    cr_assert_eq(most_at_a_site(&f, "mpi_latesender"), 6400 - 6400 * 3000 / 6900);
    stop(&f);
}

/* Polls for a message and for the end of a send, in turn, from 1100 to 8000. The send ends first: this ends the
 * waiting of its own poll only, from 3000 to 3900. The message is sent at 7500. */
Test(waits, polls_whose_sends_end)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 800, 100, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 0, 100, 0, SPOKEN_ISEND, 8, TYPE, 1, 6, WORLD, 0, REQUEST(1));
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(1), 0, 1, NONE, 1, 0, 1, SENT);
    for (int i = 0; i < 4; i++)
        CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, NONE, 1, 0, 1, STATUS(1, 5, 8));
    CALL(&s, 100, 50, 1, SPOKEN_IRECV, 0, 6, WORLD, 0, REQUEST(0));
    SEND(&s, 7350, 100, 1, 0, 5);
    CALL(&s, 0, 100, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(0, 6, 8));
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 6 * 900 + 5 * 100 - 500);
    stop(&f);
}

/* A test of a null request between the polls, which is true at once, is no end of the waiting. */
Test(waits, polls_and_null_requests)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 800, 200, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    for (int i = 0; i < 3; i++) {
        CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
        CALL(&s, 100, 900, 0, SPOKEN_GET_STATUS, NONE, 0, 1, SENT);
    }
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, NONE, 1, 0, 1, STATUS(1, 5, 8));
    SEND(&s, 7500, 100, 1, 0, 5);
    find(&f, &s);
    cr_assert_geq(value(&f, "mpi_latesender"), 3 * 900);
    stop(&f);
}

/* Polls of one request end when polls of another one begin: these have not waited before. */
Test(waits, polls_of_another_request)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 800, 100, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 0, 100, 0, SPOKEN_IRECV, 1, 6, WORLD, 0, REQUEST(1));
    for (int i = 0; i < 3; i++)
        CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
    CALL(&s, 100, 900, 0, SPOKEN_TESTSOME, 1, REQUEST(1), 0, 1, NONE, 1, 0, 1, STATUS(1, 6, 8));
    CALL(&s, 100, 100, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(1, 5, 8));
    SEND(&s, 3000, 100, 1, 0, 6);
    SEND(&s, 100, 100, 1, 0, 5);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 0);
    stop(&f);
}

/* Waiting in polls begins with the first poll, also if the partner is matched later. */
Test(waits, polls_for_what_is_met_later)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 900, 50, 0, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    for (int i = 0; i < 3; i++)
        CALL(&s, 50, 950, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, REQUEST(0), 0, 0);
    CALL(&s, 50, 950, 0, SPOKEN_TESTSOME, 1, REQUEST(0), 0, 1, NONE, 1, 0, 1, SENT);
    for (int i = 0; i < 2000; i++)
        CALL(&s, 10, 10, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    CALL(&s, 4500, 50, 1, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 10, 10, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    find(&f, &s);
    cr_assert_eq(of_lane(&f, "mpi_barrier_wait", 0), 3500); /* from 1000 to 4500 */
    stop(&f);
}

/* Waiting in the MPI_Wait for a barrier is synchronization, not messages: at each site it is part
 * of the time of its parent metric. */
Test(waits, time_goes_where_the_waiting_is)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 1000, 50, 0, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 950, 4000, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    CALL(&s, 5000, 50, 1, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 950, 40, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_barrier_wait"), 3000);
    cr_assert_eq(value(&f, "mpi_sync_collective"), 3000 + 50 + 50);
    cr_assert_eq(value(&f, "mpi_point2point"), 4000 - 3000 + 40);
    stop(&f);
}

#define PROBE(s, gap, duration, source)                                                                      \
    CALL(s, gap, duration, 0, SPOKEN_MPROBE, ANY_RANK, ANY_TAG, WORLD, 0, MESSAGE(0), STATUS(source, 5, 8))

/* A probe finds the message of rank 1, and rank 2's is received first: so the receive of rank 1's
 * message is late by itself. */
Test(waits, another_message_than_the_probe_has_found)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    PROBE(&s, 1000, 1000, 1);
    RECV(&s, 1000, 2000, 0, 2, 5); /* from 3000 to 5000 */
    CALL(&s, 10, 10, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(1, 5, 8));
    SEND(&s, 1600, 50, 1, 0, 5);
    SEND(&s, 4000, 50, 2, 0, 5);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 1000);
    stop(&f);
}

Test(waits, the_message_that_the_probe_has_found)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    PROBE(&s, 1000, 1000, 1);
    CALL(&s, 10, 10, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(1, 5, 8));
    SEND(&s, 1600, 50, 1, 0, 5);
    find(&f, &s);
    cr_assert_eq(value(&f, "mpi_latesender"), 600);
    stop(&f);
}

/* Rank 0 is in the fence from 3000 to 9000. Rank 1 accesses its window until 5000, and enters the
 * fence at 8000. */
Test(waits, early_fence)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        CALL(&s, 100, 100, rank, SPOKEN_WIN_CREATE, WORLD, 0, WINDOW(0));
        CALL(&s, 800, 1000, rank, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
    }
    CALL(&s, 1000, 6000, 0, SPOKEN_WIN_FENCE, NO_SUCCEED, WINDOW(0), 0);
    CALL(&s, 2000, 1000, 1, SPOKEN_PUT, 1, TYPE, 0, WINDOW(0), 0);
    CALL(&s, 3000, 1000, 1, SPOKEN_WIN_FENCE, NO_SUCCEED, WINDOW(0), 0);
    find(&f, &s);
    cr_assert_eq(of_lane(&f, "mpi_rma_wait_at_fence", 0), 5000);
    cr_assert_eq(of_lane(&f, "mpi_rma_early_fence", 0), 2000);
    cr_assert_eq(value(&f, "mpi_rma_early_fence"), 2000);
    stop(&f);
}

/* ---- computing ------------------------------------------------------------------------------- */

/* Calls that follow at once are two nanoseconds apart. */
static void is_near(uint64_t a, uint64_t b)
{
    cr_assert(a <= b + 10 && b <= a + 10, "%u, not %u", (unsigned)a, (unsigned)b);
}

/* Before their calls, rank 0 computes 1000 and rank 1 3000. Before the last call only rank 1
 * computes, 800. */
Test(waits, computing)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    SEND(&s, 0, 500, 0, 1, 5);
    CALL(&s, 1000, 4000, 0, SPOKEN_BARRIER, WORLD, 0);
    RECV(&s, 0, 500, 1, 0, 5);
    CALL(&s, 3000, 2000, 1, SPOKEN_BARRIER, WORLD, 0);
    CALL(&s, 800, 100, 1, SPOKEN_CANCEL, REQUEST(7), 0);
    find(&f, &s);
    is_near(of_lane(&f, "imbalance_above", 0), 0);
    is_near(of_lane(&f, "imbalance_below", 0), 1000 + 400);
    is_near(value(&f, "imbalance_below_bypass"), 400);
    is_near(value(&f, "imbalance_below_singularity"), 400);
    is_near(of_lane(&f, "imbalance_above", 1), 1000 + 400);
    is_near(value(&f, "imbalance_above_single"), 400);
    is_near(value(&f, "imbalance"), 2800);
    cr_assert_lt(f.report.waiting, 2001); /* imbalance is not waiting */
    stop(&f);
}

/* Of some ranks: what these ranks wait, whichever rank they wait for. */
Test(waits, of_ranks)
{
    struct ranges first = {0};
    struct spoken s;
    struct found f;
    cr_assert_eq(ranges_parse(&first, "0"), REFRAIN_OK);
    speak_late_sender(&s);
    search_as(&f, &s, NULL, &(struct wait_search){.ranks = &first, .to = UINT64_MAX});
    cr_assert_eq(value(&f, "mpi_latesender"), 3000);
    cr_assert_eq(value(&f, "mpi_point2point"), 4000);
    cr_assert_eq(of_lane(&f, "time", 1), 0);
    cr_assert_eq(of_lane(&f, "visits", 1), 0);
    cr_assert_eq(value(&f, "bytes_sent"), 0);
    stop(&f);
    ranges_free(&first);
}

/* ---- on grids -------------------------------------------------------------------------------- */

/* Three ranks in a line pass on two blocks from rank 0, then two from rank 2. */
static void speak_waves(struct spoken *s)
{
    spoken_start(s, 3);
    for (int block = 0; block < 2; block++) {
        SEND(s, 1000, 100, 0, 1, 5);
        RECV(s, 100, 2000, 1, 0, 5);
        SEND(s, 1000, 100, 1, 2, 5);
        RECV(s, 100, 4000, 2, 1, 5);
    }
    for (int block = 0; block < 2; block++) {
        SEND(s, 2000, 100, 2, 1, 5);
        RECV(s, 500, 4000, 1, 2, 5);
        SEND(s, 1000, 100, 1, 0, 5);
        RECV(s, 500, 20000, 0, 1, 5);
    }
}

Test(waits, refill)
{
    uint32_t at[] = {0, 1, 2};
    const struct wait_grid line = {.n_dims = 1, .sizes = {3}, .n_ranks = 3, .at = at};
    struct spoken s;
    struct found f;
    speak_waves(&s);
    search_on(&f, &s, &line, NULL);
    /* Rank 1 waits from 100 to 1000, rank 2 from 100 to 3100; later blocks do not count. */
    is_near(of_lane(&f, "mpi_refill_w", 0), 0);
    is_near(of_lane(&f, "mpi_refill_w", 1), 900);
    is_near(of_lane(&f, "mpi_refill_w", 2), 3000);
    /* Back: rank 1 receives from 6900 on, and rank 2 sends at 10200. */
    is_near(of_lane(&f, "mpi_refill_e", 2), 0);
    is_near(of_lane(&f, "mpi_refill_e", 1), 10200 - 6900);
    cr_assert_gt(of_lane(&f, "mpi_refill_e", 0), 0);
    cr_assert_eq(value(&f, "mpi_refill_nw"), 0);
    cr_assert_eq(value(&f, "mpi_refill"), value(&f, "mpi_refill_w") + value(&f, "mpi_refill_e"));
    cr_assert_leq(value(&f, "mpi_refill") + value(&f, "mpi_latesender_wo"), value(&f, "mpi_latesender"));
    stop(&f);
}

/* Late senders are counted by their direction from the waiting rank: rank 1 waits for ranks on
 * both sides, x-1 and x+1. */
Test(waits, direction)
{
    uint32_t at[] = {0, 1, 2};
    const struct wait_grid line = {.n_dims = 1, .sizes = {3}, .n_ranks = 3, .at = at};
    uint64_t by_direction[5] = {0};
    struct spoken s;
    struct found f;
    speak_waves(&s);
    search_on(&f, &s, &line, NULL);
    wait_report_add_directions(&f.search, metrics_find(&f.metrics, "mpi_latesender"), WAIT_ALL_SITES,
                               by_direction);
    cr_assert_eq(by_direction[1] + by_direction[2], value(&f, "mpi_latesender"));
    cr_assert_geq(by_direction[1], value(&f, "mpi_refill_w"));
    cr_assert_geq(by_direction[2], value(&f, "mpi_refill_e"));
    stop(&f);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* After a collective operation of all ranks, another phase begins. */
Test(waits, phases)
{
    struct wait_places places;
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    RECV(&s, 1000, 4000, 0, 1, 5); /* waits from 1000 to 4000 */
    CALL(&s, 100, 100, 0, SPOKEN_BARRIER, WORLD, 0);
    RECV(&s, 100, 4000, 0, 1, 6); /* from 5300 to 8200 */
    SEND(&s, 4000, 100, 1, 0, 5);
    CALL(&s, 1000, 100, 1, SPOKEN_BARRIER, WORLD, 0);
    SEND(&s, 3000, 100, 1, 0, 6);
    cr_assert_eq(wait_places_create(&places, 2), REFRAIN_OK);
    places.n = 100;
    places.by_meetings = true;
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(wait_places_add(&places, i, 0, 0), REFRAIN_OK);
    search_on(&f, &s, NULL, &places);
    const uint32_t late = metrics_find(&f.metrics, "mpi_latesender");
    is_near(wait_report_value(&f.report, late, 0), 3000);
    is_near(value(&f, "mpi_latesender"), 3000 + 2900);
    stop(&f);
    wait_places_free(&places);
}

/* ---- threads of one rank ----------------------------------------------------------------------- */

/* Thread 1 of rank 0 is inside MPI until 3000, and a send of thread 0 lasts until then. */
Test(waits, competition_of_threads)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    SEND(&s, 0, 100, 0, 1, 5);
    RECV(&s, 0, 300, 1, 0, 5);
    s.gap = 1000, s.duration = 2000;
    SAY(&s, 0, 1, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(5));
    SEND(&s, 1900, 1150, 0, 1, 6); /* 2000 to 3150 */
    RECV(&s, 2900, 200, 1, 0, 6);  /* posted at 3200 */
    find(&f, &s);
    cr_expect_eq(value(&f, "mpi_threads_point2point"), 1000);
    cr_expect_eq(of_lane(&f, "mpi_threads_point2point", 0), 1000);
    cr_expect_eq(value(&f, "mpi_threads"), 0);
    cr_expect_eq(f.report.waiting, 1000 + value(&f, "mpi_latesender"));
    stop(&f);
}

/* ---- one more pattern ------------------------------------------------------------------------ */

static enum refrain_status take_long(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_event_end(e) - e->begin >= 2000 ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

/* A table row is enough to define a pattern: this one refines the events of late senders. */
Test(waits, a_pattern_is_one_row)
{
    static const struct metric family[] = {{.uniq_name = "test_long",
                                            .name = "long late sender",
                                            .parent = "mpi_latesender",
                                            .part = true,
                                            .text = "At least 2000 ns.",
                                            .events = EVENTS(EVENT_LATE_SENDER),
                                            .take = take_long},
                                           {0}};
    struct spoken s;
    struct found f;
    speak_late_sender(&s);
    RECV(&s, 5000, 1000, 0, 1, 6); /* from 10000 on */
    SEND(&s, 6000, 100, 1, 0, 6);  /* at 10500 */
    search(&f, &s, family, 0, UINT64_MAX);
    cr_assert_eq(value(&f, "mpi_latesender"), 3500);
    cr_assert_eq(value(&f, "test_long"), 3000);
    cr_assert_eq(f.report.waiting, 3500);
    stop(&f);
}

/* Every metric has a text, and its parent has the same unit. */
Test(waits, tables_are_sound)
{
    struct metrics m;
    metrics_start(&m);
    metrics_add_all(&m);
    for (uint32_t i = 0; i < m.n; i++) {
        cr_assert(m.items[i]->text && m.items[i]->name, "%s", m.items[i]->uniq_name);
        if (m.parents[i] != METRIC_NONE)
            cr_assert_eq(m.items[i]->unit, m.items[m.parents[i]]->unit, "%s", m.items[i]->uniq_name);
    }
}
