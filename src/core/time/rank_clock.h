/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks of the ranks, relative to the clock of rank 0.
 *
 * Each rank timestamps its calls with its own clock. The clocks started at different moments and have
 * slightly different rates. A few points say how far rank 0's clock was ahead of a rank's clock; between
 * two points the difference is interpolated linearly:
 *
 *     rank 3   local        100        220        …
 *              ahead       5000       5001                  at local 160 rank 0's clock was at 5160.5
 *              error         12         14                  its true value is within so much
 *
 * Before the first point and after the last one, the nearest line is extended. Linear correction between
 * two measurements: Doleschal, Knüpfer, Müller, Nagel, "Internal timer synchronization for parallel event
 * tracing", EuroPVM/MPI 2008. */
#ifndef REFRAIN_RANK_CLOCK_H
#define REFRAIN_RANK_CLOCK_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

struct clock_point {
    uint64_t local; /* value of the rank's clock, nanoseconds */
    int64_t ahead;  /* rank 0's clock minus the rank's clock; modulo 2^64 */
    uint64_t error; /* bound of the error of `ahead`; CLOCK_UNKNOWN: not measured */
};

#define CLOCK_UNKNOWN UINT64_MAX

struct rank_clock {
    uint32_t rank;
    ARRAY(struct clock_point) points; /* at least one; local and local + ahead ascend strictly */
};

struct rank_clocks {
    struct rank_clock *items; /* by ascending ranks */
    size_t n, cap;
};

void rank_clocks_free(struct rank_clocks *c);
/* Find the clock of a rank; NULL if there is none. O(log n). */
const struct rank_clock *rank_clocks_find(const struct rank_clocks *c, uint32_t rank);
/* Return the value of rank 0's clock when this clock showed `local`; if c is NULL, that is `local` itself.
 * The result ascends with `local`, not always strictly. */
uint64_t rank_clock_global(const struct rank_clock *c, uint64_t local);
/* Times of this clock from `from` on and before `until`: rank 0's clock is `ahead` by the same number of
 * nanoseconds. */
struct clock_step {
    uint64_t from, until, ahead;
};
/* Find the step that contains `local`; it may be longer than the result says. */
struct clock_step rank_clock_step(const struct rank_clock *c, uint64_t local);
/* rank_clock_global, faster for times near each other. *step: zeros at first, then of the last time. */
static inline uint64_t rank_clock_global_near(const struct rank_clock *c, uint64_t local,
                                              struct clock_step *step)
{
    if (local < step->from || local >= step->until)
        *step = rank_clock_step(c, local);
    return local + step->ahead;
}
/* Move the clocks of `next`, all of higher ranks, to the end of `into`. */
enum refrain_status rank_clocks_append(struct rank_clocks *into, struct rank_clocks *next);
/* Check every invariant above, for ranks first … first + n - 1, and log a broken one. */
enum refrain_status rank_clocks_check(const struct rank_clocks *c, uint32_t first, uint32_t n);

/* Section CLCK of docs/FORMAT.md. */
void rank_clocks_encode(const struct rank_clocks *c, struct bytes *out);
enum refrain_status rank_clocks_decode(struct bytes_reader *in, struct rank_clocks *out);

#endif
