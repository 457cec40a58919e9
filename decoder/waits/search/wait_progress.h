/* SPDX-License-Identifier: BSD-3-Clause */
/* Late progress. MPI libraries often move data only while a process is inside of MPI. So a call may end only after
 * the partner's next call, though both ends of the message have begun:
 *
 *     rank 0   Irecv   ████████ Wait ████████▒▒|              waits from Irecv or Isend, whichever is later, …
 *     rank 1   Isend ── computes ──────────────| Wait ▒|      … until the partner returns to MPI: its Wait
 *
 * The trace does not show this. It is concluded from the times: the call stays at least PROGRESS_LEAST after the last
 * cause that is known, and after the partner's return, no more than PROGRESS_REST of that. The partner was outside of MPI
 * since the first PROGRESS_REST of it, or longer, but not for so long that a return then may be chance.
 *
 * When a call is over, the partner's lane may not have been walked so far. Then the call waits until it has.
 *
 *     of each lane   returns: the last PROGRESS_KEPT calls after at least PROGRESS_LEAST outside of MPI
 *                    calls that wait until the lane has been walked up to their end */
#ifndef REFRAIN_WAIT_PROGRESS_H
#define REFRAIN_WAIT_PROGRESS_H

#include "wait_event.h"

#define PROGRESS_LEAST 100000 /* ns */
#define PROGRESS_REST  0.25
#define PROGRESS_SHARE 0.05 /* of the partner's time outside of MPI: a shorter wait may end then by chance */

/* Has the wait from `from` ended soon after `last`? */
static inline bool late_is_cause(uint64_t from, uint64_t last, uint64_t leave)
{
    return last > from && last <= leave && from + PROGRESS_LEAST <= leave &&
           (double)(leave - last) <= PROGRESS_REST * (double)(leave - from);
}

/* The ranks that a call may have waited for. */
#define PARTNERS_MOST 8
struct wait_partners {
    uint32_t ranks[PARTNERS_MOST];
    size_t n;
    bool any; /* there are more, or they are not known: all ranks */
};

void wait_partners_add(struct wait_partners *p, uint32_t rank);

#define PROGRESS_KEPT 16
struct lane_return {
    uint64_t since;
    struct call_ref call;
};

/* A call whose partners have not all been walked so far. */
struct late_call {
    struct wait_event event; /* if there is a cause, so far */
    struct wait_partners partners;
    uint32_t at;   /* the partner that it waits for, or the rank if it may be any */
    uint32_t next; /* in the list of the lane that it waits for; PROGRESS_NONE */
};

#define PROGRESS_NONE UINT32_MAX

struct progress_lane {
    struct lane_return returns[PROGRESS_KEPT]; /* number k is at k % PROGRESS_KEPT */
    uint64_t n, first;                         /* number of returns so far; the first one that is kept */
    uint64_t reach;                            /* end of the last call; … */
    uint64_t outside;                          /* … of the last one that is not local; 0: there was none */
    uint32_t waiting;                          /* list of calls; … */
    uint64_t ends;                             /* … the first of them ends then, or later */
    bool alone;                                /* the rank has no other lane */
};

struct wait_progress {
    struct progress_lane *lanes; /* by rank: lanes of ranks with one lane only */
    uint32_t first_rank, n_ranks;
    ARRAY(struct late_call) calls;
    ARRAY(uint32_t) unused;
};

enum refrain_status wait_progress_create(struct wait_progress *p, uint32_t first_rank, uint32_t n_ranks);
void wait_progress_free(struct wait_progress *p); /* also of a zeroed struct */

/* Keeps a return of the rank's only lane. Returns true if *dropped is one that is not kept any more. */
bool wait_progress_return(struct wait_progress *p, const struct lane_return *r, struct call_ref *dropped);
/* Takes a return of the rank that is kept; false: there are no more. */
bool wait_progress_drop(struct wait_progress *p, uint32_t rank, struct call_ref *dropped);
/* Starts to look for the cause of a call. Returns its number; PROGRESS_NONE when memory is short. `event` has kind,
 * call and begin: since when it waits. */
uint32_t wait_progress_begin(struct wait_progress *p, const struct wait_event *event,
                             const struct wait_partners *partners);
/* Goes on as far as lanes have been walked. True if the search for the call's cause is over: *out is the event, whose
 * has_cause says whether there is one; the number is free then. */
bool wait_progress_go_on(struct wait_progress *p, uint32_t call, struct wait_event *out);
/* The lane has been walked up to `reach`. Takes the list of calls that waited for it. */
uint32_t wait_progress_reach(struct wait_progress *p, uint32_t rank, uint64_t reach);

#endif
