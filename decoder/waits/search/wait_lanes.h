/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes of all ranks, numbered, each with what it does at the moment.
 *
 *     rank   0    1    2          first   0 2 3
 *     lane   0 1  2    3 4        lanes   0.0 0.1 1.0 2.0 2.1
 *
 * Polls are one state: calls that only ask, one behind the other. What such a state finds in the end was waited for since it
 * began. Where much time is in between, it is for something else: the begin is put off by it. So it is with a probe, and the receive of what it has found: the
 * probe is where the program waits.
 *
 *     MPI_Test MPI_Test MPI_Test MPI_Test(flag=1)          MPI_Probe    MPI_Get_count  MPI_Recv
 *     |<- begin: of the completion by the last ->|          |<- begin of what the receive waits for */
#ifndef REFRAIN_WAIT_LANES_H
#define REFRAIN_WAIT_LANES_H

#include "decoder/call/call_fields.h"
#include "decoder/match/operation.h"
#include "decoder/trace/reader.h"

/* As long as this, what is between two polls belongs to them. */
#define WAIT_POLL_GAP 20000 /* ns */

/* The completions of a call, of which not all are known (wait_completions.h). */
struct open_call;

/* The call by which a process joins its world, or leaves it. */
struct wait_world_call {
    bool there;
    struct call_ref call;
};

struct wait_lane {
    uint32_t rank, thread;
    bool has_calls;
    uint64_t first, last; /* when its first call began, when the last one so far ended */
    uint64_t call;        /* number of the last one */
    uint64_t poll_begin;
    bool polls;            /* the last call that does something is a poll that found nothing */
    bool completes_poll;   /* the last call is one that found something; */
    bool found;            /* the last call that does something is a probe that found a message: */
    struct call_ref probe; /* this, with the time since when it was looked for */
    bool receives_found;   /* the last call receives it */
    struct wait_world_call init, finalize;
    ARRAY(struct open_call) open; /* ascending by call */
};

struct wait_lanes {
    uint32_t first_rank, n_ranks;
    uint32_t *first; /* lane of each rank; n_ranks + 1 */
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

/* The lane's next call. */
void wait_lane_take(struct wait_lane *l, const struct call *call, const struct timestamp *t,
                    const struct call_fields *f);
/* Since when a completion by this call of the lane was waited for, and where: *call becomes the probe if that has found it. */
uint64_t wait_lane_begin(const struct wait_lane *l, struct call_ref *call);

#endif
