/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches each receive with its message, and groups the calls that form one collective operation.
 *
 * Messages with the same communicator, source, destination and tag are received in the order of their sends,
 * and the receives take them in the order in which the receives were posted (non-overtaking, MPI 5.0, 3.5).
 * So sends and receives wait in one queue for each combination of these four (partitioned messages have
 * queues of their own), and are matched from the front:
 *
 *     queue (comm, 2 -> 0, tag 5)    sends      call 17 of rank 2, call 20
 *                                      receives   call 31 of rank 0 (completed by 35), call 33
 *
 * A receive with wildcards enters the queue that its status names when it completes. Until then, no later
 * receive of the same thread is matched if the wildcard receive might take its message. A receive can be
 * matched only when it has completed, because it may be cancelled before that. A send can be matched when it
 * begins. Exception: in a program that calls MPI_Cancel, a nonblocking send can be matched only when it has
 * completed, unless there are hints from an earlier walk (match_hints.h). A message that a matched probe
 * (MPI_Mprobe) finds is taken at the probe, not at its receive.
 *
 * The standard does not order the threads of a rank; call_stream.h chooses the order. When a communicator's
 * number is reused, its queues are reused too: a message that is never received is then matched with a
 * receive on the new communicator.
 *
 * Ranks are walked in turns, so that memory grows with pending operations, not with calls: a rank with many
 * pending operations is suspended until the other ranks have caught up. */
#ifndef REFRAIN_MATCHING_H
#define REFRAIN_MATCHING_H

#include "match_hints.h"
#include "decoder/match/stream/operation.h"

struct matching_message {
    struct call_ref send, receive;
    uint32_t send_function, receive_function;
    /* The call that completed the receive or reported its completion; the receive call itself if it is
     * blocking. */
    struct call_ref completed;
    bool is_completed; /* false: no call completed it */
    int64_t comm, tag;
    uint64_t bytes;    /* sent */
    uint64_t received; /* bytes received, as the status says */
    bool has_received; /* there is a status */
};

/* A completed send whose message was received. */
struct matching_sent {
    struct call_ref completed; /* the call that completed it; the send itself if it is blocking */
    struct call_ref receive;   /* the call that posted the receive */
    uint32_t function;         /* of the call that sent */
    uint64_t bytes;
};

struct matching_member {
    struct call_ref call;
    uint64_t sent, received; /* bytes, as in struct operation */
    bool second;             /* of two groups */
    bool refused;            /* its arguments are wrong, so it did nothing; it keeps its place in the order */
};

struct matching_collective {
    struct operation_scope scope;
    uint64_t number;   /* position in the scope; if calls failed on some members, their positions differ, and
                          this is the lowest */
    uint32_t function; /* of the lowest rank */
    bool excused;      /* part of the trace is missing, which may explain any error in this operation */
    bool agree;        /* all called the same function (_c variants count as the same) with the same root.
                          Otherwise this is not one operation, but all calls up to the place where the members
                          agree again; each member may have any number of these calls */
    bool inter;        /* of two groups */
    uint32_t expected; /* number of members in the trace */
    const struct matching_member *members; /* n members, by rank */
    size_t n;
    /* If not `agree`: the first call of the lowest rank at which the members agree again. NULL: the members
     * agree again at each member's next call, or they do not agree again before the trace ends. */
    const struct call_ref *until;
};

enum matching_reason {
    MATCHING_NEVER_RECEIVED,
    MATCHING_NEVER_SENT,
    MATCHING_NEVER_COMPLETED, /* also if the call did not return */
    MATCHING_CANCELLED,
    MATCHING_UNKNOWN, /* a receive with wildcards that was freed, or whose status names no message */
    MATCHING_FAILED,  /* the call returned an error */
    MATCHING_OUTSIDE, /* the peer is in another world, or is not known */
    MATCHING_MISSING, /* the other end may be in a missing part of the trace */
    MATCHING_REASONS
};
extern const char *const matching_reasons[MATCHING_REASONS]; /* the text of each reason */
/* Does this reason mean an error in the program (if the whole run was recorded)? */
bool matching_is_fault(enum matching_reason reason);

struct matching_unmatched {
    enum matching_reason reason;
    enum operation_kind kind; /* SEND, RECEIVE, or the kind of another operation that was never completed */
    struct call_ref call;     /* the call that posted the operation */
    uint32_t function;
    int64_t comm, peer, tag; /* as in struct operation, where known */
    uint64_t bytes;          /* of a send */
};

/* Rounds (rounds.h). */
struct matching_rounds {
    bool off;      /* set by the caller: match each call, even if rounds repeat */
    uint64_t told; /* number of calls that were told from the notes of a round */
};

/* Callbacks for the results. If a function fails, the matching ends with its status. */
struct matching_sink {
    void *context;
    enum refrain_status (*message)(void *context, const struct matching_message *m);
    enum refrain_status (*collective)(void *context, const struct matching_collective *c);
    /* These three may be NULL. `sent`: for each message whose send completed, the call that completed the
     * send and the receive that this call may have waited for; reported after `message`. `call`: each call of
     * a rank, when the walk comes to it, before its operations. `operation`: each operation, before anything
     * that follows from it. */
    enum refrain_status (*sent)(void *context, const struct matching_sent *s);
    enum refrain_status (*call)(void *context, const struct call *call, const struct timestamp *timestamp,
                                const struct call_fields *fields);
    enum refrain_status (*operation)(void *context, const struct operation *op);
    /* Unmatched operations: some are reported when they are found; the rest is reported at the end, by rank,
     * thread and call. */
    enum refrain_status (*unmatched)(void *context, const struct matching_unmatched *u);
    /* Report calls in the order of a possible run: a reported call depends only on calls reported before,
     * messages sent before and operations begun before. For this, a thread stops after a call that completes
     * a receive until the message has been sent, and after a blocking collective operation until all members
     * have come. The order may be violated in three cases: a receive completes before an earlier receive that
     * might have taken its message; the program calls MPI_Cancel; the other end is not in the trace. In these
     * cases, when no rank can continue, all continue by one step. */
    bool in_order;
    /* With in_order: what matching_run notes for the next matching_run on the same trace. The next
     * matching_run violates the order only if the trace does not contain the other end, or if threads receive
     * each other's messages. NULL: nothing is noted. */
    struct match_hints *hints;
    const struct timestamps_source *timestamps; /* timestamps for the reported calls; NULL: none wanted */
    struct thread_pool *pool;       /* its threads read calls ahead; NULL: matching_run creates a pool */
    struct matching_rounds *rounds; /* for tests; NULL: as if all zeros */
};

/* Matches a whole trace. Messages of one queue are reported in their order, collective operations of one
 * scope in theirs, incomplete ones at the end. */
enum refrain_status matching_run(const struct reader *r, const struct definitions *d,
                                 const struct matching_sink *sink);

#endif
