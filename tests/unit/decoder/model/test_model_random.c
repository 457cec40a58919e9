/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "tests/unit/support/model_program.h"
#include "tests/unit/support/random.h"

#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 5, TAGS = 3 };

struct random_program {
    struct program p;
    uint64_t state;
    uint32_t processes;
    bool causal;
    uint32_t index[8], depth;                       /* of the loops around */
    uint32_t pending[PROCESSES_MAX][PROCESSES_MAX]; /* messages sent with tag "late" and not received */
    size_t steps;
};

static uint32_t below(struct random_program *r, uint32_t n)
{
    return random_below(&r->state, n);
}

/* A message with some tag, which may count iterations. */
static void say_message(struct random_program *r, uint32_t from, uint32_t to, uint32_t tag, bool counts)
{
    const uint32_t number = counts && r->depth > 0 ? 100 * tag + r->index[r->depth - 1] : tag;
    program_say(&r->p, "%u send %u tag%u", from, to, number);
    program_say(&r->p, "%u recv %u tag%u", to, from, number);
}

static void say_exchange(struct random_program *r)
{
    for (uint32_t i = 0; i < r->processes; i++)
        program_say(&r->p, "%u recv %u x", i, (i + 1) % r->processes);
    for (uint32_t i = 0; i < r->processes; i++)
        program_say(&r->p, "%u send %u x", i, (i + r->processes - 1) % r->processes);
}

static void say_late(struct random_program *r, uint32_t from, uint32_t to)
{
    if (below(r, 2) == 0 || r->pending[from][to] == 0) {
        program_say(&r->p, "%u send %u late", from, to);
        r->pending[from][to]++;
    } else {
        program_say(&r->p, "%u recv %u late", to, from);
        r->pending[from][to]--;
    }
}

enum statement_kind { MESSAGE, COUNTED, SYNC, HALF_SYNC, LOCAL, LATE, ALL_TO_ONE, EXCHANGE, LOOP, KINDS };

struct statement {
    enum statement_kind kind;
    uint32_t from, to, tag, times;
    struct statement *body;
    uint32_t n;
};

static void make_body(struct random_program *r, struct statement *s, uint32_t depth)
{
    s->n = 1 + below(r, 4);
    s->body = calloc(s->n, sizeof *s->body);
    for (uint32_t i = 0; i < s->n; i++) {
        struct statement *in = &s->body[i];
        in->kind = (enum statement_kind)below(r, KINDS);
        if (in->kind == EXCHANGE && r->causal)
            in->kind = LOOP;
        if (in->kind == LOOP && depth == 3)
            in->kind = MESSAGE;
        in->from = below(r, r->processes);
        in->to = (in->from + 1 + below(r, r->processes - 1)) % r->processes;
        in->tag = below(r, TAGS);
        in->times = 2 + below(r, 6);
        if (in->kind == LOOP)
            make_body(r, in, depth + 1);
    }
}

static void run_body(struct random_program *r, const struct statement *s)
{
    for (uint32_t i = 0; i < s->n && r->steps < 6000; i++) {
        const struct statement *in = &s->body[i];
        r->steps += r->processes;
        if (in->kind == MESSAGE || in->kind == COUNTED)
            say_message(r, in->from, in->to, in->tag, in->kind == COUNTED);
        else if (in->kind == SYNC || in->kind == HALF_SYNC)
            for (uint32_t k = 0; k < r->processes; k += in->kind == SYNC ? 1 : 2)
                program_say(&r->p, "%u sync sum %s", k, in->kind == SYNC ? "world" : "even");
        else if (in->kind == LOCAL)
            program_say(&r->p, "%u local %u", in->from, r->depth > 0 ? 3 * r->index[r->depth - 1] : 0);
        else if (in->kind == LATE)
            say_late(r, in->from, in->to);
        else if (in->kind == ALL_TO_ONE)
            for (uint32_t k = 1; k < r->processes; k++)
                say_message(r, (in->to + k) % r->processes, in->to, in->tag, false);
        else if (in->kind == EXCHANGE)
            say_exchange(r);
        for (uint32_t k = 0; in->kind == LOOP && k < in->times; k++) {
            r->index[r->depth++] = k;
            run_body(r, in);
            r->depth--;
        }
    }
}

static void free_body(struct statement *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free_body(&s->body[i]);
    free(s->body);
}

Test(model, random_programs)
{
    uint64_t messages = 0, events = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct random_program r = {.state = random_seed(seed), .causal = seed % 3 != 0};
        struct statement all = {0};
        r.processes = 2 + below(&r, PROCESSES_MAX - 1);
        make_body(&r, &all, 0);
        run_body(&r, &all);
        program_model(&r.p);
        program_check(&r.p);
        const struct program_run run = program_run(&r.p, r.causal);
        messages += run.messages;
        events += run.events;
        program_end(&r.p);
        free_body(&all);
    }
    cr_assert_gt(5 * messages, events, "%u of %u", (unsigned)messages, (unsigned)events);
}
