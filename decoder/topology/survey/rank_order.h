/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the order of their places, so that neighbours in a pattern are near each other in lists and
 * matrices. Components come one after the other. In a component, ranks have the order in which the pattern
 * numbers its nodes (in lattices x is fastest). Ranks without a place come last.
 *
 *     ring of ranks 0 - 2 - 1 - 3 - 0        order: 0 2 1 3 */
#ifndef REFRAIN_RANK_ORDER_H
#define REFRAIN_RANK_ORDER_H

#include "survey.h"

/* *ranks gets the ranks of the run, as many as the survey's traffic has nodes; the caller frees *ranks. */
enum refrain_status rank_order_create(uint32_t **ranks, const struct survey *s);

#endif
