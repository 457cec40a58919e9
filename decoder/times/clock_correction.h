/* SPDX-License-Identifier: BSD-3-Clause */
/* The correction that advances a lane's clock, so that no message arrives before it was sent.
 *
 *     by |      |\
 *        |      | \___
 *        |______|     \___
 *              at        at + 128 by
 *
 * From `at` on, times are later by `by`. The shift decreases by 1/128 of the time that passes, so intervals
 * keep at least 127/128 of their length. This is the forward amortisation of a controlled logical clock:
 * Rabenseifner, "The controlled logical clock - a global time for trace based software monitoring of parallel
 * applications in workstation clusters", PDP 1997. */
#ifndef REFRAIN_CLOCK_CORRECTION_H
#define REFRAIN_CLOCK_CORRECTION_H

#include <stdint.h>

#include "src/core/base/array.h"

#define CLOCK_CORRECTION_RATE 128

/* A shift, as drawn above. */
struct clock_correction_step {
    uint64_t at, by; /* nanoseconds */
};

/* Ascending by `at`; a zeroed struct is empty. */
struct clock_correction {
    ARRAY(struct clock_correction_step) items;
};

void clock_correction_free(struct clock_correction *s);
/* Returns the corrected time for t: not before t, and ascending with t. O(log n). */
uint64_t clock_correction_time(const struct clock_correction *s, uint64_t t);
/* Times from t on must not be earlier than `least`; does nothing if they are not. Other times may become
 * later, but none earlier. False when memory is short. O(shifts after t). */
bool clock_correction_raise(struct clock_correction *s, uint64_t t, uint64_t least);

struct thread_correction {
    uint32_t thread; /* number of its lane */
    struct clock_correction correction;
};

/* Ascending by thread; a zeroed struct is empty. */
struct rank_corrections {
    ARRAY(struct thread_correction) threads;
};

void rank_corrections_free(struct rank_corrections *r);
/* Returns the correction of a thread, which must exist. O(log threads). */
struct clock_correction *rank_corrections_find(const struct rank_corrections *r, uint32_t thread);

#endif
