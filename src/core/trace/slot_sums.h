/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots that can be computed from other slots of the same call: displacements that are sums of counts.
 *
 * The counts of an irregular program are columns (trace.h), because they differ in each call.
 * Displacements would be columns too, and double the size, although they usually are the sums of the
 * previous counts, in elements or bytes. Example with n = 4, slots of three calls on one rank:
 *
 *     4   10 20 30 40    4   0  80 240 480       slot = the one before it + 8 times the one 6 slots before it
 *     4    7  7  0  9    4   0  56 112 112
 *     4    1  2  3  4    4   0   8  24  48       row 4 0 0 0 0 4 0 0 0 0, four columns, three sums
 *
 * Such a slot has no column. The value that a row has in the slot is added to the sum, as for a column; a
 * lane stores 0 there. The factor is a function of the rank, because each rank may use other types. A lane
 * finds the sums (site_sums.h), a merge keeps them, and a reader expands them to columns, so no other code
 * needs to handle them. */
#ifndef REFRAIN_SLOT_SUMS_H
#define REFRAIN_SLOT_SUMS_H

#include "trace.h"

/* Is `step` equal to `added` times the factor? While *factor is 0 it is unknown; the first count that is
 * not 0 determines it. If all counts are 0, it stays 0. */
static inline bool slot_sum_fits(uint64_t step, uint64_t added, int64_t *factor)
{
    if (*factor == 0 && added != 0) /* −2^63 / −1 would be too large */
        *factor = added == UINT64_MAX ? (int64_t)(0 - step) : (int64_t)step / (int64_t)added;
    return step == (uint64_t)*factor * added && (*factor != 0 || added == 0);
}

/* Are the group's sums consistent with its rows and columns? */
bool slot_sums_fit(const struct group *g);
/* Do both groups have sums of the same slots? */
bool slot_sums_match(const struct group *a, const struct group *b);
/* Turn the sums of all groups into rows and columns. The trace must be complete, with no column in an
 * annex. `budget` limits the bytes of the new values; a file that needs more is an error (logged). */
enum refrain_status slot_sums_expand(struct trace *t, uint64_t budget);

#endif
