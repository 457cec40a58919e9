/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a lane, with when they were made. */
#ifndef REFRAIN_TIMED_LANE_H
#define REFRAIN_TIMED_LANE_H

#include "timestamps.h"

struct timed_lane {
    struct cursor cursor;
    struct timestamps timestamps;
    struct call call; /* the last one that was reached */
    struct timestamp timestamp;
};

/* Before the first call. Without a source timestamps are zeros. After an error there is nothing to stop. */
enum refrain_status timed_lane_start(struct timed_lane *l, const struct reader *r,
                                     const struct timestamps_source *source, const struct lane_ref *lane);
/* The next call; false at the end, and when something fails (then *status says so). */
static inline bool timed_lane_next(struct timed_lane *l, enum refrain_status *status)
{
    if (!cursor_next(&l->cursor, &l->call, status))
        return false;
    return !l->timestamps.source ||
           (*status = timestamps_next(&l->timestamps, &l->call, &l->timestamp)) == REFRAIN_OK;
}
void timed_lane_stop(struct timed_lane *l); /* also of a zeroed struct */

#endif
