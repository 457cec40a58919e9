/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the critical path runs: from which lane to which, and when.
 *
 *     lane 0   ───────┐           ┌────── end      stays: 0 from the begin to a
 *     lane 1          └───────────┘                       1 from a to b, 0 from b to the end
 *                     a           b
 *
 * A jump is noted whenever a lane has waited for another one. Going back over the jumps, the last one of the
 * lane that the path is in, not after the time it has reached, is where the path came from: a call comes after
 * all calls that it depends on, so one pass is enough. */
#ifndef REFRAIN_CRITICAL_ROUTE_H
#define REFRAIN_CRITICAL_ROUTE_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The path in `lane` comes from `other`: it left it at the time `at`, in ns. */
struct critical_jump {
    uint64_t at;
    uint32_t lane, other;
};

/* The path is in a lane; ns. */
struct critical_stay {
    uint64_t from, to;
    uint32_t lane;
};
struct critical_stays {
    struct critical_stay *items;
    size_t n, cap;
};

struct critical_route {
    bool wanted; /* set by the caller */
    bool cut;    /* there were more jumps than memory is spent on: there is no route */
    ARRAY(struct critical_jump) jumps;
};

/* Notes a jump if the route is wanted. Returns false when memory is short. */
bool critical_route_add(struct critical_route *r, struct critical_jump jump);
/* Finds the path from `begin` to `end`, when it is in `lane`, in order of time, in at most `most` stays: if
 * there are more, the shortest ones belong to the stays before them. Finds none if the route was cut. The
 * caller frees *stays with array_free. */
enum refrain_status critical_route_find(const struct critical_route *r, uint32_t lane, uint64_t begin,
                                        uint64_t end, size_t most, struct critical_stays *stays);
void critical_route_free(struct critical_route *r); /* also of a zeroed struct */

#endif
