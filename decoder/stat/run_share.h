/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the part of the sums that is in the run (run_begin.h). Walks the calls only up to the begin of the
 * run. */
#ifndef REFRAIN_RUN_SHARE_H
#define REFRAIN_RUN_SHARE_H

#include "decoder/call/role.h"
#include "statistics.h"

/* Adds to each tally of `s` the part of its time before the run, and to `s` the length of the run. The
 * tallies must be complete. */
enum refrain_status run_share_find(struct statistics *s, const struct reader *r, const struct roles *roles,
                                   const struct ranges *ranks);

#endif
