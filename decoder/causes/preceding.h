/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads compute between two calls: how long in all, and how long at least, most of the times.
 *
 *     site        behind           by lane: time, and the lower quartile of the times
 *     MPI_Send ─┬─ MPI_Recv        0: 3.1 s, 310 us   1: 3.0 s, 300 us
 *               └─ MPI_Waitall     0: 12 us, 4 us     1: .
 *
 * A site has at most PRECEDING_MOST of these lists. If more calls come before it, the last list, which is after no call in
 * particular, has the rest. */
#ifndef REFRAIN_PRECEDING_H
#define REFRAIN_PRECEDING_H

#include "decoder/util/quantile.h"
#include "src/core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRECEDING_NONE UINT32_MAX
#define PRECEDING_ANY  (UINT32_MAX - 1) /* after whichever call */
#define PRECEDING_MOST 32

/* One time, and when it ended; ns. */
struct preceding_longest {
    uint64_t time, at;
};

struct preceding_time {
    uint64_t sum; /* ns */
    struct preceding_longest longest;
    struct quantile times;
};

/* Calls before the calls at a site. */
struct preceding_site {
    size_t n;
    size_t last;                     /* the list that was used last */
    uint32_t behind[PRECEDING_MOST]; /* their sites; PRECEDING_NONE: first calls, and the rest */
    struct preceding_time *of_lane[PRECEDING_MOST]; /* of the computing between them, by lane */
};

struct preceding {
    size_t n_sites, n_lanes;
    struct preceding_site **sites; /* NULL: nothing is computed before it */
};

enum refrain_status preceding_create(struct preceding *p, size_t n_sites, size_t n_lanes);
void preceding_free(struct preceding *p); /* also of a zeroed struct */
/* The lane computes between a call at `behind` (PRECEDING_NONE: none) and one at `site`, for `time` ns until `at`. */
enum refrain_status preceding_add(struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                                  uint64_t time, uint64_t at);
/* Returns the site of the preceding call after which the lane computes most. PRECEDING_NONE: `site` is the first
 * call, or there is no computing before it. */
uint32_t preceding_find(const struct preceding *p, uint32_t lane, uint32_t site);
/* Returns the one after which the lane computes more, in all, than the mean of the other lanes that have this pair of
 * calls; all of it is more if no other lane has the pair. If it computes about as much as they do after each, returns the
 * same as preceding_find. */
uint32_t preceding_find_longer(const struct preceding *p, uint32_t lane, uint32_t site);
/* Returns what the lane computes before calls at `site`, after calls at `behind` (or PRECEDING_ANY); ns. *times: how
 * many times, without those of no length. */
uint64_t preceding_sum(const struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                       uint64_t *times);
/* Returns the longest of these times; 0 if there are none. */
struct preceding_longest preceding_longest(const struct preceding *p, uint32_t lane, uint32_t site,
                                           uint32_t behind);
/* Is more than a little of what the lane computes before calls at `site` computed after calls at `behind`? */
bool preceding_has(const struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind);

#endif
