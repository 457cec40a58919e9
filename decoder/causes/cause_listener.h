/* SPDX-License-Identifier: BSD-3-Clause */
/* What the search for waiting finds out of each call (wait_listener.h), as a causal stream; with who came last to MPI_Init and MPI_Finalize,
 * which all ranks leave together. */
#ifndef REFRAIN_CAUSE_LISTENER_H
#define REFRAIN_CAUSE_LISTENER_H

#include "causal_stream.h"
#include "decoder/waits/search/wait_search.h"

/* All ranks come to it once. */
struct cause_world {
    bool *known;        /* by rank: it has come, or will not */
    uint32_t n_missing; /* ranks of which that is not known */
    ARRAY(struct causal_name) members;
    struct causal_name last; /* of these, and when it came; the last of the others */
    struct causal_name second;
    uint64_t last_enter, second_enter;
};

struct cause_listener {
    /* Whoever has the listener sets it: a sink for a run of so many lanes and sites. It is called before each walk. */
    void *context;
    enum refrain_status (*start)(void *context, const struct wait_search *s, struct causal_sink *sink);
    enum refrain_status (*end)(void *context);
    const struct wait_search *search;
    struct causal_stream stream;
    struct cause_world init, finalize;
    ARRAY(struct causal_name) names; /* of the joint that is told */
    struct wait_listener listener;
};

/* `context`, `start` and `end` are the caller's. */
const struct wait_listener *cause_listener_open(struct cause_listener *l);
void cause_listener_free(struct cause_listener *l); /* also of a zeroed struct */

#endif
