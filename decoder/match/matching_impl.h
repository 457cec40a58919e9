/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of matching.h. matching.c walks all ranks, matching_waiting.c decides which threads wait,
 * matching_end.c handles the ends of messages as they come, matching_queue.c matches the two ends. */
#ifndef REFRAIN_MATCHING_IMPL_H
#define REFRAIN_MATCHING_IMPL_H

#include <assert.h>

#include "decoder/match/stream/call_stream.h"
#include "collective_queues.h"
#include "decoder/trace/endings.h"
#include "message_queues.h"

struct open_request {
    uint32_t send, receive;             /* entries; MESSAGE_QUEUES_NONE: none */
    uint32_t send_queue, receive_queue; /* queues; MESSAGE_QUEUES_NONE for a receive with wildcards */
};

/* What a thread waits for; used with in_order. */
struct matching_thread {
    uint32_t number;
    uint64_t n_late;    /* number of completed receives whose message was not sent yet */
    uint64_t n_excused; /* number of these receives for which the thread no longer waits */
    uint64_t late_in;   /* n + 1: the thread waits in call n, a collective operation; 0: it waits in no
                           collective operation */
};

/* A receive whose message is not known yet. */
struct wildcard {
    uint32_t entry;
    int64_t comm, peer, tag;
};

struct matching_rank {
    struct call_stream *stream; /* NULL: the rank has no calls, or all of them have been taken */
    ARRAY(struct matching_thread) threads;
    bool stuck;                       /* every thread waits, so the rank cannot continue */
    bool paused;                      /* the rank is at a cut (rounds.h) */
    uint64_t n_waiting;               /* pending ends of messages and pending calls of collective
                                         operations */
    uint64_t order;                   /* number of receives that have been posted */
    ARRAY(struct open_request) open;  /* by number of the request */
    ARRAY(struct wildcard) wildcards; /* in the order of posting */
    ARRAY(uint32_t) held;             /* queues to this rank that a wildcard blocks */
};

struct matching {
    struct operation_source source;
    const struct matching_sink *sink;
    uint32_t first_rank, n_ranks;
    struct matching_rank *ranks;
    ARRAY(uint32_t) running; /* ranks with a stream, ascending */
    uint64_t taken;          /* number of operations that have been taken */
    uint64_t sets;           /* number of sets of collective calls that have been taken */
    struct message_queues queues;
    struct collective_queues collectives;
    struct endings endings;
    bool partial;                               /* recording was off for some calls */
    ARRAY(struct matching_unmatched) unmatched; /* at the end */
};

static inline struct matching_rank *rank_of(struct matching *m, uint32_t rank)
{
    assert(rank - m->first_rank < m->n_ranks);
    return &m->ranks[rank - m->first_rank];
}

static inline struct message_end *entry_of(struct matching *m, uint32_t entry)
{
    assert(entry < m->queues.entries.n);
    return &m->queues.entries.items[entry];
}

/* Are there hints from an earlier walk? */
static inline bool matching_has_hints(const struct matching *m)
{
    return m->sink->hints && m->sink->hints->known;
}

/* Returns the thread with this number, which must exist. */
struct matching_thread *matching_thread(struct matching_rank *r, uint32_t number);
/* Call this after a change of n_late, n_excused or late_in: it stops or continues the thread. */
void matching_thread_changed(struct matching_rank *r, const struct matching_thread *t);
/* Call this when no thread can continue. Rounded times may reverse the order of threads, so each stuck rank
 * lets one thread overtake another one that waits. */
void matching_go_ahead(struct matching *m);
/* Call this when matching_go_ahead does not help either. Lets the threads continue that wait for something
 * that never comes. */
void matching_excuse(struct matching *m);

/* Reports an operation without another end to the sink. */
enum refrain_status matching_report(struct matching *m, const struct operation *op,
                                    enum matching_reason reason);

/* Takes a send, a receive or a matched probe between ranks of the run, or the operation that completes it. */
enum refrain_status matching_begin(struct matching *m, const struct operation *op);
enum refrain_status matching_complete(struct matching *m, const struct operation *op);

/* Reports a message to the sink. Everything is known about both ends, except perhaps the call that completes
 * the send. */
enum refrain_status matching_tell(struct matching *m, uint32_t send, uint32_t receive);
/* The completion of the send is known, too, after its message was reported: reports it and removes the
 * send. */
enum refrain_status matching_tell_sent(struct matching *m, uint32_t send);
/* May wildcard w, posted by the same thread before receive e, take a message of this name? */
bool matching_is_before(struct matching *m, const struct wildcard *w, const struct message_end *e,
                        const struct message_queue_name *name);
/* Matches all that can be matched in a queue. A queue that a wildcard blocks is added to `held` of its
 * rank. */
enum refrain_status matching_queue(struct matching *m, uint32_t queue);
/* A wildcard of this rank was removed: tries the held queues again. */
enum refrain_status matching_held(struct matching *m, struct matching_rank *r);
/* Removes an end of a message. */
void matching_forget(struct matching *m, struct matching_rank *r, uint32_t entry);

#endif
