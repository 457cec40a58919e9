/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that the page shows for metrics whose name is not quite right. */
#include <criterion/criterion.h>

#include "decoder/waits/report/wait_notices.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

static void expect(struct bytes *out, const char *text)
{
    bytes_put_u8(out, '\0');
    cr_assert(!out->failed);
    cr_expect_str_eq((const char *)out->data, text);
    bytes_free(out);
}

static void expect_near(const char *word, const char *names)
{
    struct metrics m;
    struct bytes out = {0};
    metrics_start(&m);
    metrics_add_all(&m);
    waits_put_near(&m, word, &out);
    expect(&out, names);
}

Test(waits_page, near)
{
    expect_near("late_broadcast", "mpi_latebroadcast");
    expect_near("mpi_latesendr", "mpi_latesender");
    expect_near("Late Receiver", "mpi_latereceiver, mpi_latereceiver_wo, mpi_clr_count");
    expect_near("overload", "imbalance_above");
    expect_near("coffee", "");
    expect_near("", "");
}

/* Ends what is said, and searches. */
static void search(struct spoken *s, uint64_t slack, struct waits *w)
{
    struct timestamps_source timestamps;
    *w = (struct waits){.search = {.to = UINT64_MAX, .worst_of = METRIC_NONE, .slack = slack}};
    spoken_end(s);
    metrics_start(&w->metrics);
    metrics_add_all(&w->metrics);
    cr_assert_eq(timestamps_source_create(&timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&w->search, &s->reader, &s->definitions, &w->metrics, &timestamps),
                 REFRAIN_OK);
    timestamps_source_free(&timestamps);
}

/* Do the lines that `put` writes about what is said have these words? */
static bool has(struct spoken *s, uint64_t slack,
                void (*put)(const struct waits *w, const struct waits_view *v, struct bytes *out),
                const char *words)
{
    struct waits w;
    const struct waits_view view = {.metric = METRIC_NONE, .top = 1};
    struct bytes out = {0};
    search(s, slack, &w);
    cr_assert_eq(wait_report_create(&w.report, &w.search, METRIC_NONE), REFRAIN_OK);
    put(&w, &view, &out);
    bytes_put_u8(&out, '\0');
    cr_assert(!out.failed);
    const bool found = strstr((const char *)out.data, words);
    bytes_free(&out);
    wait_report_free(&w.report);
    wait_search_free(&w.search);
    spoken_free(s);
    return found;
}

static void put_first_cause(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    cr_assert_gt(w->report.causes.n, 0);
    waits_put_cause(w, v, &w->report.causes.items[0], out);
}

/* Rank 0 waits at one site for rank 1, `all` in the order of the sends and `wrong` while a message of rank 2 is
 * there. Returns whether the line of this waiting has that part. */
static bool has_part(uint64_t all, uint64_t wrong, uint64_t slack)
{
    struct spoken s;
    spoken_start(&s, 3);
    const struct {
        uint64_t gap, duration;
        int64_t source, tag;
    } receives[] = {{1000, all + 100, 1, 1}, {1000, wrong + 100, 1, 2}, {1000, 100, 2, 3}};
    for (size_t i = 0; i < 3; i++) {
        s.gap = receives[i].gap;
        s.duration = receives[i].duration;
        SAY(&s, 0, 0, SPOKEN_RECV, receives[i].source, receives[i].tag, WORLD, 0,
            STATUS(receives[i].source, receives[i].tag, 8));
    }
    s.duration = 50;
    s.gap = 1000 + all;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 1, WORLD, 0);
    s.gap = 1000 + 100 - 50 + wrong;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 2, WORLD, 0);
    s.gap = 1000 + all + 1000 + 100 + wrong - 100;
    SAY(&s, 2, 0, SPOKEN_SEND, 1, TYPE, 0, 3, WORLD, 0);
    return has(&s, slack, put_first_cause, "of it while another message was there already");
}

/* The other message is sent 100 before the late one. */
Test(waits_page, parts)
{
    cr_expect(has_part(3000, 3000, 0));
    cr_expect_not(has_part(97000, 3000, 0));  /* a small part */
    cr_expect_not(has_part(3000, 3000, 200)); /* the times are not exact enough */
}

/* Rank 0 computes 9000 before a barrier and `more` before a reduction, rank 1 the other way round. It makes one call more,
 * so that they do not share their times. */
static bool computes_no_more(uint64_t more)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        s.gap = s.duration = 10;
        for (uint32_t i = 0; i <= rank; i++)
            SAY(&s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
        s.gap = rank == 0 ? 9000 : 1000;
        s.duration = rank == 0 ? 20 : 8000;
        SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        s.gap = rank == 0 ? more : 9000;
        s.duration = 10;
        SAY(&s, rank, 0, SPOKEN_ALLREDUCE, 1, TYPE, 0, WORLD, 0);
    }
    return has(
        &s, 0, waits_put_imbalance,
        "before MPI_Barrier, rank 0; rank 0 computes most: 9.000 us, the mean is 5.000 us; in the whole "
        "run it computes no more than the mean\n");
}

Test(waits_page, uneven_here_and_even_in_all)
{
    cr_expect(computes_no_more(1000));
    cr_expect_not(computes_no_more(3000));
}

/* ---- notices --------------------------------------------------------------------------------- */

/* Ends what is said, searches, and compares a notice, with the preceding calls if they are known. */
static void expect_notice(struct spoken *s, enum notice_about about, struct preceding *p, const char *says)
{
    struct waits w;
    struct notices n = {0};
    search(s, 0, &w);
    notices_find(&n, &w.search, p, NULL);
    struct bytes copy = {0};
    bytes_put(&copy, n.items[about].says.data, n.items[about].says.n);
    expect(&copy, says);
    notices_free(&n);
    wait_search_free(&w.search);
    spoken_free(s);
}

/* Rank 0 waits for a message of rank 2, ranks 1 and 2 in a barrier. */
Test(waits_page, calls_that_did_not_return)
{
    struct spoken s;
    spoken_start(&s, 3);
    s.gap = 1000;
    s.duration = 9000;
    SAY(&s, 0, 0, SPOKEN_RECV, 2, 5, WORLD);
    SAY(&s, 1, 0, SPOKEN_BARRIER, WORLD);
    SAY(&s, 2, 0, SPOKEN_BARRIER, WORLD);
    expect_notice(
        &s, NOTICE_UNRETURNED, NULL,
        "Calls that did not return, 90.0 % of the run: rank 0 in MPI_Recv from rank 2, ranks 1-2 in "
        "MPI_Barrier; see refrain messages spoken");
}

/* Calls that did not return, and a part that was not recorded, may be why. */
Test(waits_page, messages_that_are_never_received)
{
    static const char *const says[] = {
        "1 message is never received (MPI_Send, rank 1); see refrain messages spoken", "", ""};
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        struct spoken s;
        spoken_start(&s, 2);
        s.gap = s.duration = 1000;
        SAY(&s, 1, 0, SPOKEN_SEND, 8, TYPE, 0, 5, WORLD, 0);
        if (i == 1)
            SAY(&s, 0, 0, SPOKEN_RECV, 1, 6, WORLD);
        if (i == 2)
            cr_assert_eq(trace_add_meta(&s.traces[0], META_UNRECORDED, "1"), REFRAIN_OK);
        expect_notice(&s, NOTICE_UNMATCHED, NULL, says[i]);
    }
}

/* A receive from any source that is freed takes one of them, and nobody knows which. */
Test(waits_page, messages_that_freed_receives_took)
{
    static const char *const says[] = {
        "", "1 message is never received (MPI_Send, rank 1); see refrain messages spoken"};
    for (int64_t more = 0; more < 2; more++) {
        struct spoken s;
        spoken_start(&s, 2);
        s.gap = s.duration = 1000;
        SAY(&s, 0, 0, SPOKEN_IRECV, ANY_RANK, 5, WORLD, 0, REQUEST(0));
        SAY(&s, 0, 0, SPOKEN_REQUEST_FREE, REQUEST(0), 0, NONE);
        for (int64_t i = 0; i <= more; i++)
            SAY(&s, 1, 0, SPOKEN_SEND, 8, TYPE, 0, 5, WORLD, 0);
        expect_notice(&s, NOTICE_UNMATCHED, NULL, says[more]);
    }
}

static void speak_pcontrol(struct spoken *s, int64_t level, const char *unrecorded)
{
    spoken_start(s, 1);
    s->gap = s->duration = 1000;
    SAY(s, 0, 0, SPOKEN_PCONTROL, level, 0);
    SAY(s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    if (unrecorded)
        cr_assert_eq(trace_add_meta(&s->traces[0], META_UNRECORDED, unrecorded), REFRAIN_OK);
}

Test(waits_page, recording_was_off)
{
    struct spoken s;
    struct preceding p;
    speak_pcontrol(&s, 0, "7");
    expect_notice(
        &s, NOTICE_RECORDING, NULL,
        "Recording was off for a part of the run (MPI_Pcontrol): 7 calls are not in the trace; what follows "
        "counts that time as computing.");
    cr_assert_eq(preceding_create(&p, 2, 1), REFRAIN_OK);
    cr_assert_eq(preceding_add(&p, 0, 1, 0, 1000, 0), REFRAIN_OK);
    cr_assert_eq(preceding_add(&p, 0, 0, 1, 4000, 0), REFRAIN_OK);
    speak_pcontrol(&s, 0, "1");
    expect_notice(
        &s, NOTICE_RECORDING, &p,
        "Recording was off for up to 1.000 us on rank 0 (MPI_Pcontrol): 1 call is not in the trace; what "
        "follows counts that time as computing.");
    preceding_free(&p);
    speak_pcontrol(&s, 1, "7"); /* functions were left out */
    expect_notice(&s, NOTICE_RECORDING, NULL,
                  "7 calls are not in the trace; what follows counts that time as computing.");
    speak_pcontrol(&s, 0, NULL);
    expect_notice(&s, NOTICE_RECORDING, NULL, "");
}

Test(waits_page, several_threads)
{
    struct spoken s;
    speak_pcontrol(&s, 0, NULL);
    expect_notice(&s, NOTICE_THREADS, NULL, "");
    speak_pcontrol(&s, 0, NULL);
    SAY(&s, 0, 1, SPOKEN_BARRIER, SELF, 0);
    expect_notice(
        &s, NOTICE_THREADS, NULL,
        "Several threads of a rank make calls: where they wait for each other outside of MPI (OpenMP "
        "barriers, joins, idle threads) counts as computing, so reasons and gains may be wrong.");
}
