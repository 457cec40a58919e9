/* SPDX-License-Identifier: BSD-3-Clause */
#include "nlr_impl.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

struct nlr *nlr_create(size_t window)
{
    struct nlr *s = calloc(1, sizeof *s);
    if (!s) {
        log_error("out of memory: a model of loops");
        return NULL;
    }
    s->window = window > 0 ? window : NLR_WINDOW;
    s->settled = true;
    return s;
}

void nlr_clear(struct nlr *s)
{
    array_free(&s->nodes);
    array_free(&s->words);
    array_free(&s->tops);
    s->settled = true;
    s->following = s->barred = false;
}

void nlr_free(struct nlr *s)
{
    if (!s)
        return;
    nlr_clear(s);
    free(s);
}

/* ---- appending ------------------------------------------------------------------------------- */

/* The new event does not continue the loop at the end. *again: after this step it may. */
static enum refrain_status make_way(struct nlr *s, bool *again)
{
    enum refrain_status status = REFRAIN_OK;
    *again = false;
    if (s->following) {
        *again = true;
        return nlr_unfollow(s);
    }
    if (!s->settled && (status = nlr_reduce(s, again)) == REFRAIN_OK) {
        s->settled = true;
        s->barred = s->barred && !*again;
    }
    return status;
}

/* Rules are not applied to a loop that was just made or has grown until no event continues it. For
 * loop 160 { a }  three times, the third is a loop from its third iteration on. */
enum refrain_status nlr_append(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n)
{
    enum refrain_status status;
    bool again, changed;
    do {
        if (nlr_follow_event(s, template, numbers, n))
            return REFRAIN_OK;
        if ((status = make_way(s, &again)) != REFRAIN_OK)
            return status;
    } while (again);
    if ((status = nlr_put_event(s, template, numbers, n)) != REFRAIN_OK)
        return status;
    s->barred = false;
    status = nlr_reduce_once(s, &changed);
    s->settled = !changed;
    return status;
}

/* If a loop's other elements are empty, each new event would be a whole iteration: an element that
 * passes through a whole iteration becomes a separate loop. */
static enum refrain_status append_loop(struct nlr *s, const struct nlr *from, size_t loop)
{
    struct nlr rest = {0};
    unsigned ends = 0; /* of iterations */
    enum refrain_status status = REFRAIN_OK;
    bool again = true;
    while (again && status == REFRAIN_OK) {
        const uint64_t count = from->words.items[from->nodes.items[loop].first];
        uint64_t taken = ends < 2 ? nlr_follow_loop(s, from, loop) : 0;
        if (taken == 0 && ends < 2)
            taken = nlr_follow_iteration(s, from, loop);
        if (taken == 0) {
            status = make_way(s, &again);
            continue;
        }
        if (taken == count)
            goto out;
        ends += !s->following;
        struct nlr left = {0};
        status = nlr_put_rest(&left, from, loop, taken);
        nlr_clear(&rest);
        rest = left;
        from = &rest;
        loop = 0;
        if (status == REFRAIN_OK && count - taken < NLR_LEAST) {
            status = nlr_append_element(s, from, loop);
            goto out;
        }
    }
    if (status == REFRAIN_OK)
        status = nlr_put_element(s, from, loop);
    s->barred = s->settled = false;
out:
    nlr_clear(&rest);
    return status;
}

static enum refrain_status append_elements(struct nlr *s, const struct nlr *from)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t t = 0; t < from->tops.n && status == REFRAIN_OK; t++)
        status = nlr_append_element(s, from, from->tops.items[t].node);
    return status;
}

enum refrain_status nlr_append_element(struct nlr *s, const struct nlr *from, size_t node)
{
    assert(s != from);
    const struct nlr_node *element = &from->nodes.items[node];
    const uint64_t *words = from->words.items + element->first;
    if (!nlr_is_loop(element))
        return nlr_append(s, element->template, (const int64_t *)words, element->n);
    if ((int64_t)words[0] >= NLR_LEAST)
        return append_loop(s, from, node);
    enum refrain_status status = REFRAIN_OK;
    for (int64_t i = 0; i < (int64_t)words[0] && status == REFRAIN_OK; i++) {
        struct nlr once = {0};
        status = nlr_put_body(&once, from, node, (uint64_t)i);
        if (status == REFRAIN_OK)
            status = append_elements(s, &once);
        nlr_clear(&once);
    }
    return status;
}

/* Can everything be put into one more loop? */
static bool has_room(const struct nlr *s)
{
    for (size_t k = 0; k < s->nodes.n; k++) {
        if (s->nodes.items[k].depth >= NLR_DEPTH_MAX - 1)
            return false;
    }
    return true;
}

enum refrain_status nlr_append_model(struct nlr *s, const struct nlr *tail, uint64_t times)
{
    assert(s != tail && !tail->following);
    if (times >= NLR_LEAST && has_room(tail))
        return nlr_append_loop(s, tail, tail, times);
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t i = 0; i < times && status == REFRAIN_OK; i++)
        status = append_elements(s, tail);
    return status;
}

/* A loop whose body is two blocks that continue each other, and whose iterations do so, too, is a
 * loop over a single block:  loop n { a 2i  a 2i + 1 }  ->  loop 2n { a i }. With more than two
 * blocks, the body would already be a loop. */
static bool halve(struct nlr *loop)
{
    const size_t w = (loop->nodes.n - 1) / 2;
    const struct nlr_node *nodes = loop->nodes.items;
    if (loop->tops.items[0].children % 2 != 0 || loop->nodes.n != 2 * w + 1)
        return false;
    for (size_t k = 1; k <= w; k++) {
        const struct nlr_node *a = &nodes[k], *b = &nodes[k + w];
        if (!nlr_same_kind(a, b) || a->depth != b->depth)
            return false;
        for (uint32_t j = 0; j < a->n; j++) {
            const uint64_t *x = nlr_number(loop, a, j), *y = nlr_number(loop, b, j);
            if (x[1] != 2 * (y[0] - x[0]) || !nlr_words_equal(x + 1, y + 1, a->depth))
                return false;
        }
    }
    return true;
}

static enum refrain_status put_halves(struct nlr *loop)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && halve(loop)) {
        struct nlr half = {0};
        const size_t w = (loop->nodes.n - 1) / 2;
        status = nlr_put_body(&half, loop, 0, 0);
        if (status == REFRAIN_OK) {
            const uint64_t count = 2 * *nlr_count(loop, 0);
            nlr_cut(loop, 0);
            status = nlr_put_loop(loop, (struct nlr_piece){&half, 0}, (struct nlr_piece){&half, w}, w, count);
        }
        nlr_clear(&half);
    }
    return status;
}

/* A loop of loops is one loop if each of them begins where the previous one ended. */
enum refrain_status nlr_append_loop(struct nlr *s, const struct nlr *first, const struct nlr *second,
                                    uint64_t count)
{
    assert(count >= 2 && nlr_fit(first, second) && s != first && s != second);
    const struct nlr_piece a = {first, 0}, b = {second, 0};
    struct nlr loop = {0};
    enum refrain_status status;
    if (first->tops.n == 0)
        return REFRAIN_OK;
    if (first->tops.n == 1 && nlr_goes_on(a, b)) {
        if ((status = nlr_put_element(&loop, first, 0)) == REFRAIN_OK)
            *nlr_count(&loop, 0) *= count;
    } else {
        status = nlr_put_loop(&loop, a, b, first->nodes.n, count);
        if (status == REFRAIN_OK)
            status = put_halves(&loop);
    }
    if (status == REFRAIN_OK)
        status = nlr_append_element(s, &loop, 0);
    nlr_clear(&loop);
    return status;
}

enum refrain_status nlr_finish(struct nlr *s)
{
    enum refrain_status status = REFRAIN_OK;
    bool again = true;
    while (again && status == REFRAIN_OK)
        status = make_way(s, &again);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

bool nlr_fit(const struct nlr *a, const struct nlr *b)
{
    if (a->nodes.n != b->nodes.n || !has_room(a))
        return false;
    for (size_t k = 0; k < a->nodes.n; k++) {
        const struct nlr_node *x = &a->nodes.items[k], *y = &b->nodes.items[k];
        if (!nlr_same_kind(x, y) || x->depth != y->depth)
            return false;
        for (uint32_t j = 0; j < x->n; j++) {
            const uint64_t *v = nlr_number(a, x, j), *w = nlr_number(b, y, j);
            if ((nlr_is_loop(x) && v[0] != w[0]) || !nlr_words_equal(v + 1, w + 1, x->depth))
                return false;
        }
    }
    return true;
}

bool nlr_continues(const struct nlr *a, const struct nlr *b, const struct nlr *c, uint64_t k)
{
    if (!nlr_fit(a, b) || !nlr_fit(a, c))
        return false;
    for (size_t w = 0; w < a->words.n; w++) {
        if (c->words.items[w] != a->words.items[w] + (b->words.items[w] - a->words.items[w]) * k)
            return false;
    }
    return true;
}
