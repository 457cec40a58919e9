/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests whether two graphs are isomorphic, and maps the nodes of one to the other. It uses canonical
 * labelings, computed by bliss (Junttila and Kaski, ALENEX 2007). */
#ifndef REFRAIN_CANONICAL_H
#define REFRAIN_CANONICAL_H

#include "graph.h"

/* Computes labels of g's nodes, from 0. Isomorphic graphs become equal when their nodes are numbered by these
 * labels. The caller frees *labels. */
enum refrain_status canonical_labels(const struct graph *g, uint32_t **labels);

/* Are two labelled graphs isomorphic? If so, image[node of g] is the corresponding node of h. */
enum refrain_status canonical_match(const struct graph *g, const uint32_t *labels_of_g, const struct graph *h,
                                    const uint32_t *labels_of_h, uint32_t *image, bool *same);

#endif
