/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes that do not fit change places. */
#include "growth_impl.h"

/* Nodes that may change places. */
#define ODD_MOST 400

/* Edges of a node that its place has not, and the other way round. */
static uint32_t misfit(const struct growing *s, uint32_t node)
{
    const struct graph *g = s->g, *h = s->h;
    const uint32_t at = s->image[node];
    uint32_t common = 0, taken = 0;
    for (uint64_t i = h->first[at]; i < h->first[at + 1]; i++) {
        const uint32_t other = s->node_at[h->near[i]];
        taken += other != IMAGE_NONE;
        common += other != IMAGE_NONE && graph_has_edge(g, node, other);
    }
    return graph_degree(g, node) + taken - 2 * common;
}

static void exchange(struct growing *s, uint32_t a, uint32_t b)
{
    const uint32_t at = s->image[a];
    s->image[a] = s->image[b];
    s->image[b] = at;
    s->node_at[s->image[a]] = a;
    s->node_at[s->image[b]] = b;
}

/* Lists nodes that do not fit, and counts the differences anew. */
static uint32_t list_odd(struct growing *s, uint32_t *odd)
{
    uint32_t n = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n_order; i++) {
        const uint32_t node = s->order[i], here = misfit(s, node);
        sum += here;
        if (here > 0 && n < ODD_MOST)
            odd[n++] = node;
    }
    s->differences = sum / 2;
    return n;
}

/* Two nodes that do not fit change places as long as that makes them fit better. */
void growth_exchange(struct growing *s)
{
    uint32_t odd[ODD_MOST];
    uint32_t n = list_odd(s, odd);
    for (bool better = true; better && s->growth->effort > 0;) {
        better = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = i + 1; k < n; k++) {
                const uint32_t before = misfit(s, odd[i]) + misfit(s, odd[k]);
                exchange(s, odd[i], odd[k]);
                const bool less = misfit(s, odd[i]) + misfit(s, odd[k]) < before;
                if (!less)
                    exchange(s, odd[i], odd[k]);
                better = better || less;
                growth_spend(s, 4 * (uint64_t)graph_degree(s->g, odd[i]));
            }
        n = list_odd(s, odd);
    }
}
