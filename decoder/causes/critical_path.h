/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path: the longest chain of what could not happen before something else had happened. Any second less on it makes the
 * run shorter, until another path is longer; elsewhere it only makes others wait less.
 *
 *     rank 0   ═══════╗ waits  ╔════  end of the run
 *     rank 1          ╚════════╝      ═ the path
 *
 * It is found forward: each lane has the path that leads to where it is. One that has waited for another from then on has that one's
 * path, up to the moment that it waited for. What the paths of all lanes have in common is one profile (genealogy.h); so memory is that of
 * what is in flight, whatever the length of the run. */
#ifndef REFRAIN_CRITICAL_PATH_H
#define REFRAIN_CRITICAL_PATH_H

#include "causal_stream.h"
#include "delays.h"
#include "genealogy.h"

/* In a call at a site, or computing before one. */
enum critical_activity { CRITICAL_CALL, CRITICAL_COMPUTING, CRITICAL_ACTIVITIES };

static inline uint64_t critical_key(uint32_t site, enum critical_activity activity, uint32_t lane)
{
    return ((uint64_t)site * CRITICAL_ACTIVITIES + activity) << 32 | lane;
}

/* Of a profile's key. */
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

/* The path to where a lane is: its newest piece, and its length. */
struct critical_end {
    uint32_t piece;
    uint64_t length;
};

struct critical_path {
    uint64_t
        slack; /* ns: so much earlier than its cause's beginning may a call end, as exactly as times are */
    size_t n_lanes, n_sites;
    /* The result: by critical_key; its values add up to the length. */
    struct past_profile profile;
    uint64_t length;
    uint64_t *totals; /* by site and activity: of all lanes together, without waiting */
    struct delays delays;
    /* Meanwhile: */
    struct critical_end *of_lane;
    uint32_t *last_site; /* of each lane; PRECEDING_NONE */
    ARRAY(struct critical_end) of_mark;
    struct genealogy genealogy;
};

/* From the beginning of the run on, 0 ns. */
enum refrain_status critical_path_create(struct critical_path *c, size_t n_lanes, size_t n_sites,
                                         uint64_t slack);
void critical_path_free(struct critical_path *c); /* also of a zeroed struct */
struct causal_sink critical_path_sink(struct critical_path *c);
/* Behind the last call: the path to the last end. */
enum refrain_status critical_path_end(struct critical_path *c);

#endif
