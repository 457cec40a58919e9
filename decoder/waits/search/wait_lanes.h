/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes of all ranks, numbered, each with what it does at the moment.
 *
 *     rank   0    1    2          first   0 2 3
 *     lane   0 1  2    3 4        lanes   0.0 0.1 1.0 2.0 2.1
 *
 * Polls are one state: calls that only ask, one behind the other. What such a state finds in the end was waited for since it
 * began. It is one span of time, as if it were one call, of its last poll's site. Where much time is in between, that is for
 * something else: the begin is put off by it, as if it had all been before.
 *
 *     MPI_Test MPI_Test    computing    MPI_Test MPI_Test(flag=1)        the calls
 *                 computing |<- begin --------------------- leave ->|    the span
 *
 * A message that a probe has found, and that the next call receives, was waited for in the probe:
 *
 *     MPI_Probe            MPI_Get_count   MPI_Irecv    MPI_Wait
 *     |<- waits ->|                        the receive that is found */
#ifndef REFRAIN_WAIT_LANES_H
#define REFRAIN_WAIT_LANES_H

#include "decoder/call/call_fields.h"
#include "decoder/match/operation.h"
#include "decoder/trace/reader.h"

/* As long as this, what is between two polls belongs to them. */
#define WAIT_POLL_GAP 20000 /* ns */

/* The completions of a call, of which not all are known (wait_completions.h). */
struct open_call;

/* What counts as one call in the profile, with the computing before it. */
struct wait_span {
    uint64_t before, begin, leave; /* computing is from `before` to `begin` */
    uint64_t call;                 /* number of the one whose site this is */
    uint32_t site;
};

/* A message that a probe has found. */
struct found_message {
    bool there;
    int64_t comm, source, tag, message; /* as the calls have them; `message` -1: it has no handle */
    struct call_ref probe;              /* with the time since when it was looked for */
};

/* The call that receives it. */
struct found_receive {
    uint64_t call;
    struct call_ref probe;
};

/* The call by which a process joins its world, or leaves it. */
struct wait_world_call {
    bool there;
    struct call_ref call;
};

struct wait_lane {
    uint32_t rank, thread;
    bool has_calls;
    uint64_t last;         /* when the last call so far ended */
    uint64_t call;         /* number of the last one */
    uint64_t eager;        /* bytes: the largest message whose send was over before its receive was posted */
    uint64_t unreturned;   /* ns: how long it took so far, if it has not returned */
    struct wait_span span; /* that it belongs to */
    bool polls;            /* the last call that does something is a poll that found nothing */
    bool completes_poll;   /* the last call is one that found something */
    struct found_message found; /* by the last call that does something, a probe */
    ARRAY(struct found_receive) found_receives;
    struct wait_world_call init, finalize;
    ARRAY(struct open_call) open; /* ascending by call */
};

struct wait_lanes {
    uint32_t first_rank, n_ranks;
    int64_t any_source, any_tag; /* constants of calls */
    uint32_t *first;             /* lane of each rank; n_ranks + 1 */
    size_t n;
    struct wait_lane *items;
};

enum refrain_status wait_lanes_create(struct wait_lanes *l, const struct reader *r);
void wait_lanes_free(struct wait_lanes *l); /* also of a zeroed struct */

/* Of a thread that is there. */
static inline uint32_t wait_lane_number(const struct wait_lanes *l, uint32_t rank, uint32_t thread)
{
    uint32_t i = l->first[rank - l->first_rank];
    while (l->items[i].thread != thread)
        i++;
    return i;
}

/* Threads that share what has these values by lane: those with any, and of each rank the first others, until it has as many as the
 * rank with most has:
 *
 *     rank              0     1     2
 *     thread            0 1   0 1   0 1
 *     value             5 .   7 .   . .        one of each rank: second threads do something else in all ranks
 *     shares it         x     x     x
 *
 * *shares says it of each lane (NULL: that is not wanted); returns how many there are. */
size_t wait_lanes_sharing(const struct wait_lanes *l, const uint64_t *values, bool *shares);

/* The lane's next call. *over: with it, this span is over (then *is_over). False when memory is short. */
bool wait_lane_take(const struct wait_lanes *lanes, struct wait_lane *l, const struct call *call,
                    const struct timestamp *t, const struct call_fields *f, struct wait_span *over,
                    bool *is_over);
/* Since when a completion by this call, the lane's last one, was waited for. */
uint64_t wait_lane_begin(const struct wait_lane *l, const struct call_ref *call);
/* Did a probe find the message that this call of the lane receives? It is told once. */
bool wait_lane_found(struct wait_lane *l, uint64_t call, struct call_ref *probe);

#endif
