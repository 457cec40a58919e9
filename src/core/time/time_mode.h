/* SPDX-License-Identifier: BSD-3-Clause */
/* How exactly the times of calls are kept, one by one (REFRAIN_TIMING beyond the aggregates):
 *
 *     lossless               nanoseconds, as the clock gave them
 *     quantum:1us            every entry and exit within half a microsecond
 *     lossy                  durations and gaps within a factor of 1.2, entries and exits within 1 us
 *     lossy:1.05:10us        durations and gaps within a factor of 1.05, those below 10 us within 10 us; entries
 *                            and exits within 5 us, half of that
 *     lossy:1.2:0ns:100us    durations and gaps within a factor of 1.2, entries and exits within 100 us
 *
 * REFRAIN_TIMING_BASE=MPI_Allreduce=1.05,MPI_Barrier=1.5 gives functions a factor of their own. */
#ifndef REFRAIN_TIME_MODE_H
#define REFRAIN_TIME_MODE_H

#include <stdbool.h>

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "time_grid.h"

#define TIME_GRIDS_MAX 64

struct time_mode {
    uint64_t unit; /* entries and exits are multiples of so many nanoseconds; 0: lossy, by grids */
    ARRAY(struct time_grid) grids; /* the first is that of all functions but … */
    ARRAY(char *) functions;       /* … these, which have the second, the third, …; owned */
};

/* Do the texts make sense? */
bool time_mode_is_sound(const char *text);
bool time_bases_are_sound(const char *text);
/* Of sound texts. bases: NULL for none; they mean nothing but in a lossy mode. */
enum refrain_status time_mode_parse(const char *text, const char *bases, struct time_mode *out);
void time_mode_free(struct time_mode *m);
bool time_mode_is_equal(const struct time_mode *a, const struct time_mode *b);
/* Number of a function's grid; 0 in modes that are not lossy. */
uint32_t time_mode_grid(const struct time_mode *m, const char *function);

void time_mode_encode(const struct time_mode *m, struct bytes *out);
/* REFRAIN_ERR_FORMAT without a message, for the caller knows where it stands. */
enum refrain_status time_mode_decode(struct bytes_reader *in, struct time_mode *out);

#endif
