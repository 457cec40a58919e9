/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts loops inside an iteration. */
#include "model_impl.h"

#define UNROLLED_MAX 4096 /* constructs that a loop may become */

/* ---- finding the place ----------------------------------------------------------------------- */

/* Finds the construct of a body that has user number *m of an end. *m becomes the user's number
 * within that construct. */
static enum refrain_status find_user(struct builder *b, const struct system *body, uint32_t end, uint64_t *m,
                                     size_t *at, bool *found)
{
    enum refrain_status status = REFRAIN_OK;
    *found = false;
    for (size_t i = 0; i < body->n; i++) {
        struct construct *c = body->items[i];
        if ((status = model_find_flows(b, c)) != REFRAIN_OK || c->flowing == FLOWS_IRREGULAR)
            return status;
        const uint64_t n = construct_flow(c, end) * construct_times(c);
        if (*m <= n) {
            *at = i;
            *found = true;
            return REFRAIN_OK;
        }
        *m -= n;
    }
    return REFRAIN_OK;
}

enum refrain_status cut_find(struct builder *b, const struct system *body, uint32_t end, uint64_t m,
                             struct cut *out, bool *found)
{
    size_t at = 0;
    out->n = 0;
    for (;;) {
        const enum refrain_status status = find_user(b, body, end, &m, &at, found);
        if (status != REFRAIN_OK || !*found)
            return status;
        const struct construct *c = body->items[at];
        const uint64_t each = construct_flow(c, end), times = construct_is_loop(c) ? m / each : 1;
        struct cut_level *level = &out->levels[out->n++];
        if (times == construct_times(c)) {
            *level = (struct cut_level){at + 1, 0};
            return REFRAIN_OK;
        }
        *level = (struct cut_level){at, times};
        if ((m %= each) == 0)
            return REFRAIN_OK;
        body = c->body;
    }
}

bool cut_is_before(const struct cut *a, const struct cut *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        const struct cut_level *x = &a->levels[i], *y = &b->levels[i];
        if (x->at != y->at)
            return x->at < y->at;
        if (x->times != y->times)
            return x->times < y->times;
    }
    return a->n < b->n;
}

uint64_t cut_count(const struct system *body, const struct cut *cut, uint32_t end)
{
    uint64_t n = 0;
    for (uint32_t level = 0; level < cut->n; level++) {
        const struct cut_level *in = &cut->levels[level];
        for (size_t i = 0; i < in->at; i++)
            n += construct_flow(body->items[i], end) * construct_times(body->items[i]);
        if (in->at == body->n)
            break;
        n += construct_flow(body->items[in->at], end) * in->times;
        body = body->items[in->at]->body;
    }
    return n;
}

/* ---- cutting --------------------------------------------------------------------------------- */

static enum refrain_status put_range(const struct system *s, size_t first, size_t end,
                                     struct construct_list *out)
{
    if (!array_reserve(&out->all, end - first))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = first; i < end; i++)
        out->all.items[out->all.n++] = s->items[i];
    return REFRAIN_OK;
}

/* Splits a body into two parts, from a level of the cut on. */
static enum refrain_status split(struct arena *a, const struct system *body, const struct cut *cut,
                                 uint32_t level, struct construct_list *before, struct construct_list *behind)
{
    const size_t at = cut->levels[level].at;
    const uint64_t times = cut->levels[level].times;
    const bool last = level + 1 == cut->n;
    enum refrain_status status = put_range(body, 0, at, before);
    if (status != REFRAIN_OK || (last && times == 0))
        return status == REFRAIN_OK ? put_range(body, at, body->n, behind) : status;

    const struct construct *loop = body->items[at];
    uint64_t rest = construct_times(loop) - times;
    struct construct_list iteration = {0};
    status = loop_slice(a, loop, 0, times, before);
    if (status == REFRAIN_OK && !last) {
        status = loop_slice(a, loop, times, 1, &iteration);
        const struct system *inner = status == REFRAIN_OK ? system_of(a, &iteration) : NULL;
        status = inner ? split(a, inner, cut, level + 1, before, behind) : REFRAIN_ERR_MEMORY;
        rest--;
    }
    array_free(&iteration.all);
    if (status == REFRAIN_OK)
        status = loop_slice(a, loop, construct_times(loop) - rest, rest, behind);
    return status == REFRAIN_OK ? put_range(body, at + 1, body->n, behind) : status;
}

/* Makes a loop of n - 1 iterations, each the second part followed by the first part of the next
 * iteration. */
static enum refrain_status put_shifted(struct arena *a, const struct construct *loop,
                                       const struct system *before, const struct system *behind,
                                       struct construct_list *out)
{
    const struct reindex next = {REINDEX_SHIFT, loop->depth, 1};
    struct construct_list list = {0};
    enum refrain_status status = put_range(behind, 0, behind->n, &list);
    if (status == REFRAIN_OK)
        status = system_reindex(a, before, next, &list);
    const struct system *body = status == REFRAIN_OK ? system_of(a, &list) : NULL;
    const struct construct *whole = body ? construct_loop(a, loop->depth, loop->count, body) : NULL;
    array_free(&list.all);
    return whole ? loop_slice(a, whole, 0, construct_times(loop) - 1, out) : REFRAIN_ERR_MEMORY;
}

enum refrain_status loop_shift(struct arena *a, const struct construct *loop, const struct cut *cut,
                               struct construct_list *out)
{
    const uint64_t n = construct_times(loop);
    const struct reindex first = {REINDEX_FIX, loop->depth, 0}, last = {REINDEX_FIX, loop->depth, n - 1};
    struct construct_list lists[2] = {0};
    enum refrain_status status = split(a, loop->body, cut, 0, &lists[0], &lists[1]);
    const struct system *before = status == REFRAIN_OK ? system_of(a, &lists[0]) : NULL;
    const struct system *behind = before ? system_of(a, &lists[1]) : NULL;
    array_free(&lists[0].all);
    array_free(&lists[1].all);
    if (!behind)
        return REFRAIN_ERR_MEMORY;
    if ((status = system_reindex(a, before, first, out)) == REFRAIN_OK &&
        (status = put_shifted(a, loop, before, behind, out)) == REFRAIN_OK)
        status = system_reindex(a, behind, last, out);
    return status;
}

/* ---- unrolling ------------------------------------------------------------------------------- */

/* Is it a loop of at most one iteration? */
static bool is_no_loop(const struct construct *c)
{
    for (uint32_t d = 0; d < c->depth && construct_is_loop(c); d++) {
        if (c->count[1 + d] != 0)
            return false;
    }
    return construct_is_loop(c) && construct_times(c) < 2;
}

static uint64_t size_of(const struct system *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += construct_size(s->items[i]);
    return n;
}

uint64_t construct_size(const struct construct *c)
{
    return 1 + (construct_is_loop(c) ? size_of(c->body) : 0);
}

static enum refrain_status unroll(struct builder *b, struct construct *c, struct construct_list *out)
{
    struct construct_list iterations = {0};
    enum refrain_status status = model_find_flows(b, c);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t times = construct_times(c);
    if (!is_no_loop(c) &&
        (c->flowing != FLOWS_IRREGULAR || times > UNROLLED_MAX || size_of(c->body) * times > UNROLLED_MAX))
        return array_push(&out->all, c) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint64_t i = 0; i < times && status == REFRAIN_OK; i++)
        status = loop_slice(&b->arena, c, i, 1, &iterations);
    for (size_t i = 0; i < iterations.all.n && status == REFRAIN_OK; i++)
        status = unroll(b, iterations.all.items[i], out);
    array_free(&iterations.all);
    return status;
}

enum refrain_status system_unroll(struct builder *b, const struct system *s, struct construct_list *out)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++)
        status = unroll(b, s->items[i], out);
    return status;
}

enum refrain_status loop_unroll_inside(struct builder *b, const struct construct *loop,
                                       struct construct **out)
{
    struct arena *a = &b->arena;
    struct construct_list list = {0};
    struct construct *made = NULL;
    enum refrain_status status = system_unroll(b, loop->body, &list);
    for (size_t i = 0; i < list.all.n && status == REFRAIN_OK; i++) {
        if (construct_is_loop(list.all.items[i]))
            status = loop_unroll_inside(b, list.all.items[i], &list.all.items[i]);
    }
    const struct system *body = status == REFRAIN_OK ? system_of(a, &list) : NULL;
    array_free(&list.all);
    if (body)
        made = construct_loop(a, loop->depth, loop->count, body);
    if (!made)
        return status == REFRAIN_OK ? REFRAIN_ERR_MEMORY : status;
    *out = made;
    return REFRAIN_OK;
}
