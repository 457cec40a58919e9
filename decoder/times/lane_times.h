/* SPDX-License-Identifier: BSD-3-Clause */
/* When the calls of a lane began and ended, one after the other, from any call on (docs/FORMAT.md, 17).
 *
 *     skeleton   a b c a b c …        which site comes next: what its times are predicted from
 *     piece      block | block | …    any block can be read first; up to a call in it, calls are gone through
 *
 * Those of the last calls may be missing, where the times of a rank had a budget. Timestamps are nanoseconds
 * of the rank's own clock, whose rate may be a little off. Memory is a block's model, whatever the number of
 * calls.
 *
 * Times are read ahead, many at once: whoever goes through the lanes in turns would find nothing of a lane's model, 256 KiB, in
 * the cache. */
#ifndef REFRAIN_LANE_TIMES_H
#define REFRAIN_LANE_TIMES_H

#include "decoder/trace/reader.h"
#include "src/core/time/time_piece.h"
#include "src/core/trace/lane_walk.h"

#define LANE_TIMES_AHEAD 4096

/* Of a call that is read ahead. */
struct lane_time {
    uint32_t site;
    struct timestamp timestamp;
};

struct lane_times {
    const struct reader *reader;
    struct lane_ref lane;
    struct time_piece *piece; /* its own place: `times` points into it, and this struct may be moved */
    struct time_walk times;   /* behind what is read ahead, as `sites` */
    struct lane_walk sites;
    struct lane_time *ahead;        /* room for `most` */
    size_t at, n, most;             /* the next one of n that are there */
    enum refrain_status failed;     /* behind those */
    const struct rank_clock *clock; /* NULL: it is taken for rank 0's */
    uint32_t site;                  /* of the call whose times came last */
    uint8_t *grids;                 /* of the trace's sites */
    uint64_t *passed;               /* scratch of seeking */
};

/* Has the trace times of single calls? Such of an older kind (docs/FORMAT.md, 19) are as none at all; … */
bool lane_times_exist(const struct reader *r);
/* … are there any? This is logged as a warning. */
bool lane_times_warn(const struct reader *r);
/* That there are none is an error. */
enum refrain_status lane_times_check(const struct reader *r);
/* Of a thread; NULL: it has none. */
const struct annex_piece *lane_times_piece(const struct reader *r, uint32_t rank, uint32_t thread);
/* Of the lanes that have any, the first one's mode, for the caller to free; *bytes of all of them. */
enum refrain_status lane_times_mode(const struct reader *r, struct time_mode *mode, uint64_t *bytes);
/* "lossy, within a factor of 1.2" */
void lane_times_put_mode(const struct time_mode *m, struct bytes *out);

/* *there tells whether the lane has times; otherwise the rest is as if it had no calls. Logs what goes wrong;
 * nothing needs to be stopped then. */
enum refrain_status lane_times_start(struct lane_times *t, const struct reader *r,
                                     const struct lane_ref *lane, bool *there);
/* So that the next call is number `index` (<= the lane's calls); there is none if its times are missing. */
enum refrain_status lane_times_seek(struct lane_times *t, uint64_t index);
/* The number of the next call. */
uint64_t lane_times_index(const struct lane_times *t);
/* Does the trace have those of the lane's call number `index`? */
bool lane_times_have(const struct lane_times *t, uint64_t index);
/* Those of the next call; false at the end, and after an error, which is logged (then *status says so). */
bool lane_times_next(struct lane_times *t, struct timestamp *timestamps, enum refrain_status *status);
/* By rank 0's clock, since the rank's own one showed `base`. */
struct timestamp lane_times_since(const struct lane_times *t, uint64_t base, struct timestamp local);
void lane_times_stop(struct lane_times *t); /* also of a zeroed struct */

/* When a rank's first lane that has times made its first call: mostly MPI_Init. *base is 0 if none has. */
enum refrain_status lane_times_base(const struct reader *r, uint32_t rank, uint64_t *base);

#endif
