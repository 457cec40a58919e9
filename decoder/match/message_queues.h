/* SPDX-License-Identifier: BSD-3-Clause */
/* The queues of matching.h: the sends and receives between two ranks that are not matched yet.
 *
 * All waiting ends are entries of one array. An empty queue is kept for a while, because most are used again.
 * It is removed soon if tags count up, so that each message has its own queue. */
#ifndef REFRAIN_MESSAGE_QUEUES_H
#define REFRAIN_MESSAGE_QUEUES_H

#include "decoder/match/stream/operation.h"
#include "src/core/base/map.h"

#define MESSAGE_QUEUES_NONE UINT32_MAX

/* One end of a message. */
struct message_end {
    struct call_ref call, completed;
    uint32_t function;
    int64_t comm, tag; /* of a send */
    uint64_t order;    /* of a receive: its position among the rank's receives, in the order of posting */
    uint64_t bytes;    /* sent, or received */
    bool ready;        /* it may be matched */
    bool over;         /* it has completed (or its fate is known); if it is a receive, its message can be
                          reported */
    bool matched;      /* of a send: it is matched and has left its queue */
    bool told;         /* of a send: its message was reported; then `call` is the call of the receive */
    bool late;         /* the thread that completed it waits for the other end (matching_thread) */
    bool overtaken;    /* of a receive that is not ready: a later receive has completed before it */
    uint32_t overtaking_thread; /* the thread that completed the later receive */
    uint64_t overtaking;        /* the call that completed the later receive */
    bool reported;              /* it was reported as never completed */
    bool may_be_cancelled;      /* its request was freed after MPI_Cancel: the outcome is not known */
    bool is_completed, has_bytes;
    uint32_t
        partner; /* of a receive that is not over: the send that it takes; MESSAGE_QUEUES_NONE: not known */
    uint32_t next;
};

struct message_list {
    uint32_t first, last; /* entries; MESSAGE_QUEUES_NONE: empty */
    uint32_t seen;        /* an entry, chosen by the caller, or MESSAGE_QUEUES_NONE; if the entry is removed,
                             the entry before it */
};

struct message_queue_name {
    int64_t comm, tag;
    uint64_t partitioned;
    uint32_t source, dest; /* ranks in the run */
};

struct message_queue {
    struct message_queue_name name;
    struct message_list sends, receives;
    bool held; /* it waits for a wildcard (matching_held) */
};

struct message_queues {
    struct map by_name;
    ARRAY(struct message_queue) items;
    ARRAY(uint32_t) unused; /* of the items */
    ARRAY(struct message_end) entries;
    uint32_t free_entry;
    size_t n_waiting; /* entries in use */
};

void message_queues_start(struct message_queues *c);
void message_queues_stop(struct message_queues *c);

/* Returns the queue of this name, and creates it if needed; MESSAGE_QUEUES_NONE when memory is short. The
 * number is valid while the queue has entries, and until the next call. */
uint32_t message_queues_get(struct message_queues *c, const struct message_queue_name *name);

/* Returns a zeroed entry; MESSAGE_QUEUES_NONE when memory is short. */
uint32_t message_queues_add_entry(struct message_queues *c);
void message_queues_remove_entry(struct message_queues *c, uint32_t entry);

/* Inserts an entry into a list of the queue, after all entries with the same or a smaller `order`. */
void message_queues_queue(struct message_queues *c, struct message_list *q, uint32_t entry);
/* Removes an entry, which must be in the list. */
void message_queues_unqueue(struct message_queues *c, struct message_list *q, uint32_t entry);

#endif
