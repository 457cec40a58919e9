/* SPDX-License-Identifier: BSD-3-Clause */
/* Compound events: results about several calls together, to which patterns subscribe.
 *
 *     rank 0              ████ cause ████             a send, the posting of a receive, the last to come …
 *                         │
 *     rank 1     ████████ call ████████                a receive, a send, a member of a collective operation …
 *                |        |       |
 *                begin    until   leave                waiting: from begin to until, or to leave if that is earlier
 *
 * An event is published when all of its calls are known, then it is discarded. */
#ifndef REFRAIN_WAIT_EVENT_H
#define REFRAIN_WAIT_EVENT_H

#include "decoder/match/matching.h"

enum wait_event_kind {
    /* Events of two calls: `call` could not end before `cause` began. */
    EVENT_RECEIVE, /* a receive, for the send of its message */
    EVENT_SEND,    /* a send, for the posting of its receive */
    EVENT_BARRIER, /* this one and the next ones: a member of a collective operation, for the last of the
                      members that it has to wait for */
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
    EVENT_MEMBER_LATE,   /* the same, for one that passes data on inside the library (wait_meeting.h) */
    EVENT_LATE_PROGRESS, /* a call that completes messages, for the partner's next call (wait_progress.h) */
    EVENT_POST,     /* begin or end of an access epoch, for the last target that posts; an access, for its own
                   target; see `which` */
    EVENT_COMPLETE, /* end of an exposure epoch, for the last origin that completes; has `last_access` */
    EVENT_LOCK,     /* the call that takes a window's lock, for the MPI_Win_unlock that gives it back */
    EVENT_OVERLAP,  /* a call, for one of another thread of its rank that may have held a lock inside MPI */
    EVENT_INIT,
    EVENT_FINALIZE,
    /* Other events: */
    EVENT_MESSAGE,   /* a message; `call` completed its receive, `cause` is its send */
    EVENT_MEETING,   /* a blocking collective operation: `meeting`; published once for each `member` */
    EVENT_MEMBER,    /* `operation` begins: of a collective operation, … */
    EVENT_ACCESS,    /* … to a window, … */
    EVENT_TRANSFER,  /* … of a file */
    EVENT_SENDING,   /* a send begins: `operation`; its peer is a rank of the run */
    EVENT_END,       /* after the last call of the lane of `call` */
    EVENT_LAST,      /* the same, after the EVENT_END of all lanes */
    EVENT_COMPUTING, /* total computing of a thread before calls at a site: `computing`; published for the
                        threads that share it; `call` has lane and site */
    /* Events that patterns publish: */
    EVENT_LATE_SENDER, /* an EVENT_RECEIVE with waiting */
    EVENT_LATE_RECEIVER,
    EVENT_EARLY_WAIT,
    EVENT_FENCE_WAIT,  /* an EVENT_FENCE with waiting; `last_access` */
    EVENT_WRONG_ORDER, /* an EVENT_LATE_SENDER: a message from `earlier` was sent before */
    EVENT_REFILL,      /* an EVENT_LATE_SENDER: in the first step of a wave; `which` */
    EVENT_KINDS
};

#define EVENTS(kind) (UINT64_C(1) << (kind)) /* a set of kinds */

/* `which` of EVENT_POST: who waits, an epoch or an access. */
enum { POST_EPOCH, POST_ACCESS };

/* A collective operation; all members have entered it. */
struct meeting {
    enum wait_event_kind kind;
    uint64_t last_enter, first_leave; /* of all members */
    const struct matching_collective *collective;
};

/* Computing time of a thread, compared with other threads; ns. */
struct computing {
    uint64_t own;
    uint64_t mean;  /* of the threads that share the work (wait_lanes_sharing) */
    size_t threads; /* threads that compute there at all */
};

struct wait_partners;
struct wait_shares;

struct wait_event {
    enum wait_event_kind kind;
    struct call_ref call, cause;
    bool has_cause;
    bool deferred; /* the call completes a collective operation that another call has begun */
    uint64_t begin, until;
    uint64_t since; /* if polls at other sites have waited, too: since when; 0: `begin` */
    bool is_part;   /* this is the part of such another site (wait_shares) */
    uint32_t joint; /* joint of the members of which the cause is the last one (wait_listener.h); 0: none */
    uint32_t receives; /* number of receives that the call completes; in EVENT_RECEIVE and the events
                          published from it */
    uint32_t earlier;
    uint32_t which; /* which one of several (struct metric) */
    /* End of the last access to the window by the process of the cause. In a fence: end of the last access by
     * any process to this process's window. 0: no access. */
    uint64_t last_access;
    const struct matching_message *message;
    const struct meeting *meeting;
    const struct matching_member *member;
    const struct operation *operation;
    const struct computing *computing;
    const struct wait_partners *partners; /* of all completions by the call; NULL: `cause` is the only one */
    const struct wait_shares *shares;     /* of polls at several sites; NULL: one has waited */
};

/* Returns the time until which the call has waited for its cause; not before `begin`. */
static inline uint64_t wait_event_end(const struct wait_event *e)
{
    const uint64_t end = e->until < e->call.timestamp.leave ? e->until : e->call.timestamp.leave;
    return end > e->begin ? end : e->begin;
}

#endif
