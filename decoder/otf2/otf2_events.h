/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of one location: regions, and in them what the calls' operations (call_stream.h) mean.
 *
 *     MPI_Isend      Enter  MpiIsend(id 7)               Leave
 *     MPI_Irecv      Enter  MpiIrecvRequest(id 8)        Leave
 *     MPI_Waitall    Enter  MpiIsendComplete(7) MpiIrecv(8, from 2, …)  Leave
 *     MPI_Bcast      Enter  MpiCollectiveBegin           MpiCollectiveEnd  Leave
 *     MPI_Put        Enter  RmaPut(id 3)                 Leave
 *     MPI_Win_unlock Enter  RmaOpCompleteNonBlocking(3) RmaOpCompleteRemote(3) RmaReleaseLock  Leave
 *     MPI_Test       Enter  MpiRequestTest(8)            Leave          if the request is not complete
 *
 * A call in which a callback made others has those after its Enter, and its own records after them.
 *
 * What has a partner that is not exported is left out: an archive is closed. Requests of messages and
 * collective operations have one sequence of identities for all threads of a rank. */
#ifndef REFRAIN_OTF2_EVENTS_H
#define REFRAIN_OTF2_EVENTS_H

#include "decoder/match/call_stream.h"
#include "otf2_regions.h"
#include "otf2_shared.h"

/* A location that is being written. */
struct otf2_writer {
    const struct otf2_shared *x;
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    uint64_t last;      /* last timestamp that was used */
    ARRAY(bool) around; /* the calls that the last one was made in: does the archive have them? */
    struct otf2_regions regions;
};

/* Pending operations of a rank. */
struct otf2_flight {
    ARRAY(struct otf2_pending) pending; /* by twice the request number of an operation, + 1 for receives */
    ARRAY(struct otf2_issued) issued;   /* accesses to windows that are not complete, ascending by id */
    ARRAY(struct otf2_begun) begun;     /* split operations on files */
    uint64_t requests, accesses;        /* number of identities in use so far */
};

/* Enters those calls around this one that have not been entered, if they are in the archive's span of time.
 * Is the call itself one that was entered, or left out, then? It is in the span if that was. To be told of
 * each call that is around others, or in others. */
enum refrain_status otf2_events_nest(struct otf2_writer *w, const struct stream_call *call, bool *entered,
                                     bool *in_span);
static inline bool otf2_is_in_span(const struct otf2_shared *x, const struct timestamp *t)
{
    return t->enter >= x->from && t->leave <= x->to;
}
/* Writes a call and its operations. */
enum refrain_status otf2_events_put(struct otf2_writer *w, struct otf2_flight *f,
                                    const struct stream_call *call, bool entered);
/* The same for a call that is not in the archive's span of time: notes what it begins, completes and opens.
 */
enum refrain_status otf2_events_skip(struct otf2_writer *w, struct otf2_flight *f,
                                     const struct stream_call *call);
void otf2_flight_free(struct otf2_flight *f);

/* The next timestamp, `wanted` or later. Timestamps of a location increase strictly, as some readers sort
 * by them alone: an event that would come too early is moved to the next nanosecond. There is room for all
 * that calls do to messages (timestamps.h, struct operation), so that later ones stay where they are. */
uint64_t otf2_timestamp(struct otf2_writer *w, uint64_t wanted);

#endif
