/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns repeated steps into loops. decoder/loops has found loops of single processes with affine
 * numbers; here the numbers may have any formula that holds on all ranks:
 *
 *     send x+1 tag(3000+x)          send x+1 tag(3000+(x+1)%4)          send x+1 tag(3000+(x+2)%4)
 *     for i0 = 1 to 3   send x+1 tag(3000+(x+i0-1)%4)
 *
 * Loops that were cut because processes differed may be joined again:
 *
 *     A   loop n { A }  ->  loop n + 1 { A }        loop n { A }   loop m { A }  ->  loop n + m { A } */
#include "formula.h"
#include "logical_impl.h"

#include "src/core/base/bisect.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of steps in a block, and smallest number of iterations of a new loop. */
#define BLOCK_MOST 128
#define LEAST      3

/* What has been tried in vain is not tried again until a step changes that it depends on:
 *
 *     place     0  1  2  3  4  5  6  7        steps before `to_fold` start no new loop
 *     seen      4  5  5  6  7                 what has been read of the steps to find that out
 *                           ^ to_fold         step 6 changes: places from 3 on are tried again
 *
 * No step before `to_extend` is a loop that can be extended. This depends on the next `longest` steps. */
struct folder {
    struct logical *logical;
    uint32_t depth;
    ARRAY(struct step *) steps;
    ARRAY(uint64_t) shapes;
    ARRAY(size_t) seen; /* by place before `to_fold`: the last step that was read for it or for one before */
    size_t to_fold, to_extend;
    size_t longest;              /* body of a loop, at least 1 */
    size_t ends[BLOCK_MOST + 1]; /* by length: where the last repetition that was found ends; 0: unknown */
};

/* ---- making a loop --------------------------------------------------------------------------- */

/* Combines the numbers of all iterations into `to`. Returns false if they have no law. */
static bool combine_numbers(struct folder *f, const struct step *s, struct number *to,
                            const struct number *const *all, size_t n, bool any_law)
{
    const size_t words = (size_t)s->n_processes * to->cells;
    const uint64_t grows = all[1]->values[0] - all[0]->values[0];
    struct formula formula;
    bool affine = true;
    for (size_t k = 1; k < n && affine; k++)
        for (size_t i = 0; i < words && affine; i++)
            affine = all[k]->values[i] == all[0]->values[i] + k * grows;
    if (affine) {
        to->coefs[f->depth] = grows;
        return true;
    }
    if (!any_law || to->cells > 1)
        return false;
    uint64_t *values = arena_array(&f->logical->arena, words * n, sizeof *values);
    for (size_t k = 0; values && k < n; k++)
        for (size_t i = 0; i < words; i++)
            values[i * n + k] = all[k]->values[i];
    to->values = values;
    to->cells = (uint32_t)n;
    to->level = f->depth;
    return values && formula_find(f->logical, s->processes, s->n_processes, to, &formula);
}

static bool combine_number(struct folder *f, const struct step *s, struct number *to, struct step *const *all,
                           size_t n, int which)
{
    const struct number **numbers = malloc(n * sizeof *numbers);
    for (size_t k = 0; numbers && k < n; k++)
        numbers[k] = which < 0 ? &all[k]->count : &all[k]->numbers[which];
    const bool ok = numbers && combine_numbers(f, s, to, numbers, n, which >= 0);
    free(numbers);
    return ok;
}

/* Do the partners of all steps grow by a constant step, in this law? */
static bool grow_by(struct step *const *all, size_t n, enum direction_law law, uint64_t *grows)
{
    const uint64_t first = all[0]->partner.values[law];
    bool affine = true;
    *grows = all[1]->partner.values[law] - first;
    for (size_t k = 0; k < n && affine; k++)
        affine = all[k]->partner.laws >> law & 1 && all[k]->partner.values[law] == first + k * *grows;
    return affine;
}

/* Combines partners: in the law that is shown, or in another one that counts. */
static bool combine_partners(struct folder *f, struct step *to, struct step *const *all, size_t n)
{
    const enum direction_law shown = direction_law(&all[0]->partner, all[0]->n_processes);
    unsigned law = shown;
    uint64_t grows;
    bool affine = grow_by(all, n, shown, &grows);
    for (unsigned other = 0; other < DIRECTION_LAWS && !affine && direction_counts(shown); other++) {
        law = other;
        affine =
            direction_counts((enum direction_law)law) && grow_by(all, n, (enum direction_law)law, &grows);
    }
    if (affine && (grows != 0 || law != shown)) {
        to->partner.laws = 1U << law;
        to->partner_coefs[f->depth] = grows;
    }
    return affine;
}

/* `to` is a copy of the first of the `n` steps, one loop deeper. */
static bool combine(struct folder *f, struct step *to, struct step *const *all, size_t n)
{
    struct step **inside;
    bool ok = !to->has_partner || combine_partners(f, to, all, n);
    for (uint32_t k = 0; to->kind == STEP_EVENT && k < to->n && ok; k++)
        ok = combine_number(f, to, &to->numbers[k], all, n, (int)k);
    if (to->kind != STEP_LOOP || !ok)
        return ok;
    if (!combine_number(f, to, &to->count, all, n, -1) || !(inside = malloc(n * sizeof *inside)))
        return false;
    for (size_t i = 0; i < to->body.n && ok; i++) {
        for (size_t k = 0; k < n; k++)
            inside[k] = all[k]->body.items[i];
        ok = combine(f, to->body.items[i], inside, n);
    }
    free(inside);
    return ok;
}

/* Returns a loop around the body, which is `times` blocks combined. */
static struct step *loop_around(struct folder *f, struct step **body, size_t n, size_t times)
{
    struct arena *a = &f->logical->arena;
    struct step *loop = arena_array(a, 1, sizeof *loop);
    if (!loop || !step_unite(a, body, n, &loop->processes, &loop->n_processes))
        return NULL;
    loop->kind = STEP_LOOP;
    loop->depth = f->depth;
    loop->body.n = n;
    loop->body.items = body;
    loop->count.cells = 1;
    loop->count.coefs = arena_array(a, f->depth + 1, sizeof *loop->count.coefs);
    uint64_t *values = arena_array(a, loop->n_processes, sizeof *values);
    loop->count.values = values;
    for (uint32_t i = 0; values && i < loop->n_processes; i++)
        values[i] = times;
    return loop->count.coefs && values ? loop : NULL;
}

/* Makes a loop of `times` blocks of `n` steps from `at` on. Returns NULL if their numbers have no
 * law or memory is short. */
static struct step *make_loop(struct folder *f, size_t at, size_t n, size_t times)
{
    struct arena *a = &f->logical->arena;
    const struct arena_mark before = arena_mark(a);
    struct step **blocks = f->steps.items + at, **all = malloc(times * sizeof *all);
    struct step **body = arena_array(a, n, sizeof *body), *loop = NULL;
    bool ok = all && body;
    for (size_t i = 0; i < n && ok; i++) {
        body[i] = step_deepen(a, blocks[i], f->depth);
        for (size_t k = 0; k < times; k++)
            all[k] = blocks[k * n + i];
        ok = body[i] && combine(f, body[i], all, times);
    }
    if (ok)
        loop = loop_around(f, body, n, times);
    if (!loop)
        arena_return(a, before); /* most attempts fail */
    free(all);
    return loop;
}

/* Returns how many of the `times` blocks have partners that grow by a constant step, each in some law. */
static size_t count_growing(const struct folder *f, size_t at, size_t n, size_t times)
{
    for (size_t i = 0; i < n; i++) {
        struct step *const *all = f->steps.items + at + i;
        size_t best = 0;
        if (!all[0]->has_partner || !direction_counts(direction_law(&all[0]->partner, all[0]->n_processes)))
            continue;
        for (unsigned law = 0; law < DIRECTION_LAWS; law++) {
            const uint64_t first = all[0]->partner.values[law], grows = all[n]->partner.values[law] - first;
            size_t k = 0;
            while (direction_counts((enum direction_law)law) && k < times &&
                   all[k * n]->partner.laws >> law & 1 &&
                   all[k * n]->partner.values[law] == first + k * grows)
                k++;
            best = k > best ? k : best;
        }
        times = best < times ? best : times;
    }
    return times;
}

/* ---- replacing ------------------------------------------------------------------------------- */

static void put_in_place(struct folder *f, size_t at, size_t n, struct step *loop)
{
    struct step **items = f->steps.items;
    items[at] = loop;
    f->shapes.items[at] = step_shape(loop);
    memmove(items + at + 1, items + at + n, (f->steps.n - at - n) * sizeof *items);
    memmove(f->shapes.items + at + 1, f->shapes.items + at + n,
            (f->steps.n - at - n) * sizeof *f->shapes.items);
    f->steps.n -= n - 1;
    f->shapes.n = f->steps.n;
    f->to_fold = BISECT(i, f->to_fold, f->seen.items[i] < at);
    f->seen.n = f->to_fold;
    memset(f->ends, 0, sizeof f->ends);
    f->longest = loop->body.n > f->longest ? loop->body.n : f->longest;
    if (f->to_extend + f->longest > at)
        f->to_extend = at < f->longest ? 0 : at - f->longest;
}

/* Counts how often the block at `at` is repeated in a row, comparing only shapes. *seen grows to the
 * last step that is read. A repetition that began before `at` ends where it did. */
static size_t count_times(struct folder *f, size_t at, size_t n, size_t *seen)
{
    const uint64_t *shapes = f->shapes.items;
    size_t end = f->ends[n] > at + n ? f->ends[n] : at + n;
    while (end < f->shapes.n && shapes[end] == shapes[end - n])
        end++;
    f->ends[n] = end;
    *seen = end > *seen ? end : *seen;
    return (end - at) / n;
}

/* Most attempts fail: a few iterations show that sooner than all. */
static bool may_be_loop(struct folder *f, size_t at, size_t n, size_t times)
{
    const size_t few = formula_period(f->logical) + LEAST;
    const struct arena_mark before = arena_mark(&f->logical->arena);
    if (few + LEAST >= times)
        return true;
    const bool may = make_loop(f, at, n, few) != NULL;
    arena_return(&f->logical->arena, before);
    return may;
}

/* Folds the shortest block that is repeated from `at` on. Returns false if there is none. */
static bool fold_at(struct folder *f, size_t at, size_t *seen)
{
    for (size_t n = 1; n <= BLOCK_MOST && at + LEAST * n <= f->steps.n; n++) {
        const size_t same = count_times(f, at, n, seen),
                     times = same < LEAST ? 0 : count_growing(f, at, n, same);
        const size_t tries = times >= LEAST && may_be_loop(f, at, n, times) ? LEAST : 0;
        for (size_t fewer = 0; fewer < tries && times >= LEAST + fewer; fewer++) {
            struct step *loop = make_loop(f, at, n, times - fewer);
            if (loop)
                put_in_place(f, at, n * (times - fewer), loop);
            if (loop)
                return true;
        }
    }
    return false;
}

/* Folds the first repeated block. */
static bool fold_once(struct folder *f)
{
    for (; f->to_fold + LEAST <= f->steps.n; f->to_fold++) {
        size_t seen = f->to_fold > 0 ? f->seen.items[f->to_fold - 1] : 0;
        if (fold_at(f, f->to_fold, &seen))
            return true;
        if (!array_push(&f->seen, seen)) {
            f->logical->arena.failed = true;
            return false;
        }
    }
    return false;
}

/* ---- loops that go on ------------------------------------------------------------------------ */

static bool is_body(const struct folder *f, const struct step *loop, struct step *const *steps, size_t n)
{
    bool same = n == loop->body.n;
    for (size_t i = 0; i < n && same; i++)
        same =
            step_same(loop->body.items[i], f->depth + 1, steps[i], f->depth + (steps[i]->depth > f->depth));
    return same;
}

static struct step *grow(struct folder *f, const struct step *loop, const struct number *by)
{
    struct step *out = step_rebase(&f->logical->arena, loop, 0);
    uint64_t *values = arena_array(&f->logical->arena, loop->n_processes, sizeof *values);
    if (!out || !values || loop->count.cells > 1)
        return NULL;
    for (uint32_t i = 0; i < loop->n_processes; i++)
        values[i] = loop->count.values[i] + (by ? by->values[i] : 1);
    out->count.values = values;
    return out;
}

static bool same_members(const struct step *a, const struct step *b)
{
    return a->n_processes == b->n_processes &&
           memcmp(a->processes, b->processes, a->n_processes * sizeof *a->processes) == 0;
}

static bool is_counted(const struct step *loop)
{
    bool plain = loop->count.cells == 1;
    for (uint32_t d = 0; d < loop->depth; d++)
        plain = plain && loop->count.coefs[d] == 0;
    for (uint32_t i = 0; i < loop->n_processes; i++)
        plain = plain && (int64_t)loop->count.values[i] > 0;
    return plain;
}

/* Extends the loop at `at` by an iteration before or after it, or by a loop after it that continues
 * it. */
static bool extend(struct folder *f, size_t at)
{
    struct step **items = f->steps.items, *loop = items[at],
                *next = at + 1 < f->steps.n ? items[at + 1] : NULL;
    const size_t n = loop->body.n;
    size_t first = at, all = n + 1;
    struct step *out = NULL;
    if (loop->kind != STEP_LOOP || !is_counted(loop))
        return false;
    if (next && next->kind == STEP_LOOP && next->depth == loop->depth && is_counted(next) &&
        same_members(loop, next) && is_body(f, loop, next->body.items, next->body.n)) {
        out = grow(f, loop, &next->count);
        all = 2;
    } else if (at + n < f->steps.n && is_body(f, loop, items + at + 1, n)) {
        out = grow(f, loop, NULL);
    } else if (at >= n && is_body(f, loop, items + at - n, n)) {
        out = grow(f, loop, NULL);
        first = at - n;
    }
    if (out)
        put_in_place(f, first, all, out);
    return out != NULL;
}

static bool extend_any(struct folder *f)
{
    for (; f->to_extend < f->steps.n; f->to_extend++) {
        if (extend(f, f->to_extend))
            return true;
    }
    return false;
}

enum refrain_status logical_fold(struct logical *l, struct steps *steps, uint32_t depth)
{
    struct folder f = {.logical = l, .depth = depth, .longest = 1};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < steps->n && status == REFRAIN_OK; i++) {
        if (steps->items[i]->kind == STEP_LOOP)
            status = logical_fold(l, &steps->items[i]->body, depth + 1);
        if (steps->items[i]->body.n > f.longest)
            f.longest = steps->items[i]->body.n;
        if (status == REFRAIN_OK &&
            (!array_push(&f.steps, steps->items[i]) || !array_push(&f.shapes, step_shape(steps->items[i]))))
            status = REFRAIN_ERR_MEMORY;
    }
    while (status == REFRAIN_OK && !l->arena.failed && depth + 2 < SYSTEM_DEPTH_MAX &&
           (extend_any(&f) || fold_once(&f)))
        ;
    if (l->arena.failed)
        status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < f.steps.n && status == REFRAIN_OK; i++)
        steps->items[i] = f.steps.items[i];
    if (status == REFRAIN_OK)
        steps->n = f.steps.n;
    array_free(&f.steps);
    array_free(&f.shapes);
    array_free(&f.seen);
    return status;
}
