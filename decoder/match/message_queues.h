/* SPDX-License-Identifier: BSD-3-Clause */
/* The queues of matching.h: both ends of what is on its way between two ranks.
 *
 * All ends that wait are entries of one array. A queue is kept for a while when it is empty, since most are
 * used again, but not for long if tags count up and each message has a queue of its own. */
#ifndef REFRAIN_MESSAGE_QUEUES_H
#define REFRAIN_MESSAGE_QUEUES_H

#include "operation.h"
#include "src/core/base/map.h"

#define MESSAGE_QUEUES_NONE UINT32_MAX

/* One end of a message. */
struct message_end {
    struct call_ref call, completed;
    uint32_t function;
    int64_t comm, tag; /* of a send */
    uint64_t order;    /* of the receives of the rank, as they were posted */
    uint64_t bytes;    /* sent, or received */
    bool ready;        /* it may be matched */
    bool over;         /* what becomes of it has been told, so that the message of a receive can be, too */
    bool matched;      /* of a send: it is in no queue any more, … */
    bool told;         /* … and its message has been told; `call` is the receive's then */
    bool late;         /* the thread that completed it waits for the other end (matching_thread) */
    bool overtaken;    /* of a receive that is not ready: … */
    uint32_t overtaking_thread; /* … this thread's … */
    uint64_t overtaking;        /* … call completed one that comes after it */
    bool reported;              /* somebody has been told that it never completed */
    bool may_be_cancelled;      /* of a send whose request was freed after MPI_Cancel: nobody was told */
    bool is_completed, has_bytes;
    uint32_t
        partner; /* of a receive that is not over: the send that it takes; MESSAGE_QUEUES_NONE: not known */
    uint32_t next;
};

struct message_list {
    uint32_t first, last; /* entries; MESSAGE_QUEUES_NONE: empty */
    uint32_t seen; /* the caller's, one of them or MESSAGE_QUEUES_NONE: when it leaves, the one before it */
};

struct message_queue_name {
    int64_t comm, tag;
    uint64_t partitioned;
    uint32_t source, dest; /* ranks in the run */
};

struct message_queue {
    struct message_queue_name name;
    struct message_list sends, receives;
    bool held; /* it waits for a wildcard: see matching.c */
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

/* The queue of this name, made if there is none; MESSAGE_QUEUES_NONE when memory is short. Its number holds
 * as long as something is in it, and until the next call. */
uint32_t message_queues_get(struct message_queues *c, const struct message_queue_name *name);

/* A zeroed one; MESSAGE_QUEUES_NONE when memory is short. */
uint32_t message_queues_add_entry(struct message_queues *c);
void message_queues_remove_entry(struct message_queues *c, uint32_t entry);

/* Put an entry into a list of the queue, behind all whose order is not larger. */
void message_queues_queue(struct message_queues *c, struct message_list *q, uint32_t entry);
/* Take out an entry that is in the list. */
void message_queues_unqueue(struct message_queues *c, struct message_list *q, uint32_t entry);

#endif
