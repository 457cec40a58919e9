/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds why lanes wait: the places that cost most of the waiting, and what is special there.
 *
 *     rank 0   ── computes ──┤ MPI_Recv waits ─────────────┤      of this waiting
 *     rank 1   ── computes longer ──┤ MPI_Bcast ──┤ MPI_Send      60 %: rank 1 computes longer before MPI_Bcast
 *                                                                 40 %: MPI_Bcast itself takes this time
 *
 * There are several reasons why a lane takes longer at a place than the lanes that wait (enum reason_kind). Each
 * reason needs a different remedy. */
#ifndef REFRAIN_DELAY_REASON_H
#define REFRAIN_DELAY_REASON_H

#include "decoder/causes/causes_text.h"
#include "decoder/causes/delay_places.h"
#include "late_lanes.h"
#include "page_ranks.h"

enum reason_kind {
    REASON_LONGER,     /* some lanes have more work than others */
    REASON_ALTERNATES, /* a different lane has more work each time: the late lanes wait as long as the others,
                          at other times */
    REASON_SERIALIZED, /* all lanes have the same work, but the lanes that wait cannot do theirs at the same
                          time */
    REASON_TRANSFER    /* a call takes long although it waits for no other call any more */
};

/* The waiting whose reasons are wanted. */
struct reason_request {
    uint32_t site;           /* site of the calls that wait */
    uint64_t kinds;          /* kinds of waiting (EVENTS of wait_event.h) */
    uint64_t time;           /* ns: the waiting of all lanes */
    const uint64_t *by_lane; /* ns: the waiting of each lane */
    bool joins;              /* if a few lanes compute longer at several places, that is one reason */
};

struct reason {
    const struct delay_place *places; /* n_places, the costliest first */
    size_t n_places;
    struct delays_wanted of; /* the delays at these places that belong to the reason */
    struct delay_place sum;  /* of the places, without lists */
    enum reason_kind kind;
    struct page_ranks late;  /* the waiting that each late rank causes */
    struct late_lanes lanes; /* the late lanes; if they take turns, all lanes */
    uint64_t cost;           /* ns: the waiting that the place causes */
    double explains;         /* the same as a share of the waiting; 0 to 1 */
};

/* The costliest places, the first one always, others if they explain enough. At most one is a call: calls that are
 * long at many sites have one cause, such as a slow network. A chain is the only reason, because the places in it
 * are parts of it. */
#define REASONS_MOST 3
struct reasons {
    bool *joined; /* by lane: the few that compute longer; NULL: there are none, or they are not wanted */
    struct delay_places of_joined; /* what they compute; `places` are the others */
    struct delay_places places;
    struct reason items[REASONS_MOST];
    size_t n; /* 0: no lane causes the waiting */
};

/* `d` and what `v` and `r` point to must outlive *out, which the caller frees in any case. */
enum refrain_status reasons_find(struct reasons *out, const struct delays *d, const struct causes_view *v,
                                 const struct reason_request *r);
void reasons_free(struct reasons *r); /* also of a zeroed struct */
/* The place as a critical_key >> 32. */
uint32_t reason_place(const struct delay_place *p);

#endif
