/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock model from pairs of times in a long run: the test simulates an hour. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>

#include "src/clock/clock_pairs.h"
#include "src/core/time/time_log.h"
#include "src/core/time/time_piece.h"
#include "tests/unit/support/random.h"

#define SECOND     UINT64_C(1000000000)
#define HOUR       (3600 * SECOND)
#define START      (UINT64_C(86400) * SECOND) /* of both clocks */
#define CHECKPOINT (60 * SECOND)

/* The clock of the node follows the kernel, which may follow a time server. The local clock has a
 * rate that was measured once, and is `rate` too fast. Times are nanoseconds since START. */
struct world {
    /* slew: the node's rate changes by this much, to and fro, in half an hour */
    double rate, slew;
    uint64_t state;
};

static uint64_t node_at(const struct world *w, uint64_t t)
{
    const double turn = 2 * acos(-1.0) / (1800 * (double)SECOND);
    return START + t + (uint64_t)llround(w->slew / turn * (1 - cos(turn * (double)t)));
}

static uint64_t local_at(const struct world *w, uint64_t t)
{
    return START + t + (uint64_t)llround(w->rate * (double)t);
}

static struct clock_pair pair_at(struct world *w, uint64_t t)
{
    const uint64_t off = random_below(&w->state, 41);
    return (struct clock_pair){local_at(w, t), node_at(w, t) + off - 20, 20};
}

/* The clock as a reader gets it. */
static struct rank_clock clock_of(struct world *w)
{
    const struct clock_offsets same = {.items = {{.at = START}}, .n = 1};
    struct clock_pairs pairs = {0};
    struct rank_clock c = {0};
    clock_pairs_add(&pairs, (struct clock_pair){START, START, 0});
    for (uint64_t t = CHECKPOINT; t <= HOUR; t += CHECKPOINT)
        clock_pairs_add(&pairs, pair_at(w, t));
    cr_assert_leq(pairs.n, CLOCK_PAIRS_MAX);
    cr_assert_eq(pairs.items[pairs.n - 1].local, local_at(w, HOUR), "the last pair is kept");
    cr_assert_eq(clock_pairs_points(&pairs, &same, &c), REFRAIN_OK);
    cr_assert_eq(rank_clocks_check(&(struct rank_clocks){.items = &c, .n = 1}, 0, 1), REFRAIN_OK);
    return c;
}

static uint64_t stated_error(const struct rank_clock *c)
{
    uint64_t most = 0;
    for (size_t i = 0; i < c->points.n; i++)
        most = c->points.items[i].error > most ? c->points.items[i].error : most;
    return most;
}

/* The largest difference from the node's clock, for a call every tenth of a second, in this
 * mode. */
static uint64_t worst_of(struct world *w, const struct rank_clock *c, const char *text)
{
    enum { EVERY = 100000000, N = 36000 };
    struct time_mode m;
    struct bytes b = {0};
    struct time_piece p;
    struct time_walk walk;
    uint64_t worst = 0;
    cr_assert_eq(time_mode_parse(text, NULL, &m), REFRAIN_OK);
    struct time_log *l = time_log_create(&m, NULL);
    for (uint64_t i = 0; i < N; i++) {
        const struct timestamp s = {local_at(w, i * EVERY + 123), local_at(w, i * EVERY + 4567)};
        cr_assert(!time_log_note(time_log_stage(l), 0, 0, s) || time_log_take(l) == REFRAIN_OK);
    }
    cr_assert_eq(time_log_store(l, true, NULL, &b), REFRAIN_OK);
    cr_assert_eq(time_piece_decode("piece", b.data, b.n, &p), REFRAIN_OK);
    cr_assert_eq(time_walk_start(&walk, &p), REFRAIN_OK);
    for (uint64_t i = 0; i < N; i++) {
        struct timestamp s;
        cr_assert_eq(time_walk_next(&walk, 0, 0, &s), REFRAIN_OK);
        const int64_t off[] = {(int64_t)(rank_clock_global(c, s.enter) - node_at(w, i * EVERY + 123)),
                               (int64_t)(rank_clock_global(c, s.leave) - node_at(w, i * EVERY + 4567))};
        for (size_t k = 0; k < 2; k++)
            worst = (uint64_t)llabs(off[k]) > worst ? (uint64_t)llabs(off[k]) : worst;
    }
    time_walk_stop(&walk);
    time_piece_free(&p);
    time_log_free(l);
    time_mode_free(&m);
    bytes_free(&b);
    return worst;
}

static const struct {
    const char *mode;
    uint64_t bound;
} modes[] = {{"lossless", 1}, {"quantum:1us", 500}, {"lossy", 1000}};

/* A rate that is wrong by 2.7 millionths is 10 ms in an hour. */
Test(clock_pairs, an_hour_of_a_rate_that_is_off)
{
    static const double rates[] = {2.7e-6, -2.7e-6, 50e-6, 0};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct world w = {.rate = rates[i], .state = i + 1};
        struct rank_clock c = clock_of(&w);
        cr_expect_leq(stated_error(&c), 250, "%g", rates[i]);
        for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
            cr_expect_leq(worst_of(&w, &c, modes[m].mode), modes[m].bound + stated_error(&c), "%s, %g",
                          modes[m].mode, rates[i]);
        array_free(&c.points);
    }
}

/* A node's clock changes its own rate by half a millionth: the rest of the error is within the
 * stated one. */
Test(clock_pairs, what_is_left_is_stated)
{
    struct world w = {.rate = 2.7e-6, .slew = 0.5e-6, .state = 7};
    struct rank_clock c = clock_of(&w);
    cr_expect_gt(stated_error(&c), 1000);
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
        cr_expect_leq(worst_of(&w, &c, modes[m].mode), modes[m].bound + stated_error(&c), "%s",
                      modes[m].mode);
    array_free(&c.points);
}

Test(clock_pairs, what_goes_back_is_left_out)
{
    struct clock_pairs p = {0};
    static const struct clock_pair pairs[] = {{100, 100, 1}, {100, 200, 1}, {200, 90, 1}, {150, 160, 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        clock_pairs_add(&p, pairs[i]);
    cr_assert_eq(p.n, 2);
    cr_expect_eq(p.items[1].local, 150);
}

/* Nodes that were never compared with rank 0, and nodes compared at both ends. */
Test(clock_pairs, by_the_clock_of_rank_0)
{
    struct clock_pairs p = {0};
    struct rank_clock c = {0};
    for (uint64_t i = 1; i <= 3; i++)
        clock_pairs_add(&p, (struct clock_pair){1000 * i, 1000 * i + 7, 5});
    cr_assert_eq(clock_pairs_points(&p, &(struct clock_offsets){0}, &c), REFRAIN_OK);
    cr_expect_eq(c.points.items[2].error, CLOCK_UNKNOWN);
    cr_expect_eq(c.points.items[2].ahead, 7);
    array_free(&c.points);
    const struct clock_offsets offsets = {.items = {{1007, 100, 3}, {3007, 300, 4}}, .n = 2};
    c = (struct rank_clock){0};
    cr_assert_eq(clock_pairs_points(&p, &offsets, &c), REFRAIN_OK);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(c.points.items[i].ahead, 107 + 100 * (int64_t)i);
        cr_expect_eq(c.points.items[i].error, 9);
    }
    array_free(&c.points);
}

/* If two comparisons differ by little more than their errors, their slope is not continued before
 * and after them. Otherwise it is, with an error that grows with the distance. */
Test(clock_pairs, beyond_the_ends_of_the_line)
{
    static const struct {
        struct clock_offsets offsets;
        int64_t ahead[5];
        uint64_t error_at_ends;
    } lines[] = {{{{{2007, 100, 3}, {4007, 110, 3}}, 2}, {107, 107, 112, 117, 117}, 8},
                 {{{{2007, 110, 3}, {4007, 100, 3}}, 2}, {117, 117, 112, 107, 107}, 8},
                 {{{{2007, 100, 3}, {4007, 300, 3}}, 2}, {7, 107, 207, 307, 407}, 11}};
    struct clock_pairs p = {0};
    for (uint64_t i = 1; i <= 5; i++)
        clock_pairs_add(&p, (struct clock_pair){1000 * i, 1000 * i + 7, 5});
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        struct rank_clock c = {0};
        cr_assert_eq(clock_pairs_points(&p, &lines[l].offsets, &c), REFRAIN_OK);
        cr_assert_eq(c.points.n, 5);
        for (size_t i = 0; i < 5; i++) {
            cr_expect_eq(c.points.items[i].ahead, lines[l].ahead[i], "%zu, %zu: %jd", l, i,
                         (intmax_t)c.points.items[i].ahead);
            cr_expect_eq(c.points.items[i].error, i % 4 == 0 ? lines[l].error_at_ends : 8);
        }
        array_free(&c.points);
    }
}
