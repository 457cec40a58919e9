/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of all lanes in an order in which causes come before effects, each call with its dependencies.
 *
 * The producer adds calls as they are taken, those of one lane in order. The dependencies of a call may
 * become known much later. The stream keeps a call until they are known and have happened. So the end of each
 * call is passed on after the begins that it depends on:
 *
 *     told:      lane 0   Irecv  Wait  Send           lane 1   Send
 *     settled:   Wait of lane 0 depends on Send of lane 1
 *
 *     sink:      enter 0 Irecv, leave 0 Irecv, enter 0 Wait, enter 1 Send, leave 0 Wait {1 Send}, enter 0 Send …
 *
 * A call on which others may still come to depend has a *mark* while it is held. For each mark, the sink
 * stores what it needs about the moment when the lane reached the call. If many calls each depend on the same
 * other calls, one mark, a *joint*, stands for all these others: a barrier of n has n + n dependencies, not
 * n * n.
 *
 * Memory: calls that are not settled or that wait for others, later calls of the same lanes, and marks. */
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

/* Identifies a call. */
struct causal_name {
    uint32_t lane;
    uint64_t number;
};

/* The begin of another call. For a joint, the lane is CAUSAL_NONE, and `at` is the time of its last
 * member. */
struct causal_cause {
    uint32_t lane, mark, kind;
    uint64_t at;
};

struct causal_sink {
    void *context;
    /* A lane begins a call. `mark` CAUSAL_NONE: no call will depend on it. */
    enum refrain_status (*enter)(void *context, const struct causal_call *call, uint32_t mark);
    /* The lane ends the call, which could not end before the n causes began. */
    enum refrain_status (*leave)(void *context, const struct causal_call *call,
                                 const struct causal_cause *causes, size_t n);
    /* No call depends on the mark any more; its number may be reused. */
    void (*forget)(void *context, uint32_t mark);
    /* All members of a joint have begun. NULL: not wanted. */
    enum refrain_status (*join)(void *context, uint32_t mark, const struct causal_cause *members, size_t n);
};

struct causal_mark {
    uint32_t lane;
    uint64_t number, at;
    uint32_t holds; /* number of holds */
    uint32_t links; /* number of calls that depend on the mark; `holds` and `links` are 0: unused */
    bool entered;
    uint32_t waiters; /* first of the list of waiters: a lane whose first call waits for the mark, or n_lanes
                         + number of a joint; CAUSAL_NONE: none */
};

struct pending_call {
    struct causal_call call; /* its number is that of the last call, if others have continued it */
    uint64_t first;          /* the number of the first one */
    uint32_t mark, unsettled;
    uint32_t links; /* list of the marks that the call depends on; CAUSAL_NONE: none */
    bool closed;    /* the lane has continued: the call is complete */
    bool entered;
};

struct causal_lane {
    ARRAY(struct pending_call) calls;
    size_t first;         /* index of the first pending call; those before it are done */
    uint64_t last;        /* end of the last call that was added */
    uint32_t blocked_on;  /* a mark; CAUSAL_NONE */
    uint32_t next_waiter; /* the next waiter for the same mark */
};

struct causal_link {
    uint32_t mark, kind, next;
};

/* A joint whose members have not all begun. */
struct causal_joint {
    uint32_t mark;
    uint32_t links;       /* list of its members */
    uint32_t missing;     /* members from this one on may not have begun */
    uint32_t next_waiter; /* the next waiter for the same member */
};

struct causal_stream {
    struct causal_sink sink;
    size_t n_lanes;
    struct causal_lane *lanes;
    struct map mark_of_call; /* for calls that are no longer kept */
    ARRAY(struct causal_mark) marks;
    ARRAY(uint32_t) unused_marks;
    ARRAY(struct causal_link) links;
    uint32_t unused_links;
    ARRAY(struct causal_joint) joints;
    ARRAY(uint32_t) unused_joints;
    ARRAY(uint32_t) ready;             /* lanes and joints that may continue, numbered like waiters */
    ARRAY(struct causal_cause) causes; /* of the call that is being passed to the sink */
    size_t pending;                    /* number of kept calls */
    size_t most_pending;               /* number of kept calls at which one call is forced to continue */
    uint64_t forced;                   /* calls that continued before their dependencies were known */
};

#define CAUSAL_MOST_PENDING ((size_t)1 << 19)

enum refrain_status causal_stream_create(struct causal_stream *s, size_t n_lanes,
                                         const struct causal_sink *sink);
void causal_stream_free(struct causal_stream *s); /* also of a zeroed struct */

/* Adds the lane's next call. If it `continues` the one before (polls), both become one call that began at
 * call->enter. */
enum refrain_status causal_stream_call(struct causal_stream *s, const struct causal_call *call,
                                       bool continues);
/* The lane's last call will get one more causal_stream_settle. */
void causal_stream_expect(struct causal_stream *s, struct causal_name call);

/* Settles one dependency of a call: it depends on `cause`, which must be held, or on no call (NULL). `kind`
 * is passed to the sink. Ignores calls that were passed on already. */
enum refrain_status causal_stream_settle(struct causal_stream *s, struct causal_name call,
                                         const struct causal_name *cause, uint32_t kind);
/* Other calls may come to depend on this call, which must be the lane's last one or held already, until it is
 * released as often. */
enum refrain_status causal_stream_hold(struct causal_stream *s, struct causal_name call);
/* Ends a hold. Ignores calls that are not held. */
void causal_stream_release(struct causal_stream *s, struct causal_name call);
/* Makes a joint of the calls in `calls` that are held, and of the members of an earlier joint (`before`, or
 * CAUSAL_NONE). The joint is held once; *joint is its mark. */
enum refrain_status causal_stream_join(struct causal_stream *s, const struct causal_name *calls, size_t n,
                                       uint32_t before, uint32_t *joint);
void causal_stream_keep(struct causal_stream *s, uint32_t joint);
void causal_stream_part(struct causal_stream *s, uint32_t joint);
/* Adds a dependency on a joint to a call that has still something to settle. */
enum refrain_status causal_stream_depend(struct causal_stream *s, struct causal_name call, uint32_t joint,
                                         uint32_t kind);
/* Call this after the last event: dependencies that are not settled now never will be. */
enum refrain_status causal_stream_end(struct causal_stream *s);

#endif
