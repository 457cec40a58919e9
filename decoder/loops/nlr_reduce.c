/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that reduce the end of a model. A block, such as A below, has up to `window` neighbouring
 * elements.
 *
 *     fold     A A' A"   in affine progression             ->  loop 3 { A }
 *     grow     loop n { A } and iteration n              ->  loop n + 1 { A }
 *     join     loop n { A }   loop m { A }, continuing ->  loop n + m { A }
 *     absorb   iteration -1   loop n { A }                 ->  loop n + 1 { A }
 *     rotate   B   loop n { A B }                          ->  loop n { B A }   B
 *
 * Counts of loops in A are numbers like others, so that bounds become affine, too. */
#include "nlr_impl.h"

/* Are the w nodes at `block`, outside of loops, equal to those at `body`, directly inside one
 * loop, for index i? The last node is compared first: an iteration that has not ended differs
 * there. */
static bool is_iteration(const struct nlr *s, size_t body, size_t block, size_t w, uint64_t i)
{
    for (size_t k = w; k-- > 0;) {
        const struct nlr_node *a = &s->nodes.items[body + k], *b = &s->nodes.items[block + k];
        if (!nlr_same_kind(a, b) || a->depth != b->depth + 1)
            return false;
        for (uint32_t j = 0; j < a->n; j++) {
            const uint64_t *x = nlr_number(s, a, j), *y = nlr_number(s, b, j);
            if (y[0] != x[0] + x[1] * i || !nlr_words_equal(x + 2, y + 1, b->depth))
                return false;
        }
    }
    return true;
}

/* Are three blocks of w nodes, the first at `first`, of one template and in affine progression,
 * and is one more loop level possible? */
static bool is_progression(const struct nlr *s, size_t first, size_t w)
{
    for (size_t k = w; k-- > 0;) {
        const struct nlr_node *a = &s->nodes.items[first + k], *b = a + w, *c = b + w;
        if (!nlr_same_kind(a, b) || !nlr_same_kind(b, c) || a->depth != b->depth || b->depth != c->depth ||
            a->depth == NLR_DEPTH_MAX - 1)
            return false;
        for (uint32_t j = 0; j < a->n; j++) {
            const uint64_t *x = nlr_number(s, a, j), *y = nlr_number(s, b, j), *z = nlr_number(s, c, j);
            if (y[0] - x[0] != z[0] - y[0] || !nlr_words_equal(x + 1, y + 1, a->depth) ||
                !nlr_words_equal(y + 1, z + 1, a->depth))
                return false;
        }
    }
    return true;
}

bool nlr_goes_on(struct nlr_piece a, struct nlr_piece b)
{
    const struct nlr_node *in_a = a.model->nodes.items + a.node, *in_b = b.model->nodes.items + b.node;
    if (!nlr_is_loop(in_a) || !nlr_same_kind(in_a, in_b))
        return false;
    const uint64_t count = a.model->words.items[in_a->first];
    for (size_t k = in_a->span; k-- > 1;) {
        const struct nlr_node *x = &in_a[k], *y = &in_b[k];
        if (!nlr_same_kind(x, y) || x->depth != y->depth)
            return false;
        for (uint32_t j = 0; j < x->n; j++) {
            const uint64_t *v = nlr_number(a.model, x, j), *w = nlr_number(b.model, y, j);
            if (w[0] != v[0] + v[1] * count || !nlr_words_equal(v + 1, w + 1, x->depth))
                return false;
        }
    }
    return true;
}

static bool join(struct nlr *s)
{
    const size_t n = s->tops.n;
    if (n < 2 || !nlr_goes_on((struct nlr_piece){s, s->tops.items[n - 2].node},
                              (struct nlr_piece){s, s->tops.items[n - 1].node}))
        return false;
    *nlr_count(s, s->tops.items[n - 2].node) += *nlr_count(s, s->tops.items[n - 1].node);
    nlr_cut(s, n - 1);
    return true;
}

/* Are the nodes at `node`, outside of loops, equal to the `w` nodes of another model? */
static bool is_same(const struct nlr *s, size_t node, struct nlr_piece other, size_t w)
{
    const struct nlr_node *nodes = other.model->nodes.items + other.node;
    for (size_t j = w; j-- > 0;) {
        const struct nlr_node *a = &s->nodes.items[node + j], *b = &nodes[j];
        if (!nlr_same_kind(a, b) || a->depth != b->depth ||
            !nlr_words_equal(s->words.items + a->first, other.model->words.items + b->first,
                             a->n * (a->depth + 1)))
            return false;
    }
    return true;
}

/* Returns how many elements of `last`, from its end, are directly before the loop at the end. */
static size_t count_before(const struct nlr *s, const struct nlr *last)
{
    const size_t t = s->tops.n - 1;
    size_t n = 0;
    while (n < last->tops.n && n < t) {
        const size_t from = nlr_top_node(s, t - n - 1), in_last = nlr_top_node(last, last->tops.n - n - 1);
        const size_t w = nlr_top_node(last, last->tops.n - n) - in_last;
        if (nlr_top_node(s, t - n) - from != w || !is_same(s, from, (struct nlr_piece){last, in_last}, w))
            break;
        n++;
    }
    return n;
}

/* Replaces the `n` elements before the loop at the end: the loop begins with iteration -1. */
static enum refrain_status absorb(struct nlr *s, size_t n)
{
    const size_t t = s->tops.n - 1;
    struct nlr moved = {0};
    enum refrain_status status = nlr_put_rest(&moved, s, s->tops.items[t].node, UINT64_MAX);
    if (status == REFRAIN_OK) {
        nlr_cut(s, t - n);
        status = nlr_put_element(s, &moved, 0);
    }
    nlr_clear(&moved);
    return status;
}

/* Appends elements first … end - 1 of iteration i of a loop. */
static enum refrain_status put_part(struct nlr *s, const struct nlr *loop, uint64_t i, size_t first,
                                    size_t end)
{
    struct nlr body = {0};
    enum refrain_status status = nlr_put_body(&body, loop, 0, i);
    for (size_t t = first; t < end && status == REFRAIN_OK; t++)
        status = nlr_put_element(s, &body, body.tops.items[t].node);
    nlr_clear(&body);
    return status;
}

/* Appends elements and applies the rules: elements that were apart in the body may form a loop
 * now. */
static enum refrain_status put_reduced(struct nlr *s, const struct nlr *from)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t t = 0; t < from->tops.n && status == REFRAIN_OK; t++)
        status = nlr_append_element(s, from, from->tops.items[t].node);
    return status == REFRAIN_OK ? nlr_finish(s) : status;
}

/* Appends a loop whose iterations 0 and 1 are these. If these differ only in values of events, so
 * do the other iterations. */
static enum refrain_status put_rotated(struct nlr *s, const struct nlr *now, const struct nlr *then,
                                       uint64_t count)
{
    struct nlr now_reduced = {.window = s->window, .settled = true}, then_reduced = now_reduced;
    enum refrain_status status = REFRAIN_OK;
    if (nlr_fit(now, then)) {
        status = put_reduced(&now_reduced, now);
        if (status == REFRAIN_OK)
            status = put_reduced(&then_reduced, then);
        if (status == REFRAIN_OK && now_reduced.nodes.n < now->nodes.n &&
            nlr_fit(&now_reduced, &then_reduced)) {
            now = &now_reduced;
            then = &then_reduced;
        }
    }
    if (status == REFRAIN_OK)
        status =
            nlr_put_loop(s, (struct nlr_piece){now, 0}, (struct nlr_piece){then, 0}, now->nodes.n, count);
    nlr_clear(&then_reduced);
    nlr_clear(&now_reduced);
    return status;
}

/* Moves the beginning of the loop at the end by n elements to the front. */
static enum refrain_status rotate(struct nlr *s, size_t n)
{
    const size_t t = s->tops.n - 1, all = s->tops.items[t].children;
    struct nlr loop = {0}, now = {0}, then = {0}, last = {0};
    enum refrain_status status = nlr_put_element(&loop, s, s->tops.items[t].node);
    const uint64_t count = *nlr_count(s, s->tops.items[t].node);
    if (status == REFRAIN_OK)
        status = put_part(&now, &loop, UINT64_MAX, all - n, all);
    if (status == REFRAIN_OK)
        status = put_part(&now, &loop, 0, 0, all - n);
    if (status == REFRAIN_OK)
        status = put_part(&then, &loop, 0, all - n, all);
    if (status == REFRAIN_OK)
        status = put_part(&then, &loop, 1, 0, all - n);
    if (status == REFRAIN_OK) {
        nlr_cut(s, t - n);
        status = put_rotated(s, &now, &then, count);
    }
    if (status == REFRAIN_OK)
        join(s); /* in case the elements before it were rotated, too */
    if (status == REFRAIN_OK)
        status = nlr_put_body(&last, &loop, 0, count - 1);
    for (size_t k = all - n; k < all && status == REFRAIN_OK; k++)
        status = nlr_put_written_out(s, &last, last.tops.items[k].node);
    nlr_clear(&last);
    nlr_clear(&then);
    nlr_clear(&now);
    nlr_clear(&loop);
    return status;
}

/* If the elements before the loop at the end are its iteration -1 or the end of that, the loop
 * begins there. */
static enum refrain_status begin_earlier(struct nlr *s, bool *changed)
{
    const size_t t = s->tops.n - 1, loop = s->tops.items[t].node;
    const struct nlr_node *nodes = s->nodes.items;
    /* The last event of an iteration has the last node's template, unless that is in an empty
     * loop. */
    if (t == 0 ||
        (nodes[loop - 1].template != nodes[s->nodes.n - 1].template && nodes[s->nodes.n - 1].depth == 1))
        return REFRAIN_OK;
    struct nlr last = {0}, body = {0};
    enum refrain_status status = nlr_put_iteration(&last, s, loop, UINT64_MAX);
    *changed = status == REFRAIN_OK && last.tops.n > 0 && count_before(s, &last) == last.tops.n;
    if (*changed) {
        status = absorb(s, last.tops.n);
        goto out;
    }
    if (status == REFRAIN_OK)
        status = nlr_put_body(&body, s, loop, UINT64_MAX);
    const size_t n = status == REFRAIN_OK ? count_before(s, &body) : 0;
    if (n > 0 && n < body.tops.n) {
        *changed = true;
        status = rotate(s, n);
    }
out:
    nlr_clear(&body);
    nlr_clear(&last);
    return status;
}

/* If the b elements at the end are the next iteration of the loop before them, adds them to it. */
static bool grow(struct nlr *s, size_t b)
{
    const size_t n = s->tops.n, loop = s->tops.items[n - b - 1].node, block = s->tops.items[n - b].node;
    const size_t w = s->nodes.n - block;
    if (s->nodes.items[loop].span != w + 1 || !is_iteration(s, loop + 1, block, w, *nlr_count(s, loop)))
        return false;
    ++*nlr_count(s, loop);
    nlr_cut(s, n - b);
    return true;
}

/* If the last three blocks of b elements are a progression, makes a loop of them. */
static enum refrain_status fold(struct nlr *s, size_t b, bool *changed)
{
    const size_t n = s->tops.n, first = s->tops.items[n - 3 * b].node;
    const size_t w = s->tops.items[n - 2 * b].node - first;
    if (s->tops.items[n - b].node - first != 2 * w || s->nodes.n - first != 3 * w ||
        !is_progression(s, first, w))
        return REFRAIN_OK;
    struct nlr loop = {0};
    enum refrain_status status =
        nlr_put_loop(&loop, (struct nlr_piece){s, first}, (struct nlr_piece){s, first + w}, w, 3);
    if (status == REFRAIN_OK) {
        nlr_cut(s, n - 3 * b);
        status = nlr_put_element(s, &loop, 0);
        *changed = true;
    }
    nlr_clear(&loop);
    return status;
}

/* Can the last b elements be an iteration of the loop before them? */
static bool may_grow(const struct nlr_top *last, size_t b)
{
    return (last - b)->children == b;
}

/* Can these be the last elements of three blocks in progression? If there is no law, their sums
 * usually exclude it. */
static bool may_fold(const struct nlr_top *last, size_t b)
{
    const struct nlr_top *y = last - b, *x = y - b;
    return y->shape == last->shape && x->shape == last->shape && y->sum - x->sum == last->sum - y->sum;
}

/* Returns the next block size, from b on, for which a rule may apply; more than the window if
 * there is none. */
static size_t next_size(const struct nlr *s, size_t b)
{
    const size_t n = s->tops.n, most = s->window < n ? s->window : n, to_fold = n / 3 < most ? n / 3 : most;
    const size_t to_grow = most < n ? most : n - 1;
    const struct nlr_top *last = s->tops.items + n - 1;
    while (b <= to_fold && !may_grow(last, b) && !may_fold(last, b))
        b++;
    if (b <= to_fold)
        return b;
    while (b <= to_grow && !may_grow(last, b))
        b++;
    return b <= to_grow ? b : SIZE_MAX;
}

enum refrain_status nlr_reduce_once(struct nlr *s, bool *changed)
{
    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    if (s->tops.n == 0)
        return REFRAIN_OK;
    for (size_t b = 1; status == REFRAIN_OK && !*changed && (b = next_size(s, b)) != SIZE_MAX; b++) {
        if (may_grow(s->tops.items + s->tops.n - 1, b) && grow(s, b))
            *changed = true;
        else if (3 * b <= s->tops.n)
            status = fold(s, b, changed);
    }
    return status;
}

enum refrain_status nlr_reduce(struct nlr *s, bool *changed)
{
    enum refrain_status status = REFRAIN_OK;
    bool again = true;
    *changed = false;
    while (again && status == REFRAIN_OK) {
        again = nlr_ends_in_loop(s) && join(s);
        if (!again && nlr_ends_in_loop(s))
            status = begin_earlier(s, &again);
        if (!again && status == REFRAIN_OK)
            status = nlr_reduce_once(s, &again);
        *changed |= again;
    }
    return status;
}
