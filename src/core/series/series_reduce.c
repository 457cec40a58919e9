/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of reduction, at the end of a series. A block is 1 to SERIES_BLOCK_MAX neighbouring elements, an
 * instance of a loop is a block that equals the loop's body for some index. With A, B blocks:
 *
 *     fold     A A' A"   in affine progression             ->  loop 3 { A }
 *     grow     loop n { A }   its instance n               ->  loop n + 1 { A }
 *     join     loop n { A }   loop m { A }, going on       ->  loop n + m { A }
 *     absorb   instance -1   loop n { A }                  ->  loop n + 1 { A }
 *     rotate   B at -1   loop n { A B }                    ->  loop n { B A }   B at n - 1
 *
 * fold and grow are what appending needs. The others bring together what met at a seam; rotation makes the
 * phase of a loop that of the elements before it. */
#include "series_impl.h"

#include <string.h>

/* Limit of nested rotations; in tests more than two did not help. */
#define ROTATIONS_MAX 4

/* Whether the n coefficients from number a on equal those from number b on. */
static bool coefs_equal(const struct series *s, uint32_t a, uint32_t b, uint32_t n)
{
    for (uint32_t d = 0; d < n; d++) {
        if (s->coefs.items[a + d] != s->coefs.items[b + d])
            return false;
    }
    return true;
}

/* Whether the w nodes at `block`, outside of loops, equal the w nodes at `body`, directly in a
 * loop, for index i. The last nodes are compared first, since an unfinished instance differs there. */
static bool is_instance(const struct series *s, uint32_t body, uint32_t block, uint32_t w, uint64_t i)
{
    for (uint32_t k = w; k-- > 0;) {
        const struct series_node *a = &s->nodes.items[body + k], *b = &s->nodes.items[block + k];
        if (a->span != b->span || a->depth != b->depth + 1)
            return false;
        if (!series_is_leaf(a)) {
            if (a->n != b->n)
                return false;
            continue;
        }
        if (b->n != a->n + s->coefs.items[a->coef] * i || !coefs_equal(s, a->coef + 1, b->coef, b->depth))
            return false;
    }
    return true;
}

/* Whether three blocks of w nodes, the first at `first`, have one form and are in affine
 * progression, and a further loop around them is allowed. */
static bool is_progression(const struct series *s, uint32_t first, uint32_t w)
{
    for (uint32_t k = w; k-- > 0;) {
        const struct series_node *a = &s->nodes.items[first + k], *b = a + w, *c = b + w;
        if (a->span != b->span || b->span != c->span || a->depth != b->depth || b->depth != c->depth)
            return false;
        if (!series_is_leaf(a)) {
            if (a->n != b->n || b->n != c->n)
                return false;
            continue;
        }
        if (b->n - a->n != c->n - b->n || a->depth == SERIES_DEPTH_MAX ||
            !coefs_equal(s, a->coef, b->coef, a->depth) || !coefs_equal(s, b->coef, c->coef, a->depth))
            return false;
    }
    return true;
}

/* Does the loop at node b continue the loop at node a? */
static bool goes_on(const struct series *s, uint32_t a, uint32_t b)
{
    const struct series_node *nodes = s->nodes.items;
    if (nodes[a].span != nodes[b].span)
        return false;
    for (uint32_t k = nodes[a].span; k-- > 1;) {
        const struct series_node *x = &nodes[a + k], *y = &nodes[b + k];
        if (x->span != y->span || x->depth != y->depth)
            return false;
        if (!series_is_leaf(x)) {
            if (x->n != y->n)
                return false;
            continue;
        }
        if (y->n != x->n + s->coefs.items[x->coef] * nodes[a].n ||
            !coefs_equal(s, x->coef, y->coef, x->depth))
            return false;
    }
    return true;
}

/* The last b elements (w nodes) are the next iteration of the loop before them: count it. */
static void grow(struct series *s, size_t b)
{
    const size_t t = s->tops.n - b;
    s->nodes.items[s->tops.items[t - 1]].n++;
    series_cut(s, t);
}

/* Are the last nodes of the last three blocks of w nodes in progression? Most blocks differ there. */
static inline bool ends_progress(const struct series *s, uint32_t w)
{
    const struct series_node *a = s->nodes.items + s->nodes.n - 1, *b = a - w, *c = b - w;
    return a->n - b->n == b->n - c->n;
}

/* relation of the last elements to those before them */
enum match {
    NOTHING,
    INSTANCE,   /* b elements are the next iteration of the loop before */
    PROGRESSION /* three blocks of b elements are in affine progression */
};

/* Find the shortest instance, otherwise the shortest progression. */
static enum match find_match(const struct series *s, size_t *block)
{
    const struct series_node *nodes = s->nodes.items;
    const uint32_t *end = s->tops.items + s->tops.n, n_nodes = (uint32_t)s->nodes.n;
    const size_t n = s->tops.n;
    enum match found = NOTHING;
    for (size_t b = 1; b <= SERIES_BLOCK_MAX && b < n; b++) {
        const uint32_t w = n_nodes - end[-(ptrdiff_t)b];
        const struct series_node *before = &nodes[end[-(ptrdiff_t)b - 1]];
        if (before->span == w + 1 &&
            is_instance(s, (uint32_t)(before - nodes) + 1, n_nodes - w, w, before->n)) {
            *block = b;
            return INSTANCE;
        }
        if (found == NOTHING && 3 * b <= n && end[-2 * (ptrdiff_t)b] == n_nodes - 2 * w &&
            end[-3 * (ptrdiff_t)b] == n_nodes - 3 * w && ends_progress(s, w) &&
            is_progression(s, n_nodes - 3 * w, w)) {
            *block = b;
            found = PROGRESSION;
        }
    }
    return found;
}

/* Turn the three blocks of w nodes after `first` into a loop. The leaves' new coefficients go before those
 * that they have, so everything is moved from the end on. The caller has made room. */
static void wrap(struct series *s, uint32_t first, uint32_t w)
{
    struct series_node *nodes = s->nodes.items + first;
    uint64_t *coefs = s->coefs.items;
    uint32_t leaves = 0;
    for (uint32_t k = 0; k < w; k++)
        leaves += series_is_leaf(&nodes[k]);

    uint32_t to = series_node_coef(s, first + w) + leaves;
    s->coefs.n = to;
    s->nodes.n = first + w + 1;
    for (uint32_t k = w; k-- > 0;) {
        struct series_node node = nodes[k];
        if (series_is_leaf(&node)) {
            to -= node.depth + 1;
            memmove(coefs + to + 1, coefs + node.coef, node.depth * sizeof *coefs);
            coefs[to] = nodes[k + w].n - node.n;
        }
        node.depth++;
        node.coef = to;
        nodes[k + 1 + w] = node; /* the second block's node k + 1 has been used */
    }
    memmove(nodes + 1, nodes + 1 + w, w * sizeof *nodes);
    nodes[0] = (struct series_node){.n = 3, .span = w + 1, .coef = to};
}

/* Turn the last three blocks of b elements into a loop. */
static enum refrain_status fold(struct series *s, size_t b)
{
    const size_t t = s->tops.n - 3 * b;
    const uint32_t first = s->tops.items[t], w = s->tops.items[t + b] - first;
    enum refrain_status status = series_reserve(s, 1, w, 0);
    if (status != REFRAIN_OK)
        return status;
    wrap(s, first, w);
    s->tops.n = t + 1;
    return REFRAIN_OK;
}

/* Include the `n` elements before the loop at the end as its iteration -1: the loop moves over
 * them. */
static void absorb(struct series *s, size_t n)
{
    const size_t t = s->tops.n - 1 - n;
    const uint32_t to = s->tops.items[t], loop = s->tops.items[t + n];
    const uint32_t to_coef = series_node_coef(s, to), coef = series_node_coef(s, loop);
    const uint32_t span = s->nodes.items[loop].span, n_coefs = (uint32_t)s->coefs.n - coef;

    memmove(s->nodes.items + to, s->nodes.items + loop, span * sizeof *s->nodes.items);
    if (n_coefs > 0)
        memmove(s->coefs.items + to_coef, s->coefs.items + coef, n_coefs * sizeof *s->coefs.items);
    s->nodes.n = to + span;
    s->coefs.n = to_coef + n_coefs;
    s->tops.n = t + 1;
    s->nodes.items[to].n++;
    for (uint32_t k = to; k < to + span; k++) {
        struct series_node *node = &s->nodes.items[k];
        node->coef -= coef - to_coef;
        if (series_is_leaf(node))
            node->n -= s->coefs.items[node->coef];
    }
}

static enum refrain_status reduce(struct series *s, unsigned rotations, bool *changed);

/* Append w body nodes of a loop, which begin at `from`, to s. They remain body nodes; their index
 * is shifted. */
static void put_body(struct series *s, const struct series *loop, uint32_t from, uint32_t w, uint64_t shift)
{
    for (uint32_t k = from; k < from + w; k++) {
        struct series_node node = loop->nodes.items[k];
        const uint64_t *coefs = loop->coefs.items + node.coef;
        node.coef = (uint32_t)s->coefs.n;
        if (series_is_leaf(&node)) {
            node.n += coefs[0] * shift;
            for (uint32_t d = 0; d < node.depth; d++)
                s->coefs.items[s->coefs.n++] = coefs[d];
        }
        s->nodes.items[s->nodes.n++] = node;
    }
}

/* The k elements before the loop at the end are the last k of its body, which begin `split` nodes after its
 * head, for index -1. What the loop leaves behind takes up as much room as what it took in. */
static enum refrain_status rotate(struct series *s, size_t k, uint32_t split, unsigned rotations)
{
    struct series loop = {0}, last = {0};
    const size_t t = s->tops.n - 1;
    const struct series_node head = s->nodes.items[s->tops.items[t]];
    bool changed;

    enum refrain_status status = series_put_element(&loop, s, t, 0);
    if (status == REFRAIN_OK)
        status = series_put_iteration(&last, &loop, 0, head.n - 1);
    if (status != REFRAIN_OK)
        goto out;

    series_cut(s, t - k);
    s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
    s->nodes.items[s->nodes.n++] =
        (struct series_node){.n = head.n, .span = head.span, .coef = (uint32_t)s->coefs.n};
    put_body(s, &loop, split, head.span - split, UINT64_MAX);
    put_body(s, &loop, 1, split - 1, 0);
    status = reduce(s, rotations - 1, &changed);
    for (size_t j = last.tops.n - k; j < last.tops.n && status == REFRAIN_OK; j++) {
        status = series_put_element(s, &last, j, 0);
        if (status == REFRAIN_OK)
            status = reduce(s, rotations - 1, &changed);
    }
out:
    series_clear(&last);
    series_clear(&loop);
    return status;
}

/* The rules for a loop that has come to the end: join, absorb, rotate. */
static enum refrain_status fuse(struct series *s, unsigned rotations, bool *changed)
{
    while (s->tops.n > 1) {
        const size_t t = s->tops.n - 1;
        const uint32_t loop = s->tops.items[t];
        const struct series_node *nodes = s->nodes.items;
        if (!series_is_loop(&nodes[loop]))
            return REFRAIN_OK;
        if (goes_on(s, s->tops.items[t - 1], loop)) {
            s->nodes.items[s->tops.items[t - 1]].n += nodes[loop].n;
            series_cut(s, t);
            *changed = true;
            return REFRAIN_OK;
        }

        uint32_t child[SERIES_BLOCK_MAX];
        size_t n = 0, k = 0;
        for (uint32_t c = loop + 1; c < loop + nodes[loop].span; c += nodes[c].span)
            child[n++] = c;
        while (k < n && k < t) {
            const uint32_t body = child[n - 1 - k], block = s->tops.items[t - 1 - k];
            if (nodes[body].span != nodes[block].span ||
                !is_instance(s, body, block, nodes[body].span, UINT64_MAX))
                break;
            k++;
        }
        if (k == 0 || (k < n && rotations == 0))
            return REFRAIN_OK;
        *changed = true;
        if (k < n)
            return rotate(s, k, child[n - k] - loop, rotations);
        absorb(s, n);
    }
    return REFRAIN_OK;
}

static enum refrain_status reduce(struct series *s, unsigned rotations, bool *changed)
{
    enum refrain_status status;
    bool again;
    *changed = false;
    do {
        enum match match;
        size_t b;
        again = false;
        status = fuse(s, rotations, &again);
        if (status != REFRAIN_OK)
            return status;
        while ((match = find_match(s, &b)) == INSTANCE) {
            grow(s, b);
            again = true;
        }
        if (match == PROGRESSION) {
            status = fold(s, b);
            again = true;
        }
        *changed |= again;
    } while (again && status == REFRAIN_OK);
    return status;
}

enum refrain_status series_reduce(struct series *s, bool may_rotate, bool *changed)
{
    return reduce(s, may_rotate ? ROTATIONS_MAX : 0, changed);
}
