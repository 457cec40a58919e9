/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots that follow from others of the same call: displacements that add up counts.
 *
 * The counts of an irregular program are columns (trace.h), since they are others in each call. So would be
 * displacements, at twice the size, although they mostly are the sums of the counts so far, in elements or in
 * bytes. With n = 4, slots of three calls on one rank:
 *
 *     4   10 20 30 40    4   0  80 240 480       slot = the one before it + 8 times the one 6 slots before it
 *     4    7  7  0  9    4   0  56 112 112
 *     4    1  2  3  4    4   0   8  24  48       row 4 0 0 0 0 4 0 0 0 0, four columns, three sums
 *
 * Such a slot has no column. What its rows have in it is added to the sum, as to any column: it is 0 as a lane
 * stores it. The factor is a function of the rank, since each rank may have types of its own. A lane finds the
 * sums (site_sums.h), a merge takes them along, a reader makes columns of them, so that nobody else has to
 * know of them. */
#ifndef REFRAIN_SLOT_SUMS_H
#define REFRAIN_SLOT_SUMS_H

#include "trace.h"

/* Is `step` what `added` counts are worth, with this factor? As long as the factor is 0 it is not known: the
 * first step or count that is not 0 tells. If all are 0 it stays so. */
static inline bool slot_sum_fits(uint64_t step, uint64_t added, int64_t *factor)
{
    if (*factor == 0 && added != 0) /* −2^63 / −1 would be too large */
        *factor = added == UINT64_MAX ? (int64_t)(0 - step) : (int64_t)step / (int64_t)added;
    return step == (uint64_t)*factor * added && (*factor != 0 || added == 0);
}

/* Are the group's sums good for its rows and columns? */
bool slot_sums_fit(const struct group *g);
/* Are they about the same slots? */
bool slot_sums_match(const struct group *a, const struct group *b);
/* Turn the sums of all groups into rows and columns; the trace is whole, with no column in an annex. Values
 * that this makes are counted against *budget, in bytes; a file that makes too many is an error, which is
 * logged. */
enum refrain_status slot_sums_expand(struct trace *t, uint64_t budget);

#endif
