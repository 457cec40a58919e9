/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/match/logical_clock.h"
#include "decoder/times/timed_lane.h"
#include "tests/unit/support/spoken.h"

/* By the mean times of its calls, rank 0 has received at 10 what rank 1 sends at 1000. */
static void speak(struct spoken *s)
{
    spoken_start(s, 3);
    s->duration = 10;
    SAY(s, 0, 0, SPOKEN_RECV, 1, 5, WORLD, 0, STATUS(1, 5, 8));
    s->gap = 1000;
    SAY(s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 5, WORLD, 0);
    s->gap = 5000;
    SAY(s, 2, 0, SPOKEN_BARRIER, WORLD, 0);
    s->gap = 0;
    SAY(s, 1, 0, SPOKEN_BARRIER, WORLD, 0);
    SAY(s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    spoken_end(s);
}

/* The end times of a rank's calls. */
static void ends(const struct spoken *s, const struct timestamps_source *source, uint32_t rank, uint64_t *out)
{
    struct lane_ref lane;
    struct timed_lane timed;
    enum refrain_status status;
    size_t at = 0;
    cr_assert(reader_next_lane(&s->reader, rank, LANE_THREAD, &at, &lane));
    cr_assert_eq(timed_lane_start(&timed, &s->reader, source, &lane), REFRAIN_OK);
    while (timed_lane_next(&timed, &status)) {
        cr_assert_leq(timed.timestamp.enter, timed.timestamp.leave);
        *out++ = timed.timestamp.leave;
    }
    cr_assert_eq(status, REFRAIN_OK);
    timed_lane_stop(&timed);
}

Test(logical_clock, what_comes_too_early_is_put_off)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    uint64_t before[3][2], after[3][2];
    speak(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    for (uint32_t rank = 0; rank < 3; rank++)
        ends(&s, &timestamps, rank, before[rank]);
    cr_assert_eq(before[0][0], 10);
    cr_assert_eq(logical_clock_apply(&c, "causal", &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, 4);
    cr_assert_eq(c.early_before, 3); /* the message, and two ranks in the barrier */
    cr_assert_eq(c.early_after, 0);
    for (uint32_t rank = 0; rank < 3; rank++)
        ends(&s, &timestamps, rank, after[rank]);
    cr_assert_geq(after[0][0], 1000);
    cr_assert_geq(after[0][1], 5000);
    cr_assert_geq(after[1][1], 5000);
    cr_assert_eq(after[1][0], before[1][0]);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}

/* The corrected clocks are causal: no arrival is too early. */
static void is_settled(const struct spoken *s, uint64_t arrivals)
{
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    cr_assert_eq(timestamps_source_create(&timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, "causal", &s->reader, &s->definitions, &timestamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, arrivals);
    cr_assert_eq(c.early_after, 0);
    cr_assert_leq(c.walks, 8);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
}

/* All calls happen at the same time, as with much rounded times. Each rank waits for what the
 * other one sent before: putting off everything that is at one time would never end. */
Test(logical_clock, all_at_one_time)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int round = 0; round < 20; round++) {
        for (uint32_t rank = 0; rank < 2; rank++) {
            SAY(&s, rank, 0, SPOKEN_SEND, 1, TYPE, 1 - rank, 5, WORLD, 0);
            SAY(&s, rank, 0, SPOKEN_RECV, 1 - rank, 5, WORLD, 0, STATUS(1 - rank, 5, 8));
            SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        }
    }
    spoken_end(&s);
    is_settled(&s, 20 * 4);
    spoken_free(&s);
}

/* By its lossy times, thread 0 receives at 10 a message that is sent after thread 1 sent something
 * at 500: if both threads were put off together, each would put off the other. */
Test(logical_clock, threads_the_wrong_way_round)
{
    struct spoken s;
    spoken_start(&s, 2);
    s.duration = 10;
    SAY(&s, 0, 0, SPOKEN_RECV, 1, 5, WORLD, 0, STATUS(1, 5, 8));
    SAY(&s, 1, 0, SPOKEN_RECV, 0, 6, WORLD, 0, STATUS(0, 6, 8));
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 5, WORLD, 0);
    s.gap = 500;
    SAY(&s, 0, 1, SPOKEN_SEND, 1, TYPE, 1, 6, WORLD, 0);
    spoken_end(&s);
    is_settled(&s, 2);
    spoken_free(&s);
}

/* A receive that may take any message has the first one, but is completed only at the end: only
 * the second walk knows which messages came between. */
Test(logical_clock, a_receive_that_is_completed_last)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        SAY(&s, rank, 0, SPOKEN_IRECV, ANY_RANK, ANY_TAG, WORLD, 0, REQUEST(0));
        SAY(&s, rank, 0, SPOKEN_SEND, 1, TYPE, 1 - rank, 5, WORLD, 0);
    }
    for (int round = 0; round < 100; round++) {
        SAY(&s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
        SAY(&s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
        SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 5, WORLD, 0);
        SAY(&s, 0, 0, SPOKEN_RECV, 1, 5, WORLD, 0, STATUS(1, 5, 8));
    }
    for (uint32_t rank = 0; rank < 2; rank++)
        SAY(&s, rank, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(1 - rank, 5, 8));
    spoken_end(&s);
    is_settled(&s, 2 * 100 + 2);
    spoken_free(&s);
}

/* The same with sends, which might be cancelled until they are completed. */
Test(logical_clock, a_program_that_cancels)
{
    enum { RANKS = 3, ROUNDS = 100 };
    struct spoken s;
    spoken_start(&s, RANKS);
    SAY(&s, 0, 0, SPOKEN_IRECV, 1, 9, WORLD, 0, REQUEST(7));
    for (int round = 0; round < ROUNDS; round++) {
        for (int64_t i = 1; i <= RANKS; i++) { /* rank 0 is first and last */
            const uint32_t rank = (uint32_t)i % RANKS;
            if (i == 1)
                SAY(&s, 0, 0, SPOKEN_ISEND, 1, TYPE, 1, 5, WORLD, 0, REQUEST(0));
            SAY(&s, rank, 0, SPOKEN_RECV, i - 1, 5, WORLD, 0, STATUS(i - 1, 5, 8));
            if (rank == 0 || round > 0)
                SAY(&s, rank, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
            if (rank > 0)
                SAY(&s, rank, 0, SPOKEN_ISEND, 1, TYPE, (i + 1) % RANKS, 5, WORLD, 0, REQUEST(0));
        }
    }
    SAY(&s, 0, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(7), 0, NONE, CANCELLED);
    spoken_end(&s);
    is_settled(&s, RANKS * ROUNDS);
    spoken_free(&s);
}

/* A message goes round all threads of two ranks, again and again, with all calls at the same
 * time. */
Test(logical_clock, threads_at_one_time)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int round = 0; round < 100; round++) {
        for (int64_t thread = 0; thread < 2; thread++) {
            if (round > 0 || thread > 0)
                SAY(&s, 0, (uint32_t)thread, SPOKEN_RECV, 1, thread, WORLD, 0, STATUS(1, thread, 8));
            SAY(&s, 0, (uint32_t)thread, SPOKEN_SEND, 1, TYPE, 1, thread, WORLD, 0);
            SAY(&s, 1, (uint32_t)thread, SPOKEN_RECV, 0, thread, WORLD, 0, STATUS(0, thread, 8));
            if (round < 99 || thread == 0)
                SAY(&s, 1, (uint32_t)thread, SPOKEN_SEND, 1, TYPE, 0, 1 - thread, WORLD, 0);
        }
    }
    spoken_end(&s);
    is_settled(&s, 4 * 100 - 1);
    spoken_free(&s);
}

/* Two threads take turns to send to a rank that knows only their rank: their times show whose
 * message is which. */
Test(logical_clock, threads_that_take_turns)
{
    enum { TURNS = 6 };
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    spoken_start(&s, 2);
    s.duration = 100;
    for (int turn = 0; turn < TURNS; turn++) {
        s.gap = turn < 2 ? 1000 * (uint64_t)turn : 1900;
        SAY(&s, 0, (uint32_t)turn % 2, SPOKEN_SEND, 1 + turn, TYPE, 1, 5, WORLD, 0);
        s.gap = turn > 0 ? 900 : 200;
        SAY(&s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8 * (1 + turn)));
    }
    spoken_end(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, "causal", &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, TURNS);
    cr_assert_eq(c.early_before, 0);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}

/* No rank waits for a rank that contributes no data. */
Test(logical_clock, who_has_nothing_to_give_may_be_late)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    spoken_start(&s, 2);
    s.gap = 1000;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, NULL_RANK, 5, WORLD, 0);
    s.gap = 0;
    for (int64_t count = 0; count < 2; count++) {
        for (uint32_t rank = 0; rank < 2; rank++)
            SAY(&s, rank, 0, SPOKEN_ALLREDUCE, count, TYPE, SUM, WORLD, 0);
    }
    spoken_end(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, "causal", &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, 2);
    cr_assert_eq(c.early_before, 1);
    cr_assert_eq(c.early_after, 0);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}

/* A rank whose call was refused did not enter the operation that the others entered. */
Test(logical_clock, who_was_refused_is_not_put_off)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    spoken_start(&s, 2);
    s.gap = 1000;
    SAY(&s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    s.gap = 0;
    SAY(&s, 1, 0, SPOKEN_BARRIER, WORLD, 5);
    spoken_end(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, "causal", &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, 1);
    cr_assert_eq(c.early_before, 0);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}

Test(logical_clock, clocks_as_they_are)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    speak(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, "linear", &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_null(timestamps.correction);
    cr_assert_eq(logical_clock_apply(&c, "", &s.reader, &s.definitions, &timestamps), REFRAIN_ERR_USAGE);
    cr_assert_eq(logical_clock_apply(&c, NULL, &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_assert_not_null(timestamps.correction, "something is too early");
    cr_assert_geq(c.early_most, 990);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}

/* If nothing is too early, nothing is put off, unless the user asks for it. */
Test(logical_clock, corrects_nothing_without_need)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct logical_clock c = {0};
    spoken_start(&s, 2);
    s.duration = 10;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 5, WORLD, 0);
    s.gap = 1000;
    SAY(&s, 0, 0, SPOKEN_RECV, 1, 5, WORLD, 0, STATUS(1, 5, 8));
    spoken_end(&s);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(logical_clock_apply(&c, NULL, &s.reader, &s.definitions, &timestamps), REFRAIN_OK);
    cr_expect_eq(c.arrivals, 1);
    cr_expect_eq(c.early_before, 0);
    cr_expect_eq(c.early_most, 0);
    cr_expect_null(timestamps.correction);
    logical_clock_free(&c);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
}
