/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of sent and received messages: statuses of messages count, those of other requests do
 * not, and a failed call counts nothing. */
#include <criterion/criterion.h>

#include "decoder/call/other_requests.h"
#include "decoder/stat/statistics.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

static struct tally sum_up(struct spoken *s, enum spoken_function function)
{
    const struct ranges all = {0};
    struct statistics statistics;
    cr_assert_eq(statistics_compute(&statistics, &s->reader, &s->definitions, &all, STATISTICS_BY_FUNCTION),
                 REFRAIN_OK);
    const struct functable *t = &s->reader.trace.functions;
    static const char *const names[] = {[SPOKEN_WAIT] = "MPI_Wait",
                                        [SPOKEN_WAITALL] = "MPI_Waitall",
                                        [SPOKEN_TESTSOME] = "MPI_Testsome",
                                        [SPOKEN_SEND] = "MPI_Send"};
    struct tally tally = {0};
    for (size_t i = 0; i < t->functions.n; i++) {
        if (strcmp(t->functions.items[i].name, names[function]) == 0)
            tally = statistics.functions[i];
    }
    statistics_free(&statistics);
    return tally;
}

/* Number 0 is a generalized request's, and number 1 a message's. */
static void begin_both(struct spoken *s, uint32_t rank, uint32_t thread)
{
    SAY(s, rank, thread, SPOKEN_GREQUEST_START, 0, REQUEST(0));
    SAY(s, rank, thread, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(1));
}

Test(statistics, generalized_requests_receive_nothing)
{
    struct spoken s;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        for (int i = 0; i < 50; i++) {
            begin_both(&s, rank, 0);
            SAY(&s, rank, 0, SPOKEN_WAITALL, 2, REQUEST(0), REQUEST(1), 0, 2, NONE, NONE, 2,
                STATUS(1, 5, 100), STATUS(1, 5, 8));
            /* Statuses by index, alternating. */
            begin_both(&s, rank, 0);
            SAY(&s, rank, 0, SPOKEN_TESTSOME, 2, REQUEST(0), REQUEST(1), 0, 2, NONE, NONE, 2, i % 2,
                1 - i % 2, 2, STATUS(1, 5, i % 2 ? 8 : 100), STATUS(1, 5, i % 2 ? 100 : 8));
        }
    }
    spoken_end(&s);
    cr_expect_eq(sum_up(&s, SPOKEN_WAITALL).received, 2 * 50 * 8);
    cr_expect_eq(sum_up(&s, SPOKEN_TESTSOME).received, 2 * 50 * 8);
    spoken_free(&s);
}

/* Numbers that keep changing, and one that another thread made. */
Test(statistics, generalized_requests_of_many_numbers)
{
    struct other_requests others;
    struct roles roles;
    struct spoken s;
    spoken_start(&s, 1);
    for (int i = 0; i < 3000; i++) {
        const int number = i < 1000 ? 2 * i : 2 * (i % 40); /* new ones, then the same again and again */
        SAY(&s, 0, 0, SPOKEN_GREQUEST_START, 0, REQUEST(number));
        SAY(&s, 0, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(2 * i + 1));
        SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(number), 0, NONE, STATUS(1, 5, 100));
        SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(2 * i + 1), 0, NONE, STATUS(1, 5, 8));
    }
    begin_both(&s, 0, 1);
    SAY(&s, 0, 0, SPOKEN_WAIT, FOREIGN(0, 1), 0, NONE, STATUS(1, 5, 100));
    SAY(&s, 0, 0, SPOKEN_WAIT, FOREIGN(1, 1), 0, NONE, STATUS(1, 5, 8));
    spoken_end(&s);
    cr_expect_eq(sum_up(&s, SPOKEN_WAIT).received, 3001 * 8);
    cr_assert_eq(roles_find(&roles, &s.reader.trace.functions), REFRAIN_OK);
    cr_assert_eq(other_requests_find(&others, &s.reader, &s.definitions, &roles), REFRAIN_OK);
    cr_expect_eq(others.items.n, 1000 + 1);
    cr_expect(other_requests_have(&others, 0, 0, REQUEST(1998)));
    cr_expect_not(other_requests_have(&others, 0, 0, REQUEST(1999)));
    cr_expect_not(other_requests_have(&others, 0, 1, REQUEST(1998)));
    cr_expect_not(other_requests_have(&others, 0, 0, NONE));
    other_requests_free(&others);
    roles_free(&roles);
    spoken_free(&s);
}

Test(statistics, nothing_of_what_failed_or_was_cancelled)
{
    enum { ERROR = 5 };
    struct spoken s;
    spoken_start(&s, 2);
    SAY(&s, 0, 0, SPOKEN_SEND, 3, TYPE, 1, 5, WORLD, 0);
    SAY(&s, 0, 0, SPOKEN_SEND, 3, TYPE, 7, 5, WORLD, ERROR);
    SAY(&s, 0, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    SAY(&s, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, 0, 1, 5, 0, 8, 1); /* cancelled, with bytes */
    spoken_end(&s);
    cr_expect_eq(sum_up(&s, SPOKEN_SEND).calls, 2);
    cr_expect_eq(sum_up(&s, SPOKEN_SEND).sent, 24);
    cr_expect_eq(sum_up(&s, SPOKEN_WAIT).received, 0);
    spoken_free(&s);
}
