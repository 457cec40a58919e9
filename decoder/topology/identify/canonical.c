/* SPDX-License-Identifier: BSD-3-Clause */
#include "canonical.h"

#include "decoder/util/late_library.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <bliss/bliss_C.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY       "libbliss.so.2"
#define FUNCTIONS(of) of(bliss_new) of(bliss_add_edge) of(bliss_find_canonical_labeling) of(bliss_release)

struct library {
    FUNCTIONS(LATE_POINTER)
};

static const char *const functions[] = {FUNCTIONS(LATE_NAME)};

static void label(const struct library *l, const struct graph *g, BlissGraph *graph, uint32_t *labels)
{
    for (uint32_t node = 0; node < g->n; node++)
        for (uint64_t i = g->first[node]; i < g->first[node + 1]; i++)
            if (node < g->near[i])
                l->call_bliss_add_edge(graph, node, g->near[i]);
    BlissStats stats;
    const unsigned *found = l->call_bliss_find_canonical_labeling(graph, NULL, NULL, &stats);
    memcpy(labels, found, g->n * sizeof *labels); /* `found` belongs to the graph */
}

enum refrain_status canonical_labels(const struct graph *g, uint32_t **labels)
{
    struct library l;
    enum refrain_status status = late_library_open(LIBRARY, functions, sizeof functions / sizeof *functions,
                                                   "no topology of any numbering without libbliss", &l);
    if (status != REFRAIN_OK)
        return status;
    uint32_t *copy = malloc((g->n + 1) * sizeof *copy);
    BlissGraph *graph = copy ? l.call_bliss_new(g->n) : NULL;
    if (!graph) {
        log_error("out of memory: a graph of %u nodes", g->n);
        free(copy);
        return REFRAIN_ERR_MEMORY;
    }
    label(&l, g, graph, copy);
    l.call_bliss_release(graph);
    *labels = copy;
    return REFRAIN_OK;
}

enum refrain_status canonical_match(const struct graph *g, const uint32_t *labels_of_g, const struct graph *h,
                                    const uint32_t *labels_of_h, uint32_t *image, bool *same)
{
    assert(labels_of_g && labels_of_h);
    /* labelled[label]: the node of h with this label */
    uint32_t *labelled = malloc((h->n + 1) * sizeof *labelled);
    if (!labelled) {
        log_error("out of memory: a graph of %u nodes", h->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < h->n; node++)
        labelled[labels_of_h[node]] = node;
    for (uint32_t node = 0; node < g->n; node++)
        image[node] = labelled[labels_of_g[node]];
    free(labelled);
    *same = graph_maps(g, h, image);
    return REFRAIN_OK;
}
