/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that end only after a partner's next call: what they wait for, and what the run costs without it. */
#include <criterion/criterion.h>

#include "critical_run.h"

#define MS 1000000

/* Waiting of rank 0 in a metric, ns. */
static uint64_t waits(const struct found *f, const char *metric)
{
    const uint32_t number = metrics_find(&f->metrics, metric);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->search.values.n_sites; i++) {
        const uint64_t *row = severities_row(&f->search.values, number, i);
        sum += row ? row[0] : 0;
    }
    return sum;
}

static void is_near(uint64_t a, uint64_t b)
{
    cr_assert(a <= b + 1000 && b <= a + 1000, "%u, not %u", (unsigned)a, (unsigned)b);
}

/* Rank 0 waits from 2 ms on, for a message that rank 1 has begun to send at 1 ms, before it computes until `returns`.
 * The wait ends at `ends`. */
static void exchange(struct spoken *s, struct found *f, uint64_t returns, uint64_t ends, bool local)
{
    spoken_start(s, 2);
    CALL(s, MS, 10, 0, SPOKEN_IRECV, 1, 5, WORLD, 0, REQUEST(0));
    CALL(s, MS - 10, ends - 2 * MS, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(1, 5, 8));
    CALL(s, MS, 10, 1, SPOKEN_ISEND, 1, TYPE, 0, 5, WORLD, 0, REQUEST(0));
    if (local)
        CALL(s, MS / 2, 10, 1, SPOKEN_COMM_GROUP, WORLD, 0, 0);
    CALL(s, returns - MS - 10 - (local ? MS / 2 + 10 : 0), 100, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    find(f, s);
}

Test(late_progress, until_the_partner_returns)
{
    struct spoken s;
    struct found f;
    exchange(&s, &f, 12 * MS, 12 * MS + 50000, false);
    is_near(waits(&f, "mpi_lateprogress"), 10 * MS);
    cr_assert_eq(waits(&f, "mpi_latesender"), 0);
    is_near(f.critical.path.delays.waiting, 10 * MS);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 12 * MS);
    stop(&f);
}

/* A call that does not communicate is no return. */
Test(late_progress, local_calls_do_not_count)
{
    struct spoken s;
    struct found f;
    exchange(&s, &f, 12 * MS, 12 * MS + 50000, true);
    is_near(waits(&f, "mpi_lateprogress"), 10 * MS);
    stop(&f);
}

/* The call ended before the partner returned, or long after it; or the return may be chance. */
Test(late_progress, only_if_the_call_ends_soon_after)
{
    const uint64_t cases[][2] = {{12, 11}, {4, 12}, {12, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spoken s;
        struct found f;
        exchange(&s, &f, cases[i][0] * MS, cases[i][1] ? cases[i][1] * MS : 2 * MS + PROGRESS_LEAST / 2,
                 false);
        cr_assert_eq(waits(&f, "mpi_lateprogress"), 0, "case %zu", i);
        stop(&f);
    }
}

/* The root broadcasts at once; rank 1, which passes data on to rank 0, comes late. */
Test(late_progress, of_a_late_member)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    CALL(&s, MS, 20 * MS + 10000, 0, SPOKEN_BCAST, 1, TYPE, 2, WORLD, 0);
    CALL(&s, 21 * MS, 10000, 1, SPOKEN_BCAST, 1, TYPE, 2, WORLD, 0);
    CALL(&s, 2 * MS, 10000, 2, SPOKEN_BCAST, 1, TYPE, 2, WORLD, 0);
    find(&f, &s);
    is_near(waits(&f, "mpi_latebroadcast"), MS);
    is_near(waits(&f, "mpi_latemember"), 19 * MS);
    is_near(f.critical.path.delays.waiting, 20 * MS);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 21 * MS);
    stop(&f);
}

/* A non-blocking barrier, begun by all at 1 ms, is complete only when rank 1 is in MPI again. */
Test(late_progress, of_a_collective_operation)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        CALL(&s, MS, 10, rank, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
        CALL(&s, rank == 1 ? 8 * MS : MS, rank == 1 ? 100 : 7 * MS + 20000, rank, SPOKEN_WAIT, REQUEST(0), 0,
             NONE, STATUS(0, 0, 0));
    }
    find(&f, &s);
    is_near(waits(&f, "mpi_latemember"), 7 * MS);
    stop(&f);
}

Test(late_progress, partners)
{
    struct wait_partners p = {0};
    for (uint32_t i = 0; i < PARTNERS_MOST; i++)
        wait_partners_add(&p, i / 2);
    cr_assert(p.n == PARTNERS_MOST / 2 && !p.any);
    for (uint32_t i = 0; i <= PARTNERS_MOST; i++)
        wait_partners_add(&p, i);
    cr_assert(p.n == PARTNERS_MOST && p.any);
}

/* The first message did not wait, so neither does a second one of this size, unless it is held back: until the receiver, after
 * other quiet calls, posts the receive. */
Test(late_receiver, of_a_message_that_is_held_back)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, MS, 100, 0, SPOKEN_SEND, 4, TYPE, 1, 1, WORLD, 0);
    CALL(&s, MS - 100, 10 * MS + 50000, 0, SPOKEN_SEND, 1, TYPE, 1, 2, WORLD, 0);
    CALL(&s, 10, 100, 0, SPOKEN_SEND, 2, TYPE, 1, 3, WORLD, 0);
    CALL(&s, 3 * MS / 2, 10, 1, SPOKEN_RECV, 0, 1, WORLD, 0, STATUS(0, 1, 32));
    CALL(&s, 21 * MS / 2 - 10, 10, 1, SPOKEN_IRECV, 0, 3, WORLD, 0, REQUEST(0));
    CALL(&s, 10, 10, 1, SPOKEN_IRECV, 0, 2, WORLD, 0, REQUEST(1));
    CALL(&s, 10, 60000, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, STATUS(0, 3, 16));
    CALL(&s, 10, 10, 1, SPOKEN_WAIT, REQUEST(1), 0, NONE, STATUS(0, 2, 8));
    find(&f, &s);
    is_near(waits(&f, "mpi_latereceiver"), 10 * MS);
    stop(&f);
}
