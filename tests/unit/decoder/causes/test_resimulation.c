/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs whose length is known by construction: unchanged, in an ideal network, and without a
 * delay. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/reasons/removals.h"

#include <math.h>

/* Calls that make the ranks differ take some nanoseconds. */
static void is_near(uint64_t a, uint64_t b)
{
    cr_assert(a <= b + 20 && b <= a + 20, "%u, not %u", (unsigned)a, (unsigned)b);
}

/* Computing counts from the first call on. */
static void begin(struct spoken *s)
{
    for (uint32_t rank = 0; rank < s->n_ranks; rank++)
        CALL(s, 0, 0, rank, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
}

/* The removal for all waiting in the run, with rank 0 as the one that waits. */
static struct removal without(struct found *f)
{
    const struct delays *d = &f->critical.path.delays;
    const uint64_t by_lane[8] = {1};
    const struct causes_view view = {.search = &f->search, .preceding = &d->preceding};
    const struct reason_request request = {
        .site = DELAYS_ANYWHERE, .kinds = DELAYS_ANY_KIND, .time = d->waiting, .by_lane = by_lane};
    struct removals r;
    cr_assert_eq(removals_find(&r, &f->critical, &view, &request, 1), REFRAIN_OK);
    const struct removal first = r.items[0];
    removals_free(&r);
    return first;
}

/* Rank 0 sends at 4000. Rank 1 has the message at 5000, of which the transfer is 1000, and then
 * computes 3000. */
Test(resimulation, of_an_ideal_network)
{
    struct spoken s;
    struct found f;
    struct efficiency e;
    spoken_start(&s, 2);
    begin(&s);
    SEND(&s, 4000, 500, 0, 1, 5);
    RECV(&s, 1000, 4000, 1, 0, 5);
    CALL(&s, 3000, 0, 1, SPOKEN_CANCEL, REQUEST(7), 0);
    find(&f, &s);
    cr_assert_eq(critical_search_efficiency(&f.critical, &f.search, &e), REFRAIN_OK);
    is_near(e.time, 8000);
    is_near(e.simulated, 8000);
    is_near(e.ideal, 7000);
    cr_assert_lt(fabs(efficiency_serialization(&e) - 4.0 / 7), 0.01);
    cr_assert_lt(fabs(efficiency_transfer(&e) - 7.0 / 8), 0.01);
    cr_assert_lt(fabs(efficiency_serialization(&e) * efficiency_transfer(&e) - efficiency_communication(&e)),
                 1e-9);
    stop(&f);
}

/* Computing before a message that is never late is no loss of serialization. */
Test(resimulation, of_transfer_alone)
{
    struct spoken s;
    struct found f;
    struct efficiency e;
    spoken_start(&s, 2);
    begin(&s);
    SEND(&s, 1000, 1000, 0, 1, 5);
    RECV(&s, 1000, 1000, 1, 0, 5);
    find(&f, &s);
    cr_assert_eq(critical_search_efficiency(&f.critical, &f.search, &e), REFRAIN_OK);
    cr_assert_lt(fabs(efficiency_serialization(&e) - 1), 0.02);
    cr_assert_lt(fabs(efficiency_transfer(&e) - 0.5), 0.02);
    stop(&f);
}

/* Ranks enter a barrier at 1000, 5000 and 9000. Ranks 0 and 1 wait 6000 on average. Without that,
 * rank 1 is the last to enter, although no rank waits for it in the record. */
Test(resimulation, another_one_is_last)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    for (uint32_t rank = 0; rank < 3; rank++)
        CALL(&s, 1000 + 4000 * rank, 8100 - 4000 * rank, rank, SPOKEN_BARRIER, WORLD, 0);
    find(&f, &s);
    const struct removal r = without(&f);
    is_near(r.run, 9100);
    is_near(r.without[0], 5100);
    stop(&f);
}

/* Ranks 1 and 2 compute 9000 longer than ranks 0 and 3, and take turns at being the last one: both become shorter
 * each time. If only the last one did, each would be as late in every other turn, and the run 70000. */
Test(resimulation, two_are_late)
{
    enum { TURNS = 10 };
    struct spoken s;
    struct found f;
    spoken_start(&s, 4);
    for (uint32_t i = 0; i < TURNS; i++) {
        const uint32_t root = 1 + i % 2;
        for (uint32_t rank = 0; rank < 4; rank++) {
            const uint32_t computes = rank == 0 || rank == 3 ? 1000 : rank == root ? 10010 : 10000;
            CALL(&s, computes, 10110 - computes, rank, SPOKEN_BCAST, i + 1, TYPE, root, WORLD, 0);
        }
    }
    find(&f, &s);
    const struct removal r = without(&f);
    cr_assert_gt(r.run, TURNS * 10000);
    cr_assert_lt(r.without[0], TURNS * 5000, "%u", (unsigned)r.without[0]);
    cr_assert_gt(r.without[0], TURNS * 1100, "%u", (unsigned)r.without[0]);
    stop(&f);
}

/* Ranks 0 and 1 compute as long as the late rank 2, but exchange only with each other: they are not late. */
Test(resimulation, others_are_not_late)
{
    static const uint32_t computes[] = {10000, 10000, 10000, 3000};
    struct spoken s;
    struct found f;
    spoken_start(&s, 4);
    for (unsigned i = 0; i < 10; i++) {
        for (uint32_t rank = 0; rank < 4; rank++)
            SEND(&s, computes[rank], 10, rank, rank ^ 1, 5);
        for (uint32_t rank = 0; rank < 4; rank++)
            RECV(&s, 0, 10010 - computes[rank], rank, rank ^ 1, 5);
    }
    find(&f, &s);
    const struct removal r = without(&f);
    cr_assert_gt(r.without[0], r.run - r.run / 100, "%u", (unsigned)r.without[0]);
    stop(&f);
}

/* Rank 1 is late once, by 8000: the time that it computes in other turns stays. */
Test(resimulation, a_delay_that_happens_once)
{
    enum { TURNS = 10 };
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t late = i == 4 ? 8000 : 0;
        CALL(&s, 1000, 100 + late, 0, SPOKEN_BARRIER, WORLD, 0);
        CALL(&s, 1000 + late, 100, 1, SPOKEN_BARRIER, WORLD, 0);
    }
    find(&f, &s);
    const struct removal r = without(&f);
    is_near(r.run, TURNS * 1100 + 8000);
    is_near(r.without[0], TURNS * 1100);
    stop(&f);
}

/* Removing the wait for rank 1 does not make the run shorter: rank 2 takes longer. */
Test(resimulation, nothing_is_gained)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    RECV(&s, 1000, 3100, 0, 1, 5);
    SEND(&s, 4000, 100, 1, 0, 5);
    CALL(&s, 9000, 10, 2, SPOKEN_CANCEL, REQUEST(7), 0);
    find(&f, &s);
    const struct removal r = without(&f);
    cr_assert_gt(r.run, 0);
    cr_assert_eq(r.run, r.without[0]);
    stop(&f);
}

/* Rank 0 is in a broadcast to itself for 4000, of which rank 1 waits for 3110, and computes 3000 after its message. */
Test(resimulation, a_call_that_takes_no_time)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    begin(&s);
    CALL(&s, 100, 4000, 0, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
    SEND(&s, 10, 100, 0, 1, 5);
    CALL(&s, 3000, 0, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    RECV(&s, 1000, 3210, 1, 0, 5);
    find(&f, &s);
    const struct removal r = without(&f);
    is_near(r.run, 7210);
    is_near(r.without[0], 4183); /* the computing before it costs 83 */
    is_near(r.instant[0], 4100); /* the message waits for its receive */
    stop(&f);
}
