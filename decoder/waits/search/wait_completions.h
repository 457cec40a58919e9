/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete several operations, as MPI_Waitall and MPI_Sendrecv. Such a call waits only for the
 * last one:
 *
 *     MPI_Waitall   |███████████████████████|
 *     receive 1     |── until               |
 *     receive 2     |──────────── until     |      this one is told
 *     send 3        |──────── until         |
 *
 * The cause of a completion may become known after the call, when the lane has continued. So a call stays
 * open until all of its completions are known, or the trace ends. */
#ifndef REFRAIN_WAIT_COMPLETIONS_H
#define REFRAIN_WAIT_COMPLETIONS_H

#include "wait_event.h"
#include "wait_lanes.h"
#include "wait_progress.h"

struct open_call {
    uint64_t call;
    uint64_t begin;            /* since when it has waited; with polls, this is before the call begins */
    struct wait_shares shares; /* of the polls */
    uint32_t left;             /* completions that are not known yet */
    uint32_t receives;         /* receives among the known completions */
    bool closed;               /* no more completions will be added */
    bool has_best;
    struct wait_event best;
    struct wait_partners partners;
};

/* Adds a completion to the lane's last call, which has waited since `begin`, with polls of several sites as in
 * `shares`. Returns false when memory is short. */
bool wait_completions_expect(struct wait_lane *l, uint64_t call, uint64_t begin,
                             const struct wait_shares *shares);
/* One completion is known: it may have waited (`e`), or it has not (NULL). Returns true if it was the last
 * one: *out is the event to report, the one with the latest `until`. If the call is not open, *out is `e`
 * itself, from the begin of the call. out->partners and out->shares are valid until the lane's next step. */
bool wait_completions_settle(struct wait_lane *l, uint64_t call, const struct wait_event *e,
                             struct wait_event *out);
/* The lane continues, so its last call gets no more completions. Returns true if *out is an event to report,
 * as above. */
bool wait_completions_close(struct wait_lane *l, struct wait_event *out);
/* At the end of the trace, closes an open call and returns its event as above. *any: there was an open
 * call. */
bool wait_completions_give_up(struct wait_lane *l, struct wait_event *out, bool *any);

#endif
