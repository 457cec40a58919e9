/* SPDX-License-Identifier: BSD-3-Clause */
/* A model does not depend on the number of threads that make it. It does not depend on the order
 * of processes either, unless numbers decide. */
#include <criterion/criterion.h>

#include "decoder/util/text.h"
#include "src/core/base/order.h"
#include "tests/unit/support/model_program.h"
#include "tests/unit/support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, RANKS = SIDE * SIDE, ITERATIONS = 12 };

/* ---- programs -------------------------------------------------------------------------------- */

static int neighbour(int rank, int k)
{
    const int row = rank / SIDE + (k == 0 ? -1 : k == 1), column = rank % SIDE + (k == 2 ? -1 : k == 3);
    return row < 0 || row >= SIDE || column < 0 || column >= SIDE ? -1 : row * SIDE + column;
}

static void say_stencil(struct program *p)
{
    for (int i = 0; i < ITERATIONS; i++) {
        for (int rank = 0; rank < RANKS; rank++) {
            for (int k = 0; k < 8; k++) {
                const int partner = neighbour(rank, k % 4);
                if (partner >= 0)
                    program_say(p, "%d %s %d tag%d", rank, k < 4 ? "recv" : "send", partner,
                                k < 4 ? k : k % 4 ^ 1);
            }
            if (i % 4 == 3)
                program_say(p, "%d sync sum world", rank);
        }
    }
}

static void say_sweep(struct program *p)
{
    for (int i = 0; i < ITERATIONS; i++) {
        for (int rank = 0; rank < RANKS; rank++) {
            for (int k = 0; k < 8; k++) { /* from two sides to the other two, and back */
                const int partner = neighbour(rank, (int[]){0, 2, 1, 3, 1, 3, 0, 2}[k]);
                if (partner >= 0)
                    program_say(p, "%d %s %d tag%d", rank, k % 4 < 2 ? "recv" : "send", partner, k % 2);
            }
        }
    }
}

/* Each pair has loops of its own; work of one process cuts the loops of every second pair. */
static void say_pairs(struct program *p)
{
    for (int i = 0; i < ITERATIONS; i++) {
        for (int rank = 0; rank + 1 < RANKS; rank += 2) {
            for (int k = 0; k < 2 + rank % 3; k++) {
                program_say(p, "%d send %d tag%d", rank, rank + 1, k);
                program_say(p, "%d recv %d tag%d", rank + 1, rank, k);
            }
            if (rank % 4 == 0 && i == 5)
                program_say(p, "%d local work", rank);
        }
    }
}

static void say_master(struct program *p)
{
    for (int i = 0; i < ITERATIONS; i++) {
        for (int rank = 1; rank < RANKS; rank++) {
            program_say(p, "%d send 0 tag1", rank);
            program_say(p, "0 recv %d tag1", rank);
        }
        for (int rank = 1; rank < RANKS; rank++) {
            program_say(p, "0 send %d tag2", rank);
            program_say(p, "%d recv 0 tag2", rank);
        }
    }
}

static void say_chain(struct program *p)
{
    for (int i = 0; i < 4 * ITERATIONS; i++) {
        for (int rank = 0; rank + 1 < RANKS; rank++) {
            program_say(p, "%d send %d a", rank, rank + 1);
            program_say(p, "%d recv %d a", rank + 1, rank);
        }
        if (i == 17)
            program_say(p, "%d local work", RANKS - 1);
    }
}

static void (*const programs[])(struct program *p) = {say_stencil, say_sweep, say_pairs, say_master,
                                                      say_chain};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- threads --------------------------------------------------------------------------------- */

static struct bytes json_with(const char *threads, void (*say)(struct program *p))
{
    struct program p = {0};
    struct output out = {0};
    setenv("REFRAIN_THREADS", threads, 1);
    say(&p);
    program_model(&p);
    program_check(&p);
    cr_assert_eq(model_put_json(&p.model, &out), REFRAIN_OK);
    program_end(&p);
    return out.text;
}

Test(model_threads, models_do_not_depend_on_their_number)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct bytes one = json_with("1", programs[i]);
        for (int round = 0; round < 4; round++) {
            struct bytes many = json_with(round % 2 ? "2" : "7", programs[i]);
            cr_assert(one.n == many.n && memcmp(one.data, many.data, one.n) == 0, "program %zu", i);
            bytes_free(&many);
        }
        bytes_free(&one);
    }
}

/* ---- the order of processes ------------------------------------------------------------------ */

/* Systems as numbers. Equal numbers mean systems that are the same except for the numbers of
 * processes and the order of unordered parts: their text is the list of each rank's constructs, by
 * rank. */
struct naming {
    const struct model *model;
    struct event_templates texts;
};

static uint32_t name_system(struct naming *n, const struct system *s);

static uint32_t intern(struct naming *n, struct bytes *text)
{
    uint32_t number;
    cr_assert_eq(event_templates_intern(&n->texts, (const char *)text->data, text->n, &number), REFRAIN_OK);
    bytes_free(text);
    return number;
}

static uint32_t name_act(struct naming *n, const struct act *act, uint32_t depth)
{
    struct bytes text = {0};
    text_printf(&text, "event %u of %u:", act->template, n->model->processes.items[act->process].rank);
    for (size_t w = 0; w < (size_t)act->n * (depth + 1); w++)
        text_printf(&text, " %lld", (long long)act->words[w]);
    return intern(n, &text);
}

static uint32_t name_construct(struct naming *n, const struct construct *c)
{
    struct bytes text = {0};
    uint32_t parts[RANKS];
    if (construct_is_loop(c)) {
        text_put(&text, "loop");
        for (uint32_t d = 0; d <= c->depth; d++)
            text_printf(&text, " %lld", (long long)c->count[d]);
        text_printf(&text, " of %u", name_system(n, c->body));
        return intern(n, &text);
    }
    for (uint32_t k = 0; k < c->n_acts; k++)
        parts[k] = name_act(n, &c->acts[k], c->depth);
    qsort(parts, c->n_acts, sizeof *parts, order_u32);
    for (uint32_t k = 0; k < c->n_acts; k++)
        text_printf(&text, "%u ", parts[k]);
    return intern(n, &text);
}

static uint32_t name_system(struct naming *n, const struct system *s)
{
    struct bytes text = {0}, of_rank[RANKS] = {0};
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t name = name_construct(n, s->items[i]);
        for (uint32_t p = 0; p < n->model->processes.n; p++) {
            if (construct_has(s->items[i], p))
                text_printf(&of_rank[n->model->processes.items[p].rank], "%u ", name);
        }
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        text_printf(&text, "%u: %.*s\n", rank, (int)of_rank[rank].n, (const char *)of_rank[rank].data);
        bytes_free(&of_rank[rank]);
    }
    return intern(n, &text);
}

enum order { AS_THEY_ARE, BACKWARDS, SHUFFLED };

static void put_in_order(struct loop_groups *g, enum order order, unsigned seed)
{
    struct loop_member *members = g->members.items;
    const size_t n = g->members.n;
    uint64_t state = random_seed(seed);
    for (size_t i = n; i > 1; i--) {
        const size_t other = order == BACKWARDS ? n - i : random_below(&state, (uint32_t)i);
        const struct loop_member last = members[i - 1];
        if (order == AS_THEY_ARE || (order == BACKWARDS && other >= i - 1))
            continue;
        members[i - 1] = members[other];
        members[other] = last;
    }
}

/* The number of the program's model, whose processes are taken in the given order. */
static uint32_t name_program(struct naming *n, const struct program *p, enum order order, unsigned seed)
{
    struct model model;
    struct loop_groups groups = p->groups;
    memset(&groups.members, 0, sizeof groups.members);
    for (size_t i = 0; i < p->groups.members.n; i++)
        cr_assert(array_push(&groups.members, p->groups.members.items[i]));
    put_in_order(&groups, order, seed);
    cr_assert_eq(model_create(&model, &groups), REFRAIN_OK);
    n->model = &model;
    const uint32_t name = name_system(n, model.all);
    model_free(&model);
    array_free(&groups.members);
    return name;
}

Test(model_threads, models_do_not_depend_on_the_order_of_processes)
{
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct program p = {0};
        struct naming names = {0};
        programs[i](&p);
        program_model(&p);
        const uint32_t name = name_program(&names, &p, AS_THEY_ARE, 0);
        cr_assert_eq(name_program(&names, &p, BACKWARDS, 0), name, "program %zu", i);
        for (unsigned seed = 0; seed < 5; seed++)
            cr_assert_eq(name_program(&names, &p, SHUFFLED, seed), name, "program %zu", i);
        event_templates_free(&names.texts);
        program_end(&p);
    }
}
