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
    uint64_t calls; /* calls of the threads of all ranks */
    uint64_t timed; /* calls that have times of their own */
    uint64_t least; /* the fewest timed calls of a thread some of whose calls have no times */
    /* By rank 0's clock: the earliest end of the times of a thread some of whose calls have no times.
     * UINT64_MAX: all calls have times; 0: a thread has no times. */
    uint64_t until;
    bool has_none;              /* there is a thread with calls, none of which has times: … */
    uint32_t none, none_thread; /* … this thread of this rank */
};

/* The trace must have times of single calls. */
enum refrain_status times_reach_find(struct times_reach *out, const struct reader *r);

#endif
