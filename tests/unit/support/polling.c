/* SPDX-License-Identifier: BSD-3-Clause */
#include "polling.h"

#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "src/core/lane/lane.h"

void polling_call(struct polling_calls *c, uint32_t site, uint32_t row)
{
    if (!array_push(&c->sites, site) || !array_push(&c->rows, row))
        abort();
}

void polling_free(struct polling_calls *c)
{
    array_free(&c->sites);
    array_free(&c->rows);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* while (!flag) Test */
static void poll_one(struct polling_calls *c, uint64_t *state)
{
    polling_call(c, 0, 5);
    for (uint32_t tries = random_below(state, 40); tries > 0; tries--)
        polling_call(c, 1, 0);
    polling_call(c, 1, 1);
    polling_call(c, 2, 5);
}

/* Test; while (!flag) { Iprobe; Test } */
static void poll_two(struct polling_calls *c, uint64_t *state)
{
    polling_call(c, 0, 5);
    for (uint32_t tries = random_below(state, 40); tries > 0; tries--) {
        polling_call(c, 1, 0);
        polling_call(c, 3, 0);
    }
    polling_call(c, 1, 1);
    polling_call(c, 2, 5);
}

/* A poll in a poll. */
static void poll_nested(struct polling_calls *c, uint64_t *state)
{
    polling_call(c, 0, 5);
    for (uint32_t turns = 1 + random_below(state, 20); turns > 0; turns--) {
        for (uint32_t tries = 1 + random_below(state, 30); tries > 1; tries--)
            polling_call(c, 1, 0);
        polling_call(c, 1, 1);
        polling_call(c, 3, 0);
    }
    polling_call(c, 2, 5);
}

/* for (i…) for (j < i) Send */
static void triangle(struct polling_calls *c, uint64_t *state)
{
    (void)state;
    const uint32_t turn = c->sites.n > 0 ? c->rows.items[c->sites.n - 1] + 1 : 1;
    for (uint32_t j = 0; j < turn; j++)
        polling_call(c, 1, 9);
    polling_call(c, 2, turn);
}

/* for (j < n) Send, where n may be 0, too */
static void maybe(struct polling_calls *c, uint64_t *state)
{
    polling_call(c, 0, 5);
    for (uint32_t n = random_below(state, 9); n > 0; n--)
        polling_call(c, 1, 9);
    polling_call(c, 2, 5);
}

/* The same, but rarely 0 and with nothing between the turns: turns without sends may not become
 * runs of another length. */
static void seldom_not(struct polling_calls *c, uint64_t *state)
{
    for (uint32_t n = random_below(state, 60); n > 0; n--)
        polling_call(c, 1, 9);
    polling_call(c, 2, 5);
}

/* A poll whose answer is one of many, and a receive of that message. */
static void wildcard(struct polling_calls *c, uint64_t *state)
{
    const uint32_t source = 1 + random_below(state, 12);
    for (uint32_t tries = random_below(state, 10); tries > 0; tries--)
        polling_call(c, 1, 0);
    polling_call(c, 1, source);
    polling_call(c, 2, source);
}

const struct polling_program polling_programs[POLLING_PROGRAMS] = {
    {poll_one, 2000, 8, true},  {poll_two, 2000, 12, true}, {poll_nested, 300, 16, true},
    {triangle, 200, 8, false},  {wildcard, 3000, 8, true},  {maybe, 1000, 8, true},
    {seldom_not, 1500, 8, true}};

void polling_run(struct polling_calls *c, size_t program, uint32_t rank, uint32_t turns)
{
    uint64_t state = random_seed(100 * (unsigned)program + rank);
    for (uint32_t i = 0; i < turns; i++)
        polling_programs[program].turn(c, &state);
}

/* ---- recording ------------------------------------------------------------------------------- */

static void must(enum refrain_status status)
{
    if (status == REFRAIN_OK)
        return;
    fprintf(stderr, "a program that polls cannot be recorded\n");
    abort();
}

struct trace polling_record(const struct polling_calls *c, uint32_t rank)
{
    static struct kind kind = {.name = "INT", .set = "", .prefix = "", .type = VALUE_INT};
    static struct param params[] = {{.name = "a", .flags = PARAM_IN}, {.name = "b", .flags = PARAM_IN}};
    static struct function function = {.name = "f", .n_params = 2, .params = params};
    const struct functable functions = {.kinds = {&kind, 1, 1}, .functions = {&function, 1, 1}};
    struct trace t = {.first_rank = rank, .n_ranks = 1};
    struct lane *l = lane_create(LANE_THREAD, 0, true);
    uint32_t index;
    must(functable_add_function(&t.functions, &functions, 0, &index));
    must(trace_intern_module(&t, "program", &index));
    for (uint32_t i = 0; i < POLLING_SITES; i++) {
        struct frame frame = {.offset = 16 * (i + 1)};
        struct site site = {.n_frames = 1, .frames = &frame};
        must(lane_add_site(l, &site, &index));
    }
    for (size_t i = 0; i < c->sites.n; i++) {
        const int64_t slots[] = {(int64_t)c->rows.items[i], 7};
        must(lane_record(l, c->sites.items[i], slots, 2, 1, 1));
    }
    must(lane_store(l, rank, &t));
    lane_free(l);
    must(trace_check(&t));
    return t;
}
