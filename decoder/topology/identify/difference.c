/* SPDX-License-Identifier: BSD-3-Clause */
#include "difference.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

/* Finds for each place of h the node of g that is there. */
static enum refrain_status invert(const struct graph *g, const struct graph *h, const uint32_t *image,
                                  uint32_t **out)
{
    uint32_t *node_at = malloc((h->n + (size_t)1) * sizeof *node_at);
    if (!node_at) {
        log_error("out of memory: a topology of %u nodes", h->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t at = 0; at < h->n; at++)
        node_at[at] = IMAGE_NONE;
    for (uint32_t node = 0; node < g->n; node++)
        if (image[node] != IMAGE_NONE)
            node_at[image[node]] = node;
    *out = node_at;
    return REFRAIN_OK;
}

/* Counts the edges of `from` that `to` lacks; `image` maps each node to its node in `to`. If `out`
 * is not NULL, lists them with the numbers in `number`, or their own numbers if `number` is NULL.
 * A node of h without a preimage has no edges. */
static enum refrain_status lacking(const struct graph *from, const struct graph *to, const uint32_t *image,
                                   const uint32_t *number, struct graph_edges *out, uint64_t *count)
{
    for (uint32_t node = 0; node < from->n; node++) {
        if (number && number[node] == IMAGE_NONE)
            continue;
        for (uint64_t i = from->first[node]; i < from->first[node + 1]; i++) {
            const uint32_t other = from->near[i];
            const struct graph_edge named = {number ? number[node] : node, number ? number[other] : other};
            if (other < node || named.b == IMAGE_NONE ||
                (image[node] != IMAGE_NONE && image[other] != IMAGE_NONE &&
                 graph_has_edge(to, image[node], image[other])))
                continue;
            ++*count;
            if (out && !array_push(out, named))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status compare(const struct graph *g, const struct graph *h, const uint32_t *image,
                                   struct difference *d, struct graph_edges *missing,
                                   struct graph_edges *extra)
{
    uint32_t *node_at;
    enum refrain_status status = invert(g, h, image, &node_at);
    if (status != REFRAIN_OK)
        return status;
    *d = (struct difference){0};
    status = lacking(g, h, image, NULL, extra, &d->extra);
    if (status == REFRAIN_OK)
        status = lacking(h, g, node_at, node_at, missing, &d->missing);
    free(node_at);
    return status;
}

enum refrain_status difference_count(const struct graph *g, const struct graph *h, const uint32_t *image,
                                     struct difference *d)
{
    assert(g->n <= h->n);
    return compare(g, h, image, d, NULL, NULL);
}

enum refrain_status difference_list(const struct graph *g, const struct graph *h, const uint32_t *image,
                                    struct graph_edges *missing, struct graph_edges *extra)
{
    assert(g->n <= h->n);
    struct difference d;
    return compare(g, h, image, &d, missing, extra);
}
