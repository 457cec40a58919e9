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
 * still report an earlier one. The calls of an epoch for one target that may have waited are *awaited* until then. */
#ifndef REFRAIN_WAIT_LOCKS_H
#define REFRAIN_WAIT_LOCKS_H

#include "decoder/match/matching.h"
#include "src/core/base/map.h"

/* No more ended epochs than this are kept after a comparison, even if a rank is far behind. */
#define WAIT_LOCKS_MOST 32768

/* The calls of an epoch that is open for so many operations of all ranks are not awaited any more. */
#define WAIT_LOCKS_AWAITED 32768

struct lock_epoch {
    struct operation_scope window;
    int64_t target; /* rank in the run; OPERATION_ANY: MPI_Win_lock_all */
    bool exclusive, has_middle;
    bool is_awaited;
    uint64_t opened_at;                   /* number of operations */
    struct call_ref lock, middle, unlock; /* `middle`: the longest call between the others */
};

/* The epochs of a target, or of all, that ended last. A time of 0: none. */
struct lock_holders {
    struct operation_scope window;
    int64_t target;
    struct call_ref exclusive, shared; /* calls of MPI_Win_unlock */
};

/* `call` could not end before `unlock`, by another process, gave the lock back; or it has waited for nobody. */
struct lock_wait {
    struct call_ref call, unlock;
    bool has_unlock, is_awaited;
};

struct wait_locks {
    struct map by_lock; /* (window, rank, target) -> number of the open epoch */
    ARRAY(struct lock_epoch) open;
    ARRAY(uint32_t) unused; /* numbers of `open` */
    ARRAY(struct lock_epoch) ended;
    size_t compare_at;            /* number of ended epochs that calls for a comparison */
    uint64_t operations, look_at; /* number of operations; the one that calls for a comparison, too */
    struct map by_target;
    ARRAY(struct lock_holders) holders;
    ARRAY(struct lock_wait) waits; /* to be reported; the caller empties it */
    ARRAY(struct call_ref)
    forgotten; /* nobody waits for this MPI_Win_unlock any more; the caller empties it */
    /* Of the last operation: */
    bool is_awaited;  /* its call will be in `waits` */
    uint32_t n_holds; /* its call will be in `forgotten` so many times */
};

void wait_locks_free(struct wait_locks *l); /* also of a zeroed struct */
/* Takes any operation; ignores those of other epochs. Returns false when memory is short. */
bool wait_locks_take(struct wait_locks *l, const struct operation *op);
/* Are there so many ended epochs, or operations since the last comparison, that it is time to compare them? */
bool wait_locks_are_due(const struct wait_locks *l);
/* Adds to `waits` what is known of epochs that ended until then, ns. Each rank must have reported its calls
 * up to that time; UINT64_MAX: all. Returns false when memory is short. */
bool wait_locks_compare(struct wait_locks *l, uint64_t until);

#endif
