/* SPDX-License-Identifier: BSD-3-Clause */
/* The accuracy of the times of single calls (values of REFRAIN_TIMING other than the aggregates):
 *
 *     lossless               nanoseconds as read from the clock
 *     quantum:1us            every entry and exit within half a microsecond
 *     lossy                  durations and gaps within a factor of 1.2, entries and exits within 1 us
 *     lossy:1.05:10us        durations and gaps within a factor of 1.05, those below 10 us within 10 us;
 *                            entries and exits within 5 us, half of that
 *     lossy:1.2:0ns:100us    durations and gaps within a factor of 1.2, entries and exits within 100 us
 *
 * REFRAIN_TIMING_BASE=MPI_Allreduce=1.05,MPI_Barrier=1.5 gives single functions another factor. */
#ifndef REFRAIN_TIME_MODE_H
#define REFRAIN_TIME_MODE_H

#include <stdbool.h>

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "time_grid.h"

#define TIME_GRIDS_MAX 64

struct time_mode {
    uint64_t unit;                 /* nanoseconds; entries and exits are multiples; 0: lossy, by grids */
    ARRAY(struct time_grid) grids; /* the first one is for all functions except … */
    ARRAY(char *) functions;       /* … these, which use the second, the third, …; owned */
};

/* Is the text valid? */
bool time_mode_is_sound(const char *text);
bool time_bases_are_sound(const char *text);
/* Parse valid texts. bases: NULL for none; they only matter in a lossy mode. */
enum refrain_status time_mode_parse(const char *text, const char *bases, struct time_mode *out);
void time_mode_free(struct time_mode *m);
bool time_mode_is_equal(const struct time_mode *a, const struct time_mode *b);
/* Return the number of a function's grid; 0 in modes that are not lossy. */
uint32_t time_mode_grid(const struct time_mode *m, const char *function);

void time_mode_encode(const struct time_mode *m, struct bytes *out);
/* Decode a mode. REFRAIN_ERR_FORMAT is not logged; the caller logs it with the position. */
enum refrain_status time_mode_decode(struct bytes_reader *in, struct time_mode *out);

#endif
