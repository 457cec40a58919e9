/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of one location: regions, and inside them the records of the calls' operations (call_stream.h).
 *
 *     MPI_Isend      Enter  MpiIsend(id 7)               Leave
 *     MPI_Irecv      Enter  MpiIrecvRequest(id 8)        Leave
 *     MPI_Waitall    Enter  MpiIsendComplete(7) MpiIrecv(8, from 2, …)  Leave
 *     MPI_Bcast      Enter  MpiCollectiveBegin           MpiCollectiveEnd  Leave
 *     MPI_Put        Enter  RmaPut(id 3)                 Leave
 *     MPI_Win_unlock Enter  RmaOpCompleteNonBlocking(3) RmaOpCompleteRemote(3) RmaReleaseLock  Leave
 *     MPI_Test       Enter  MpiRequestTest(8)            Leave          if the request is not complete
 *
 * If a callback makes other calls inside a call, their records follow the Enter of the outer call. The other
 * records of the outer call come after them.
 *
 * Messages and operations with a partner that is not exported are left out, because an archive must be
 * complete. Requests of messages and collective operations have one sequence of identities for all threads of
 * a rank. */
#ifndef REFRAIN_OTF2_EVENTS_H
#define REFRAIN_OTF2_EVENTS_H

#include "decoder/match/stream/call_stream.h"
#include "otf2_regions.h"
#include "otf2_shared.h"

/* A location that is being written. */
struct otf2_writer {
    const struct otf2_shared *x;
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    uint64_t last;      /* the latest timestamp in use */
    ARRAY(bool) around; /* the calls that contain the last call: is each of them in the archive? */
    struct otf2_regions regions;
};

/* Pending operations of a rank. */
struct otf2_flight {
    ARRAY(struct otf2_pending) pending; /* by twice the request number of an operation, + 1 for receives */
    ARRAY(struct otf2_issued) issued;   /* accesses to windows that are not complete, ascending by id */
    ARRAY(struct otf2_begun) begun;     /* split operations on files */
    uint64_t requests, accesses;        /* number of identities in use */
};

/* Writes an Enter for each call around this call that has no Enter yet and is in the archive's span of time.
 * *entered: this call itself already has an Enter, because it contains other calls. *in_span: the call is in
 * the span. Must be called for each call that contains other calls or is inside one. */
enum refrain_status otf2_events_nest(struct otf2_writer *w, const struct stream_call *call, bool *entered,
                                     bool *in_span);
static inline bool otf2_is_in_span(const struct otf2_shared *x, const struct timestamp *t)
{
    return t->enter >= x->from && t->leave <= x->to;
}
/* Writes a call and its operations. */
enum refrain_status otf2_events_put(struct otf2_writer *w, struct otf2_flight *f,
                                    const struct stream_call *call, bool entered);
/* Takes a call that is not in the archive's span of time: notes which requests, epochs and files the call
 * begins, completes and opens. */
enum refrain_status otf2_events_skip(struct otf2_writer *w, struct otf2_flight *f,
                                     const struct stream_call *call);
void otf2_flight_free(struct otf2_flight *f);

/* Returns the next timestamp, `wanted` or later. Timestamps of a location increase strictly, because some
 * readers sort only by timestamp. An event that would come too early is moved to the next nanosecond. Calls
 * leave room for the events of all their messages (timestamps.h, struct operation), so later calls need not
 * be moved. */
uint64_t otf2_timestamp(struct otf2_writer *w, uint64_t wanted);

#endif
