/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions that cursors report are true, and passing one leads to the same place as walking. */
#include <criterion/criterion.h>

#include "src/core/series/series.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/sequence.h"

/* ---- series ---------------------------------------------------------------------------------- */

/* loop 5 { loop 4 { 10 i + 2 j }, 7 } */
static struct series *make_series(int64_t *values, size_t *n)
{
    struct series *s = series_create();
    *n = 0;
    for (int64_t i = 0; i < 5; i++) {
        for (int64_t j = 0; j < 4; j++)
            values[(*n)++] = 10 * i + 2 * j;
        values[(*n)++] = 7;
    }
    for (size_t k = 0; k < *n; k++)
        cr_assert_eq(series_append(s, values[k]), REFRAIN_OK);
    return s;
}

static void check_series_at(const struct series *s, const int64_t *values, size_t n, size_t at)
{
    struct series_cursor c, passed;
    struct repetitions list;
    series_cursor_start(&c, s);
    series_cursor_seek(&c, at);
    series_cursor_repetitions(&c, &list);
    for (uint32_t k = 0; k < list.n; k++) {
        const struct repetition *r = &list.items[k];
        cr_assert_leq(at + r->period * r->times, n);
        for (uint64_t i = at + 2 * r->period; i < at + r->period * r->times; i++) {
            const int64_t step = values[i] - values[i - r->period];
            cr_assert_eq(step, values[i - r->period] - values[i - 2 * r->period], "at %zu", at);
            cr_assert(!r->still || step == 0);
        }
        for (uint64_t times = 0; times < r->times; times++) {
            int64_t value;
            passed = c;
            series_cursor_repeat(&passed, r, times);
            for (size_t i = at + times * r->period; i < n; i++) {
                cr_assert(series_cursor_next(&passed, &value));
                cr_assert_eq(value, values[i]);
            }
            cr_assert_not(series_cursor_next(&passed, &value));
        }
    }
}

/* In units of nine values: a period of four values, repeated 30 times, is a period of four units,
 * repeated 3 times. */
Test(repetition, in_units)
{
    const struct repetitions given = {.items = {{.period = 4, .times = 30, .still = true, .level = 7},
                                                {.period = 27, .times = 1},
                                                {.period = 3, .times = 100},
                                                {.period = 1, .times = INT64_MAX}},
                                      .n = 4};
    static const struct repetition expected[] = {
        {4, 3, true, 0}, {1, 33, false, 2}, {1, INT64_MAX / 9, false, 3}};
    struct repetitions units;
    repetitions_in_units(&given, 9, &units);
    cr_assert_eq(units.n, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(units.items[i].period, expected[i].period);
        cr_assert_eq(units.items[i].times, expected[i].times);
        cr_assert_eq(units.items[i].still, expected[i].still);
        cr_assert_eq(units.items[i].level, expected[i].level);
    }
}

Test(repetition, of_a_series)
{
    int64_t values[64];
    size_t n;
    struct series *s = make_series(values, &n);
    struct series_cursor c;
    struct repetitions list;
    for (size_t at = 0; at <= n; at++)
        check_series_at(s, values, n, at);

    series_cursor_start(&c, s);
    series_cursor_repetitions(&c, &list);
    cr_assert_eq(list.n, 2);
    cr_assert(list.items[0].period == 5 && list.items[0].times == 5 && !list.items[0].still);
    cr_assert(list.items[1].period == 1 && list.items[1].times == 4 && !list.items[1].still);
    /* The first iteration of the outer loop has begun, and the inner loop is complete. */
    series_cursor_seek(&c, 6);
    series_cursor_repetitions(&c, &list);
    cr_assert(list.items[0].times == 3 && list.items[1].times == 3);
    series_free(s);
}

Test(repetition, of_series_at_random)
{
    for (unsigned seed = 0; seed < 60; seed++) {
        uint64_t state = random_seed(seed);
        struct sequence s = {0};
        sequence_make(&s, &state, 100);
        struct series *series = series_create();
        int64_t values[256];
        for (size_t i = 0; i < s.n; i++) {
            values[i] = (int64_t)s.items[i] + (seed % 2 ? (int64_t)i : 0);
            cr_assert_eq(series_append(series, values[i]), REFRAIN_OK);
        }
        for (size_t at = 0; at <= s.n; at++)
            check_series_at(series, values, s.n, at);
        series_free(series);
        array_free(&s);
    }
}

Test(repetition, bounds_of_a_series)
{
    int64_t values[64], least, most;
    size_t n;
    struct series *s = make_series(values, &n);
    cr_assert(series_bounds(s, &least, &most));
    cr_assert(least == 0 && most == 46);
    cr_assert_eq(series_append(s, -12345), REFRAIN_OK);
    cr_assert_eq(series_append_run(s, 50, -3, 1000), REFRAIN_OK);
    cr_assert(series_bounds(s, &least, &most));
    cr_assert(least == -12345 && most == 50);
    cr_assert_eq(series_append_run(s, 0, INT64_MAX / 2, 1000), REFRAIN_OK); /* the values wrap */
    cr_assert_not(series_bounds(s, &least, &most));
    series_free(s);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void check_rules_at(const struct rules *r, const struct sequence *s, size_t at)
{
    struct rules_cursor c;
    struct repetitions list;
    uint32_t n = 1;
    for (uint32_t k = 0; k < n; k++) {
        cr_assert_eq(rules_cursor_start(&c, r), REFRAIN_OK);
        for (size_t i = 0; i < at; i++) {
            uint32_t terminal;
            cr_assert(rules_cursor_next(&c, &terminal));
        }
        rules_cursor_repetitions(&c, &list);
        n = list.n;
        if (n == 0) {
            rules_cursor_stop(&c);
            break;
        }
        const struct repetition *p = &list.items[k];
        const uint64_t end = at + p->period * p->times;
        cr_assert(p->still && p->times >= 2 && end <= s->n);
        for (uint64_t i = at + p->period; i < end; i++)
            cr_assert_eq(s->items[i], s->items[i - p->period]);
        rules_cursor_repeat(&c, p, p->times - 1);
        for (size_t i = at + (p->times - 1) * p->period; i < s->n; i++) {
            uint32_t terminal;
            cr_assert(rules_cursor_next(&c, &terminal));
            cr_assert_eq(terminal, s->items[i]);
        }
        rules_cursor_stop(&c);
    }
}

Test(repetition, of_rules)
{
    for (unsigned seed = 0; seed < 60; seed++) {
        uint64_t state = random_seed(seed);
        struct sequence s = {0};
        sequence_make(&s, &state, 200);
        struct rules *r = sequence_rules(&s);
        for (size_t at = 0; at <= s.n; at++)
            check_rules_at(r, &s, at);
        rules_free(r);
        array_free(&s);
    }
}

/* ---- several --------------------------------------------------------------------------------- */

Test(repetition, several_agree_on_the_longest_period_that_fits)
{
    struct repetitions lists[] = {{.items = {{6, 100, true, 0}, {2, 3, true, 1}}, .n = 2},
                                  {.items = {{4, 1000, true, 0}}, .n = 1}};
    uint64_t period, times;
    cr_assert(repetitions_agree(lists, 2, UINT64_MAX, 4, &period, &times));
    cr_assert(period == 12 && times == 50);
    cr_assert(repetitions_agree(lists, 2, 100, 4, &period, &times));
    cr_assert(period == 12 && times == 8);
    repetitions_go_inside(lists, 2);
    cr_assert_eq(lists[0].at, 1);
    cr_assert_not(repetitions_agree(lists, 2, UINT64_MAX, 4, &period, &times));
}

Test(repetition, periods_beyond_all_bounds_do_not_agree)
{
    struct repetitions lists[] = {{.items = {{INT64_MAX, 2, true, 0}}, .n = 1},
                                  {.items = {{INT64_MAX - 1, 2, true, 0}}, .n = 1}};
    uint64_t period, times;
    cr_assert_not(repetitions_agree(lists, 2, INT64_MAX, 2, &period, &times));
}
