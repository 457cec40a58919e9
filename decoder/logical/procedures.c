/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures are blocks of steps that occur in several places, with the same numbers on the same
 * ranks.
 *
 *     A B C D   for 10 { A B C D }  E         p1   for 10 { p1 }  E           p1:  A B C D
 *
 * Among the blocks that cannot be extended, the one that saves most lines becomes a procedure. This
 * is repeated until no block saves lines. */
#include "logical_impl.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

/* Longer programs remain unchanged, because all steps are compared with each other. */
#define STEPS_MOST 4000
/* A procedure has at least this many lines. */
#define LINES_LEAST 3

/* All steps of all bodies; each body is followed by an end. */
struct places {
    struct logical *logical;
    ARRAY(struct place {
        struct steps *body;
        size_t at;     /* in the body; body->n at the end */
        uint32_t base; /* number of enclosing loops */
        uint64_t hash; /* 0: equals no other step */
    })
    items;
};

struct block {
    size_t first, n; /* in places */
    long saved;      /* in lines */
};

static bool add_body(struct places *p, struct steps *body, uint32_t base)
{
    for (size_t i = 0; i < body->n; i++) {
        if (!array_push(&p->items, ((struct place){body, i, base, step_hash(body->items[i], base)})))
            return false;
    }
    if (!array_push(&p->items, ((struct place){body, body->n, base, 0})))
        return false;
    for (size_t i = 0; i < body->n; i++) {
        if (body->items[i]->kind == STEP_LOOP && !add_body(p, &body->items[i]->body, base + 1))
            return false;
    }
    return true;
}

static bool add_bodies(struct places *p)
{
    struct logical *l = p->logical;
    bool ok = true;
    p->items.n = 0;
    for (size_t i = 0; i < l->sections.n && ok; i++)
        ok = add_body(p, &l->sections.items[i].body, 0);
    for (size_t i = 0; i < l->procedures.n && ok; i++)
        ok = add_body(p, &l->procedures.items[i].body, 0);
    return ok;
}

/* ---- the best block -------------------------------------------------------------------------- */

static bool same_block(const struct places *p, size_t a, size_t b, size_t n)
{
    bool same = b + n <= p->items.n;
    for (size_t i = 0; i < n && same; i++)
        same = p->items.items[a + i].hash != 0 && p->items.items[a + i].hash == p->items.items[b + i].hash;
    return same;
}

static long saved_by(const struct places *p, size_t first, size_t n)
{
    const struct place *at = &p->items.items[first];
    const long lines = (long)line_count(p->logical, at->body, at->at, n);
    long times = 0;
    if (lines < LINES_LEAST)
        return -1;
    for (size_t i = 0; i < p->items.n;) {
        const bool same = same_block(p, first, i, n);
        times += same;
        i += same ? n : 1;
    }
    return times < 2 ? -1 : times * lines - times - lines - 1;
}

/* Examines blocks that begin at two places and cannot begin earlier. `lengths`: by the second
 * place, the number of equal steps. */
static bool look(struct places *p, const uint32_t *lengths, size_t a, struct map *seen, struct block *best)
{
    const struct place *items = p->items.items;
    for (size_t b = a + 1; b < p->items.n; b++) {
        if (lengths[b] == 0 ||
            (a > 0 && items[a - 1].hash != 0 && items[a - 1].hash == items[b - 1].hash && b - a > lengths[b]))
            continue;
        const size_t n = lengths[b] < b - a ? lengths[b] : b - a;
        uint64_t hash = n;
        for (size_t i = 0; i < n; i++)
            hash = mix(hash, items[a + i].hash);
        if (map_get(seen, hash) != MAP_NONE)
            continue;
        if (!map_set(seen, hash, 0))
            return false;
        const long saved = saved_by(p, a, n);
        if (saved > best->saved)
            *best = (struct block){a, n, saved};
    }
    return true;
}

static bool find_best(struct places *p, struct block *best)
{
    const size_t n = p->items.n;
    uint32_t *lengths = calloc(n + 1, sizeof *lengths);
    struct map seen = {0};
    bool ok = lengths != NULL;
    *best = (struct block){.saved = -1};
    for (size_t a = n; a-- > 0 && ok;) {
        const uint64_t hash = p->items.items[a].hash;
        for (size_t b = a + 1; b < n; b++)
            lengths[b] = hash != 0 && hash == p->items.items[b].hash ? 1 + lengths[b + 1] : 0;
        ok = look(p, lengths, a, &seen, best);
    }
    map_free(&seen);
    free(lengths);
    return ok;
}

/* ---- making the procedure -------------------------------------------------------------------- */

static bool add_procedure(struct logical *l, const struct steps *body, size_t at, size_t n, uint32_t base)
{
    struct procedure p = {.body = {arena_array(&l->arena, n, sizeof *p.body.items), n}};
    bool ok = p.body.items && step_unite(&l->arena, body->items + at, n, &p.processes, &p.n_processes);
    for (size_t i = 0; i < n && ok; i++)
        ok = (p.body.items[i] = step_rebase(&l->arena, body->items[at + i], base)) != NULL;
    return ok && array_push(&l->procedures, p);
}

static struct step *make_call(struct logical *l, uint32_t procedure, uint32_t depth)
{
    const struct procedure *p = &l->procedures.items[procedure];
    struct step *s = arena_array(&l->arena, 1, sizeof *s);
    if (s)
        *s = (struct step){.kind = STEP_CALL,
                           .depth = depth,
                           .processes = p->processes,
                           .n_processes = p->n_processes,
                           .procedure = procedure};
    return s;
}

static bool is_procedure(const struct procedure *p, const struct steps *body, size_t at, uint32_t base)
{
    bool same = at + p->body.n <= body->n;
    for (size_t i = 0; i < p->body.n && same; i++)
        same = step_same(p->body.items[i], 0, body->items[at + i], base);
    return same;
}

/* Replaces the block by calls in a body and in the bodies of its loops. */
static bool call_in(struct logical *l, struct steps *body, uint32_t procedure, uint32_t base)
{
    const struct procedure p = l->procedures.items[procedure];
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; i < body->n && ok;) {
        struct step *s = body->items[i];
        if (is_procedure(&p, body, i, base)) {
            s = make_call(l, procedure, base);
            i += p.body.n;
        } else {
            if (s->kind == STEP_LOOP)
                ok = call_in(l, &s->body, procedure, base + 1);
            i++;
        }
        ok = ok && s;
        body->items[n++] = s;
    }
    body->n = n;
    return ok;
}

static bool take_out(struct places *p, const struct block *b)
{
    struct logical *l = p->logical;
    const struct place *at = &p->items.items[b->first];
    const uint32_t number = (uint32_t)l->procedures.n;
    bool ok = add_procedure(l, at->body, at->at, b->n, at->base);
    for (size_t i = 0; i < l->sections.n && ok; i++)
        ok = call_in(l, &l->sections.items[i].body, number, 0);
    for (size_t i = 0; i < number && ok; i++)
        ok = call_in(l, &l->procedures.items[i].body, number, 0);
    return ok;
}

/* ---- their order ----------------------------------------------------------------------------- */

/* Numbers the procedures that the steps call, in this order. */
static void number_calls(const struct logical *l, const struct steps *body, uint32_t *numbers, uint32_t *n)
{
    for (size_t i = 0; i < body->n; i++) {
        const struct step *s = body->items[i];
        if (s->kind == STEP_CALL && numbers[s->procedure] == UINT32_MAX)
            numbers[s->procedure] = (*n)++;
        else if (s->kind == STEP_LOOP)
            number_calls(l, &s->body, numbers, n);
    }
}

static void renumber(struct steps *body, const uint32_t *numbers)
{
    for (size_t i = 0; i < body->n; i++) {
        struct step *s = body->items[i];
        if (s->kind == STEP_CALL)
            s->procedure = numbers[s->procedure];
        else if (s->kind == STEP_LOOP)
            renumber(&s->body, numbers);
    }
}

/* Sorts the procedures by call order: first those that the program calls, then those that the
 * first procedure calls … */
static bool sort_procedures(struct logical *l)
{
    const size_t n = l->procedures.n;
    struct procedure *sorted = calloc(n + 1, sizeof *sorted);
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers), next = 0;
    const bool ok = sorted && numbers;
    for (size_t i = 0; ok && i < n; i++)
        numbers[i] = UINT32_MAX;
    for (size_t i = 0; ok && i < l->sections.n; i++)
        number_calls(l, &l->sections.items[i].body, numbers, &next);
    for (uint32_t at = 0; ok && at < next; at++)
        for (size_t i = 0; i < n; i++)
            if (numbers[i] == at)
                number_calls(l, &l->procedures.items[i].body, numbers, &next);
    for (size_t i = 0; ok && i < n; i++)
        sorted[numbers[i]] = l->procedures.items[i];
    for (size_t i = 0; ok && i < n; i++) {
        l->procedures.items[i] = sorted[i];
        renumber(&l->procedures.items[i].body, numbers);
    }
    for (size_t i = 0; ok && i < l->sections.n; i++)
        renumber(&l->sections.items[i].body, numbers);
    free(sorted);
    free(numbers);
    if (!ok)
        log_error("out of memory: %zu procedures", n);
    return ok;
}

enum refrain_status logical_find_procedures(struct logical *l)
{
    struct places p = {.logical = l};
    struct block best = {0};
    bool ok = add_bodies(&p);
    while (ok && p.items.n <= STEPS_MOST) {
        ok = find_best(&p, &best);
        if (!ok || best.saved < 0)
            break;
        ok = take_out(&p, &best) && add_bodies(&p);
    }
    ok = ok && sort_procedures(l);
    array_free(&p.items);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
