/* The queues of matching.h: both ends of what is on its way between two ranks.
 *
 * All ends that wait are entries of one pool. A channel is kept for a while when it is empty, since most are
 * used again, but not for long if tags count up and each message has a channel of its own. */
#ifndef REFRAIN_CHANNELS_H
#define REFRAIN_CHANNELS_H

#include "operation.h"
#include "src/core/base/map.h"

#define CHANNELS_NONE UINT32_MAX

/* One end of a message. */
struct channel_entry {
    struct call_ref call, completed;
    uint32_t function;
    int64_t comm, tag; /* of a send */
    uint64_t order;    /* of the receives of the rank, as they were posted */
    uint64_t bytes;    /* sent, or received */
    bool ready;        /* it may be matched */
    bool over;         /* of a receive: what becomes of it has been told, so that its message can be, too */
    bool late;         /* the thread that completed it waits for the other end (matching_thread) */
    bool overtaken;    /* of a receive that is not ready: … */
    uint32_t overtaking_thread; /* … this thread's … */
    uint64_t overtaking;        /* … call completed one that comes after it */
    bool reported;              /* somebody has been told that it never completed */
    bool is_completed, has_bytes;
    uint32_t partner; /* of a receive that is not over: the send that it takes; CHANNELS_NONE: not known */
    uint32_t next;
};

struct channel_queue {
    uint32_t first, last; /* entries; CHANNELS_NONE: empty */
    uint32_t seen;        /* the caller's, one of them or CHANNELS_NONE: when it leaves, the one before it */
};

struct channel_name {
    int64_t comm, tag;
    uint64_t partitioned;
    uint32_t source, dest; /* ranks in the run */
};

struct channel {
    struct channel_name name;
    struct channel_queue sends, receives;
    bool held; /* it waits for a wildcard: see matching.c */
};

struct channels {
    struct map by_name;
    ARRAY(struct channel) items;
    ARRAY(uint32_t) unused; /* of the items */
    ARRAY(struct channel_entry) entries;
    uint32_t free_entry;
    size_t n_waiting; /* entries in use */
};

void channels_start(struct channels *c);
void channels_stop(struct channels *c);

/* The channel of this name, made if there is none; CHANNELS_NONE when memory is short. Its number holds as
 * long as something is in it, and until the next call. */
uint32_t channels_get(struct channels *c, const struct channel_name *name);

/* A zeroed one; CHANNELS_NONE when memory is short. */
uint32_t channels_add_entry(struct channels *c);
void channels_remove_entry(struct channels *c, uint32_t entry);

/* Behind all whose order is not larger. */
void channels_queue(struct channels *c, struct channel_queue *q, uint32_t entry);
/* It is in the queue. */
void channels_unqueue(struct channels *c, struct channel_queue *q, uint32_t entry);

#endif
