/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes of all ranks, numbered, each with its current state.
 *
 *     rank   0    1    2          first   0 2 3
 *     lane   0 1  2    3 4        lanes   0.0 0.1 1.0 2.0 2.1
 *
 * Consecutive polls (calls that only ask) form one state if they ask for the same again and again. A poll for
 * other requests, or at another call site, joins the state only before any of its polls comes again:
 *
 *     test A  test B  test A  test B        one state: it asks for A and B
 *     test A  test A  test A | test B       two states
 *
 * Short local calls do not end a state, nor do tests of null requests, which return true at once.
 *
 * If the last poll finds something, the lane has waited for it since the state began. A long gap between two
 * polls counts as computing: the begin of the state is moved later by the gap.
 *
 *     MPI_Test MPI_Test    computing    MPI_Test MPI_Test(flag=1)        the calls
 *                 computing |<- begin --------------------- leave ->|    the state
 *
 * In the profile each call counts at its own site, as a span. A short gap counts with the poll after it, or
 * before it if a local call follows. If the polls of a state are at several sites, all of them have waited,
 * each site for as long as its polls took (wait_shares).
 *
 * Nobody waits only for the end of sends while it polls for messages, too: a poll that completes sends and
 * nothing else leaves the state, and the others go on.
 *
 * If a probe finds a message and the next call receives it, the waiting was in the probe:
 *
 *     MPI_Probe            MPI_Get_count   MPI_Irecv    MPI_Wait
 *     |<- waits ->|                        the receive that is found */
#ifndef REFRAIN_WAIT_LANES_H
#define REFRAIN_WAIT_LANES_H

#include "decoder/call/call_fields.h"
#include "decoder/match/stream/operation.h"
#include "decoder/trace/reader.h"
#include "wait_progress.h"
#include "wait_sends.h"

/* A gap between two polls that is not longer than this belongs to the polls. */
#define WAIT_POLL_GAP 20000 /* ns */

/* A call whose completions are not all known (wait_completions.h). */
struct open_call;

/* The time that counts at one site in the profile: of a call, or of polls, with the computing before it. */
struct wait_span {
    uint64_t before, begin, leave; /* computing is from `before` to `begin` */
    uint64_t gaps;                 /* ns: the part of the rest that is in no call */
    uint64_t call;                 /* number of the last call at `site` */
    uint32_t site;
};

/* Different polls of one state; more do not join it. */
#define WAIT_POLLS 256

struct wait_poll {
    uint64_t what; /* hash of the site and of the requests, or of the message that is looked for */
    uint64_t time; /* ns: of these calls */
    uint64_t call; /* number of the last one */
    uint32_t site;
};

/* The polls of a state by site: first the site of the last poll. Further sites have no part of the waiting. */
#define WAIT_SITES 4
struct wait_shares {
    size_t n;
    struct wait_share {
        uint64_t time; /* ns */
        uint64_t call; /* number of the last call at `site` */
        uint32_t site;
    } items[WAIT_SITES];
    uint64_t rest; /* ns: at further sites */
};

/* A call, or polls that form one. */
struct wait_state {
    uint64_t begin, leave;
    uint32_t site;       /* of the last poll */
    bool polls;          /* the last call, short local calls apart, is a poll that found nothing */
    bool completes_poll; /* the last call is a poll that found something: */
    bool completes_send, completes_other; /* … which has ended a send; something else */
    bool again;                           /* a poll has come again */
    size_t at;                     /* the last poll, as an index into the next; SIZE_MAX: it has left */
    ARRAY(struct wait_poll) asked; /* polls, each once, in the order in which they came first */
};

/* A message that a probe has found. */
struct found_message {
    bool there;
    int64_t comm, source, tag; /* as in the slots of the calls */
    int64_t message;           /* likewise; -1: it has no handle */
    struct call_ref probe;     /* its timestamp begins when the lane began to look for the message */
    struct wait_shares shares; /* of the polls that have looked for it */
};

/* A receive of a message that `probe` has found. */
struct found_receive {
    uint64_t call;
    struct call_ref probe;
    struct wait_shares shares;
};

/* The last calls that posted a receive; call k is number k % WAIT_POSTED. */
#define WAIT_POSTED 64
struct wait_posted {
    uint64_t call, since; /* the lane was outside of MPI, or in quiet calls, from `since` until the call */
};

/* The call by which a process joins or leaves its world. */
struct wait_world_call {
    bool there;
    struct call_ref call;
};

struct wait_lane {
    uint32_t rank, thread;
    bool has_calls;
    uint64_t last;         /* when the last call so far ended */
    uint64_t call;         /* number of the last call */
    uint64_t eager;        /* bytes: the largest message whose send was over before its receive was posted */
    uint64_t outside;      /* outside of MPI, or in quiet calls, from this time until the last call */
    bool quiet;            /* the last call is local, or starts a receive */
    uint64_t unreturned;   /* ns: how long it took so far, if it has not returned */
    struct wait_span span; /* of the last call */
    struct wait_state state;    /* likewise */
    struct found_message found; /* found by the last call, local calls apart */
    ARRAY(struct found_receive) found_receives;
    struct wait_world_call init, finalize;
    ARRAY(struct open_call) open;  /* ascending by call */
    struct wait_partners partners; /* of the open call that ended last */
    struct wait_shares shares;     /* likewise */
    struct wait_sends sends;
    struct wait_posted posted[WAIT_POSTED];
};

struct wait_lanes {
    uint64_t from; /* ns: begin of the examined time */
    uint32_t first_rank, n_ranks;
    int64_t any_source, any_tag; /* values of the constants in call slots */
    uint32_t *first;             /* first lane of each rank; n_ranks + 1 entries */
    size_t n;
    struct wait_lane *items;
};

enum refrain_status wait_lanes_create(struct wait_lanes *l, const struct reader *r);
void wait_lanes_free(struct wait_lanes *l); /* also of a zeroed struct */

/* Returns the lane of a thread, which must exist. */
static inline uint32_t wait_lane_number(const struct wait_lanes *l, uint32_t rank, uint32_t thread)
{
    uint32_t i = l->first[rank - l->first_rank];
    while (l->items[i].thread != thread)
        i++;
    return i;
}

/* Finds the threads that share a piece of work, given its value by lane. These are all threads with a value,
 * and in each rank further threads, from the first on, until it has as many as the rank with most:
 *
 *     rank              0     1     2
 *     thread            0 1   0 1   0 1
 *     value             5 .   7 .   . .        one of each rank: second threads do something else in all ranks
 *     shares it         x     x     x
 *
 * Sets shares[lane] (NULL: not wanted). Returns the number of sharing threads. */
size_t wait_lanes_sharing(const struct wait_lanes *l, const uint64_t *values, bool *shares);

/* The lane's last call posts a receive; it is quiet if it does not wait for it. Programs usually start the receives
 * from all partners, one after the other: then a send that ends after the last one did not end in those before. */
static inline void wait_lane_post(struct wait_lane *l, bool starts)
{
    l->posted[l->call % WAIT_POSTED] = (struct wait_posted){l->call, l->outside};
    l->quiet = l->quiet || starts;
}

/* Was the lane outside of MPI, apart from quiet calls, from `time` until this call, which posted a receive? False if that
 * is not known any more. */
static inline bool wait_lane_was_outside(const struct wait_lane *l, uint64_t time, uint64_t call)
{
    const struct wait_posted *p = &l->posted[call % WAIT_POSTED];
    return p->call == call && p->since <= time;
}

/* What a call ends of what was before it. */
struct wait_end {
    bool state, span;
    struct wait_span over; /* the span that it ends */
};

/* Does the call look at nothing but the process itself (MPI_Comm_rank)? */
bool wait_call_is_local(const struct role *role);
/* Takes the lane's next call. Returns false when memory is short. */
bool wait_lane_take(const struct wait_lanes *lanes, struct wait_lane *l, const struct call *call,
                    const struct timestamp *t, const struct call_fields *f, struct wait_end *end);
/* The lane's last call completes an operation. */
void wait_lane_complete(struct wait_lane *l, bool is_send);
/* Returns the time since when a completion by this call was waited for; it must be the lane's last call. If that is a
 * poll, *shares are of the polls that waited for it; `alone`: only those that ask for the same, as for the end of a
 * send. */
uint64_t wait_lane_begin(const struct wait_lane *l, const struct call_ref *call, bool alone,
                         struct wait_shares *shares);
/* Did a probe find the message that this call of the lane receives? Returns true only once per call. */
bool wait_lane_found(struct wait_lane *l, uint64_t call, struct found_receive *out);

#endif
