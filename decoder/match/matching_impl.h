/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside matching.h: matching.c goes through all ranks, matching_waiting.c knows who waits, matching_end.c has the ends of
 * messages as they come, matching_queue.c puts them together. */
#ifndef REFRAIN_MATCHING_IMPL_H
#define REFRAIN_MATCHING_IMPL_H

#include "call_stream.h"
#include "collective_queues.h"
#include "decoder/trace/endings.h"
#include "message_queues.h"

struct open_request {
    uint32_t send, receive;             /* entries; MESSAGE_QUEUES_NONE: none */
    uint32_t send_queue, receive_queue; /* queues; of a receive with wildcards MESSAGE_QUEUES_NONE */
};

/* What a thread waits for, in_order. */
struct matching_thread {
    uint32_t number;
    uint64_t n_late, n_excused; /* completed receives; of which in vain */
    uint64_t late_in;           /* n + 1: its call of a collective operation; 0: none */
};

/* A receive of which nobody knows yet what it takes. */
struct wildcard {
    uint32_t entry;
    int64_t comm, peer, tag;
};

struct matching_rank {
    struct call_stream *stream; /* NULL: it has no calls, or they have all been taken */
    ARRAY(struct matching_thread) threads;
    bool stuck;                       /* none of them goes on as long as they wait */
    uint64_t n_waiting;               /* ends of messages and calls of collective operations */
    uint64_t order;                   /* receives so far */
    ARRAY(struct open_request) open;  /* by number of the request */
    ARRAY(struct wildcard) wildcards; /* as they were posted */
    ARRAY(uint32_t) held;             /* queues to this rank that one of them stops */
};

struct matching {
    struct operation_source source;
    const struct matching_sink *sink;
    uint32_t first_rank, n_ranks;
    struct matching_rank *ranks;
    ARRAY(uint32_t) running; /* those with a stream, ascending */
    uint64_t taken, sets;    /* operations so far, and sets of collective calls */
    struct message_queues queues;
    struct collective_queues collectives;
    struct endings endings;
    bool partial;                               /* recording was off for some calls */
    ARRAY(struct matching_unmatched) unmatched; /* at the end */
};

static inline struct matching_rank *rank_of(struct matching *m, uint32_t rank)
{
    return &m->ranks[rank - m->first_rank];
}

static inline struct message_end *entry_of(struct matching *m, uint32_t entry)
{
    return &m->queues.entries.items[entry];
}

/* Do we know what another run has found out? */
static inline bool matching_has_hints(const struct matching *m)
{
    return m->sink->hints && m->sink->hints->known;
}

/* A thread that is there. */
struct matching_thread *matching_thread(struct matching_rank *r, uint32_t number);
/* What it waits for has changed. */
void matching_thread_changed(struct matching_rank *r, const struct matching_thread *t);
/* Nobody goes on. Rounded times may have what threads do the wrong way round: then one goes ahead of another that waits. */
void matching_go_ahead(struct matching *m);
/* Nor does that help. Those go on who wait for what does not come. */
void matching_excuse(struct matching *m);

/* Tell the sink of an operation without another end. */
enum refrain_status matching_report(struct matching *m, const struct operation *op,
                                    enum matching_reason reason);

/* A send, a receive or a matched probe by a rank of the run, from or to one, and what completes it. */
enum refrain_status matching_begin(struct matching *m, const struct operation *op);
enum refrain_status matching_complete(struct matching *m, const struct operation *op);

/* The two ends of a message, of which all is known, but maybe what completes the send. */
enum refrain_status matching_tell(struct matching *m, uint32_t send, uint32_t receive);
/* That is known, too: the send, whose message has been told, is no more. */
enum refrain_status matching_tell_sent(struct matching *m, uint32_t send);
/* May wildcard w, posted by the same thread before receive e, take a message of this name? */
bool matching_is_before(struct matching *m, const struct wildcard *w, const struct message_end *e,
                        const struct message_queue_name *name);
/* Whatever can be matched in a queue. One that a wildcard stops is remembered. */
enum refrain_status matching_queue(struct matching *m, uint32_t queue);
/* A wildcard of this rank is gone: what waited for it may go on. */
enum refrain_status matching_held(struct matching *m, struct matching_rank *r);
/* An end of a message is no more. */
void matching_forget(struct matching *m, struct matching_rank *r, uint32_t entry);

#endif
