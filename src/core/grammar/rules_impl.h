/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the rules*.c files share. */
#ifndef REFRAIN_RULES_IMPL_H
#define REFRAIN_RULES_IMPL_H

#include "rules.h"

/* Fill length[r] with the number of terminals that rule r expands to. Returns REFRAIN_ERR_FORMAT (logged)
 * if offsets do not ascend, if a reference is not to an earlier, non-empty rule, if a count is 0, or if a
 * length reaches 2^63. */
enum refrain_status rules_measure(uint32_t n_rules, const uint32_t *first, const struct rules_item *items,
                                  uint64_t *length);

/* counts[t] += how often terminal t occurs when rule q is expanded times[q] times, for all q; times is
 * used up. */
void rules_add_counts(const struct rules *r, uint64_t *times, uint64_t *counts, uint32_t n);

#endif
