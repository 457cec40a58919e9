/* SPDX-License-Identifier: BSD-3-Clause */
/* Numberings that programs choose: along the dimensions, in any order of these. They are tried before anything that
 * costs, and what they tell is what people expect to see. */
#ifndef REFRAIN_NUMBERING_H
#define REFRAIN_NUMBERING_H

#include "candidate.h"

/* Is called with each numbering: c turned and mirrored, its graph, and which node of that each node of g is. Ends the
 * trials by setting *done. */
typedef enum refrain_status numbering_try(void *context, const struct candidate *c, const struct graph *h,
                                          const uint32_t *image, bool *done);

/* Tries the plain numberings of a candidate with as many nodes as g. Only those in which most neighbours of node 0 are
 * in both are worth a trial; `exact`: all of them. */
enum refrain_status numbering_walk(const struct candidate *c, const struct graph *g, bool exact,
                                   numbering_try *attempt, void *context);

/* Turns a place in a lattice so that node 0 has the coordinates 0 as far as the lattice is the same from there; in
 * place. */
enum refrain_status numbering_normalize(const struct candidate *c, const struct graph *g,
                                        const struct graph *h, uint32_t *image);

/* "rank = 8*y + x", of n nodes with places in a lattice; ranks[node] is the rank. False, and nothing is put, if the ranks
 * are no affine function of the coordinates. */
bool numbering_put_rule(const struct candidate *c, const uint32_t *image, const uint32_t *ranks, uint32_t n,
                        struct bytes *out);

#endif
