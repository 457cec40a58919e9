/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two graphs are the same but for the numbers of their nodes, and which node is which: by canonical
 * labelings, which bliss finds (Junttila and Kaski, ALENEX 2007). */
#ifndef REFRAIN_CANONICAL_H
#define REFRAIN_CANONICAL_H

#include "graph.h"

/* Labels of g's nodes, from 0: numbered by these, graphs that are isomorphic are equal. The caller's to free. */
enum refrain_status canonical_labels(const struct graph *g, uint32_t **labels);

/* Are two graphs the same? If so, image[node of g] is the node of h that it is. Both with their labels. */
enum refrain_status canonical_match(const struct graph *g, const uint32_t *labels_of_g, const struct graph *h,
                                    const uint32_t *labels_of_h, uint32_t *image, bool *same);

#endif
