/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns what the search for waiting reports about each call (wait_listener.h) into a causal stream. Adds
 * which rank came last to MPI_Init and MPI_Finalize, which all ranks leave together. */
#ifndef REFRAIN_CAUSE_LISTENER_H
#define REFRAIN_CAUSE_LISTENER_H

#include "causal_stream.h"
#include "decoder/waits/search/wait_search.h"

/* A call that all ranks make once. */
struct cause_world {
    bool *known;        /* by rank: it has come, or is known not to come */
    uint32_t n_missing; /* number of ranks that are not known */
    ARRAY(struct causal_name) members;
    struct causal_name last; /* the last member to come; `second`: the last of the others */
    struct causal_name second;
    uint64_t last_enter, second_enter;
};

struct cause_listener {
    /* Set by the caller. `start` returns a sink for the run of `s`; it is called before each walk. */
    void *context;
    enum refrain_status (*start)(void *context, const struct wait_search *s, struct causal_sink *sink);
    enum refrain_status (*end)(void *context);
    struct thread_pool *pool; /* for the search; NULL: none */
    const struct wait_search *search;
    struct causal_stream stream;
    struct cause_world init, finalize;
    ARRAY(struct causal_name) names; /* of the joint that is being made */
    struct wait_listener listener;
};

/* `context`, `start`, `end` and `pool` must be set by the caller. */
const struct wait_listener *cause_listener_open(struct cause_listener *l);
void cause_listener_free(struct cause_listener *l); /* also of a zeroed struct */

#endif
