/* SPDX-License-Identifier: BSD-3-Clause */
/* Which slots of a site's rows are sums of others (src/core/trace/slot_sums.h), in all of its calls.
 *
 * Looked for are two neighbouring arrays of one length, counts and then displacements, of which the latter
 * have columns that no law makes short: what has a law, or stays in the rows, is for the merge to express by
 * the rank. */
#ifndef REFRAIN_SITE_SUMS_H
#define REFRAIN_SITE_SUMS_H

#include "site_table.h"

/* A slot is the one before it and `factor` times the one `distance` slots before it. */
struct site_sum {
    uint32_t slot, distance;
    int64_t factor; /* not 0 */
};

typedef ARRAY(struct site_sum) site_sums;

/* Those of a table that is settled, ascending by slot; *sums is empty before and the caller's to free. O(calls
 * and slots of such arrays); most tables have none. */
enum refrain_status site_sums_find(const struct site_table *t, site_sums *sums);
/* Is the slot a sum? */
bool site_sums_has(const site_sums *sums, uint32_t slot);

#endif
