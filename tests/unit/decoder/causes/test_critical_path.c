/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path and the delays of a few calls. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/efficiency.h"

/* Calls that make the ranks differ take some nanoseconds. */
static void is_near(uint64_t a, uint64_t b)
{
    cr_assert(a <= b + 20 && b <= a + 20, "%u, not %u", (unsigned)a, (unsigned)b);
}

struct cost {
    uint64_t direct, further;
};

static struct cost cost_of(const struct found *f, uint32_t rank, enum critical_activity activity)
{
    struct cost sum = {0};
    for (size_t i = 0; i < f->critical.path.delays.items.n; i++) {
        const struct delay *d = &f->critical.path.delays.items.items[i];
        const bool wanted = critical_lane(d->key) == rank && critical_activity(d->key) == activity;
        sum.direct += wanted ? d->direct : 0;
        sum.further += wanted ? d->further : 0;
    }
    return sum;
}

/* Rank 0 receives from 1000 to 5000, and ends; rank 1 sends at 4000. */
Test(critical_path, of_a_late_sender)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    RECV(&s, 1000, 4000, 0, 1, 5);
    SEND(&s, 4000, 500, 1, 0, 5);
    find(&f, &s);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 4000);
    is_near(of_rank(&f, 1, CRITICAL_CALL), 0);
    is_near(of_rank(&f, 0, CRITICAL_CALL), 1000);
    is_near(of_rank(&f, 0, CRITICAL_COMPUTING), 0);
    stop(&f);
}

/* Rank 2 is late for rank 1, which is then late for rank 0: until then only rank 2 is on the
 * path. */
Test(critical_path, over_two_hops)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    RECV(&s, 1000, 6500, 0, 1, 5); /* until 7500 */
    RECV(&s, 1000, 5000, 1, 2, 6); /* until 6000 */
    SEND(&s, 1000, 100, 1, 0, 5);  /* at 7000 */
    SEND(&s, 5000, 100, 2, 1, 6);  /* at 5000 */
    find(&f, &s);
    is_near(of_rank(&f, 2, CRITICAL_COMPUTING), 5000);
    is_near(of_rank(&f, 1, CRITICAL_CALL), 1000); /* from 5000 to 6000 */
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 1000);
    is_near(of_rank(&f, 0, CRITICAL_CALL), 500);
    /* Rank 1 waits 4000 for rank 2, which computes 5000 before its send. Rank 0 waits 6000: the
     * causes are 5000 of computing on rank 2, 1000 of computing on rank 1 before its send, and
     * 1000 of rank 1 in its receive. */
    is_near(f.critical.path.delays.waiting, 4000 + 6000);
    is_near(cost_of(&f, 2, CRITICAL_COMPUTING).direct, 4000);
    is_near(cost_of(&f, 2, CRITICAL_COMPUTING).further, 6000 * 5 / 7);
    is_near(cost_of(&f, 1, CRITICAL_COMPUTING).direct, 6000 / 7);
    is_near(cost_of(&f, 1, CRITICAL_CALL).direct, 6000 / 7);
    stop(&f);
}

/* Rank 1 computes 16000 before its second send, as rank 2 before its only one, for which rank 1 waits a moment. Rank
 * 0 computes 8000, after rank 1 has computed 15900: its second wait is rank 1's work, not half of it rank 2's. */
Test(critical_path, of_the_time_that_took_longer)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    SEND(&s, 8000, 100, 0, 2, 3);
    RECV(&s, 100, 8200, 0, 1, 5); /* from 8200 to 16400 */
    SEND(&s, 8000, 100, 0, 2, 3);
    RECV(&s, 100, 8200, 0, 1, 5); /* from 24600 to 32800 */
    SEND(&s, 15900, 100, 1, 0, 5);
    RECV(&s, 0, 400, 1, 2, 4); /* from 16000 to 16400 */
    SEND(&s, 16000, 100, 1, 0, 5);
    SEND(&s, 16100, 100, 2, 1, 4);
    RECV(&s, 20000, 100, 2, 0, 3);
    RECV(&s, 100, 100, 2, 0, 3);
    find(&f, &s);
    is_near(f.critical.path.delays.waiting, 7700 + 7800 + 100);
    cr_assert_gt(cost_of(&f, 1, CRITICAL_COMPUTING).direct, 7700 + 7600);
    cr_assert_lt(cost_of(&f, 2, CRITICAL_COMPUTING).further, 300);
    stop(&f);
}

/* Rank 1 sends late, but the message has arrived when rank 0 receives: rank 1 is not on the
 * path. */
Test(critical_path, slack_absorbs_a_delay)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    RECV(&s, 5000, 100, 0, 1, 5);
    SEND(&s, 4000, 100, 1, 0, 5);
    find(&f, &s);
    is_near(of_rank(&f, 0, CRITICAL_COMPUTING), 5000);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING) + of_rank(&f, 1, CRITICAL_CALL), 0);
    cr_assert_eq(f.critical.path.delays.waiting, 0);
    stop(&f);
}

/* A sender waits for its receiver, which is known only later. */
Test(critical_path, of_a_late_receiver)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 100, 50, 0, SPOKEN_ISEND, 1, TYPE, 1, 5, WORLD, 0, REQUEST(0));
    CALL(&s, 850, 4000, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT); /* from 1000 to 5000 */
    CALL(&s, 3000, 10, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    RECV(&s, 3000, 2000, 1, 0, 5);
    find(&f, &s);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 3000);
    is_near(of_rank(&f, 0, CRITICAL_CALL), 2000 + 10);
    is_near(of_rank(&f, 0, CRITICAL_COMPUTING), 3000);
    stop(&f);
}

/* The ranks take turns to compute longer: each time the path is on the longer one. */
Test(critical_path, alternates)
{
    enum { TURNS = 40 };
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t slow = i % 2;
        SEND(&s, 3000, 100, slow, 1 - slow, i);
        RECV(&s, 1000, 2100, 1 - slow, slow, i);
    }
    find(&f, &s);
    is_near(of_rank(&f, 0, CRITICAL_COMPUTING), TURNS / 2 * 3000);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), TURNS / 2 * 3000);
    cr_assert_leq(f.critical.path.genealogy.most_used, 12);
    stop(&f);
}

/* A non-blocking barrier is complete when its last member has begun it, whichever rank waits for
 * it, and whenever. */
Test(critical_path, of_a_barrier_that_does_not_block)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 1000, 50, 0, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 950, 4000, 0, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT); /* from 2000 to 6000 */
    CALL(&s, 5000, 50, 1, SPOKEN_IBARRIER, WORLD, 0, REQUEST(0));
    CALL(&s, 50, 40, 1, SPOKEN_WAIT, REQUEST(0), 0, NONE, SENT);
    find(&f, &s);
    is_near(of_rank(&f, 1, CRITICAL_COMPUTING), 5000);
    is_near(of_rank(&f, 0, CRITICAL_CALL), 1000);
    stop(&f);
}

/* A probe has waited for its message if the next call receives that message. Otherwise the
 * receiver itself is late, and the probe is only a call that lasts long. */
Test(critical_path, over_a_probe)
{
    for (unsigned received = 0; received < 2; received++) {
        struct spoken s;
        struct found f;
        spoken_start(&s, 3);
        CALL(&s, 1000, 4000, 0, SPOKEN_MPROBE, ANY_RANK, ANY_TAG, WORLD, 0, MESSAGE(0),
             STATUS(1, 5, 8)); /* from 1000 to 5000 */
        if (!received)
            RECV(&s, 10, 90, 0, 2, 6);
        CALL(&s, 10, 10, 0, SPOKEN_MRECV, MESSAGE(0), 0, NONE, STATUS(1, 5, 8));
        if (received)
            RECV(&s, 10, 90, 0, 2, 6);
        SEND(&s, 4500, 50, 1, 0, 5);
        SEND(&s, 100, 50, 2, 0, 6);
        find(&f, &s);
        is_near(of_rank(&f, 1, CRITICAL_COMPUTING), received ? 4500 : 0);
        is_near(f.critical.path.delays.waiting, received ? 3500 : 0);
        stop(&f);
    }
}

/* After its first call, rank 0 computes 1000 + 7000, rank 1 2000, in a run of 10000; calls that
 * make the ranks differ take next to nothing. */
Test(efficiency, of_two_ranks)
{
    struct spoken s;
    struct found f;
    struct efficiency e;
    spoken_start(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++)
        CALL(&s, 0, 10, rank, SPOKEN_CANCEL, REQUEST(7), 0);
    SEND(&s, 1000, 1000, 0, 1, 5);
    RECV(&s, 2000, 500, 1, 0, 5);
    SEND(&s, 7000, 1000, 0, 1, 6);
    RECV(&s, 0, 7000, 1, 0, 6);
    find(&f, &s);
    cr_assert_eq(efficiency_find(&e, &f.search), REFRAIN_OK);
    cr_assert_eq(e.threads, 2);
    cr_assert_eq(e.begin, 0);
    is_near(e.time, 10010);
    is_near(e.most, 8000);
    is_near(e.computing, 10000);
    cr_assert_float_eq(efficiency_load_balance(&e), 5.0 / 8, 0.01);
    cr_assert_float_eq(efficiency_communication(&e), 0.8, 0.01);
    stop(&f);
}

/* A run without computing. */
Test(efficiency, of_nothing)
{
    const struct efficiency e = {.threads = 2, .time = 100};
    cr_assert_eq(efficiency_load_balance(&e), 1);
    cr_assert_eq(efficiency_communication(&e), 1);
}
