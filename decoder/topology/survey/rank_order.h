/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the order of their places, so that neighbours in a pattern are near to each other in lists and matrices:
 * component by component, in each as its pattern numbers its nodes (lattices: x fastest), at last those without a place.
 *
 *     ring of ranks 0 - 2 - 1 - 3 - 0        order: 0 2 1 3 */
#ifndef REFRAIN_RANK_ORDER_H
#define REFRAIN_RANK_ORDER_H

#include "survey.h"

/* *ranks: those of the run, as many as the survey's traffic has nodes; the caller frees them. */
enum refrain_status rank_order_create(uint32_t **ranks, const struct survey *s);

#endif
