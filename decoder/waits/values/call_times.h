/* SPDX-License-Identifier: BSD-3-Clause */
/* How long single calls and messages took: a histogram for each site, and statistics for each size of messages.
 *
 *     bins per factor of 2:   4        a median lies in a bin, so it is known to 12.5 %
 *     duration of a call      its own, also where polls form one state (wait_lanes.h)
 *     computing               one span of time between calls; the site after the last one
 *     time of a message       from the begin of its send to the end of the call that completed its receive
 *     … of both               from when both calls had begun: without waiting for a late sender or receiver
 *
 * A message that by the clocks was there before it was sent has no time. */
#ifndef REFRAIN_CALL_TIMES_H
#define REFRAIN_CALL_TIMES_H

#include "decoder/match/matching.h"

enum {
    DURATION_PARTS = 4,                        /* bins per factor of 2 */
    DURATION_BINS = (64 - 1) * DURATION_PARTS, /* the first ones have one value, or none */
    MESSAGE_SIZES = 65                         /* 0; 1; 2 and 3; 4 to 7; … */
};

struct durations {
    uint64_t n;
    uint64_t sum, least, most; /* ns; all are 0 if n is 0 */
    uint64_t bins[DURATION_BINS];
};

/* Messages whose size has as many binary digits. */
struct message_times {
    uint64_t messages, bytes;
    struct durations time; /* from the begin of the send; its n may be smaller than `messages` */
    struct durations both; /* from when both calls had begun; likewise */
};

struct call_times {
    size_t n_sites;
    struct durations **sites;                   /* by site; NULL: no call of the site */
    struct message_times *sizes[MESSAGE_SIZES]; /* NULL: no message of that size */
};

/* Makes *c empty, for n_sites sites and computing. A struct that was used before is allowed. */
enum refrain_status call_times_start(struct call_times *c, size_t n_sites);
void call_times_free(struct call_times *c); /* also of a zeroed struct */

enum refrain_status call_times_add(struct call_times *c, size_t site, uint64_t duration);
enum refrain_status call_times_add_message(struct call_times *c, const struct matching_message *m);

/* ---- of a histogram -------------------------------------------------------------------------- */

void durations_add(struct durations *d, uint64_t duration);
/* ns: the middle of the bin that has the median, but no less than the least and no more than the most. */
uint64_t durations_median(const struct durations *d);
/* Returns how many durations are from 2^exponent ns to less than twice that; exponent 0: also 0 ns. */
uint64_t durations_octave(const struct durations *d, unsigned exponent);

#endif
