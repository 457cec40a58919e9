/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rules*.c files share. */
#ifndef REFRAIN_RULES_IMPL_H
#define REFRAIN_RULES_IMPL_H

#include "rules.h"

/* Fill length[r], how many terminals each rule expands to. REFRAIN_ERR_FORMAT, logged, when offsets are not
 * ascending, a reference is not to an earlier rule that is not empty, a count is 0, or a length is 2^63. */
enum refrain_status rules_measure(uint32_t n_rules, const uint32_t *first, const struct rules_item *items,
                                  uint64_t *length);

/* counts[t] += how often terminal t occurs when rule q is expanded times[q] times, for all q; times is
 * used up. */
void rules_add_counts(const struct rules *r, uint64_t *times, uint64_t *counts, uint32_t n);

#endif
