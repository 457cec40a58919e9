/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations, written call by call: members that fail, that differ, that have several
 * threads. */
#include <criterion/criterion.h>

#include "decoder/match/collective_queues.h"
#include "heard.h"

Test(matching_collectives, collective_operations_are_matched_by_their_order)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        SAY(&s, rank, 0, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
        SAY(&s, rank, 0, rank ? SPOKEN_BCAST : SPOKEN_BCAST_C, 1, TYPE, 0, WORLD, 0);
        WAIT(&s, rank, 0, SENT);
        SAY(&s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 0, 0);
        SAY(&s, rank, 0, SPOKEN_WIN_FENCE, 0, 0, 0);
        if (rank == 0)
            SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        else
            SAY(&s, rank, 0, SPOKEN_BCAST, 1, TYPE, 0, WORLD, 0);
    }
    SAY(&s, 0, 0, SPOKEN_WIN_FREE, 0, 0, NONE);
    expect(&s, "collective  MPI_Ibarrier  comm=MPI_COMM_WORLD  number=0  0:0 1:0\n"
               "collective  MPI_Bcast_c  comm=MPI_COMM_WORLD  number=1  0:1 1:1\n"
               "collective  MPI_Win_create  comm=MPI_COMM_WORLD  number=2  0:3 1:3\n"
               "collective  MPI_Win_fence  comm=MPI_COMM_WORLD  made=0  number=0  0:4 1:4\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=3  0:5 1:5  functions differ\n"
               "collective  MPI_Win_free  comm=MPI_COMM_WORLD  made=0  number=1  0:6  1 of 2\n");
}

/* A process whose call fails inside the operation has entered it, as the others have; one with
 * wrong arguments has not. */
Test(matching_collectives, a_collective_operation_may_fail_for_some)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (int rank = 0; rank < 2; rank++) {
        SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, rank ? OTHER_ERROR : 0);
        SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, rank ? 0 : 5);
        if (!rank)
            SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        SAY(&s, rank, 0, SPOKEN_BCAST, 1, TYPE, 0, WORLD, 0);
    }
    expect(&s, "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=0  0:0 1:0\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=1  0:2 1:1\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=2  0:3 1:2\n");
}

/* A call that some members were refused still counts for them if the others continue as they do. */
Test(matching_collectives, a_refused_call_keeps_its_place)
{
    struct spoken s;
    spoken_start(&s, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        SAY(&s, rank, 0, SPOKEN_BCAST, 1, TYPE, rank == 1 ? 99 : 0, WORLD, rank == 1 ? 5 : 0);
        ALLREDUCE(&s, rank, 0);
        SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 5); /* refused on all ranks */
        BARRIER(&s, rank, 0);
        SAY(&s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 0, 0);
        SAY(&s, rank, 0, SPOKEN_WIN_FENCE, 0, 0, 0);
    }
    expect(&s, "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=0  0:0 1:0 2:0\n"
               "collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=1  0:1 1:1 2:1\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=3  0:3 1:3 2:3\n"
               "collective  MPI_Win_create  comm=MPI_COMM_WORLD  number=4  0:4 1:4 2:4\n"
               "collective  MPI_Win_fence  comm=MPI_COMM_WORLD  made=0  number=0  0:5 1:5 2:5\n");
}

/* Rank 1 leaves one call out: that is one line, not one for each later call. */
Test(matching_collectives, what_differs_is_said_once)
{
    enum { ROUNDS = 3 };
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        BARRIER(&s, rank, 0);
        BCAST(&s, rank, 0, 0);
        if (rank == 0)
            BARRIER(&s, rank, 0);
        for (int i = 0; i < ROUNDS; i++) {
            BCAST(&s, rank, 0, i % 2);
            ALLREDUCE(&s, rank, 0);
        }
    }
    expect(&s, "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=0  0:0 1:0\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=1  0:1 1:1\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=2  0:2  functions differ until 0:3\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=2  0:3 1:2\n"
               "collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=3  0:4 1:3\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=4  0:5 1:4\n"
               "collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=5  0:6 1:5\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=6  0:7 1:6\n"
               "collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=7  0:8 1:7\n");
}

/* Members have to agree in the root. */
Test(matching_collectives, roots_tell_apart)
{
    struct spoken s;
    spoken_start(&s, 2);
    BCAST(&s, 0, 0, 0);
    for (uint32_t rank = 0; rank < 2; rank++) {
        BCAST(&s, rank, 0, 1);
        BCAST(&s, rank, 0, 0);
    }
    expect(&s, "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=0  0:0  functions differ until 0:1\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=0  0:1 1:0\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=1  0:2 1:1\n");
}

/* The number of lines that contain this text. */
static size_t count_lines(struct spoken *s, const char *text)
{
    struct bytes heard = hear(s);
    size_t n = 0;
    for (const char *at = (const char *)heard.data; (at = strstr(at, text)); at++)
        n++;
    bytes_free(&heard);
    return n;
}

/* A thread begins when the first one has made nearly all of its calls, which are more on some
 * ranks; on one rank the first thread makes all calls. Nothing gives their order, and nothing is
 * wrong. */
Test(matching_collectives, collective_operations_of_a_later_thread)
{
    enum { RANKS = 4, ROUNDS = 150 };
    for (int wrong = 0; wrong < 2; wrong++) {
        struct spoken s;
        spoken_start(&s, RANKS);
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const uint32_t later = rank == 3 ? 0 : 1;
            for (int i = 0; i < ROUNDS; i++) {
                for (uint32_t k = 0; k < rank; k++)
                    SEND(&s, rank, NULL_RANK, 0);
                BCAST(&s, rank, 0, i % 3);
                BARRIER(&s, rank, 0);
            }
            for (int i = 0; i < ROUNDS; i++)
                ALLREDUCE(&s, rank, later);
            BARRIER(&s, rank, later);
            if (wrong && rank == 2)
                BCAST(&s, rank, later, 0);
            BCAST(&s, rank, 0, 1);
        }
        cr_assert_eq(count_lines(&s, wrong ? "1 of 4" : "collective  "), wrong ? 1 : 3 * ROUNDS + 2);
    }
}

/* Rank 1 makes in one thread what rank 0 makes in two. Only the next calls show which thread of
 * rank 0 comes first. */
Test(matching_collectives, threads_whose_next_calls_are_the_same)
{
    struct spoken s;
    spoken_start(&s, 2);
    BARRIER(&s, 0, 0);
    BCAST(&s, 0, 0, 0);
    BARRIER(&s, 0, 1);
    ALLREDUCE(&s, 0, 1);
    BARRIER(&s, 1, 0);
    ALLREDUCE(&s, 1, 0);
    BARRIER(&s, 1, 0);
    BCAST(&s, 1, 0, 0);
    expect(&s, "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=0  0.1:0 1:0\n"
               "collective  MPI_Allreduce  comm=MPI_COMM_WORLD  number=1  0.1:1 1:1\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=0  0:0 1:2\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=1  0:1 1:3\n");
}

/* Rank 1 is refused, tries again, and continues like rank 0, with calls that are all the same for
 * a while. */
Test(matching_collectives, a_call_made_once_more_among_equal_ones)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        if (rank == 1)
            SAY(&s, rank, 0, SPOKEN_BARRIER, WORLD, 5);
        for (int i = 0; i < 3; i++)
            BARRIER(&s, rank, 0);
        BCAST(&s, rank, 0, 0);
    }
    expect(&s, "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=0  0:0 1:1\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=1  0:1 1:2\n"
               "collective  MPI_Barrier  comm=MPI_COMM_WORLD  number=2  0:2 1:3\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=3  0:3 1:4\n");
}

/* A call refused on rank 0 alone, and one on rank 1 alone, shift the numbers of calls, but not
 * those of windows. */
Test(matching_collectives, windows_have_one_name_where_calls_were_refused)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        if (rank == 0)
            SAY(&s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 5);
        SAY(&s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 0, WINDOW(0));
        if (rank == 1)
            SAY(&s, rank, 0, SPOKEN_BCAST, 1, TYPE, 99, WORLD, 5);
        BCAST(&s, rank, 0, 0);
        SAY(&s, rank, 0, SPOKEN_WIN_FENCE, 0, WINDOW(0), 0);
        SAY(&s, rank, 0, SPOKEN_WIN_CREATE, WORLD, 0, WINDOW(1));
        SAY(&s, rank, 0, SPOKEN_WIN_FENCE, 0, WINDOW(1), 0);
    }
    expect(&s, "collective  MPI_Win_create  comm=MPI_COMM_WORLD  number=0  0:1 1:0\n"
               "collective  MPI_Win_fence  comm=MPI_COMM_WORLD  made=0  number=0  0:3 1:3\n"
               "collective  MPI_Bcast  comm=MPI_COMM_WORLD  number=2  0:2 1:2\n"
               "collective  MPI_Win_create  comm=MPI_COMM_WORLD  number=3  0:4 1:4\n"
               "collective  MPI_Win_fence  comm=MPI_COMM_WORLD  made=1  number=0  0:5 1:5\n");
}

/* Rank 0 makes many more calls of one kind before the ranks agree again: that is one line, and all
 * later calls match. */
Test(matching_collectives, what_differs_for_long_is_said_once)
{
    enum { MORE = 500, ROUNDS = 100 };
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        for (int i = 0; rank == 0 && i < MORE; i++)
            BCAST(&s, rank, 0, 0);
        for (int i = 0; i < ROUNDS; i++) {
            ALLREDUCE(&s, rank, 0);
            BARRIER(&s, rank, 0);
        }
    }
    cr_expect_eq(count_lines(&s, "collective  "), 1 + 2 * ROUNDS);
}

/* They never agree again. */
Test(matching_collectives, what_never_agrees_again_is_said_once)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        ALLREDUCE(&s, rank, 0);
        for (int i = 0; i < 800; i++) {
            if (rank == 0)
                BCAST(&s, rank, 0, 0);
            else
                BARRIER(&s, rank, 0);
        }
    }
    cr_expect_eq(count_lines(&s, "collective  "), 2);
}

/* ---- the queues alone ------------------------------------------------------------------------ */

enum { BARRIERS, BCASTS }; /* families of functions */

static uint32_t come(struct collective_queues *q, uint32_t rank, uint32_t members, uint32_t family,
                     bool refused)
{
    const struct operation op = {.kind = OPERATION_COLLECTIVE,
                                 .call = {.rank = rank},
                                 .function = family,
                                 .members = members,
                                 .failed = refused,
                                 .refused = refused};
    uint32_t scope;
    cr_assert(collective_queues_join(q, &op, family, false, &scope));
    return scope;
}

static size_t count_sets(struct collective_queues *q, uint32_t scope)
{
    struct collective_set set;
    enum refrain_status status;
    size_t n = 0;
    while (collective_queues_next(q, scope, COLLECTIVE_WAIT, &set, &status))
        n++;
    cr_assert_eq(status, REFRAIN_OK);
    return n;
}

/* One rank is always a call ahead: memory is that of the waiting calls, however many came
 * before. */
Test(collective_queues, a_queue_that_is_never_empty)
{
    struct collective_queues q = {0};
    uint32_t scope = come(&q, 0, 2, BARRIERS, false);
    for (int i = 0; i < 10000; i++) {
        come(&q, 0, 2, BARRIERS, false);
        scope = come(&q, 1, 2, BARRIERS, false);
        cr_assert_eq(count_sets(&q, scope), 1);
    }
    cr_expect_leq(q.scopes.items[scope].queues.items[0].calls.n, 4);
    collective_queues_free(&q);
}

/* All calls of a rank are refused: they are not kept until one of its calls is accepted. */
Test(collective_queues, a_rank_that_is_always_refused)
{
    struct collective_queues q = {0};
    size_t sets = 0;
    for (int i = 0; i < 1000; i++) {
        come(&q, 0, 2, BARRIERS, false);
        sets += count_sets(&q, come(&q, 1, 2, BARRIERS, true));
    }
    cr_expect_geq(sets, 800, "%zu", sets);
    collective_queues_free(&q);
}

/* Calls that differ are not compared again for each new call; but they are not forgotten. */
Test(collective_queues, the_call_that_was_missing_is_the_last)
{
    enum { MEMBERS = 4 };
    struct collective_queues q = {0};
    uint32_t scope = 0;
    size_t sets = 0;
    for (uint32_t rank = 0; rank < MEMBERS; rank++)
        scope = come(&q, rank, MEMBERS, rank < MEMBERS - 1 ? BARRIERS : BCASTS, false);
    cr_assert_eq(count_sets(&q, scope), 0);
    for (uint32_t rank = 0; rank < MEMBERS - 1; rank++)
        sets += count_sets(&q, come(&q, rank, MEMBERS, BCASTS, false));
    cr_expect_eq(sets, 0);
    cr_expect(collective_queues_look_again(&q, scope));
    cr_expect_eq(count_sets(&q, scope), 2);
    cr_expect(!collective_queues_look_again(&q, scope));
    collective_queues_free(&q);
}
