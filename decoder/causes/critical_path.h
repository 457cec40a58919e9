/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path: the longest chain of dependent events in the run. Less time on it makes the run shorter,
 * until another path is longer. Less time elsewhere only makes other ranks wait less.
 *
 *     rank 0   ═══════╗ waits  ╔════  end of the run
 *     rank 1          ╚════════╝      ═ the path
 *
 * The path is found in forward direction: each lane has the path that leads to its current position. When a
 * lane has waited for another one, it takes over the other lane's path up to the moment that it waited for.
 * The common part of all paths is one profile (genealogy.h), so memory grows with pending operations, not
 * with the length of the run. */
#ifndef REFRAIN_CRITICAL_PATH_H
#define REFRAIN_CRITICAL_PATH_H

#include "decoder/causes/stream/causal_stream.h"
#include "critical_route.h"
#include "delays.h"
#include "genealogy.h"

/* Inside a call at a site, or computing before one. */
enum critical_activity { CRITICAL_CALL, CRITICAL_COMPUTING, CRITICAL_ACTIVITIES };

static inline uint64_t critical_key(uint32_t site, enum critical_activity activity, uint32_t lane)
{
    return ((uint64_t)site * CRITICAL_ACTIVITIES + activity) << 32 | lane;
}

/* The site of a profile's key. */
static inline uint32_t critical_site(uint64_t key)
{
    return (uint32_t)(key >> 32) / CRITICAL_ACTIVITIES;
}

static inline enum critical_activity critical_activity(uint64_t key)
{
    return (key >> 32) % CRITICAL_ACTIVITIES;
}

static inline uint32_t critical_lane(uint64_t key)
{
    return (uint32_t)key;
}

/* The path to a lane's current position: its newest piece, and its length in ns. */
struct critical_end {
    uint32_t piece;
    uint64_t length;
};

struct critical_path {
    uint64_t slack; /* ns: precision of the times; a call may end up to this long before its cause begins */
    uint64_t begin; /* ns: begin of the run; earlier time is on no path. Set by the caller */
    size_t n_lanes, n_sites;
    /* The result: by critical_key; its values add up to the length. */
    struct past_profile profile;
    uint64_t length;
    uint64_t *totals;   /* by site and activity: sum over all lanes, without waiting */
    uint32_t last_lane; /* where the path ends */
    struct critical_route route;
    struct delays delays;
    /* Internal, while the stream runs: */
    struct critical_end *of_lane;
    uint32_t *last_site; /* of each lane; PRECEDING_NONE */
    ARRAY(struct critical_end) of_mark;
    struct genealogy genealogy;
};

/* All lanes start at 0 ns, the time of the first call of the run. */
enum refrain_status critical_path_create(struct critical_path *c, size_t n_lanes, size_t n_sites,
                                         uint64_t slack);
void critical_path_free(struct critical_path *c); /* also of a zeroed struct */
struct causal_sink critical_path_sink(struct critical_path *c);
/* Call this after the last call: finds the path to the end of the run. */
enum refrain_status critical_path_end(struct critical_path *c);

#endif
