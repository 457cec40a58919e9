/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of lanes that others read (decoder/processes), which takes most of the time of reading a lane.
 *
 * A lane belongs to one thread at a time; several threads may use several lanes at once. Times are by the
 * rank's own clock, as lane_times_next returns them. */
#ifndef REFRAIN_TIME_SUPPLY_H
#define REFRAIN_TIME_SUPPLY_H

#include "src/core/base/status.h"
#include "src/core/base/timestamp.h"

#include <stddef.h>
#include <stdint.h>

struct lane_ref;
struct supplied_lane;

struct time_supply {
    void *context;
    /* Begins a lane that has times of its first `calls` calls. */
    enum refrain_status (*begin)(void *context, const struct lane_ref *lane, uint64_t calls,
                                 struct supplied_lane **out);
    /* The times of the next *n calls, at least one; valid until the next step. Not called after the last of
     * them. Errors are logged, maybe by another process. */
    enum refrain_status (*next)(struct supplied_lane *lane, const struct timestamp **times, size_t *n);
    /* At the end, or before it. */
    void (*end)(struct supplied_lane *lane);
};

#endif
