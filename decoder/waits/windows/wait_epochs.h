/* SPDX-License-Identifier: BSD-3-Clause */
/* Window epochs between groups: access epochs of origins, exposure epochs of targets. For one origin and one
 * target of a window, the n-th access epoch belongs to the n-th exposure epoch:
 *
 *     origin 0   start ──── put … ──── complete          start, or complete, waits for post
 *                 ^                        │
 *     target 2   post ────────────────── wait            wait waits for complete, of all origins
 *
 * Each pair of origin and target has queues. An epoch of one side, and an access, is queued until the other
 * side is known: a put may wait for post, too. */
#ifndef REFRAIN_WAIT_EPOCHS_H
#define REFRAIN_WAIT_EPOCHS_H

#include "src/core/base/map.h"
#include "decoder/match/matching.h"

/* An epoch of one side, while not all of its partners are known. */
struct half_epoch {
    bool is_closed;
    uint32_t left;                   /* number of partners that are not known */
    ARRAY(struct call_ref) partners; /* calls of the known ones */
    struct call_ref cause;           /* the last of them to come; … */
    uint64_t last_access;            /* … when its last access to the window ended; 0: none */
    struct call_ref opened, closed;
    uint64_t begin; /* of an exposure epoch: since when its closing call waits */
};

/* A call of one side, or an epoch that waits for such a call. */
struct epoch_item {
    struct call_ref call;
    uint64_t last_access;
    uint32_t asks; /* number of the epoch that waits */
};

struct epoch_queue {
    struct epoch_item *items;
    size_t n, cap;
};

/* An access in an epoch, before its target's post is known. */
struct epoch_access {
    struct call_ref call;
    uint32_t epoch;
};

struct epoch_pair {
    struct operation_scope window;
    uint32_t origin, target;
    struct call_ref posted; /* the last post that is matched; zeros: none */
    ARRAY(struct epoch_access) accesses;
    struct epoch_queue posts, starts, completes, waits; /* the first ones are matched */
};

/* An access whose target's post is known. */
struct posted_access {
    struct call_ref call, post;
};

/* Accesses to a process since the last fence of a window. */
struct fenced {
    struct operation_scope window;
    uint32_t target;
    uint64_t last_access; /* 0: none */
};

struct wait_epochs {
    struct map fenced_by_name;
    ARRAY(struct fenced) fenced;
    struct map by_name;   /* (window, origin, target) -> number of the pair */
    struct map access_of; /* (window, rank) of an open access epoch -> its number */
    ARRAY(struct epoch_pair) pairs;
    ARRAY(struct half_epoch) halves;
    ARRAY(uint32_t) unused;
    /* Complete epochs, to be reported; the caller frees their partners, and empties the arrays. */
    ARRAY(struct half_epoch) whole_access, whole_exposure;
    ARRAY(struct posted_access)
    posted; /* accesses that may have waited, to be reported; emptied by the caller */
    /* Of the last operation: */
    bool is_reported;    /* its call begins or ends such an epoch, or is in `posted`, now or later */
    uint32_t n_partners; /* its call is a partner's in so many epochs */
};

void wait_epochs_free(struct wait_epochs *e);
/* Takes any operation; `begin`: since when it has waited. Ignores operations that do not belong to such
 * epochs. Returns false when memory is short. */
bool wait_epochs_take(struct wait_epochs *e, const struct operation *op, uint64_t begin);
/* Returns the end of the last access to this process that the fence completes; 0: none since the last
 * query. */
uint64_t wait_epochs_fence(struct wait_epochs *e, const struct operation_scope *window, uint32_t target);

#endif
