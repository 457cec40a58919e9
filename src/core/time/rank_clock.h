/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks of the ranks, against that of rank 0.
 *
 * Ranks timestamp their calls with clocks of their own, which began at different moments and go at slightly
 * different rates. A few points tell how far rank 0's clock was ahead of a rank's; in between it is a line:
 *
 *     rank 3   local        100        220        …
 *              ahead       5000       5001                  at local 160 rank 0's clock was at 5160.5
 *              error         12         14                  its true value is within so much
 *
 * Before the first point and behind the last the nearest line goes on. Linear correction between two
 * measurements: Doleschal, Knüpfer, Müller, Nagel, "Internal timer synchronization for parallel event
 * tracing", EuroPVM/MPI 2008. */
#ifndef REFRAIN_RANK_CLOCK_H
#define REFRAIN_RANK_CLOCK_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

struct clock_point {
    uint64_t local; /* what the rank's clock showed, nanoseconds */
    int64_t ahead;  /* of it was rank 0's clock by so much; modulo 2^64 */
    uint64_t error; /* by which that may be wrong; CLOCK_UNKNOWN: nobody has compared the two */
};

#define CLOCK_UNKNOWN UINT64_MAX

struct rank_clock {
    uint32_t rank;
    ARRAY(struct clock_point) points; /* one at least; local and local + ahead ascend strictly */
};

struct rank_clocks {
    struct rank_clock *items; /* by ascending ranks */
    size_t n, cap;
};

void rank_clocks_free(struct rank_clocks *c);
/* The clock of a rank; NULL if there is none. O(log n). */
const struct rank_clock *rank_clocks_find(const struct rank_clocks *c, uint32_t rank);
/* What rank 0's clock showed when this one showed `local`; NULL is taken for rank 0's own. Ascends with `local`,
 * not always strictly. */
uint64_t rank_clock_global(const struct rank_clock *c, uint64_t local);
/* Move what `next` has, all of higher ranks, behind. */
enum refrain_status rank_clocks_append(struct rank_clocks *into, struct rank_clocks *next);
/* Every invariant above, for ranks first … first + n - 1; logged when broken. */
enum refrain_status rank_clocks_check(const struct rank_clocks *c, uint32_t first, uint32_t n);

/* Section CLCK of docs/FORMAT.md. */
void rank_clocks_encode(const struct rank_clocks *c, struct bytes *out);
enum refrain_status rank_clocks_decode(struct bytes_reader *in, struct rank_clocks *out);

#endif
