/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several threads of a rank that overlap: a call may have waited for a lock inside MPI, which another
 * thread held.
 *
 *     thread 0   [ MPI_File_write            ]                          holds the lock
 *     thread 1          [ MPI_File_write     |      ]
 *                       |<---- overlap ----->|<-own>|
 *
 * A trace does not show locks. A call that has to wait for a lock ends after the call that held it. So it waited no
 * longer than the calls of other threads that end in it last, and the rest of it is at least as long as the
 * shortest call at its call site (`usual`). What the call has waited for other ranks is not counted:
 *
 *     waited = min(overlap, leave - enter - explained - usual)
 *
 * A rank's calls come in the order of their times (call_stream.h), so a call is examined at the next call of its
 * thread if all is known of its own waiting. Each thread keeps its last calls; ranks with one thread keep none. */
#ifndef REFRAIN_WAIT_OVERLAPS_H
#define REFRAIN_WAIT_OVERLAPS_H

#include "src/core/base/array.h"
#include "wait_lanes.h"

/* Calls of a thread that are compared with those of other threads; call k has place k % OVERLAP_CALLS. */
#define OVERLAP_CALLS 64
/* While fewer calls at a site are known, what they waited is found at the end, when the shortest one is known. */
#define OVERLAP_FEW 64

struct overlap_call {
    uint64_t call, enter, leave;
    uint64_t explained;  /* ns: it waited for another rank … */
    uint64_t from;       /* … until then, at last; otherwise the time of `enter` */
    uint32_t site, left; /* `left`: its completions of which nothing is known yet */
    bool is_other;       /* it is not examined: it polls, does not return, or fails */
};

/* The last calls of a thread: up to `n`, not examined from `next` on. */
struct overlap_lane {
    uint64_t n, next;
    struct overlap_call calls[OVERLAP_CALLS];
};

struct overlap_site {
    uint64_t usual; /* ns: the shortest call so far, without its waiting for other ranks */
    uint32_t n;     /* calls so far, at most OVERLAP_FEW */
};

/* `call` may have waited for the end of `cause`, for `length` ns from `begin` on. */
struct overlap_wait {
    struct call_ref call, cause;
    uint64_t begin, length;
    uint64_t own; /* ns: what the call took without its waiting for other ranks */
};

struct overlap_span {
    uint64_t begin, end;
    struct call_ref call;
};

struct wait_overlaps {
    bool off; /* each rank has one thread */
    size_t n_lanes, n_sites;
    struct overlap_lane **lanes; /* NULL: the only thread of its rank, or no call yet */
    struct overlap_site *sites;
    ARRAY(struct overlap_wait) first; /* of sites with few calls */
    ARRAY(struct overlap_wait) waits; /* to be reported; the caller empties it */
    ARRAY(struct overlap_span) spans; /* internal: what overlaps with a call */
};

/* Returns REFRAIN_ERR_MEMORY when memory is short. */
enum refrain_status wait_overlaps_create(struct wait_overlaps *o, const struct wait_lanes *lanes,
                                         size_t n_sites);
void wait_overlaps_free(struct wait_overlaps *o); /* also of a zeroed struct */
/* Takes the next call of a lane whose rank has several. Adds to `waits` what is known of the calls before it.
 * `is_other`: see struct overlap_call. Returns false when memory is short. */
bool wait_overlaps_take(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                        const struct overlap_call *call);
/* The call completes one more operation; one completion of the call is known. */
void wait_overlaps_expect(struct wait_overlaps *o, uint32_t lane, uint64_t call);
void wait_overlaps_settle(struct wait_overlaps *o, uint32_t lane, uint64_t call);
/* The call waited for another rank in this time. */
void wait_overlaps_explain(struct wait_overlaps *o, uint32_t lane, uint64_t call, uint64_t begin,
                           uint64_t end);
/* The call is not examined. */
void wait_overlaps_skip(struct wait_overlaps *o, uint32_t lane, uint64_t call);
/* After the last call of all lanes: adds the rest to `waits`. Returns false when memory is short. */
bool wait_overlaps_end(struct wait_overlaps *o, const struct wait_lanes *lanes);

#endif
