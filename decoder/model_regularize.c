/* Loops are cut so that each of them meets one other construct at the far end of each channel that it uses.
 *
 *     a loop whose users lie on both sides of a bound is split at the iteration where the bound is:
 *
 *         0: for 10 { send 1 }                          for 4 { send 1 }  for 6 { send 1 }
 *         1: for 4 { recv 0 }  x  for 6 { recv 0 }
 *
 *     where the bound is inside of the first iteration, the loop is shifted by what comes before:
 *
 *         0: for 3 { send 1 a  send 1 b }               send 1 a  for 2 { send 1 b  send 1 a }  send 1 b
 *         1: recv 0 a  x  for 2 { recv 0 b  recv 0 a }  recv 0 b
 *
 * All loops are looked at, and cut at the first bound that they have, until none has one; but for the first
 * time only in sequences that have been cut, or that have a new bound. Each bound is where some construct
 * ends, and stays one, so it does not matter in which order they are cut.
 *
 * Two loops that meet each other one iteration off would be cut to pieces, each bound making the next. So a
 * loop that has been cut too often is left alone: everything begins anew without touching it. */
#include "model_impl.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

#define CUTS_MAX         256
#define SEQUENCES_A_TASK 64

struct regularizer {
    struct builder *b;
    struct scope *scope;
    struct construct **first; /* the constructs at the beginning, by origin */
    uint32_t *firsts;         /* by sequence: its first origin; one more at the end */
    uint32_t *cuts;           /* by origin */
    bool *left_alone;
    struct sequence_set touched; /* to be looked at, since there are new bounds */
    struct sequence_set cut;     /* by that */
    bool too_often;              /* a loop has been cut too often */
};

/* A loop is to be cut: behind so many iterations, or, if that is none, at a place in the first; then behind
 * the same place in the last, too. */
struct demand {
    uint64_t iterations; /* UINT64_MAX: nowhere */
    struct cut cut;
    bool possible;
};

/* ---- where to cut ---------------------------------------------------------------------------------------
 */

/* The last place in the body that one of the uses has behind its first `m` users, of those with the next
 * bound there, at most one iteration away. */
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

/* Of a loop that is to be cut behind its first iteration: would that make new bounds, and would it make none
 * to shift it by what the first bounds are behind?
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
    if (status == REFRAIN_OK && d->possible && d->cut.n > 0 && is_better_shifted(l, body, uses, n, &d->cut))
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

/* ---- sequences ------------------------------------------------------------------------------------------
 */

static enum refrain_status put_items(struct sequence *to, const struct construct_list *from, uint32_t origin)
{
    if (!array_reserve(&to->items, from->all.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < from->all.n; i++)
        to->items.items[to->items.n++] = (struct sequence_item){from->all.items[i], origin};
    return REFRAIN_OK;
}

/* An item of sequence q, cut if it has to be, and unrolled. */
static enum refrain_status take_item(struct regularizer *r, const struct links *l, uint32_t q,
                                     const struct sequence_item *item, const struct use *uses, size_t n,
                                     struct sequence *to)
{
    struct construct *c = item->construct;
    struct construct_list pieces = {0}, unrolled = {0};
    struct demand demand = {.iterations = UINT64_MAX};
    enum refrain_status status = REFRAIN_OK;
    if (construct_is_loop(c) && !r->left_alone[item->origin]) {
        status = find_demand(r, l, c->body, uses, n, &demand);
        if (status == REFRAIN_OK && !demand.possible &&
            (status = loop_unroll_inside(r->b, c, &c)) == REFRAIN_OK)
            status = find_demand(r, l, c->body, uses, n, &demand);
    }
    if (status != REFRAIN_OK)
        goto out;
    if (demand.iterations == UINT64_MAX || !demand.possible) {
        status = array_push(&to->items, *item) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        goto out;
    }
    r->too_often = ++r->cuts[item->origin] > CUTS_MAX || r->too_often;
    if (!sequence_set_add(&r->cut, q))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = cut_loop(r, c, &demand, &pieces);
    if (status == REFRAIN_OK) {
        const struct system s = {.items = pieces.all.items, .n = pieces.all.n};
        status = system_unroll(r->b, &s, &unrolled);
    }
    if (status == REFRAIN_OK)
        status = put_items(to, &unrolled, item->origin);
out:
    array_free(&pieces.all);
    array_free(&unrolled.all);
    return status;
}

/* Cut each loop of a sequence once. */
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
        status = take_item(r, l, q, &s->items.items[at], n > 0 ? &in->items[u] : NULL, n, &next);
        u += n;
    }
    array_free(&s->items);
    *s = next;
    return status;
}

/* Those of all that are touched. Where nothing is, there is no bound inside of a loop that was not there when
 * it was looked at last. */
static enum refrain_status cut_touched(struct regularizer *r, const struct links *l)
{
    enum refrain_status status = REFRAIN_OK;
    sequence_set_clear(&r->cut);
    for (size_t i = 0; i < r->touched.list.n && status == REFRAIN_OK; i++)
        status = cut_sequence(r, l, r->touched.list.items[i]);
    sequence_set_clear(&r->touched);
    return status;
}

/* ---- beginning ------------------------------------------------------------------------------------------
 */

static enum refrain_status unroll_sequence(struct builder *b, struct sequence *s)
{
    struct construct_list list = {0}, unrolled = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->items.n && status == REFRAIN_OK; i++) {
        if (!array_push(&list.all, s->items.items[i].construct))
            status = REFRAIN_ERR_MEMORY;
    }
    const struct system as_system = {.items = list.all.items, .n = list.all.n};
    if (status == REFRAIN_OK)
        status = system_unroll(b, &as_system, &unrolled);
    s->items.n = 0;
    if (status == REFRAIN_OK)
        status = put_items(s, &unrolled, 0);
    array_free(&list.all);
    array_free(&unrolled.all);
    return status;
}

static enum refrain_status unroll_some(void *context, size_t number, unsigned thread)
{
    const struct regularizer *r = context;
    const size_t first = number * SEQUENCES_A_TASK, left = r->scope->n - first;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < left && i < SEQUENCES_A_TASK && status == REFRAIN_OK; i++)
        status = unroll_sequence(&r->b->all[thread], &r->scope->sequences[first + i]);
    return status;
}

/* To find what constructs use is much of the work. Sequences can do that side by side as soon as no more
 * channels are found by it. */
static enum refrain_status unroll_all(struct regularizer *r)
{
    const size_t n = (r->scope->n + SEQUENCES_A_TASK - 1) / SEQUENCES_A_TASK;
    enum refrain_status status = REFRAIN_OK;
    if (r->b->channels->settled && n > 1)
        return crew_run(r->b->crew, r->b->thread, n, unroll_some, r);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = unroll_some(r, i, r->b->thread);
    return status;
}

/* Remember where everything is from. */
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

/* Begin anew without those that have been cut too often. */
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

/* Links of the sequences as they are now, and what has to be looked at: what has come about by the last cuts,
 * or everything. */
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
    for (uint32_t q = 0; q < r->scope->n && status == REFRAIN_OK; q++) {
        if (!sequence_set_add(&r->touched, q))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

enum refrain_status model_regularize(struct builder *b, struct scope *s, struct links *links)
{
    struct regularizer r = {.b = b, .scope = s};
    bool valid = false;
    *links = (struct links){0};
    enum refrain_status status = sequence_set_create(&r.touched, s->n);
    if (status == REFRAIN_OK)
        status = sequence_set_create(&r.cut, s->n);
    if (status == REFRAIN_OK)
        status = unroll_all(&r);
    if (status == REFRAIN_OK)
        status = note_origins(&r);
    do {
        if (status == REFRAIN_OK)
            status = find_links(&r, links, &valid);
        if (status == REFRAIN_OK)
            status = cut_touched(&r, links);
        if (status == REFRAIN_OK && r.too_often) {
            status = begin_anew(&r);
            valid = false;
        }
    } while (status == REFRAIN_OK && (r.cut.list.n > 0 || !valid));
    sequence_set_free(&r.touched);
    sequence_set_free(&r.cut);
    free(r.first);
    free(r.firsts);
    free(r.cuts);
    free(r.left_alone);
    return status;
}
