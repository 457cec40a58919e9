/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a lane with their timestamps.
 *
 * Calls may be read ahead in large groups: when lanes are walked in turns, a lane's models (256 KiB for times
 * alone) would not stay in the cache. Other threads, if any, read ahead in the background.
 *
 *     now   40 41 42 43 … 1064 |   next   1065 1066 …
 *              ^ taken             being read */
#ifndef REFRAIN_TIMED_LANE_H
#define REFRAIN_TIMED_LANE_H

#include "timestamps.h"

struct thread_pool;
struct timed_ahead;

struct timed_lane {
    struct cursor cursor;
    struct timestamps timestamps;
    struct timed_ahead *ahead; /* NULL: calls are read when they are asked for */
    struct call call;          /* the last one that was reached */
    struct timestamp timestamp;
};

/* Starts before the first call. Without a source, timestamps are zeros. After an error, timed_lane_stop is
 * not needed. */
enum refrain_status timed_lane_start(struct timed_lane *l, const struct reader *r,
                                     const struct timestamps_source *source, const struct lane_ref *lane);
/* From the first call on they are read ahead; the lane is to stay where it is, and the pool until it is
 * stopped. Cursor and timestamps are then elsewhere. The caller is the pool's creator. */
enum refrain_status timed_lane_read_ahead(struct timed_lane *l, struct thread_pool *pool);
bool timed_lane_next_ahead(struct timed_lane *l, enum refrain_status *status);
/* Returns the next call. False at the end, and on an error (see *status). */
static inline bool timed_lane_next(struct timed_lane *l, enum refrain_status *status)
{
    if (l->ahead)
        return timed_lane_next_ahead(l, status);
    if (!cursor_next(&l->cursor, &l->call, status))
        return false;
    return !l->timestamps.source ||
           (*status = timestamps_next(&l->timestamps, &l->call, &l->timestamp)) == REFRAIN_OK;
}
/* The number of the first call that has not been read. */
uint64_t timed_lane_reach(struct timed_lane *l);
/* Reads no call from number `until` on, which must not be below timed_lane_reach. Until that changes, the calls
 * before it can be taken. */
void timed_lane_read_until(struct timed_lane *l, uint64_t until);
void timed_lane_stop(struct timed_lane *l); /* also of a zeroed struct */

#endif
