/* SPDX-License-Identifier: BSD-3-Clause */
/* Numberings that programs typically use: along the dimensions, in any order of dimensions. They are tried
 * before any expensive search, and they give the result that people expect. */
#ifndef REFRAIN_NUMBERING_H
#define REFRAIN_NUMBERING_H

#include "candidate.h"

/* Called with each numbering: the candidate with permuted and mirrored dimensions, its graph, and for each
 * node of g its node in that graph. Set *done to end the trials. */
typedef enum refrain_status numbering_try(void *context, const struct candidate *c, const struct graph *h,
                                          const uint32_t *image, bool *done);

/* Tries the plain numberings of a candidate with as many nodes as g. A numbering is tried only if most
 * neighbours of node 0 are neighbours in both graphs; with `exact`, only if all are. */
enum refrain_status numbering_walk(const struct candidate *c, const struct graph *g, bool exact,
                                   numbering_try *attempt, void *context);

/* Shifts or mirrors the placement so that node 0 gets coordinates 0, where the symmetry of the lattice allows
 * it. Changes `image` in place. */
enum refrain_status numbering_normalize(const struct candidate *c, const struct graph *g,
                                        const struct graph *h, uint32_t *image);

/* Appends the rule of the numbering, such as "rank = 8*y + x", for n nodes with places in a lattice;
 * ranks[node] is the rank. Returns false, and appends nothing, if the ranks are no affine function of the
 * coordinates. */
bool numbering_put_rule(const struct candidate *c, const uint32_t *image, const uint32_t *ranks, uint32_t n,
                        struct bytes *out);

#endif
