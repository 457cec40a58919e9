/* SPDX-License-Identifier: BSD-3-Clause */
#include "timed_lane.h"

enum refrain_status timed_lane_start(struct timed_lane *l, const struct reader *r,
                                     const struct timestamps_source *source, const struct lane_ref *lane)
{
    *l = (struct timed_lane){0};
    enum refrain_status status = cursor_start(&l->cursor, r, lane);
    if (status == REFRAIN_OK && source &&
        (status = timestamps_start(&l->timestamps, source, lane)) != REFRAIN_OK)
        timed_lane_stop(l);
    return status;
}

void timed_lane_stop(struct timed_lane *l)
{
    timestamps_stop(&l->timestamps);
    cursor_stop(&l->cursor);
    *l = (struct timed_lane){0};
}
