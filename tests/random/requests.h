/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends and receives of all modes, and requests that are completed in all ways. */
#ifndef TESTS_RANDOM_REQUESTS_H
#define TESTS_RANDOM_REQUESTS_H

#include "layout.h"
#include "topology.h"

/* One end of a message. */
struct transfer {
    bool receives, persistent, active;
    struct layout layout;
    int peer, tag;   /* as the call says them: possibly wildcards, or MPI_PROC_NULL */
    long long bytes; /* of a receive with wildcards: unknown */
    MPI_Request request;
    long posted; /* the call; of a persistent request its start */
};

struct pending {
    struct transfer items[2 * MOST_MESSAGES];
    int n;
};
void pending_add(struct pending *q, struct transfer t);

/* Blocking; the buffer is freed. `ready`: the receive is posted. */
void transfer_send(struct place *p, struct transfer *t, bool ready);
void transfer_isend(struct place *p, struct transfer *t, bool ready);
void transfer_send_init(struct place *p, struct transfer *t, bool ready);
void transfer_irecv(struct place *p, struct transfer *t);
void transfer_recv_init(struct place *p, struct transfer *t);
/* Of a message that comes without the receive being posted, with or without a probe. True: it is through, its buffer freed; false:
 * it has a request. */
bool transfer_receive(struct place *p, struct transfer *t);

/* The last call sends it; completes it; posts and completes it. Without a status it is what it was asked for to be. */
void transfer_sent(struct place *p, const struct transfer *t);
void transfer_taken(struct place *p, struct transfer *t, const MPI_Status *status);
void transfer_received(struct place *p, const struct transfer *t, const MPI_Status *status);

/* Starts the persistent requests that receive, or those that send. */
void pending_start(struct place *p, struct pending *q, bool receives);
/* Completes all that are active, in one way or another; a send may be freed instead, in so many of a hundred cases. */
void pending_complete(struct place *p, struct pending *q, int percent_freed);
/* Requests, datatypes and buffers. None is active. */
void pending_free(struct place *p, struct pending *q);

#endif
