/* SPDX-License-Identifier: BSD-3-Clause */
/* Prediction: while new events continue the last loop, nothing is appended and no rule is tried. A
 * path follows the loop's next iteration.
 *
 *     loop 7 { a  loop 160 { b } }        so far: a b b b        next: the b for index 3 of the inner loop
 *
 * If another event comes, a  loop 3 { b } is appended after the loop, as without prediction. */
#include "nlr_impl.h"

#include <assert.h>

/* Sets the path to the beginning of the loop's next iteration. Returns false if there is none. */
static bool start(struct nlr *s)
{
    if (s->following)
        return true;
    if (s->barred || !nlr_ends_in_loop(s))
        return false;
    const size_t loop = s->tops.items[s->tops.n - 1].node;
    const uint64_t count = *nlr_count(s, loop);
    struct nlr_path *p = &s->next;
    p->model = s;
    p->at = loop + 1;
    p->end = nlr_end_of(s, loop);
    p->depth = 1;
    p->frames[0] = (struct nlr_frame){.loop = loop, .index = count, .count = count + 1};
    nlr_path_settle(p);
    return p->at < p->end; /* all of it may be empty */
}

/* The event at the path has come: advances the path, and counts the iteration if it is complete. */
static void take(struct nlr *s)
{
    s->following = true;
    nlr_path_pass(&s->next);
    if (s->next.depth > 0)
        return;
    ++*nlr_count(s, s->tops.items[s->tops.n - 1].node);
    s->following = s->settled = false;
}

bool nlr_follow_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n)
{
    if (!start(s))
        return false;
    struct nlr_path *p = &s->next, before;
    const bool enters = nlr_is_loop(&s->nodes.items[p->at]);
    if (enters)
        before = *p;
    const struct nlr_node *node = nlr_path_event(p);
    bool same = node && node->template == template && node->n == n;
    for (uint32_t k = 0; same && k < n; k++)
        same = nlr_path_number(p, node, k) == (uint64_t)numbers[k];
    if (same)
        take(s);
    else if (enters)
        *p = before; /* the inner loop has had no event */
    return same;
}

uint64_t nlr_follow_loop(struct nlr *s, const struct nlr *from, size_t loop)
{
    assert(nlr_is_loop(&from->nodes.items[loop]));
    if (!start(s))
        return 0;
    const struct nlr_path *p = &s->next;
    const struct nlr_node *expected = &s->nodes.items[p->at], *given = &from->nodes.items[loop];
    const uint32_t depth = p->depth;
    if (!nlr_is_loop(expected) || expected->span != given->span)
        return 0;
    const uint64_t count = nlr_path_number(p, expected, 0), has = from->words.items[given->first];
    if ((int64_t)count > (int64_t)has)
        return 0;
    for (uint32_t k = given->span; k-- > 0;) {
        const struct nlr_node *a = &expected[k], *b = &given[k];
        if (!nlr_same_kind(a, b) || a->depth != b->depth + depth)
            return 0;
        for (uint32_t j = 0; j < a->n; j++) {
            const uint64_t *x = nlr_number(s, a, j), *y = nlr_number(from, b, j);
            if ((k > 0 && nlr_path_number(p, a, j) != y[0]) ||
                !nlr_words_equal(x + depth + 1, y + 1, b->depth))
                return 0;
        }
    }
    take(s);
    return count;
}

bool nlr_follow_iteration(struct nlr *s, const struct nlr *from, size_t loop)
{
    assert(nlr_is_loop(&from->nodes.items[loop]));
    if (!start(s) || s->next.depth != 1)
        return false;
    struct nlr_path *p = &s->next;
    const struct nlr_node *expected = &s->nodes.items[p->at], *given = &from->nodes.items[loop + 1];
    const uint32_t w = from->nodes.items[loop].span - 1;
    size_t elements = 0;
    if (w > p->end - p->at)
        return false;
    for (uint32_t k = 0; k < w; k++) {
        const struct nlr_node *a = &expected[k], *b = &given[k];
        if (!nlr_same_kind(a, b) || a->depth != b->depth)
            return false;
        for (uint32_t j = 0; j < a->n; j++) {
            const uint64_t *x = nlr_number(s, a, j), *y = nlr_number(from, b, j);
            if (nlr_path_number(p, a, j) != y[0] || !nlr_words_equal(x + 2, y + 2, b->depth - 1))
                return false;
        }
        if (b->depth > 1)
            continue;
        if (nlr_is_loop(b) && (int64_t)*nlr_number(from, b, 0) <= 0)
            return false;
        elements++;
    }
    while (elements-- > 0)
        take(s);
    return true;
}

/* Appends the loop at `node` of `from` up to the position of the path in it: its frame number
 * `level`. */
static enum refrain_status put_part(struct nlr *s, const struct nlr *from, size_t node, uint32_t level,
                                    const struct nlr_path *p)
{
    const struct nlr_frame *f = &p->frames[level];
    const size_t inner = level + 1 < p->depth ? p->frames[level + 1].loop : p->at;
    struct nlr body = {0}, done = {0};
    enum refrain_status status = nlr_put_body(&body, from, node, f->index);
    size_t t = 0;
    /* Distances between nodes are the same in a body and in the loop itself. */
    for (; status == REFRAIN_OK && t < body.tops.n && body.tops.items[t].node < inner - f->loop - 1; t++)
        status = nlr_append_element(s, &body, body.tops.items[t].node);
    if (status != REFRAIN_OK || level + 1 == p->depth)
        goto out;
    const size_t part = body.tops.items[t].node;
    if ((status = nlr_put_element(&done, &body, part)) != REFRAIN_OK)
        goto out;
    *nlr_count(&done, 0) = p->frames[level + 1].index;
    status = nlr_append_element(s, &done, 0);
    if (status == REFRAIN_OK)
        status = put_part(s, &body, part, level + 1, p);
out:
    nlr_clear(&done);
    nlr_clear(&body);
    return status;
}

enum refrain_status nlr_unfollow(struct nlr *s)
{
    assert(s->following);
    const struct nlr_path path = s->next;
    struct nlr loop = {0};
    s->following = false;
    enum refrain_status status = nlr_put_element(&loop, s, path.frames[0].loop);
    s->barred = true; /* otherwise it would be followed again */
    if (status == REFRAIN_OK)
        status = put_part(s, &loop, 0, 0, &path);
    nlr_clear(&loop);
    return status;
}
