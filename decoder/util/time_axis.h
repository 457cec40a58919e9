/* SPDX-License-Identifier: BSD-3-Clause */
/* Times as people read them: "1.234 ms", and the marks of a time axis. */
#ifndef REFRAIN_TIME_AXIS_H
#define REFRAIN_TIME_AXIS_H

#include "src/core/base/bytes.h"

/* Nanoseconds with three digits after the point or four in all, in ns, us, ms or s. */
void time_put(struct bytes *out, uint64_t nanoseconds);

/* Marks at multiples of `step`, which is 1, 2 or 5 times a power of ten: as many as fit, with at most
 * `most` steps between two times. All are written in the unit of the later one, with the digits that the step
 * needs: 0.8 ms, 0.9 ms, 1.0 ms. */
struct time_axis {
    uint64_t step; /* nanoseconds */
    uint64_t scale;
    const char *unit;
    unsigned digits;
};

struct time_axis time_axis_of(uint64_t from, uint64_t to, unsigned most);
/* The first mark at `from` or later; the one after *mark, if there is one until `to`. */
uint64_t time_axis_first(const struct time_axis *a, uint64_t from);
bool time_axis_next(const struct time_axis *a, uint64_t to, uint64_t *mark);
void time_axis_put(struct bytes *out, const struct time_axis *a, uint64_t mark);

#endif
