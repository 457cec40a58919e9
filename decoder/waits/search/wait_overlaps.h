/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several threads of a rank that overlap: a call may have waited for a lock inside MPI, which another
 * thread held.
 *
 *     thread 0   [ MPI_File_write            ]                     holds the lock
 *     thread 1          [ MPI_File_write     |         ]
 *                       |<---- overlap ----->|<-usual->|
 *
 * A trace does not show locks. A call that waits for a lock ends after the call that held it. So it waited no longer
 * than calls of other threads overlap with it and end before it; parts in which either call waits for another rank do
 * not count. Apart from that, it takes as long as the shortest call at its call site (`usual`):
 *
 *     waited = min(overlap after `from`, leave - enter - explained - usual)
 *
 * A rank's calls come in an order of their times (call_stream.h): calls that receive when they end, others when they
 * begin. When a call comes, it is compared with the calls of other threads that came before. It is examined at one of
 * the next calls of its thread, when all is known of its own waiting, and of the waiting of the calls that overlap with
 * it. Ranks with one thread keep nothing. */
#ifndef REFRAIN_WAIT_OVERLAPS_H
#define REFRAIN_WAIT_OVERLAPS_H

#include "src/core/base/array.h"
#include "wait_lanes.h"

/* The last calls of a thread that are kept; call k has place k % OVERLAP_CALLS. */
#define OVERLAP_CALLS 64
/* A call keeps the longest of the calls that overlap with it, at most so many. */
#define OVERLAP_OTHERS 16
/* While fewer calls at a site are known, it is decided at the end how long they waited: the shortest call may come
 * later. */
#define OVERLAP_FEW 64

/* A call of another thread that ends in the call. */
struct overlap_other {
    uint32_t lane;
    struct call_ref call;
};

struct overlap_call {
    uint64_t call, enter, leave;
    uint64_t explained; /* ns: its waiting for other ranks */
    uint64_t from;      /* the end of that waiting; `enter` if there is none */
    uint32_t site;
    uint32_t left;   /* completions of which nothing is known yet */
    bool is_skipped; /* not examined */
    bool is_unknown; /* its waiting for other ranks is not known in time: it explains no waiting of others */
    ARRAY(struct overlap_other) others;
};

/* The last calls of a thread: up to `n`, not examined from `next` on. */
struct overlap_lane {
    uint64_t n, next;
    struct overlap_call calls[OVERLAP_CALLS];
};

struct overlap_site {
    uint64_t usual;   /* ns: the shortest call so far, without its waiting for other ranks */
    uint32_t n_calls; /* at most OVERLAP_FEW */
};

/* `call` may have waited for `cause`, for `length` ns until `end`. */
struct overlap_wait {
    struct call_ref call, cause;
    uint64_t end, length;
    uint64_t own; /* ns: what the call takes without its waiting for other ranks */
};

/* The part of another call that counts. */
struct overlap_span {
    uint64_t begin, end;
    struct call_ref call;
};

struct wait_overlaps {
    bool off; /* each rank has one thread */
    size_t n_lanes, n_sites;
    struct overlap_lane **lanes; /* NULL: the only thread of its rank, or no call yet */
    struct overlap_site *sites;
    ARRAY(struct overlap_wait) undecided; /* of sites with few calls */
    ARRAY(struct overlap_wait) waits;     /* to be reported; the caller empties it */
    ARRAY(struct overlap_span) spans;     /* scratch */
};

/* Returns REFRAIN_ERR_MEMORY when memory is short. */
enum refrain_status wait_overlaps_create(struct wait_overlaps *o, const struct wait_lanes *lanes,
                                         size_t n_sites);
void wait_overlaps_free(struct wait_overlaps *o); /* also of a zeroed struct */
/* Takes the next call of a lane whose rank has several. Adds to `waits` what is known of the calls before it.
 * Returns false when memory is short. */
bool wait_overlaps_take(struct wait_overlaps *o, const struct wait_lanes *lanes, uint32_t lane,
                        const struct overlap_call *call);
/* The call completes one more operation; one completion of the call is known. */
void wait_overlaps_expect(struct wait_overlaps *o, uint32_t lane, uint64_t call);
void wait_overlaps_settle(struct wait_overlaps *o, uint32_t lane, uint64_t call);
/* The call waited for another rank in this time. */
void wait_overlaps_explain(struct wait_overlaps *o, uint32_t lane, uint64_t call, uint64_t begin,
                           uint64_t end);
/* The call's waiting does not become known in time: sets is_skipped and is_unknown. */
void wait_overlaps_skip(struct wait_overlaps *o, uint32_t lane, uint64_t call);
/* After the last call of all lanes: adds the rest to `waits`. Returns false when memory is short. */
bool wait_overlaps_end(struct wait_overlaps *o, const struct wait_lanes *lanes);

#endif
