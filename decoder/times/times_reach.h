/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the times of single calls go, if the times of a rank had a budget.
 *
 *     rank 0   ■■■■■■■■■■■■■ · · · ·        ■ a call with times of its own
 *     rank 1   ■■■■■■■■■■ · · · · ·         · one without
 *                     └ until: up to here, at least, all have them */
#ifndef REFRAIN_TIMES_REACH_H
#define REFRAIN_TIMES_REACH_H

#include "lane_times.h"

struct times_reach {
    uint64_t calls, timed; /* of the threads of all ranks; those that have times of their own */
    uint64_t least;        /* of a thread that has not all: the fewest that have */
    uint64_t until;        /* by rank 0's clock: where the first of them ends that go no further; if all have,
                            * UINT64_MAX; if a thread has none, 0 */
    bool has_none;         /* there is a rank with calls, none of which has times: */
    uint32_t none;
};

/* The trace must have times of single calls. */
enum refrain_status times_reach_find(struct times_reach *out, const struct reader *r);

#endif
