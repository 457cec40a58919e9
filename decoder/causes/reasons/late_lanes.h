/* SPDX-License-Identifier: BSD-3-Clause */
/* Which lanes are late at the places of a reason. A wait is due to the last lane to come, so a lane that always comes
 * just before it costs nothing, although it computes as long:
 *
 *     rank 0   computes  8 ms ─┤ waits ───────┤
 *     rank 1   computes 16.0 ms ──────────────┤       costs all of the waiting
 *     rank 2   computes  8 ms ─┤ waits ───────┤
 *     rank 3   computes 15.9 ms ─────────────┤        is as late as rank 1 */
#ifndef REFRAIN_LATE_LANES_H
#define REFRAIN_LATE_LANES_H

#include "decoder/causes/delay_places.h"
#include "decoder/waits/search/wait_search.h"

/* A lane is late if it causes at least this share of the waiting, or if it computes at least AS_LATE times as long as
 * lanes that do. */
#define LATE_LEAST 0.1
#define AS_LATE    0.9

struct late_lanes {
    bool *are;    /* by lane */
    bool as_late; /* some of them hardly cause waiting, but are as late */
};

/* Finds the late lanes of n places that cost `cost` together, which are all calls or all computing. `waiting`: ns,
 * by lane. The caller frees *out. */
enum refrain_status late_lanes_find(struct late_lanes *out, const struct wait_search *s,
                                    const struct delay_place *places, size_t n, uint64_t cost,
                                    const uint64_t *waiting);
void late_lanes_free(struct late_lanes *l); /* also of a zeroed struct */

#endif
