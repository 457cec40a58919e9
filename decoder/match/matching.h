/* SPDX-License-Identifier: BSD-3-Clause */
/* Which receive takes which message, and which calls are one collective operation.
 *
 * Messages with one communicator, source, destination and tag are received in the order in which they were
 * sent, by receives in the order in which they were posted (non-overtaking, MPI 5.0, 3.5). So they are queued
 * by these four, at both ends, and matched from the front:
 *
 *     queue (comm, 2 -> 0, tag 5)    sends      call 17 of rank 2, call 20
 *                                      receives   call 31 of rank 0 (completed by 35), call 33
 *
 * A receive with wildcards is put where its status says when it completes; until then no receive that was
 * posted after it by the same thread, and that it may stand before, is matched. A receive counts when it has
 * completed, since it may be cancelled before; a send when it begins, unless the program cancels. A message
 * that a matched probe has found has its place from there.
 *
 * Between threads of a rank the standard has no order; theirs is that of call_stream.h. Communicators have one
 * queue through all lives of their name: a message that is never received is taken for one of the next life.
 *
 * Ranks are walked in turns, so that memory is that of what is in flight: a rank to which much belongs that
 * waits for others waits itself until they have caught up. */
#ifndef REFRAIN_MATCHING_H
#define REFRAIN_MATCHING_H

#include "match_hints.h"
#include "operation.h"

struct matching_message {
    struct call_ref send, receive;
    uint32_t send_function, receive_function;
    /* The call that completed the receive, or said that it was complete; the receive itself if it is
     * blocking. */
    struct call_ref completed;
    bool is_completed; /* otherwise no call did */
    int64_t comm, tag;
    uint64_t bytes;    /* sent */
    uint64_t received; /* as the status says, … */
    bool has_received; /* if there is one */
};

/* A send that is over, and whose message was received. */
struct matching_sent {
    struct call_ref completed; /* the call that completed it; the send itself if it is blocking */
    struct call_ref receive;   /* the call that posted the receive */
    uint32_t function;         /* that sent */
    uint64_t bytes;
};

struct matching_member {
    struct call_ref call;
    uint64_t sent, received; /* bytes, as in struct operation */
    bool second;             /* of two groups */
    bool
        refused; /* its arguments are wrong, so that it did nothing; it stands where the operation was meant */
};

struct matching_collective {
    struct operation_scope scope;
    uint64_t number;   /* in the scope; where calls failed on some members, the lowest that one gives it */
    uint32_t function; /* of the lowest rank */
    bool excused;      /* what is wrong with it is perhaps that part of the trace is missing */
    bool agree;        /* all called the same (but for _c), with the same root; otherwise it is no operation,
                          but the calls up to where they agree again: any number of each member */
    bool inter;        /* of two groups */
    uint32_t expected; /* members that the trace has */
    const struct matching_member *members; /* n of them, by rank */
    size_t n;
    const struct call_ref *until; /* the lowest rank's call that agrees again, unless it is every rank's next
                                     one; or NULL */
};

enum matching_reason {
    MATCHING_NEVER_RECEIVED,
    MATCHING_NEVER_SENT,
    MATCHING_NEVER_COMPLETED, /* also of a call that did not come back */
    MATCHING_CANCELLED,
    MATCHING_UNKNOWN, /* a receive with wildcards that was freed, or failed since its buffer was too short */
    MATCHING_FAILED,  /* the call returned an error */
    MATCHING_OUTSIDE, /* the peer is in another world, or nothing tells who it is */
    MATCHING_MISSING, /* part of the trace is missing that may have the other end */
    MATCHING_REASONS
};
extern const char *const matching_reasons[MATCHING_REASONS]; /* in words */
/* Is it what a sound program, recorded as a whole, does not do? */
bool matching_is_fault(enum matching_reason reason);

struct matching_unmatched {
    enum matching_reason reason;
    enum operation_kind kind; /* SEND, RECEIVE, or what else was never completed */
    struct call_ref call;     /* that posted it */
    uint32_t function;
    int64_t comm, peer, tag; /* as in struct operation, as far as they are known */
    uint64_t bytes;          /* of a send */
};

/* Who is told. A function that fails ends the matching with its status. */
struct matching_sink {
    void *context;
    enum refrain_status (*message)(void *context, const struct matching_message *m);
    enum refrain_status (*collective)(void *context, const struct matching_collective *c);
    /* These three may be NULL. What each message's sender waited for, behind the message itself; each call of a
     * rank, as it is taken; each operation, before anything that follows from it. */
    enum refrain_status (*sent)(void *context, const struct matching_sent *s);
    enum refrain_status (*call)(void *context, const struct call *call, const struct timestamp *timestamp,
                                const struct call_fields *fields);
    enum refrain_status (*operation)(void *context, const struct operation *op);
    /* What is found on the way; at the end what is left, by rank, thread and call. */
    enum refrain_status (*unmatched)(void *context, const struct matching_unmatched *u);
    /* A thread does not go on behind a call that completes a receive before the message has been sent, nor
     * behind a blocking collective operation before all members have come. So whatever is told was caused by
     * nothing but what has been told, and what was sent or begun before: the order of a run that may have
     * been. It is not kept where a receive completes before one that was posted earlier and might have taken
     * its message, in a program that cancels, or where the trace does not tell of the other end: then the
     * ranks go on when nobody else can. */
    bool in_order;
    /* With that, what a run notes for the next, which only fails to keep the order where the trace does not
     * tell of the other end, or threads receive each other's messages. NULL: nothing is noted. */
    struct match_hints *hints;
    const struct timestamps_source *timestamps; /* of the calls that are told of; NULL: they have none */
};

/* All of a trace. Messages of a queue come in their order, collective operations of a scope in theirs,
 * those that are not complete at the end. */
enum refrain_status matching_run(const struct reader *r, const struct definitions *d,
                                 const struct matching_sink *sink);

#endif
