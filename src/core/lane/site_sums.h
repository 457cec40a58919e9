/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the slots that are sums of other slots (src/core/trace/slot_sums.h) in all calls of a site.
 *
 * The search looks for two neighbouring arrays of the same length: first counts, then displacements. The
 * displacements must have columns that no law makes short. The merge handles all others: it expresses
 * slots in rows, and columns with a law, as functions of the rank. */
#ifndef REFRAIN_SITE_SUMS_H
#define REFRAIN_SITE_SUMS_H

#include "site_table.h"

/* The value of `slot` is the previous slot's value, plus `factor` times the value `distance` slots before
 * it. */
struct site_sum {
    uint32_t slot, distance;
    int64_t factor; /* not 0 */
};

typedef ARRAY(struct site_sum) site_sums;

/* Find the sums of a settled table, ascending by slot. *sums must be empty; the caller frees it. The cost
 * is proportional to the calls and to the slots of such arrays; most tables have none. */
enum refrain_status site_sums_find(const struct site_table *t, site_sums *sums);
/* Is the slot a sum? */
bool site_sums_has(const site_sums *sums, uint32_t slot);

#endif
