/* SPDX-License-Identifier: BSD-3-Clause */
/* The least and the largest value of a series, without expanding it: a leaf takes its extremes at the first
 * or the last index of each loop around it. */
#include "series_impl.h"

/* What is as far from 0 as this might wrap on its way; nothing is said of it. */
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

/* How far coefficient * (n - 1) leads; false if it is far. */
static bool way_of(int64_t coef, uint64_t n, int64_t *way)
{
    const uint64_t size = coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef;
    if (size > 0 && n - 1 >= (uint64_t)FAR / size)
        return false;
    *way = (int64_t)((uint64_t)coef * (n - 1));
    return true;
}

/* `loops` are those around the leaf. */
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
