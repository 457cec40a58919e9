/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of windows: which call waited until another process gave the lock back.
 *
 *     rank 1   [ lock ]── put ──[ unlock ]                    holds the lock
 *     rank 2       [ lock ███████████████ ]── put ──[ unlock ]
 *                    |<----- waits ---->|
 *
 * MPI_Win_lock need not wait itself (MPI 5.0, 12.5.3): a library may take the lock in the first access, or
 * not until MPI_Win_unlock. Of two epochs that exclude each other, the one that is unlocked first came first.
 * So an epoch has waited for the last one before it that excludes it, in its first call that ended after
 * that one began to unlock.
 *
 * Epochs are known in any order, but compared in the order of their ends: they are kept until no rank can
 * still report an earlier one. */
#ifndef REFRAIN_WAIT_LOCKS_H
#define REFRAIN_WAIT_LOCKS_H

#include "decoder/match/matching.h"
#include "src/core/base/map.h"

/* No more ended epochs than this are kept after a comparison, even if a rank is far behind. */
#define WAIT_LOCKS_MOST 32768

struct lock_epoch {
    struct operation_scope window;
    int64_t target; /* rank in the run; OPERATION_ANY: MPI_Win_lock_all */
    bool exclusive, has_middle;
    struct call_ref lock, middle, unlock; /* `middle`: the longest call between the others */
};

/* The epochs of a target, or of all, that ended last. A time of 0: none. */
struct lock_holders {
    struct operation_scope window;
    int64_t target;
    struct call_ref exclusive, shared; /* calls of MPI_Win_unlock */
};

/* `call` could not end before `unlock`, by another process, gave the lock back. */
struct lock_wait {
    struct call_ref call, unlock;
};

struct wait_locks {
    struct map by_lock; /* (window, rank, target) -> number of the open epoch */
    ARRAY(struct lock_epoch) open;
    ARRAY(uint32_t) unused; /* numbers of `open` */
    ARRAY(struct lock_epoch) ended;
    size_t compare_at; /* number of ended epochs that calls for a comparison */
    struct map by_target;
    ARRAY(struct lock_holders) holders;
    ARRAY(struct lock_wait) waits; /* to be reported; the caller empties it */
};

void wait_locks_free(struct wait_locks *l); /* also of a zeroed struct */
/* Takes any operation; ignores those of other epochs. Returns false when memory is short. */
bool wait_locks_take(struct wait_locks *l, const struct operation *op);
/* Are there so many ended epochs that it is time to compare them? */
bool wait_locks_are_many(const struct wait_locks *l);
/* Adds to `waits` what is known of epochs that ended until then, ns. Each rank must have reported its calls
 * up to that time; UINT64_MAX: all. Returns false when memory is short. */
bool wait_locks_compare(struct wait_locks *l, uint64_t until);

#endif
