/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of a lane's times, call after call.
 *
 * With a unit, entries and exits are rounded to it. In lossy modes:
 *
 *     time      ────────────gap────────────|──duration──|──gap──|─…
 *     kept      ──────────gap──────────|───duration──|──gap──|─…
 *                                      |←──→| error of the entry
 *
 * Each interval t becomes one of the two values beside it on the grid (time_grid.h), by number, so that
 * errors may add up. They do not: let E be the error so far, and s the grid's bound.
 *
 * 1. With the odd-numbered neighbour, is |E| <= s afterwards? Then it is that.
 * 2. Otherwise, it is the other one.
 *
 * So |E| <= s after each interval, at each entry and exit. Proof: it is 0 at first. A neighbour below t makes E
 * smaller, so that it stays below s; one above t makes it larger, so that it stays above -s. In 2 the odd one
 * takes E beyond s, or below -s; the other one is at most 2 s away, so that it takes E to within s there, too.
 *
 * Nothing of this is in the format: a reader adds up what it finds. */
#ifndef REFRAIN_TIME_ROUND_H
#define REFRAIN_TIME_ROUND_H

#include "time_code.h"

struct time_round {
    const struct time_mode *mode;
    uint64_t left;  /* when the last call ended, … */
    uint64_t shown; /* … and as a reader will see it; a number of units where there are units */
};

/* A call as it was: the gap before it, back from the end of the one before if it is nested, from which its
 * duration is counted, too (time_code.h). Nanoseconds. */
struct time_exact {
    bool nested;
    uint64_t gap, duration;
};

/* Before the first call, which begins then. */
struct time_round time_round_start(const struct time_mode *mode, uint64_t enter);
/* What a reader takes for the end of the call before. */
uint64_t time_round_timestamp(const struct time_round *r);
/* What is kept of the next call, of a function with this grid. */
struct time_call time_round_call(struct time_round *r, uint32_t grid, const struct time_exact *exact);

#endif
