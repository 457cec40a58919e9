/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of parts whose lengths are known by construction. */
#include <criterion/criterion.h>

#include "critical_run.h"

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

static struct part_sum of_part(const struct part_times *t, uint32_t part)
{
    struct part_sum sum;
    cr_assert_eq(part_times_sum(t, &part, 1, &sum), REFRAIN_OK);
    return sum;
}

/* All parts are the run, lane by lane and to the nanosecond, also when it is simulated. */
static void is_all(const struct found *f, const struct part_times *t)
{
    struct efficiency e;
    uint64_t time = 0, ideal = 0, computing = 0;
    cr_assert_eq(critical_search_efficiency(&f->critical, &f->search, &e), REFRAIN_OK);
    for (uint32_t i = 0; i < t->places->n; i++) {
        const struct part_sum sum = of_part(t, i);
        time += sum.time;
        ideal += sum.ideal;
        computing += sum.efficiency.computing;
    }
    cr_assert_eq(time, e.threads * e.time);
    cr_assert_eq(ideal, e.threads * e.ideal);
    cr_assert_eq(computing, e.computing);
}

/* `n` parts of two lanes: part 1, and from a position on another one. */
static void place(struct wait_places *places, size_t n, const struct wait_place_change changes[2])
{
    cr_assert_eq(wait_places_create(places, 2), REFRAIN_OK);
    places->n = n;
    for (size_t lane = 0; lane < 2; lane++) {
        cr_assert_eq(wait_places_add(places, lane, 0, 1), REFRAIN_OK);
        cr_assert_eq(wait_places_add(places, lane, changes[lane].call, changes[lane].place), REFRAIN_OK);
    }
}

/* Part 1: rank 0 computes 4000 and rank 1 2000 before a barrier. Part 2: rank 0 computes 1000 and sends; rank
 * 1 has the message 500 later, and computes 1500; then a reduction. Calls that are alike get the mean of
 * their times. */
Test(part_times, of_two_parts)
{
    struct wait_places places;
    struct part_times parts = {.places = &places};
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    begin(&s);
    CALL(&s, 4000, 100, 0, SPOKEN_BARRIER, WORLD, 0);
    SEND(&s, 1000, 100, 0, 1, 5);
    CALL(&s, 0, 2000, 0, SPOKEN_ALLREDUCE, 1, TYPE, SUM, WORLD, 0);
    CALL(&s, 2000, 2100, 1, SPOKEN_BARRIER, WORLD, 0);
    RECV(&s, 0, 1500, 1, 0, 5);
    CALL(&s, 1500, 100, 1, SPOKEN_ALLREDUCE, 1, TYPE, SUM, WORLD, 0);
    place(&places, 3, (const struct wait_place_change[]){{4, 2}, {4, 2}});
    find_parts(&f, &s, &parts);
    is_all(&f, &parts);
    const struct part_sum first = of_part(&parts, 1), second = of_part(&parts, 2);
    is_near(first.efficiency.time, 4100);
    is_near(first.efficiency.ideal, 4000);
    is_near(first.efficiency.computing, 6000);
    is_near(first.efficiency.most, 4000);
    is_near(first.time, 8200);
    is_near(second.efficiency.time, 3100);
    is_near(second.efficiency.ideal, 2500);
    cr_assert_lt(fabs(efficiency_load_balance(&second.efficiency) - 2500 / 3000.0), 0.02);
    cr_assert_lt(fabs(efficiency_serialization(&second.efficiency) - 1500 / 2500.0), 0.02);
    cr_assert_lt(fabs(efficiency_transfer(&second.efficiency) - 2500 / 3100.0), 0.02);
    stop(&f);
    part_times_free(&parts);
    wait_places_free(&places);
}

/* Rank 0 is in a long call of part 1, and then, in part 2, receives a message that was sent meanwhile. In an
 * ideal network, it waits for it: then part 2 takes longer than it did, which is no efficiency above 1. */
Test(part_times, waiting_moves_to_another_part)
{
    struct wait_places places;
    struct part_times parts = {.places = &places};
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    begin(&s);
    CALL(&s, 100, 9000, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    RECV(&s, 50, 100, 0, 1, 5);
    SEND(&s, 9000, 100, 1, 0, 5);
    place(&places, 4, (const struct wait_place_change[]){{4, 2}, {0, 3}});
    find_parts(&f, &s, &parts);
    is_all(&f, &parts);
    const struct part_sum second = of_part(&parts, 2);
    is_near(second.efficiency.time, 150);
    is_near(second.efficiency.ideal, 8900);
    cr_assert_eq(second.efficiency.threads, 1);
    cr_assert_lt(fabs(efficiency_transfer(&second.efficiency) - 1), 1e-9);
    cr_assert_lt(
        fabs(efficiency_serialization(&second.efficiency) - efficiency_communication(&second.efficiency)),
        1e-9);
    stop(&f);
    part_times_free(&parts);
    wait_places_free(&places);
}

/* What a thread has before its first call and after its last one is of part 0. */
Test(part_times, outside_of_all_calls)
{
    struct wait_places places;
    struct part_times parts = {.places = &places};
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    CALL(&s, 1000, 10, 0, SPOKEN_CANCEL, REQUEST(7), 0);
    CALL(&s, 3000, 10, 0, SPOKEN_CANCEL, REQUEST(8), 0);
    CALL(&s, 0, 10, 1, SPOKEN_CANCEL, REQUEST(9), 0);
    CALL(&s, 9000, 10, 1, SPOKEN_CANCEL, REQUEST(10), 0);
    place(&places, 2, (const struct wait_place_change[]){{0, 1}, {0, 1}});
    find_parts(&f, &s, &parts);
    is_all(&f, &parts);
    const struct part_sum none = of_part(&parts, 0);
    is_near(none.time, 6000);
    is_near(none.ideal, 6000);
    cr_assert_eq(none.efficiency.computing, 0);
    stop(&f);
    part_times_free(&parts);
    wait_places_free(&places);
}
