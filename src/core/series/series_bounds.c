/* SPDX-License-Identifier: BSD-3-Clause */
/* Find the least and the largest value of a series, and whether it has a value, without expanding
 * it.
 *
 *     loop 3 { loop 4 { 7 + 20i + 2j } }        7 9 11 13  27 29 31 33  47 49 51 53
 *
 * A leaf has its extremes at the first or the last index of each loop around it: 7 and 53. Its
 * other values differ from the least by multiples of the steps' common divisor: here, odd numbers.
 * In a single loop, all these multiples occur. */
#include "series_impl.h"

#include <assert.h>

/* Values this far from 0 might wrap; for them no bounds are given. */
#define FAR (INT64_C(1) << 60)

static void widen(int64_t value, int64_t *least, int64_t *most)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

static bool is_near(int64_t value)
{
    return value > -FAR && value < FAR;
}

/* Compute coefficient * (n - 1); false if it reaches FAR. */
static bool way_of(int64_t coef, uint64_t n, int64_t *way)
{
    const uint64_t size = coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef;
    if (size > 0 && n - 1 >= (uint64_t)FAR / size)
        return false;
    *way = (int64_t)((uint64_t)coef * (n - 1));
    return true;
}

/* Find the bounds of a leaf; `loops` are the loops around it. */
static bool bound_leaf(const struct series *s, const struct series_node *leaf, const uint32_t *loops,
                       int64_t *least, int64_t *most)
{
    int64_t low = (int64_t)leaf->n, high = low, way;
    bool fine = is_near(low);
    for (uint32_t d = 0; d < leaf->depth && fine; d++) {
        fine = way_of((int64_t)s->coefs.items[leaf->coef + d], s->nodes.items[loops[d]].n, &way);
        if (!fine)
            return false;
        low += way < 0 ? way : 0;
        high += way > 0 ? way : 0;
        fine = is_near(low) && is_near(high);
    }
    widen(low, least, most);
    widen(high, least, most);
    return fine;
}

static void bound_pack(const struct pack *p, int64_t *least, int64_t *most)
{
    for (uint32_t i = 0; i < p->n; i++)
        widen((int64_t)pack_at(p, i), least, most);
}

bool series_bounds(const struct series *s, int64_t *least, int64_t *most)
{
    assert(s->length > 0);
    uint32_t loops[SERIES_DEPTH_MAX] = {0};
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool fine = true;
    for (uint32_t k = 0; k < s->nodes.n && fine; k++) {
        const struct series_node *node = &s->nodes.items[k];
        if (series_is_loop(node))
            loops[node->depth] = k;
        else if (series_is_pack(node))
            bound_pack(s->packs.items[node->n], &low, &high);
        else
            fine = bound_leaf(s, node, loops, &low, &high);
    }
    if (!fine)
        return false;
    *least = low;
    *most = high;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Return the first sought value that is not less. */
static size_t first_from(const struct series_sought *sought, size_t n, int64_t value)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sought[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the common divisor of the steps of all loops around the leaf; 0: the leaf has only one value. */
static uint64_t common_step(const struct series *s, const struct series_node *leaf)
{
    uint64_t step = 0;
    for (uint32_t d = 0; d < leaf->depth; d++) {
        const uint64_t coef = s->coefs.items[leaf->coef + d];
        for (uint64_t rest = (int64_t)coef < 0 ? 0 - coef : coef; rest > 0;) {
            const uint64_t more = step % rest;
            step = rest;
            rest = more;
        }
    }
    return step;
}

static void seek_in_leaf(const struct series *s, const struct series_node *leaf, const uint32_t *loops,
                         struct series_sought *sought, size_t n)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    uint64_t step = common_step(s, leaf);
    if (step == 0) {
        least = most = (int64_t)leaf->n;
    } else if (!bound_leaf(s, leaf, loops, &least, &most)) {
        least = INT64_MIN;
        most = INT64_MAX;
        step = 1;
    }
    for (size_t i = first_from(sought, n, least); i < n && sought[i].value <= most; i++) {
        const uint64_t beyond = (uint64_t)sought[i].value - (uint64_t)least;
        sought[i].found = sought[i].found || beyond == 0 || beyond % step == 0;
    }
}

/* Search a pack; its values are read only if it may contain a value that is still sought. */
static void seek_in_pack(const struct pack *p, struct series_sought *sought, size_t n)
{
    const uint64_t range = p->width < 64 ? (UINT64_C(1) << p->width) - 1 : UINT64_MAX;
    size_t first = first_from(sought, n, (int64_t)p->least), end = first;
    bool all_found = true;
    for (; end < n && (uint64_t)sought[end].value - p->least <= range; end++)
        all_found = all_found && sought[end].found;
    for (uint32_t i = 0; i < p->n && !all_found; i++) {
        const int64_t value = (int64_t)pack_at(p, i);
        const size_t k = first + first_from(sought + first, end - first, value);
        if (k < end && sought[k].value == value)
            sought[k].found = true;
    }
}

void series_seek(const struct series *s, struct series_sought *sought, size_t n)
{
    assert(n < 2 || sought[0].value < sought[n - 1].value);
    uint32_t loops[SERIES_DEPTH_MAX] = {0};
    for (uint32_t k = 0; k < s->nodes.n; k++) {
        const struct series_node *node = &s->nodes.items[k];
        if (series_is_loop(node))
            loops[node->depth] = k;
        else if (series_is_pack(node))
            seek_in_pack(s->packs.items[node->n], sought, n);
        else
            seek_in_leaf(s, node, loops, sought, n);
    }
}
