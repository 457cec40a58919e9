/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of windows between groups: the access epochs of origins, the exposure epochs of targets. Between one origin and one
 * target of a window, they belong together in their order:
 *
 *     origin 0   start ──── put … ──── complete          start, or complete, waits for post
 *                 ^                        │
 *     target 2   post ────────────────── wait            wait waits for complete, of all origins
 *
 * What is known of one side waits for the other one in the queues of the pair. So do accesses: a put may wait for post, too. */
#ifndef REFRAIN_WAIT_EPOCHS_H
#define REFRAIN_WAIT_EPOCHS_H

#include "src/core/base/map.h"
#include "wait_event.h"

/* An epoch of one side, while not all of the other sides are known. */
struct half_epoch {
    bool is_closed;
    uint32_t left;  /* partners that are not known */
    bool has_cause; /* of those that are known, the last to come; … */
    struct call_ref cause;
    uint64_t last_access; /* … when its last access to the window ended; 0: none */
    struct call_ref opened, closed;
    uint64_t begin; /* of an exposure: since when its end is waited for */
};

/* What the other side has done, or an epoch that asks for it. */
struct epoch_item {
    struct call_ref call;
    uint64_t last_access;
    uint32_t asks; /* number of the epoch */
};

struct epoch_queue {
    struct epoch_item *items;
    size_t n, cap;
};

/* In an epoch, before its target's post is known. */
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

/* An access that began before its target's post. */
struct early_access {
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
    struct map by_name, access_of; /* pairs; (window, rank) of an open access epoch -> its number */
    ARRAY(struct epoch_pair) pairs;
    ARRAY(struct half_epoch) halves;
    ARRAY(uint32_t) unused;
    /* Epochs of which all is known, to be told: the caller empties it. */
    ARRAY(struct half_epoch) whole_access, whole_exposure;
    ARRAY(struct early_access) early; /* to be told; likewise */
};

void wait_epochs_free(struct wait_epochs *e);
/* Any operation, which is waited for since `begin`; those that are no part of such epochs are nothing. False when memory is
 * short. */
bool wait_epochs_take(struct wait_epochs *e, const struct operation *op, uint64_t begin);
/* When the last access to this process has ended that the fence ends; 0: there is none. It is told once. */
uint64_t wait_epochs_fence(struct wait_epochs *e, const struct operation_scope *window, uint32_t target);

#endif
