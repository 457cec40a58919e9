/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads begin and end of a lane's calls, in order, from any call on (docs/FORMAT.md, 17).
 *
 *     skeleton   a b c a b c …        which site comes next: what its times are predicted from
 *     piece      block | block | …    any block can be read first; up to a call in it, calls are gone through
 *
 * The times of the last calls may be missing if the times of a rank had a budget. Timestamps are nanoseconds
 * of the rank's own clock, whose rate may be slightly wrong. Memory is one block's model, for any number of
 * calls. */
#ifndef REFRAIN_LANE_TIMES_H
#define REFRAIN_LANE_TIMES_H

#include "decoder/trace/reader.h"
#include "src/core/time/time_piece.h"
#include "src/core/trace/lane_walk.h"

struct lane_times {
    const struct reader *reader;
    struct lane_ref lane;
    struct time_piece *piece; /* its own place: `times` points into it, and this struct may be moved */
    struct time_walk times;
    struct lane_walk sites;
    const struct rank_clock *clock; /* NULL: treated as rank 0's clock */
    uint32_t site;                  /* of the call whose times were returned last */
    uint8_t *grids;                 /* of the trace's sites */
    uint64_t *passed;               /* scratch of seeking */
};

/* Does the trace have times of single calls? Their content is not checked. */
bool lane_times_exist(const struct reader *r);
/* Returns an error if there are no times. */
enum refrain_status lane_times_check(const struct reader *r);
/* Returns the times of a thread; NULL: it has none. */
const struct annex_piece *lane_times_piece(const struct reader *r, uint32_t rank, uint32_t thread);
/* *mode is the mode of the first lane with times; the caller frees it. *bytes is the size of all lanes'
 * times. */
enum refrain_status lane_times_mode(const struct reader *r, struct time_mode *mode, uint64_t *bytes);
/* *bound is how far an entry or exit may be from the recorded one, in nanoseconds. */
enum refrain_status lane_times_bound(const struct reader *r, uint64_t *bound);
/* "lossy, within a factor of 1.2" */
void lane_times_put_mode(const struct time_mode *m, struct bytes *out);

/* *there: the lane has times. If not, the other functions treat it as a lane without calls. Logs errors;
 * after an error, lane_times_stop is not needed. */
enum refrain_status lane_times_start(struct lane_times *t, const struct reader *r,
                                     const struct lane_ref *lane, bool *there);
/* Sets the next call to number `index` (<= the lane's calls). There is no next call if its times are
 * missing. */
enum refrain_status lane_times_seek(struct lane_times *t, uint64_t index);
/* The number of the next call. */
static inline uint64_t lane_times_index(const struct lane_times *t)
{
    return t->times.index;
}
/* Does the trace have the times of the lane's call number `index`? */
bool lane_times_have(const struct lane_times *t, uint64_t index);
/* Returns the times of the next call. False at the end, and after an error, which is logged (see *status). */
bool lane_times_next(struct lane_times *t, struct timestamp *timestamps, enum refrain_status *status);
/* The same for a caller that walks the calls itself, from the first one on: `site` is that of the next call, for
 * which there must be times. */
bool lane_times_take(struct lane_times *t, uint32_t site, struct timestamp *timestamps,
                     enum refrain_status *status);
/* Converts to rank 0's clock: the time since the rank's own clock showed `base`. */
struct timestamp lane_times_since(const struct lane_times *t, uint64_t base, struct timestamp local);
void lane_times_stop(struct lane_times *t); /* also of a zeroed struct */

/* *base is the time of the first call (usually MPI_Init) of the rank's first lane with times; 0 if no lane
 * has times. */
enum refrain_status lane_times_base(const struct reader *r, uint32_t rank, uint64_t *base);

#endif
