/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete several things, as MPI_Waitall and MPI_Sendrecv. Such a call waits for the last of them alone:
 *
 *     MPI_Waitall   |███████████████████████|
 *     receive 1     |── until               |
 *     receive 2     |──────────── until     |      this one is told
 *     send 3        |──────── until         |
 *
 * What a completion has waited for may be known later than the call is over, when the lane has gone on. So a call stays
 * open until all of its completions are known, or the trace ends. */
#ifndef REFRAIN_WAIT_COMPLETIONS_H
#define REFRAIN_WAIT_COMPLETIONS_H

#include "wait_event.h"
#include "wait_lanes.h"

struct open_call {
    uint64_t call;
    uint64_t begin;    /* since when it has waited; of polls before the call begins */
    uint32_t left;     /* completions that are not known */
    uint32_t receives; /* among the others */
    bool closed;       /* there will be no more */
    bool has_best;
    struct wait_event best;
};

/* One more completion by the call, the lane's last one, which has waited since `begin`. False when memory is short. */
bool wait_completions_expect(struct wait_lane *l, uint64_t call, uint64_t begin);
/* One of them is known, and it may have waited (`e`), or has not (NULL). The one that is to be told when this was the last one: into
 * *out, true. It is an event with the latest `until`. If the call is not open, *out is `e` itself, from the call's begin on. */
bool wait_completions_settle(struct wait_lane *l, uint64_t call, const struct wait_event *e,
                             struct wait_event *out);
/* The lane goes on: no more completions by its last call. Maybe it is to be told, as above. */
bool wait_completions_close(struct wait_lane *l, struct wait_event *out);
/* One that is still open, at the end of the trace, is no more; to be told, as above. *any: there was one. */
bool wait_completions_give_up(struct wait_lane *l, struct wait_event *out, bool *any);

#endif
