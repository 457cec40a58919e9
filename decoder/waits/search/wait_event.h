/* SPDX-License-Identifier: BSD-3-Clause */
/* Compound events: what is found out about several calls together, and what patterns subscribe to.
 *
 *     rank 0              ████ cause ████             a send, the posting of a receive, the last to come …
 *                         │
 *     rank 1     ████████ call ████████                a receive, a send, a member of a collective operation …
 *                |        |       |
 *                begin    until   leave                waiting: from begin to until, or to leave if that is earlier
 *
 * An event is told when all of its calls are known, and forgotten then. */
#ifndef REFRAIN_WAIT_EVENT_H
#define REFRAIN_WAIT_EVENT_H

#include "decoder/match/matching.h"

enum wait_event_kind {
    /* Of two calls: the one that could not end before the other came. */
    EVENT_RECEIVE, /* of a message, for its send */
    EVENT_SEND,    /* of a message, for the posting of its receive */
    EVENT_BARRIER, /* the others below: for the last of those that a collective operation makes it wait for */
    EVENT_ALL_TO_ALL,
    EVENT_FROM_ROOT,
    EVENT_TO_ROOT,
    EVENT_PREFIX,
    EVENT_NEIGHBOURS,
    EVENT_COMMUNICATOR,
    EVENT_WINDOW_CREATE,
    EVENT_WINDOW_FREE,
    EVENT_FENCE,
    EVENT_FILE,
    EVENT_POST, /* an access epoch that is begun or ended, for the last target that posts; an access, for its own; `which` */
    EVENT_COMPLETE, /* an exposure epoch that is ended, for the last origin that completes; `last_access` */
    EVENT_INIT,
    EVENT_FINALIZE,
    /* Of more: */
    EVENT_MESSAGE,   /* a message; `call` completed its receive, `cause` is its send */
    EVENT_MEETING,   /* a blocking collective operation: `meeting`, of which `member` is one; told of each */
    EVENT_MEMBER,    /* of a collective operation, as it begins: `operation`; … */
    EVENT_ACCESS,    /* … to a window, … */
    EVENT_TRANSFER,  /* … of a file */
    EVENT_SENDING,   /* of a message, as it begins: `operation`, whose peer is a rank of the run */
    EVENT_END,       /* the lane that `call` is of, behind its last call */
    EVENT_LAST,      /* the same, behind all of EVENT_END */
    EVENT_COMPUTING, /* what a thread computes before calls at a site, all in all: `computing`; told of those that share it; `call` has lane and site */
    /* What patterns publish: */
    EVENT_LATE_SENDER, /* an EVENT_RECEIVE with waiting */
    EVENT_LATE_RECEIVER,
    EVENT_EARLY_WAIT,
    EVENT_FENCE_WAIT,  /* an EVENT_FENCE with waiting; `last_access` */
    EVENT_WRONG_ORDER, /* an EVENT_LATE_SENDER: a message from `earlier` was sent before */
    EVENT_REFILL,      /* an EVENT_LATE_SENDER: in the first step of a wave; `which` */
    EVENT_KINDS
};

#define EVENTS(kind) (UINT32_C(1) << (kind)) /* a set of kinds */

/* `which` of EVENT_POST: what waits. */
enum { POST_EPOCH, POST_ACCESS };

/* A collective operation, of which all members have come. */
struct meeting {
    enum wait_event_kind kind;
    uint64_t last_enter, first_leave; /* of all members */
    const struct matching_collective *collective;
};

/* Of a thread, beside those of others. */
struct computing {
    uint64_t own, mean; /* the mean of those that share it (wait_lanes_sharing) */
    size_t threads;     /* that compute there at all */
};

struct wait_event {
    enum wait_event_kind kind;
    struct call_ref call, cause;
    bool has_cause;
    uint64_t begin, until;
    uint32_t
        joint; /* of the members of a collective operation that the cause is the last of (wait_listener.h); 0: none */
    uint32_t receives; /* that the call completes; of EVENT_RECEIVE, and what is made of it */
    uint32_t earlier;
    uint32_t which; /* of several (struct metric) */
    /* When the cause's process has ended its last access to the window, or, of a fence, any process its last one to the
     * window of this one; 0: never. */
    uint64_t last_access;
    const struct matching_message *message;
    const struct meeting *meeting;
    const struct matching_member *member;
    const struct operation *operation;
    const struct computing *computing;
};

/* Until when the call has waited for its cause; not before `begin`. */
static inline uint64_t wait_event_end(const struct wait_event *e)
{
    const uint64_t end = e->until < e->call.timestamp.leave ? e->until : e->call.timestamp.leave;
    return end > e->begin ? end : e->begin;
}

#endif
