/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts loops so that each of them meets one construct at the other end of each channel that it uses.
 *
 *     A loop with users on both sides of a bound is split at the iteration of the bound:
 *
 *         0: for 10 { send 1 }                          for 4 { send 1 }  for 6 { send 1 }
 *         1: for 4 { recv 0 }  x  for 6 { recv 0 }
 *
 *     If the bound is inside the first iteration, the loop is shifted by the part before the bound:
 *
 *         0: for 3 { send 1 a  send 1 b }               send 1 a  for 2 { send 1 b  send 1 a }  send 1 b
 *         1: recv 0 a  x  for 2 { recv 0 b  recv 0 a }  recv 0 b
 *
 * Each loop is cut at its first bound, until no loop has one. After the first round, only sequences
 * that were cut or have a new bound are examined. A bound is the end of some construct and remains
 * one, so the order of cuts does not matter.
 *
 * Two loops that meet one iteration apart would be cut to pieces, because each bound causes the
 * next. So a loop that has been cut too often is left as it is: everything starts again without
 * cutting it.
 *
 * If one channel has a bound after the first iteration and others have not, splitting makes new
 * bounds, which may cause further bounds up to the loops' end:
 *
 *         0: send 1 a  for 9 { sync  send 1 a  b }      send 1 a  for 8 { … }  sync  send 1 a  b
 *         1: for 9 { recv 0 a  sync }  recv 0 a         recv 0 a  for 8 { sync  recv 0 a }  sync  recv 0 a
 *
 * Then shifting such loops by the smallest possible part is tried, too: only their beginnings move,
 * and one iteration later nothing more needs to move. The result with fewer constructs is used. */
#include "model_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define CUTS_MAX 256 /* per loop */
#define CUTS_FEW 4   /* enough for one cut at each end and some in between */

struct regularizer {
    struct builder *b;
    struct scope *scope;
    struct construct **first; /* the constructs at the start, by origin */
    uint32_t *firsts;         /* by sequence: its first origin; one more element is the end */
    uint32_t *cuts;           /* by origin */
    bool *left_alone;
    bool least;                  /* cut as little as possible from the beginning */
    uint32_t most;               /* cuts per loop */
    struct sequence_set touched; /* to be examined, because they have new bounds */
    struct sequence_set cut;     /* cut because of these */
    bool too_often;              /* some loop was cut too often */
};

/* Where to cut a loop: after this many iterations; or, if 0, at a place in the first iteration and
 * after the same place in the last one. */
struct demand {
    uint64_t iterations; /* UINT64_MAX: nowhere */
    struct cut cut;
    bool possible;
};

/* ---- where to cut ---------------------------------------------------------------------------- */

/* Finds the last place in the body at which one of the uses has had its first `m` users, up to its
 * next bound, if that is at most one iteration away. */
static enum refrain_status find_place(struct regularizer *r, const struct links *l, const struct system *body,
                                      const struct use *uses, size_t n, bool whole, struct demand *d)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n && d->possible && status == REFRAIN_OK; i++) {
        const uint64_t bound = links_next_bound(l, &uses[i]), m = bound - uses[i].first;
        struct cut cut;
        if (bound >= uses[i].last || (whole ? m != uses[i].each : m >= uses[i].each))
            continue;
        status = cut_find(r->b, body, uses[i].end, m, &cut, &d->possible);
        if (status == REFRAIN_OK && d->possible && (d->cut.n == 0 || cut_is_before(&d->cut, &cut)))
            d->cut = cut;
    }
    return status;
}

/* A loop would be cut after its first iteration. Would the cut make new bounds, while a shift by
 * the lag of the first bounds would make none?
 *
 *     0: for 3 { send 1 a  send 1 b }          send 1 a  for 2 { send 1 b  send 1 a }  send 1 b
 *     1: recv 0 a  for 2 { recv 0 b  recv 0 a }  recv 0 b */
static bool is_better_shifted(const struct links *l, const struct system *body, const struct use *uses,
                              size_t n, const struct cut *cut)
{
    bool split = true;
    for (size_t i = 0; i < n; i++) {
        const struct use *u = &uses[i];
        const uint64_t before = cut_count(body, cut, u->end);
        split = split && links_has_bound(l, u, u->first + u->each);
        if ((before > 0 && !links_has_bound(l, u, u->first + before)) ||
            (before < u->each && !links_has_bound(l, u, u->last - u->each + before)))
            return false;
    }
    return !split;
}

static enum refrain_status find_demand(struct regularizer *r, const struct links *l,
                                       const struct system *body, const struct use *uses, size_t n,
                                       struct demand *d)
{
    enum refrain_status status = REFRAIN_OK;
    *d = (struct demand){.iterations = UINT64_MAX, .possible = true};
    for (size_t i = 0; i < n; i++) {
        const uint64_t bound = links_next_bound(l, &uses[i]);
        const uint64_t iterations = (bound - uses[i].first) / uses[i].each;
        if (bound < uses[i].last && iterations < d->iterations)
            d->iterations = iterations;
    }
    if (d->iterations == 0)
        return find_place(r, l, body, uses, n, false, d);
    if (d->iterations > 1)
        return REFRAIN_OK;
    status = find_place(r, l, body, uses, n, true, d);
    const bool inside = status == REFRAIN_OK && d->possible && d->cut.n > 0 && d->cut.levels[0].at < body->n;
    if (inside && (r->least || is_better_shifted(l, body, uses, n, &d->cut)))
        d->iterations = 0;
    d->possible = true;
    return status;
}

static enum refrain_status cut_loop(struct regularizer *r, const struct construct *loop,
                                    const struct demand *d, struct construct_list *out)
{
    struct arena *a = &r->b->arena;
    const uint64_t k = d->iterations;
    if (k == 0)
        return loop_shift(a, loop, &d->cut, out);
    const enum refrain_status status = loop_slice(a, loop, 0, k, out);
    return status == REFRAIN_OK ? loop_slice(a, loop, k, construct_times(loop) - k, out) : status;
}

/* ---- sequences ------------------------------------------------------------------------------- */

static enum refrain_status keep_item(const struct sequence_item *item, struct sequence *to)
{
    return array_push(&to->items, *item) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Moves a loop of sequence q to `to`: cuts it if needed, and unrolls it. */
static enum refrain_status take_loop(struct regularizer *r, const struct links *l, uint32_t q,
                                     const struct sequence_item *item, const struct use *uses, size_t n,
                                     struct sequence *to)
{
    struct construct *c = item->construct;
    struct construct_list pieces = {0}, unrolled = {0};
    struct demand demand;
    enum refrain_status status = find_demand(r, l, c->body, uses, n, &demand);
    if (status == REFRAIN_OK && !demand.possible && (status = loop_unroll_inside(r->b, c, &c)) == REFRAIN_OK)
        status = find_demand(r, l, c->body, uses, n, &demand);
    if (status != REFRAIN_OK)
        return status;
    if (demand.iterations == UINT64_MAX || !demand.possible)
        return keep_item(item, to);
    if (++r->cuts[item->origin] > r->most)
        r->most = r->cuts[item->origin];
    r->too_often = r->cuts[item->origin] > CUTS_MAX || r->too_often;
    if (!sequence_set_add(&r->cut, q))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = cut_loop(r, c, &demand, &pieces);
    if (status == REFRAIN_OK) {
        const struct system s = {.items = pieces.all.items, .n = pieces.all.n};
        status = system_unroll(r->b, &s, &unrolled);
    }
    if (status == REFRAIN_OK)
        status = sequence_put(to, &unrolled, item->origin);
    array_free(&pieces.all);
    array_free(&unrolled.all);
    return status;
}

/* Cuts each loop of a sequence at most once. */
static enum refrain_status cut_sequence(struct regularizer *r, const struct links *l, uint32_t q)
{
    const struct use_list *in = &l->of_sequence[q];
    struct sequence *s = &r->scope->sequences[q], next = {.process = s->process};
    enum refrain_status status = REFRAIN_OK;
    size_t u = 0;
    for (size_t at = 0; at < s->items.n && status == REFRAIN_OK; at++) {
        size_t n = 0;
        while (u + n < in->n && in->items[u + n].at == at)
            n++;
        const struct sequence_item *item = &s->items.items[at];
        const bool whole = !construct_is_loop(item->construct) || r->left_alone[item->origin];
        status =
            whole ? keep_item(item, &next) : take_loop(r, l, q, item, n > 0 ? &in->items[u] : NULL, n, &next);
        u += n;
    }
    array_free(&s->items);
    *s = next;
    return status;
}

/* Cuts all touched sequences. In the others, no loop has a new bound since the last examination. */
static enum refrain_status cut_touched(struct regularizer *r, const struct links *l)
{
    enum refrain_status status = REFRAIN_OK;
    sequence_set_clear(&r->cut);
    for (size_t i = 0; i < r->touched.list.n && status == REFRAIN_OK; i++)
        status = cut_sequence(r, l, r->touched.list.items[i]);
    sequence_set_clear(&r->touched);
    return status;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* Records the origin of every construct. */
static enum refrain_status note_origins(struct regularizer *r)
{
    size_t n = 0;
    for (size_t q = 0; q < r->scope->n; q++)
        n += r->scope->sequences[q].items.n;
    r->first = calloc(n + 1, sizeof(struct construct *));
    r->firsts = calloc(r->scope->n + 1, sizeof *r->firsts);
    r->cuts = calloc(n + 1, sizeof *r->cuts);
    r->left_alone = calloc(n + 1, sizeof *r->left_alone);
    if (!r->first || !r->firsts || !r->cuts || !r->left_alone || n > UINT32_MAX) {
        log_error("out of memory: %zu constructs", n);
        return REFRAIN_ERR_MEMORY;
    }
    uint32_t origin = 0;
    for (size_t q = 0; q < r->scope->n; q++) {
        struct sequence *s = &r->scope->sequences[q];
        r->firsts[q] = origin;
        for (size_t i = 0; i < s->items.n; i++) {
            r->first[origin] = s->items.items[i].construct;
            s->items.items[i].origin = origin++;
        }
    }
    r->firsts[r->scope->n] = origin;
    return REFRAIN_OK;
}

/* Starts again without the loops that have been cut too often. */
static enum refrain_status begin_anew(struct regularizer *r)
{
    const uint32_t n = r->firsts[r->scope->n];
    for (uint32_t i = 0; i < n; i++)
        r->left_alone[i] = r->left_alone[i] || r->cuts[i] > CUTS_MAX;
    r->too_often = false;
    memset(r->cuts, 0, n * sizeof *r->cuts);
    for (size_t q = 0; q < r->scope->n; q++) {
        struct sequence *s = &r->scope->sequences[q];
        s->items.n = 0;
        if (!array_reserve(&s->items, r->firsts[q + 1] - r->firsts[q]))
            return REFRAIN_ERR_MEMORY;
        for (uint32_t i = r->firsts[q]; i < r->firsts[q + 1]; i++)
            s->items.items[s->items.n++] = (struct sequence_item){r->first[i], i};
    }
    return REFRAIN_OK;
}

/* One cut serves the bounds of one iteration, so a loop that has bounds in too many need not be tried:
 * with random partners, 10,000 iterations would be cut one by one, and each cut examines all sequences. */
static void foresee_cuts(struct regularizer *r, const struct links *l)
{
    for (size_t q = 0; q < r->scope->n; q++)
        for (size_t i = 0; i < l->of_sequence[q].n; i++) {
            const struct use *u = &l->of_sequence[q].items[i];
            const struct sequence_item *item = &r->scope->sequences[q].items.items[u->at];
            if (construct_is_loop(item->construct) && !r->left_alone[item->origin] &&
                links_count_cuts(l, u, CUTS_MAX + 1) > CUTS_MAX) {
                r->cuts[item->origin] = CUTS_MAX + 1;
                r->too_often = true;
            }
        }
}

/* Finds the links of the present sequences, and what must be examined: the effects of the last
 * cuts, or everything. */
static enum refrain_status find_links(struct regularizer *r, struct links *l, bool *valid)
{
    enum refrain_status status = REFRAIN_OK;
    if (*valid)
        status = links_update(r->b, r->scope, &r->cut, l, &r->touched, valid);
    if (status != REFRAIN_OK || *valid)
        return status;
    *valid = true;
    links_free(l);
    status = links_find(r->b, r->scope, l);
    if (status == REFRAIN_OK)
        foresee_cuts(r, l);
    for (uint32_t q = 0; q < r->scope->n && status == REFRAIN_OK; q++) {
        if (!sequence_set_add(&r->touched, q))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* Cuts until nothing remains to be cut. */
static enum refrain_status settle(struct regularizer *r, struct links *links)
{
    enum refrain_status status = REFRAIN_OK;
    bool valid = false;
    do {
        status = find_links(r, links, &valid);
        if (status == REFRAIN_OK && !r->too_often)
            status = cut_touched(r, links);
        if (status == REFRAIN_OK && r->too_often) {
            status = begin_anew(r);
            valid = false;
        }
    } while (status == REFRAIN_OK && (r->cut.list.n > 0 || !valid));
    return status;
}

/* ---- two alternatives ------------------------------------------------------------------------ */

static uint64_t count_constructs(const struct scope *s)
{
    uint64_t n = 0;
    for (size_t q = 0; q < s->n; q++) {
        for (size_t i = 0; i < s->sequences[q].items.n; i++)
            n += construct_size(s->sequences[q].items.items[i].construct);
    }
    return n;
}

/* Exchanges the present sequences with the saved ones. */
static void exchange(struct scope *s, struct sequence *others)
{
    for (size_t q = 0; q < s->n; q++) {
        const struct sequence now = s->sequences[q];
        s->sequences[q] = others[q];
        others[q] = now;
    }
}

static enum refrain_status try_least(struct regularizer *r, struct links *links)
{
    struct scope *s = r->scope;
    const uint64_t before = count_constructs(s);
    struct sequence *others = calloc(s->n, sizeof *others);
    if (!others) {
        log_error("out of memory: sequences of %zu processes", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t q = 0; q < s->n; q++)
        others[q].process = s->sequences[q].process;
    exchange(s, others);
    memset(r->left_alone, 0, r->firsts[s->n] * sizeof *r->left_alone);
    memset(r->cuts, 0, r->firsts[s->n] * sizeof *r->cuts);
    r->least = true;
    enum refrain_status status = begin_anew(r);
    if (status == REFRAIN_OK)
        status = settle(r, links);
    if (status == REFRAIN_OK && count_constructs(s) >= before) {
        exchange(s, others);
        links_free(links);
        status = links_find(r->b, s, links);
    }
    for (size_t q = 0; q < s->n; q++)
        array_free(&others[q].items);
    free(others);
    return status;
}

enum refrain_status model_regularize(struct builder *b, struct scope *s, struct links *links)
{
    struct regularizer r = {.b = b, .scope = s};
    *links = (struct links){0};
    enum refrain_status status = sequence_set_create(&r.touched, s->n);
    if (status == REFRAIN_OK)
        status = sequence_set_create(&r.cut, s->n);
    if (status == REFRAIN_OK)
        status = scope_unroll(b, s);
    if (status == REFRAIN_OK)
        status = note_origins(&r);
    if (status == REFRAIN_OK)
        status = settle(&r, links);
    if (status == REFRAIN_OK && r.most > CUTS_FEW)
        status = try_least(&r, links);
    sequence_set_free(&r.touched);
    sequence_set_free(&r.cut);
    free(r.first);
    free(r.firsts);
    free(r.cuts);
    free(r.left_alone);
    return status;
}
