/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of a lane, stored and read back: within the bounds of each mode, at any call, for a lane
 * of any length. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "decoder/verify/time_check.h"
#include "src/core/time/time_log.h"
#include "src/core/time/time_piece.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/random.h"

enum { SITES = 7 };

/* One call: its site and its times. */
struct event {
    uint32_t site;
    struct timestamp timestamps;
};

static uint64_t random_time(uint64_t *state)
{
    const uint64_t r = random_below(state, UINT32_MAX);
    if (r % 5 == 0)
        return 0;
    return r % 97 == 0 ? r % 1000000000 : (uint64_t)(random_below(state, UINT32_MAX) % 4000) << (r % 9);
}

/* Calls like those of programs; some of them are nested, and the clock goes back now and then. */
static struct event *make_events(size_t n, uint64_t seed)
{
    struct event *e = malloc(n * sizeof *e);
    uint64_t state = seed, now = UINT64_C(86400000000000) + seed;
    cr_assert(e);
    for (size_t i = 0; i < n; i++) {
        const uint64_t gap = random_time(&state), duration = random_time(&state),
                       odd = random_below(&state, UINT32_MAX) % 500;
        struct timestamp s = {now + gap, now + gap + duration};
        if (odd == 0)
            s.enter = now - 100000;
        if (odd == 1)
            s.leave = s.enter = now - 300;
        e[i] = (struct event){.site = (uint32_t)(i % SITES), .timestamps = s};
        now = s.leave > now ? s.leave : now;
    }
    return e;
}

static uint32_t grid_of(const struct time_mode *m, uint32_t site)
{
    return m->grids.n > 1 && site == 3 ? 1 : 0;
}

static enum refrain_status add(struct time_log *l, uint32_t site, uint32_t grid, const struct timestamp *s)
{
    return time_log_note(time_log_stage(l), site, grid, *s) ? time_log_take(l) : REFRAIN_OK;
}

static struct time_log *log_of(const struct time_mode *m, const struct event *e, size_t n)
{
    struct time_log *l = time_log_create(m, NULL);
    cr_assert(l);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(add(l, e[i].site, grid_of(m, e[i].site), &e[i].timestamps), REFRAIN_OK);
    cr_assert_eq(time_log_calls(l), n);
    return l;
}

/* The reader numbers sites in another way. */
static uint32_t renamed(uint32_t site)
{
    return (SITES - site) * 3;
}

static void check_piece(const struct bytes *b, const struct event *e, size_t n)
{
    struct time_piece p;
    struct time_walk w;
    struct time_worst worst = {0};
    struct timestamp s;
    cr_assert_eq(time_piece_decode("piece", b->data, b->n, &p), REFRAIN_OK);
    cr_assert_eq(p.calls, n);
    cr_assert_eq(time_walk_start(&w, &p), REFRAIN_OK);
    struct time_check c = time_check_of(&p.mode, &worst);
    struct timestamp *all = malloc(n * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        const uint32_t grid = grid_of(&p.mode, e[i].site);
        cr_assert_eq(time_walk_next(&w, renamed(e[i].site), grid, &all[i]), REFRAIN_OK, "call %zu", i);
        cr_assert(time_check_call(&c, grid, &e[i].timestamps, &all[i]), "call %zu", i);
    }
    cr_assert_eq(time_walk_next(&w, 0, 0, &s), REFRAIN_ERR_FORMAT);
    /* Blocks can be read in any order. */
    for (size_t block = p.blocks.n; block-- > 0;) {
        time_walk_seek(&w, block);
        for (size_t i = block * TIME_BLOCK_CALLS; i < n && i < block * TIME_BLOCK_CALLS + 100; i++) {
            cr_assert_eq(time_walk_next(&w, e[i].site, grid_of(&p.mode, e[i].site), &s), REFRAIN_OK);
            cr_assert(s.enter == all[i].enter && s.leave == all[i].leave, "call %zu", i);
        }
    }
    free(all);
    time_walk_stop(&w);
    time_piece_free(&p);
}

static const char *const modes[][2] = {{"lossless", NULL},          {"quantum:1us", NULL},
                                       {"quantum:7ns", NULL},       {"lossy", NULL},
                                       {"lossy:1.01", NULL},        {"lossy:3", "site3=1.1"},
                                       {"lossy:1.2:10us", NULL},    {"lossy:1.5:3ns", "site3=1.05"},
                                       {"lossy:1.2:0ns:1ns", NULL}, {"lossy:1.2:0ns:100ms", NULL}};

static void check_all(size_t n, uint64_t seed)
{
    struct event *e = make_events(n, seed);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct time_mode m;
        cr_assert_eq(time_mode_parse(modes[i][0], modes[i][1], &m), REFRAIN_OK);
        struct time_log *l = log_of(&m, e, n);
        for (int coded = 0; coded < 2; coded++) {
            struct bytes b = {0};
            cr_assert_eq(time_log_store(l, coded, NULL, &b), REFRAIN_OK);
            check_piece(&b, e, n);
            bytes_free(&b);
        }
        time_log_free(l);
        time_mode_free(&m);
    }
    free(e);
}

Test(time_log, within_the_bounds_of_each_mode)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_all(700, seed);
}

Test(time_log, one_call)
{
    check_all(1, 1);
}

Test(time_log, blocks)
{
    check_all(TIME_BLOCK_CALLS, 3);
    check_all(effort(2, 1) * TIME_BLOCK_CALLS + 5, 4);
}

/* Storing, as for a checkpoint, does not change later times. */
Test(time_log, goes_on_after_it_was_stored)
{
    const size_t n = 3 * TIME_BLOCK_CALLS / 2;
    struct event *e = make_events(n, 5);
    struct time_mode m;
    struct bytes b = {0};
    cr_assert_eq(time_mode_parse("lossy", NULL, &m), REFRAIN_OK);
    struct time_log *l = time_log_create(&m, NULL);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(add(l, e[i].site, 0, &e[i].timestamps), REFRAIN_OK);
        if (i % 20000 == 12345) {
            b.n = 0;
            cr_assert_eq(time_log_store(l, i % 40000 > 20000, NULL, &b), REFRAIN_OK);
            check_piece(&b, e, i + 1);
        }
    }
    b.n = 0;
    cr_assert_eq(time_log_store(l, true, NULL, &b), REFRAIN_OK);
    check_piece(&b, e, n);
    bytes_free(&b);
    time_log_free(l);
    time_mode_free(&m);
    free(e);
}

/* At the end, open blocks are coded, so that memory is that of the code and a few megabytes. */
Test(time_log, memory_is_that_of_the_code)
{
    struct time_mode m;
    struct bytes b = {0};
    const size_t n = effort(2500000, 700000);
    struct event *e = make_events(1000, 6);
    cr_assert_eq(time_mode_parse("lossy", NULL, &m), REFRAIN_OK);
    struct time_log *l = time_log_create(&m, NULL);
    const uint64_t lasts = e[999].timestamps.leave - e[0].timestamps.enter + 1000;
    for (size_t i = 0; i < n; i++) {
        const struct event *from = &e[i % 1000];
        const uint64_t later = i / 1000 * lasts;
        const struct timestamp s = {from->timestamps.enter + later, from->timestamps.leave + later};
        cr_assert_eq(add(l, from->site, 0, &s), REFRAIN_OK);
    }
    cr_assert_eq(time_log_store(l, true, NULL, &b), REFRAIN_OK);
    cr_expect_lt(time_log_bytes(l), 3 * TIME_LOG_OPEN + 2 * b.n);
    time_log_free(l);
    bytes_free(&b);
    time_mode_free(&m);
    free(e);
}

/* The largest error of an enter or leave of calls that all last t, with gaps as long, after a
 * first call of length `first`. */
static uint64_t worst_of(const struct time_mode *m, uint64_t first, uint64_t t)
{
    enum { N = 20000 };
    struct time_piece p;
    struct time_walk w;
    struct bytes b = {0};
    struct time_log *l = time_log_create(m, NULL);
    struct timestamp s = {1000, 1000 + first}, read;
    uint64_t worst = 0;
    for (size_t i = 0; i < N; i++, s.enter = s.leave + t, s.leave = s.enter + t)
        cr_assert_eq(add(l, 0, 0, &s), REFRAIN_OK);
    cr_assert_eq(time_log_store(l, true, NULL, &b), REFRAIN_OK);
    cr_assert_eq(time_piece_decode("piece", b.data, b.n, &p), REFRAIN_OK);
    cr_assert_eq(time_walk_start(&w, &p), REFRAIN_OK);
    s = (struct timestamp){1000, 1000 + first};
    for (size_t i = 0; i < N; i++, s.enter = s.leave + t, s.leave = s.enter + t) {
        cr_assert_eq(time_walk_next(&w, 0, 0, &read), REFRAIN_OK);
        const int64_t errors[] = {(int64_t)(read.enter - s.enter), (int64_t)(read.leave - s.leave)};
        for (size_t k = 0; k < 2; k++)
            worst = (uint64_t)llabs(errors[k]) > worst ? (uint64_t)llabs(errors[k]) : worst;
    }
    time_walk_stop(&w);
    time_piece_free(&p);
    time_log_free(l);
    bytes_free(&b);
    return worst;
}

/* The worst case of a program: all intervals are at the same end of their bins. */
Test(time_log, errors_do_not_add_up)
{
    struct time_mode m;
    cr_assert_eq(time_mode_parse("lossy:1.2", NULL, &m), REFRAIN_OK);
    const struct time_grid *g = &m.grids.items[0];
    for (uint64_t i = 20; i < g->n + 20; i++) {
        cr_expect_leq(worst_of(&m, 0, time_grid_value(g, i) + 1), 1000, "%lu", i);
        cr_expect_leq(worst_of(&m, 0, time_grid_value(g, i) - 1), 1000, "%lu", i);
    }
    time_mode_free(&m);
}

/* Times after an MPI_Init of 2 s are as exact as if it had taken no time. */
Test(time_log, a_long_call_makes_others_no_less_exact)
{
    static const char *const texts[] = {"lossy", "lossy:1.01", "lossy:3", "lossy:1.2:10us",
                                        "lossy:1.2:0ns:100ns"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct time_mode m;
        cr_assert_eq(time_mode_parse(texts[i], NULL, &m), REFRAIN_OK);
        for (uint64_t t = 300; t < 100000; t = t * 5 / 3)
            cr_expect_leq(worst_of(&m, 2000000000, t), m.grids.items[0].bound, "%s, %lu", texts[i], t);
        time_mode_free(&m);
    }
}

/* Polls that take the same time each, except for noise within a bin, cost nearly nothing. */
Test(time_log, regular_times_are_short)
{
    struct time_mode m;
    struct bytes b = {0};
    uint64_t state = 9, now = 1000;
    cr_assert_eq(time_mode_parse("lossy:1.2", NULL, &m), REFRAIN_OK);
    struct time_log *l = time_log_create(&m, NULL);
    for (size_t i = 0; i < 30000; i++) {
        const struct timestamp s = {now + 99 + random_below(&state, UINT32_MAX) % 3, now + 1000};
        cr_assert_eq(add(l, (uint32_t)i % 3, 0, &s), REFRAIN_OK);
        now = s.leave;
    }
    cr_assert_eq(time_log_store(l, true, NULL, &b), REFRAIN_OK);
    cr_expect_lt(b.n, 30000 / 6);
    time_log_free(l);
    time_mode_free(&m);
    bytes_free(&b);
}

/* The budget keeps as many calls as fit, from the first on: whole blocks and a part of one. */
Test(time_log, a_budget_is_kept)
{
    static const uint64_t limits[] = {0, 64, 100, 1000, 20000, 60000, 150000, 400000};
    const size_t n = 3 * TIME_BLOCK_CALLS + 1000;
    struct event *e = make_events(n, 10);
    struct time_mode m;
    cr_assert_eq(time_mode_parse("lossy", NULL, &m), REFRAIN_OK);
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct time_budget budget = {limits[i]};
        struct time_log *l = time_log_create(&m, &budget);
        struct bytes b = {0};
        struct time_piece p = {0};
        uint64_t left = limits[i];
        for (size_t k = 0; k < n && !time_log_is_full(l); k++)
            cr_assert_eq(add(l, e[k].site, 0, &e[k].timestamps), REFRAIN_OK);
        cr_expect(time_log_is_full(l) || limits[i] > 100000, "%lu", limits[i]);
        cr_assert_eq(time_log_store(l, true, &left, &b), REFRAIN_OK);
        cr_assert_eq(left, limits[i] - b.n);
        if (b.n > 0) {
            cr_assert_eq(time_piece_decode("piece", b.data, b.n, &p), REFRAIN_OK);
            cr_expect_geq(p.calls, before);
            before = p.calls;
            check_piece(&b, e, p.calls);
        }
        cr_expect(limits[i] < 1000 || b.n > limits[i] / 2 || before == n, "%lu of %lu bytes are used", b.n,
                  limits[i]);
        time_piece_free(&p);
        bytes_free(&b);
        time_log_free(l);
    }
    cr_expect_eq(before, n);
    time_mode_free(&m);
    free(e);
}

/* The second of two threads gets the budget that the first one has left. */
Test(time_log, threads_share_a_budget)
{
    struct time_mode m;
    struct time_budget budget = {4000};
    uint64_t left = 4000;
    struct bytes b = {0};
    cr_assert_eq(time_mode_parse("lossy", NULL, &m), REFRAIN_OK);
    struct time_log *l[] = {time_log_create(&m, &budget), time_log_create(&m, &budget)};
    struct event *e = make_events(20000, 11);
    for (size_t i = 0; i < 20000; i++)
        for (size_t k = 0; k < 2; k++)
            cr_assert_eq(add(l[k], e[i].site, 0, &e[i].timestamps), REFRAIN_OK);
    cr_expect(time_log_is_full(l[0]) && time_log_is_full(l[1]));
    for (size_t k = 0; k < 2; k++) {
        cr_expect_leq(time_log_bytes(l[k]), 3 * 4000 * TIME_BUDGET_OPEN);
        cr_assert_eq(time_log_store(l[k], true, &left, &b), REFRAIN_OK);
        time_log_free(l[k]);
    }
    cr_expect_leq(b.n, 4000);
    cr_expect_eq(left, 4000 - b.n);
    bytes_free(&b);
    time_mode_free(&m);
    free(e);
}

/* When a thread's first calls come to its log, other threads have used up the budget. */
Test(time_log, first_calls_have_times_without_budget)
{
    struct time_mode m;
    struct time_budget budget = {0};
    struct bytes b = {0};
    struct time_piece p = {0};
    uint64_t left = 256;
    cr_assert_eq(time_mode_parse("lossy", NULL, &m), REFRAIN_OK);
    struct time_log *l = time_log_create(&m, &budget);
    struct event *e = make_events(10000, 12);
    for (size_t i = 0; i < 10000; i++)
        cr_assert_eq(add(l, e[i].site, 0, &e[i].timestamps), REFRAIN_OK);
    cr_expect(time_log_is_full(l));
    cr_expect_leq(time_log_bytes(l), 8192);
    cr_assert_eq(time_log_store(l, true, &left, &b), REFRAIN_OK);
    cr_assert_eq(time_piece_decode("piece", b.data, b.n, &p), REFRAIN_OK);
    cr_expect(p.calls >= 10 && p.calls < 10000, "%lu", p.calls);
    check_piece(&b, e, p.calls);
    time_piece_free(&p);
    bytes_free(&b);
    time_log_free(l);
    time_mode_free(&m);
    free(e);
}

/* Any damage gives an error or other times, and no crash. */
Test(time_piece, damage)
{
    enum { N = 150 };
    struct event *e = make_events(N, 8);
    for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; mode++) {
        struct time_mode m;
        struct bytes b = {0};
        cr_assert_eq(time_mode_parse(modes[mode][0], modes[mode][1], &m), REFRAIN_OK);
        struct time_log *l = log_of(&m, e, N);
        cr_assert_eq(time_log_store(l, mode % 2, NULL, &b), REFRAIN_OK);
        for (size_t i = 0; i < b.n; i++) {
            for (unsigned bit = 0; bit < 8; bit += 3) {
                struct time_piece p;
                b.data[i] ^= (uint8_t)(1u << bit);
                if (time_piece_decode("damaged", b.data, b.n, &p) == REFRAIN_OK) {
                    struct time_walk w;
                    struct timestamp s;
                    enum refrain_status status = time_walk_start(&w, &p);
                    for (size_t k = 0; k < p.calls && k < N && status == REFRAIN_OK; k++) {
                        status = time_walk_next(&w, e[k].site, grid_of(&p.mode, e[k].site), &s);
                        cr_assert(status != REFRAIN_OK || s.enter <= s.leave);
                    }
                    time_walk_stop(&w);
                    time_piece_free(&p);
                }
                b.data[i] ^= (uint8_t)(1u << bit);
            }
        }
        bytes_free(&b);
        time_log_free(l);
        time_mode_free(&m);
    }
    free(e);
}
