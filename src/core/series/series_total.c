/* SPDX-License-Identifier: BSD-3-Clause */
/* Sum a series of counts without expanding it. In loops of n1, n2, … iterations, the values of a
 * leaf are spread evenly between its least and its largest value: on average, each coefficient
 * contributes half of its range.
 *
 * The sum of the first n values consists of the whole loops before position n, and of the part of
 * the loop that contains this position. */
#include "series_impl.h"

#include <assert.h>

#define TOTAL_MAX (UINT64_C(1) << 62) /* exclusive */

/* a += b * times, all less than TOTAL_MAX. */
static bool add_times(uint64_t *a, uint64_t b, uint64_t times)
{
    if (b > 0 && times > (TOTAL_MAX - 1) / b)
        return false;
    if (*a > TOTAL_MAX - 1 - b * times)
        return false;
    *a += b * times;
    return true;
}

/* The iterations of a loop that are counted. */
struct passes {
    uint64_t first, n;
};

/* The loops around a node, and how often it is passed in all of them. */
struct around {
    struct passes loops[SERIES_DEPTH_MAX];
    uint32_t depth;
    uint64_t times;
};

/* The sum so far, and the largest value. */
struct total {
    uint64_t sum, most;
};

static struct around enter(const struct around *around, uint64_t first, uint64_t n)
{
    struct around inner = *around;
    inner.loops[inner.depth++] = (struct passes){first, n};
    inner.times *= n;
    return inner;
}

static bool add_value(struct total *total, uint64_t value)
{
    if (value > total->most)
        total->most = value;
    return value < TOTAL_MAX && add_times(&total->sum, value, 1);
}

static bool add_leaf(const struct series *s, const struct series_node *leaf, const struct around *around,
                     struct total *total)
{
    uint64_t value = leaf->n, twice = 0, bound = 0;
    for (uint32_t d = 0; d < around->depth; d++)
        value += s->coefs.items[leaf->coef + d] * around->loops[d].first;
    uint64_t least = value, most = value;
    if (value >= TOTAL_MAX)
        return false;
    for (uint32_t d = 0; d < around->depth; d++) {
        const uint64_t coef = s->coefs.items[leaf->coef + d];
        const bool down = coef >> 63;
        const uint64_t step = down ? 0 - coef : coef;
        uint64_t way = 0;
        if (!add_times(&way, step, around->loops[d].n - 1))
            return false;
        if (down ? way > least : !add_times(&most, way, 1))
            return false;
        least -= down ? way : 0;
        /* All indices of this loop, in all iterations of the others: way / 2 on average. */
        twice += down ? 0 - way : way;
    }
    if (most >= TOTAL_MAX || !add_times(&bound, most, around->times))
        return false;
    if (most > total->most)
        total->most = most;
    /* No product wraps: `bound` is an upper bound. 2 * value + twice is even, or the number of times is. */
    const uint64_t both = 2 * value + twice;
    return add_times(&total->sum, both % 2 ? both : both / 2, both % 2 ? around->times / 2 : around->times);
}

static bool add_pack(const struct pack *p, uint64_t n, struct total *total)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!add_value(total, pack_at(p, i)))
            return false;
    }
    return true;
}

static bool add_nodes(const struct series *s, uint32_t first, uint32_t end, const struct around *around,
                      struct total *total)
{
    bool fine = true;
    for (uint32_t k = first; k < end && fine; k += series_extent(&s->nodes.items[k])) {
        const struct series_node *node = &s->nodes.items[k];
        if (series_is_loop(node)) {
            const struct around inner = enter(around, 0, node->n);
            fine = add_nodes(s, k + 1, k + node->span, &inner, total);
        } else if (series_is_pack(node)) {
            const struct pack *p = s->packs.items[node->n];
            fine = add_pack(p, p->n, total);
        } else {
            fine = add_leaf(s, node, around, total);
        }
    }
    return fine;
}

bool series_total(const struct series *s, uint64_t *sum, uint64_t *most)
{
    const struct around around = {.times = 1};
    struct total total = {0};
    if (!add_nodes(s, 0, (uint32_t)s->nodes.n, &around, &total))
        return false;
    *sum = total.sum;
    *most = total.most;
    return true;
}

/* Add the first `left` values of the nodes, which have more values than that. */
static void add_first(const struct series *s, uint32_t k, uint64_t left, const struct around *around,
                      struct total *total)
{
    while (left > 0) {
        const struct series_node *node = &s->nodes.items[k];
        const uint64_t length = series_node_length(s, k);
        if (length <= left) {
            add_nodes(s, k, k + series_extent(node), around, total);
            left -= length;
            k += series_extent(node);
        } else if (series_is_pack(node)) {
            add_pack(s->packs.items[node->n], left, total);
            left = 0;
        } else {
            const uint64_t body = length / node->n, whole = left / body;
            const struct around before = enter(around, 0, whole), within = enter(around, whole, 1);
            if (whole > 0)
                add_nodes(s, k + 1, k + node->span, &before, total);
            add_first(s, k + 1, left % body, &within, total);
            left = 0;
        }
    }
}

uint64_t series_total_before(const struct series *s, uint64_t n)
{
    assert(n <= s->length);
    const struct around around = {.times = 1};
    struct total total = {0};
    add_first(s, 0, n, &around, &total);
    return total.sum;
}
