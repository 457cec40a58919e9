/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls of a rank mean for others: messages that are sent and received, collective operations,
 * accesses to windows and files, and which call completes which.
 *
 *     call                              operations
 *     17  MPI_Irecv(source=ANY)         RECEIVE  peer ANY                request 0
 *     18  MPI_Isend(dest=1)             SEND     peer 1                  request 1
 *     19  MPI_Waitall(req0, req1)       COMPLETE RECEIVE of call 17, peer 2, tag 5     request 0
 *                                       COMPLETE SEND of call 18                       request 1
 *     20  MPI_Sendrecv                  SEND done   RECEIVE done
 *
 * A rank's operations come as one stream with its calls (call_stream.h).
 *
 * Memory grows with the requests, windows and files in use, and with the rows (call_fields.h), not with
 * calls. */
#ifndef REFRAIN_OPERATION_H
#define REFRAIN_OPERATION_H

#include "decoder/call/failure.h"
#include "decoder/call/groups.h"
#include "decoder/call/volume.h"
#include "src/core/base/timestamp.h"

struct process_group; /* process_groups.h */
struct timestamps_source;
struct thread_pool;

enum operation_kind {
    OPERATION_SEND,
    OPERATION_RECEIVE,
    OPERATION_PROBE, /* a matched one: it takes a message out of the queue, for a RECEIVE to come */
    OPERATION_COLLECTIVE,
    OPERATION_RMA,
    OPERATION_FILE,
    OPERATION_GENERALIZED, /* of no message: the program's own, or a flush */
    OPERATION_COMPLETE,    /* of a request; `of` says what */
    OPERATION_TEST,        /* of a request, or for the CLOSE of an epoch, which is not over; `of` says what.
                              Only if the source has `details` */
    OPERATION_OPEN,        /* of an epoch */
    OPERATION_CLOSE,
    OPERATION_FLUSH
};

/* How a request ended. */
enum operation_outcome {
    OPERATION_DONE,
    OPERATION_CANCELLED,
    OPERATION_FREED, /* it continues, but its completion is not reported */
    OPERATION_NEVER  /* not until the thread's last call */
};

/* Values of `peer` that are no rank of the run, and of `tag` that are no tag. */
#define OPERATION_ANY     (-1) /* MPI_ANY_SOURCE */
#define OPERATION_NULL    (-2) /* MPI_PROC_NULL */
#define OPERATION_OUTSIDE (-3) /* a process of another world, or one that the trace does not contain */
#define OPERATION_ANY_TAG INT64_MIN

#define OPERATION_NO_REQUEST UINT32_MAX

struct call_ref {
    uint32_t rank;
    uint32_t thread;            /* number of the lane */
    uint64_t call;              /* number in the lane, from 0 */
    uint32_t site;              /* of the call, in the trace */
    struct timestamp timestamp; /* of the call, if the source has any; */
    uint32_t i, n;              /* this is about operation i of n of the call (operation_timestamp) */
};

/* The scope of collective operations that have one order: a communicator, or a window, file or persistent
 * request that a collective operation on a communicator made. A scope has the same name on all its
 * members. */
struct operation_scope {
    int64_t comm;   /* as in group_view */
    uint32_t owner; /* as in group_view */
    /* 0: the communicator; n + 1: object number n that was made on it (calls that fail make no object);
     * SCOPE_BIRTH: the communicator's creation. */
    uint64_t object;
};
#define SCOPE_BIRTH UINT64_MAX

struct operation {
    enum operation_kind kind;
    enum operation_kind of; /* of COMPLETE and TEST: the kind of the begun operation; otherwise the same */
    enum operation_outcome outcome;
    bool done;    /* the call returns when the operation is done: no completion follows */
    bool failed;  /* the call returned an error, so that it did nothing; one that received a message which
                       is too long for its buffer did not fail */
    bool refused; /* of COLLECTIVE: it failed since its arguments are wrong, so this process did not come to
                       it; perhaps the others did */
    bool cancel_asked; /* of COMPLETE: MPI_Cancel was called; the outcome may or may not show the result */
    bool has_bytes;    /* of the completion of a receive: its status says how many bytes came */
    struct call_ref call;
    uint32_t function;    /* of `call` */
    struct call_ref post; /* the call that began the completed operation, or opened the epoch */
    uint32_t posted_by; /* the function of `post`; if that is MPI_Start, the function that made the request */
    uint32_t nth;       /* of several by the call that began them (MPI_Startall), from 0 */
    uint32_t request;   /* a small number, unique among the rank's requests in use */
    uint32_t probe;     /* of a RECEIVE: the request number of its PROBE */
    int64_t comm;       /* as in group_view; -1 if it is not known which */
    int64_t peer;       /* rank in the run, or see above; of an epoch: the target, OPERATION_ANY for all */
    int64_t tag;
    int64_t root;         /* of a rooted collective operation, as the call has it */
    uint64_t partitioned; /* n + 1: messages of partitioned request n with these peers, tag, communicator */
    uint64_t sent, received; /* bytes, as far as the call says */
    struct operation_scope scope;
    uint64_t number;       /* in the scope, from 0 */
    uint32_t members;      /* of the scope, as far as the trace has them */
    uint32_t makes;        /* of COLLECTIVE: the `object` of what it makes on its communicator; 0: nothing */
    bool inter;            /* the scope has two groups */
    bool second;           /* the process is in the second group */
    bool in_epoch;         /* `post` is the call that opened the epoch */
    enum role_epoch epoch; /* of RMA, if in_epoch, and of OPEN, CLOSE, FLUSH */
    bool exclusive;        /* of ROLE_LOCK: no other process may hold a lock of the target then */
    /* Of ROLE_ACCESS and ROLE_EXPOSURE: between whom; the stream's. NULL: nobody, or not known. */
    const struct process_group *partners;
};

/* Returns the timestamp of operation number i of n in a call with this timestamp. Operations of a call begin
 * and end one after the other, with room for two records at the end, if there is any. Operations which say
 * that something did not happen (OPERATION_TEST, OPERATION_NEVER) are not counted. */
struct timestamp operation_timestamp(struct timestamp call, size_t i, size_t n);

/* Gets each call when the walk comes to it, before its operations. `call` NULL: nobody listens. */
struct call;
struct call_fields;
struct call_listener {
    void *context;
    enum refrain_status (*call)(void *context, const struct call *call, const struct timestamp *timestamp,
                                const struct call_fields *fields);
};

/* Inputs that are the same for all ranks. */
struct operation_source {
    const struct reader *reader;
    const struct definitions *definitions;
    struct groups groups;
    struct roles roles;
    struct volume_source volumes;
    /* Values of constants; FUNCTABLE_UNUSED where the run did not use them. */
    int64_t any_source, any_tag, proc_null, root, pending, no_succeed, exclusive;
    struct failures failures;
    bool cancels;  /* the run has calls of MPI_Cancel */
    bool partners; /* the run has epochs with partners */
    /* For the caller to set: */
    const struct timestamps_source *timestamps; /* NULL: calls have none */
    bool by_time; /* a rank's threads go on in the order of timestamps, which have to be there */
    bool details; /* otherwise there is no OPERATION_TEST, and no epoch has partners */
    bool epochs;  /* epochs have partners in any case */
    struct call_listener listener;
    struct thread_pool *pool; /* its threads read calls ahead; NULL: they are read when it is their turn */
};

enum refrain_status operation_source_create(struct operation_source *s, const struct reader *r,
                                            const struct definitions *d);
void operation_source_free(struct operation_source *s);

#endif
