/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_order.h"

#include "src/core/base/log.h"

#include <stdlib.h>

struct placed {
    uint32_t component, place, node; /* UINT32_MAX if there is none, so it sorts last */
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    if (p->component != q->component)
        return p->component < q->component ? -1 : 1;
    if (p->place != q->place)
        return p->place < q->place ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

static struct placed placed_of(const struct survey *s, uint32_t node)
{
    const uint32_t component = s->component_of[node];
    uint32_t place = UINT32_MAX;
    if (component != UINT32_MAX)
        place = s->components.items[component].topology.image[s->node_of[node]];
    return (struct placed){.component = component, .place = place, .node = node};
}

enum refrain_status rank_order_create(uint32_t **ranks, const struct survey *s)
{
    const uint32_t n = s->traffic->n_ranks;
    uint32_t *order = calloc((size_t)n + 1, sizeof *order);
    struct placed *places = calloc((size_t)n + 1, sizeof *places);
    if (!order || !places) {
        log_error("out of memory: the order of %u ranks", n);
        free(order);
        free(places);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < n; node++)
        places[node] = placed_of(s, node);
    qsort(places, n, sizeof *places, compare_placed);
    for (uint32_t i = 0; i < n; i++)
        order[i] = traffic_rank(s->traffic, places[i].node);
    free(places);
    *ranks = order;
    return REFRAIN_OK;
}
