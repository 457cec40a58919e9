/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of the times that `refrain text --times` prints.
 *
 *     own       since the rank's first call, which is usually MPI_Init; a lane can be read from any call on
 *     common    --clock: since the first call of all, by rank 0's clock (decoder/match/logical_clock.h), as in
 *               timelines; a lane is read from its first call on */
#ifndef REFRAIN_CALL_CLOCK_H
#define REFRAIN_CALL_CLOCK_H

#include "decoder/match/logical_clock.h"

/* Of a trace. */
struct call_clocks {
    bool wanted, common;
    struct timestamps_source source; /* for the common one */
    struct logical_clock logical;
};

/* Of a lane's calls. */
struct call_clock {
    const struct call_clocks *clocks;
    bool there; /* it has times */
    struct lane_times own;
    uint64_t base; /* of the rank's own clock */
    struct timestamps common;
    struct timestamp timestamp; /* of the last call */
};

/* wanted: --times. word: --clock, NULL for the own ones. Wrong words and traces without times are logged. */
enum refrain_status call_clocks_create(struct call_clocks *c, bool wanted, const char *word,
                                       const struct reader *r, const struct definitions *d);
void call_clocks_free(struct call_clocks *c); /* also of a zeroed struct */

/* Returns the call from which the lane must be read to get the times of call number `first`. */
uint64_t call_clocks_from(const struct call_clocks *c, uint64_t first);
/* For the lane's calls from number `from` on, which call_clocks_from told. The clocks have to stay. */
enum refrain_status call_clock_start(struct call_clock *c, const struct call_clocks *clocks,
                                     const struct reader *r, const struct lane_ref *lane, uint64_t from);
/* Of the lane's next call. NULL where it has none, or none are wanted, and after an error. */
static inline const struct timestamp *call_clock_next(struct call_clock *c, const struct call *call,
                                                      enum refrain_status *status);
void call_clock_stop(struct call_clock *c); /* also of a zeroed struct */

/* ---- inline ---------------------------------------------------------------------------------- */

/* Reads the timestamp of a call; the lane must have times. */
const struct timestamp *call_clock_read(struct call_clock *c, const struct call *call,
                                        enum refrain_status *status);

static inline const struct timestamp *call_clock_next(struct call_clock *c, const struct call *call,
                                                      enum refrain_status *status)
{
    return c->there ? call_clock_read(c, call, status) : NULL;
}

#endif
