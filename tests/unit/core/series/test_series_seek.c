/* SPDX-License-Identifier: BSD-3-Clause */
/* Searching for values in a series without expanding it. */
#include <criterion/criterion.h>

#include "src/core/series/series.h"
#include "tests/unit/support/random.h"

static bool has(const struct series *s, int64_t value)
{
    struct series_sought sought = {.value = value};
    series_seek(s, &sought, 1);
    return sought.found;
}

static void append(struct series *s, const int64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
}

static bool occurs(const struct series *s, int64_t value)
{
    struct series_cursor c;
    int64_t v;
    series_cursor_start(&c, s);
    while (series_cursor_next(&c, &v)) {
        if (v == value)
            return true;
    }
    return false;
}

/* Handles are even and the constants among them odd, so the series contains no constant. */
Test(series_seek, a_loop_has_what_its_steps_reach)
{
    struct series *s = series_create();
    cr_assert_eq(series_append_run(s, 40, -2, 20), REFRAIN_OK);
    for (int64_t value = -3; value < 45; value++)
        cr_expect_eq(has(s, value), occurs(s, value), "%ld", (long)value);
    series_free(s);
}

Test(series_seek, loops_in_loops_have_multiples_of_what_divides_their_steps)
{
    struct series *s = series_create();
    for (int64_t i = 0; i < 5; i++)
        cr_assert_eq(series_append_run(s, 7 + 100 * i, -4, 6), REFRAIN_OK);
    for (int64_t value = -20; value < 430; value++) {
        cr_expect(has(s, value) || !occurs(s, value), "%ld", (long)value);
        cr_expect(!has(s, value) || (value - 7) % 4 == 0, "%ld", (long)value);
    }
    cr_expect(!has(s, -17), "below the bounds");
    cr_expect(!has(s, 411), "above the bounds");
    series_free(s);
}

Test(series_seek, values_outside_of_loops_are_exact)
{
    static const int64_t values[] = {INT64_MIN, 3, INT64_MAX, -1, 90, 3};
    static const int64_t others[] = {INT64_MIN + 2, 0, 2, 4, 91, INT64_MAX - 2};
    struct series *s = series_create();
    append(s, values, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_expect(has(s, values[i]), "%ld", (long)values[i]);
        cr_expect(!has(s, others[i]), "%ld", (long)others[i]);
    }
    series_free(s);
}

/* 20000 random even values, with a few distant ones in between. */
Test(series_seek, packs_are_exact)
{
    enum { N = 20000 };
    uint64_t state = random_seed(4);
    struct series *s = series_create();
    for (int64_t i = 0; i < N; i++) {
        const int64_t far = i % 5000 == 77 ? -INT64_C(1000000007) * i : 0;
        cr_assert_eq(series_append(s, far + 2 * (int64_t)random_below(&state, 1000)), REFRAIN_OK);
    }
    cr_assert_eq(series_pack(s), REFRAIN_OK);
    cr_assert_lt(series_weight(s), (size_t)8 * N);
    for (int64_t value = -2; value < 2003; value++)
        cr_expect_eq(has(s, value), occurs(s, value), "%ld", (long)value);
    cr_expect(!has(s, -INT64_C(1000000007) * 100));
    series_free(s);
}

/* Values of 64 bits, so that a pack covers the whole range. */
Test(series_seek, packs_of_any_values)
{
    uint64_t state = random_seed(5);
    struct series *s = series_create();
    for (int i = 0; i < 5000; i++) {
        random_below(&state, 2);
        cr_assert_eq(series_append(s, (int64_t)state), REFRAIN_OK);
    }
    cr_assert_eq(series_pack(s), REFRAIN_OK);
    for (uint64_t i = 0; i < 5000; i += 50) {
        cr_expect(has(s, series_at(s, i)));
        cr_expect(!has(s, (int64_t)((uint64_t)series_at(s, i) + 5)));
    }
    series_free(s);
}

Test(series_seek, what_wraps_is_found)
{
    struct series *s = series_create();
    cr_assert_eq(series_append_run(s, INT64_MAX - 5, 2, 10), REFRAIN_OK);
    for (uint64_t i = 0; i < 10; i++)
        cr_expect(has(s, series_at(s, i)));
    series_free(s);
}

Test(series_seek, what_is_found_already_stays)
{
    struct series_sought sought[] = {{1, true}, {2, false}, {3, false}};
    struct series *s = series_single(3);
    series_seek(s, sought, 3);
    cr_expect(sought[0].found && !sought[1].found && sought[2].found);
    series_seek(s, sought, 0);
    series_free(s);
}

/* Several values at once, in series of all kinds. */
Test(series_seek, nothing_that_occurs_is_missed)
{
    enum { SOUGHT = 40 };
    for (unsigned seed = 0; seed < 300; seed++) {
        uint64_t state = random_seed(seed);
        struct series *s = series_create();
        struct series_sought sought[SOUGHT] = {{0}};
        for (uint32_t parts = 1 + random_below(&state, 30); parts > 0; parts--) {
            const int64_t first = (int64_t)random_below(&state, 400) - 200;
            const int64_t step = (int64_t)random_below(&state, 9) - 4;
            if (random_below(&state, 2))
                cr_assert_eq(series_append_run(s, first, step, 1 + random_below(&state, 9)), REFRAIN_OK);
            for (uint32_t n = random_below(&state, 60); n > 0; n--)
                cr_assert_eq(series_append(s, 3 * (int64_t)random_below(&state, 30)), REFRAIN_OK);
        }
        cr_assert_eq(series_append(s, 0), REFRAIN_OK);
        if (seed % 2)
            cr_assert_eq(series_pack(s), REFRAIN_OK);
        int64_t value = -250;
        for (size_t i = 0; i < SOUGHT; i++)
            sought[i].value = value += 1 + random_below(&state, 15);
        series_seek(s, sought, SOUGHT);
        for (size_t i = 0; i < SOUGHT; i++)
            cr_assert(sought[i].found || !occurs(s, sought[i].value), "seed %u: %ld", seed,
                      (long)sought[i].value);
        series_free(s);
    }
}
