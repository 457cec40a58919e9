/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges nodes that do not fit. */
#include "growth_impl.h"

/* At most this many nodes are tried for exchanges. */
#define ODD_MOST 400

/* Counts the node's edges that its place lacks, and the place's edges that the node lacks. */
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

/* Lists the nodes that do not fit and recounts the differences. */
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

/* Exchanges two nodes that do not fit, as long as that reduces the differences. */
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
