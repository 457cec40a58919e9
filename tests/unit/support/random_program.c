/* SPDX-License-Identifier: BSD-3-Clause */
#include "random_program.h"

#include "random.h"

#include <stdlib.h>

enum { TAGS = 3 };

static uint32_t below(struct random_program *r, uint32_t n)
{
    return random_below(&r->state, n);
}

/* A message with some tag, which may be the number of the iteration. */
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

/* All processes send to all others, by distance, or, if they are a power of two, by bits. */
static void say_transpose(struct random_program *r, uint32_t tag, uint32_t style)
{
    const uint32_t n = r->processes;
    const bool bits = (n & (n - 1)) == 0 && style % 2 == 0;
    for (uint32_t k = 1; k < n; k++) {
        const uint32_t number = style % 3 == 0 ? 10 * tag + k : tag;
        for (uint32_t i = 0; i < n; i++)
            program_say(&r->p, "%u send %u tag%u", i, bits ? i ^ k : (i + k) % n, number);
        for (uint32_t i = 0; i < n; i++)
            program_say(&r->p, "%u recv %u tag%u", i, bits ? i ^ k : (i + n - k) % n, number);
    }
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

/* Process `to` visits all others: it sends to each and receives an answer. */
static void say_visits(struct random_program *r, uint32_t to, uint32_t tag, uint32_t style)
{
    for (uint32_t k = 1; k < r->processes; k++) {
        const uint32_t worker = (to + k) % r->processes;
        say_message(r, to, worker, tag, style % 2 == 0);
        if (style % 3 == 0)
            program_say(&r->p, "%u local work", worker);
        say_message(r, worker, to, tag, false);
    }
}

enum statement_kind {
    MESSAGE,
    COUNTED,
    SYNC,
    HALF_SYNC,
    LOCAL,
    LATE,
    ALL_TO_ONE,
    VISITS,
    TRANSPOSE,
    EXCHANGE,
    LOOP,
    KINDS
};

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
        else if (in->kind == VISITS)
            say_visits(r, in->to, in->tag, in->times);
        else if (in->kind == TRANSPOSE)
            say_transpose(r, in->tag, in->times);
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

void random_program_make(struct random_program *r, unsigned seed, bool causal)
{
    struct statement all = {0};
    *r = (struct random_program){.state = random_seed(seed), .causal = causal};
    r->processes = 2 + below(r, PROCESSES_MAX - 1);
    make_body(r, &all, 0);
    run_body(r, &all);
    program_model(&r->p);
    free_body(&all);
}
