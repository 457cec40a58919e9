/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds the times of a lane, call after call.
 *
 * With a unit, entries and exits are rounded to it. In lossy modes:
 *
 *     time      ────────────gap────────────|──duration──|──gap──|─…
 *     kept      ──────────gap──────────|───duration──|──gap──|─…
 *                                      |←──→| error of the entry
 *
 * Each interval t becomes one of its two neighbours on the grid (time_grid.h), so errors could add up. The
 * following rule prevents this. Let E be the sum of all errors before, and s the grid's bound:
 *
 * 1. If |E| <= s afterwards with the odd-numbered neighbour, take it.
 * 2. Otherwise, take the other neighbour.
 *
 * So |E| <= s after each interval, at each entry and exit. Proof: E is 0 at first. A neighbour below t makes
 * E smaller, so that it stays below s; one above t makes it larger, so that it stays above -s. In case 2 the
 * odd-numbered neighbour makes E larger than s, or smaller than -s; the other neighbour is at most 2 s away
 * from it, so |E| <= s in this case, too.
 *
 * The format does not depend on this rule: a reader only adds up the values. */
#ifndef REFRAIN_TIME_ROUND_H
#define REFRAIN_TIME_ROUND_H

#include "time_code.h"

struct time_round {
    const struct time_mode *mode;
    uint64_t left;  /* when the last call really ended, … */
    uint64_t shown; /* … and its end as a reader will see it; in units, if there is a unit */
};

/* The exact times of a call, in nanoseconds: gap and duration. For a nested call both are counted from the
 * end of the previous call, the gap backwards (time_code.h). */
struct time_exact {
    bool nested;
    uint64_t gap, duration;
};

/* Start rounding, at the time when the first call begins. */
struct time_round time_round_start(const struct time_mode *mode, uint64_t enter);
/* Return the end of the previous call as a reader will see it. */
uint64_t time_round_timestamp(const struct time_round *r);
/* Round the next call; `grid` is the number of its function's grid. */
struct time_call time_round_call(struct time_round *r, uint32_t grid, const struct time_exact *exact);

#endif
