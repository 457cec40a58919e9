/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of all lanes in an order that causes allow, each with what it could not end before.
 *
 * Calls are told as they are taken, a lane's in their order; what a call depends on may be known much later. The stream keeps a
 * call until that is known and has happened. So each call's end is told behind the beginnings that it depends on:
 *
 *     told:      lane 0   Irecv  Wait  Send           lane 1   Send
 *     settled:   Wait of lane 0 depends on Send of lane 1
 *
 *     sink:      enter 0 Irecv, leave 0 Irecv, enter 0 Wait, enter 1 Send, leave 0 Wait {1 Send}, enter 0 Send …
 *
 * A call on which others may come to depend has a *mark* while it is held. The sink keeps by mark what it wants to know of
 * the moment when the lane came there. What many depend on, each on many, is one mark of them all, a *joint*: a barrier of n has
 * n + n dependencies, not n * n.
 *
 * Memory: calls that are not settled or wait for others, those of their lanes behind them, and marks. */
#ifndef REFRAIN_CAUSAL_STREAM_H
#define REFRAIN_CAUSAL_STREAM_H

#include "src/core/base/array.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"

#define CAUSAL_NONE UINT32_MAX

struct causal_call {
    uint32_t lane, site;
    uint64_t number; /* in its lane; ascending */
    uint64_t enter, leave;
};

/* Which call. */
struct causal_name {
    uint32_t lane;
    uint64_t number;
};

/* The beginning of another call; of a joint the lane is CAUSAL_NONE, and `at` the last of its members. */
struct causal_cause {
    uint32_t lane, mark, kind;
    uint64_t at;
};

struct causal_sink {
    void *context;
    /* A lane comes to a call. CAUSAL_NONE: nobody will depend on that. */
    enum refrain_status (*enter)(void *context, const struct causal_call *call, uint32_t mark);
    /* It has made the call, which could not end before n others began. */
    enum refrain_status (*leave)(void *context, const struct causal_call *call,
                                 const struct causal_cause *causes, size_t n);
    /* Nobody depends on the mark any more; its number may come again. */
    void (*forget)(void *context, uint32_t mark);
    /* A joint: all of its members have come. NULL: not wanted. */
    enum refrain_status (*join)(void *context, uint32_t mark, const struct causal_cause *members, size_t n);
};

struct causal_mark {
    uint32_t lane;
    uint64_t number, at;
    uint32_t holds, links; /* calls that depend on it; 0 and 0: unused */
    bool entered;
    uint32_t waiters; /* lanes whose first call waits for it, and, n_lanes on, joints; CAUSAL_NONE */
};

struct pending_call {
    struct causal_call call;
    uint32_t mark, unsettled;
    uint32_t links; /* the marks that it depends on; CAUSAL_NONE */
    bool closed;    /* the lane went on: it is all there */
    bool entered;
};

struct causal_lane {
    ARRAY(struct pending_call) calls;
    size_t first;         /* of the calls; those before are over */
    uint64_t last;        /* when the last one told ended */
    uint32_t blocked_on;  /* a mark; CAUSAL_NONE */
    uint32_t next_waiter; /* for the same */
};

struct causal_link {
    uint32_t mark, kind, next;
};

/* One whose members have not all come. */
struct causal_joint {
    uint32_t mark, links, missing; /* its members; those from `missing` on may not have come */
    uint32_t next_waiter;          /* for that one */
};

struct causal_stream {
    struct causal_sink sink;
    size_t n_lanes;
    struct causal_lane *lanes;
    struct map mark_of_call; /* of calls that are kept no more */
    ARRAY(struct causal_mark) marks;
    ARRAY(uint32_t) unused_marks;
    ARRAY(struct causal_link) links;
    uint32_t unused_links;
    ARRAY(struct causal_joint) joints;
    ARRAY(uint32_t) unused_joints;
    ARRAY(uint32_t) ready;             /* lanes and joints that may go on, as waiters are numbered */
    ARRAY(struct causal_cause) causes; /* of the call that is told */
    size_t pending, most_pending;      /* calls that are kept; how many may be, before one goes on in vain */
    uint64_t forced;                   /* calls that went on before all was known of them */
};

#define CAUSAL_MOST_PENDING ((size_t)1 << 19)

enum refrain_status causal_stream_create(struct causal_stream *s, size_t n_lanes,
                                         const struct causal_sink *sink);
void causal_stream_free(struct causal_stream *s); /* also of a zeroed struct */

/* The lane's next call. If it `continues` the one before (polls), they become one, that began at call->enter. */
enum refrain_status causal_stream_call(struct causal_stream *s, const struct causal_call *call,
                                       bool continues);
/* The lane's last call will be settled once more. */
void causal_stream_expect(struct causal_stream *s, struct causal_name call);

/* One thing is known of a call: that it depends on `cause`, which is held, or on nobody (NULL); the sink knows kinds. Calls that are over are left
 * alone. */
enum refrain_status causal_stream_settle(struct causal_stream *s, struct causal_name call,
                                         const struct causal_name *cause, uint32_t kind);
/* Others may come to depend on the lane's last call, or one that is held, until as many releases. */
enum refrain_status causal_stream_hold(struct causal_stream *s, struct causal_name call);
/* What is not held is left alone. */
void causal_stream_release(struct causal_stream *s, struct causal_name call);
/* A joint of these, as far as they are held, and of another one (`before`, or CAUSAL_NONE). It is held once; *joint is its mark. */
enum refrain_status causal_stream_join(struct causal_stream *s, const struct causal_name *calls, size_t n,
                                       uint32_t before, uint32_t *joint);
void causal_stream_keep(struct causal_stream *s, uint32_t joint);
void causal_stream_part(struct causal_stream *s, uint32_t joint);
/* The call, one thing of which is not settled yet, depends on a joint too. */
enum refrain_status causal_stream_depend(struct causal_stream *s, struct causal_name call, uint32_t joint,
                                         uint32_t kind);
/* All has been told: what is not settled will never be. */
enum refrain_status causal_stream_end(struct causal_stream *s);

#endif
