/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums times by rank, or for a part of the ranks, from the times of single calls (lane_times.h). Walks the
 * calls one by one, without their arguments. Each duration is as exact as the trace's mode of times
 * allows. */
#ifndef REFRAIN_SINGLE_TIMES_H
#define REFRAIN_SINGLE_TIMES_H

#include "statistics.h"

/* Adds the times of the calls of `ranks` to the tallies of `s` by rank and, unless all ranks are wanted, to
 * the tallies by function and site. If some calls of a tally have no times of their own, the tally gets no
 * times. */
enum refrain_status single_times_sum(struct statistics *s, const struct reader *r,
                                     const struct ranges *ranks);

#endif
