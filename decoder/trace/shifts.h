/* What a lane's clock is advanced by, so that no message arrives before it was sent.
 *
 *     by |      |\
 *        |      | \___
 *        |______|     \___
 *              at        at + 128 by
 *
 * From `at` on times are later by so much, less and less: a 128th of the time that passes is made up for, so
 * that intervals keep 127 parts of 128 of their length at least. That is the forward amortisation of a
 * controlled logical clock: Rabenseifner, "The controlled logical clock - a global time for trace based
 * software monitoring of parallel applications in workstation clusters", PDP 1997. */
#ifndef REFRAIN_SHIFTS_H
#define REFRAIN_SHIFTS_H

#include <stdint.h>

#include "src/core/base/array.h"

#define SHIFTS_RATE 128

struct shift {
    uint64_t at, by; /* nanoseconds */
};

/* Ascending by `at`; zeroed it is empty. */
struct shifts {
    ARRAY(struct shift) items;
};

void shifts_free(struct shifts *s);
/* The time that stands for t: not before it, and ascending with it. O(log n). */
uint64_t shifts_time(const struct shifts *s, uint64_t t);
/* From time t on times are to be no earlier than `least`: does nothing if they are not. Other times may
 * become later, none earlier. False when memory is short. O(shifts behind t). */
bool shifts_raise(struct shifts *s, uint64_t t, uint64_t least);

struct thread_shifts {
    uint32_t thread; /* number of its lane */
    struct shifts shifts;
};

/* Ascending by thread; zeroed it is empty. */
struct rank_shifts {
    ARRAY(struct thread_shifts) threads;
};

void rank_shifts_free(struct rank_shifts *r);
/* Those of a thread that is there. O(log threads). */
struct shifts *rank_shifts_find(const struct rank_shifts *r, uint32_t thread);

#endif
