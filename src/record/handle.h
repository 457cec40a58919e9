/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps handle values to symbols: which values are live, and which number each has in the trace.
 *
 *     value 0x55d0  ──>  handle 3: req0   ──>  handle 7: req4      a chain, oldest first
 *     value 0x7f10  ──>  constant MPI_COMM_WORLD
 *
 * One request value may stand for several live requests (MPI libraries share a completed request). Each
 * has its own symbol, and within one call the k-th occurrence of the value is the k-th of them. If MPI
 * returns a live value of another kind, it is either the same object again (its references are counted)
 * or, from a constructor, a new object that replaces one whose deletion the tracer did not see.
 *
 * All threads share the registries, because one thread may wait for another's request. Requests and
 * messages are numbered for each lane (handle_numbers.h), so their numbers do not depend on other threads.
 * Other handles are numbered for the whole rank. Only threads inside the tracer (thread.h) may call these
 * functions. They take the locks that they need:
 *
 *     predefined handles      never change: no lock
 *     requests, messages      a lock for each of many groups of values, if the program may call MPI from
 *                             several threads at once
 *     others                  in that case, a look-up in a cache of the thread, or a lock
 *
 * The library frees a handle inside a call; the registry learns this later. Between these two moments
 * another thread may get the same value. So every call refers to a handle by its serial number `made`, and
 * requests that a call may complete are marked as busy until the call has returned. */
#ifndef REFRAIN_HANDLE_H
#define REFRAIN_HANDLE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "handle_numbers.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"
#include "src/memory/guard.h"

/* Kinds of handles that have symbols. The set of constants with the same name holds the predefined handles
 * of a kind. */
#define HANDLE_EACH_KIND(X)                                                                                  \
    X(COMMUNICATOR)                                                                                          \
    X(DATATYPE)                                                                                              \
    X(ERRHANDLER)                                                                                            \
    X(FILE)                                                                                                  \
    X(GROUP)                                                                                                 \
    X(INFO)                                                                                                  \
    X(MESSAGE)                                                                                               \
    X(OPERATION)                                                                                             \
    X(REQUEST)                                                                                               \
    X(SESSION)                                                                                               \
    X(WINDOW)                                                                                                \
    X(CVAR)                                                                                                  \
    X(PVAR)                                                                                                  \
    X(PVAR_SESSION)                                                                                          \
    X(TOOLS_ENUM)                                                                                            \
    X(EVENT_REGISTRATION)                                                                                    \
    X(EVENT_INSTANCE)

enum handle_kind {
#define HANDLE_ENUM(kind) HANDLE_##kind,
    HANDLE_EACH_KIND(HANDLE_ENUM)
#undef HANDLE_ENUM
        HANDLE_KINDS
};

/* An MPI handle, a pointer or an int, as a number. */
#define HANDLE_VALUE(handle) ((uint64_t)(intptr_t)(handle))
/* The same for a handle in memory of `size` bytes. */
static inline uint64_t handle_load(const void *handle, size_t size)
{
    assert(size == sizeof(int32_t) || size == sizeof(intptr_t));
    int32_t small;
    intptr_t large;
    if (size == sizeof small) {
        memcpy(&small, handle, sizeof small);
        return HANDLE_VALUE(small);
    }
    memcpy(&large, handle, sizeof large);
    return HANDLE_VALUE(large);
}

/* A slot in a row is encoded as in functable.h; HANDLE_UNKNOWN stands for a value that no recorded call
 * created. */
#define HANDLE_UNKNOWN ((int64_t)-1)

#define HANDLE_NONE MAP_NONE

/* Which fields are valid in the status of a completed request (docs/TEXT.md). */
enum handle_status {
    HANDLE_STATUS_WHOLE, /* source, tag, bytes: receives, generalized requests, inactive and null requests */
    HANDLE_STATUS_ERROR, /* only the error code: sends, collectives */
    HANDLE_STATUS_BYTES, /* only the bytes: file input and output */
    HANDLE_STATUS_PROBED /* of a probe, which is never cancelled; MPICH 4.0 leaves that field unset */
};

/* A handle that a call has looked up. */
struct handle_ref {
    uint64_t value;
    uint64_t made;   /* its serial number, from 1; distinguishes it from others at its place */
    uint32_t handle; /* HANDLE_NONE if the program did not create it */
    uint16_t kind;   /* enum handle_kind */
    uint8_t status;  /* of a request: its enum handle_status */
    bool persistent; /* of a request: it stays live after completion */
};

/* Fill *ref for a value that the program did not create. */
static inline void handle_ref_none(struct handle_ref *ref, enum handle_kind kind, uint64_t value)
{
    ref->value = value;
    ref->made = 0;
    ref->handle = HANDLE_NONE;
    ref->kind = (uint16_t)kind;
    ref->status = HANDLE_STATUS_WHOLE;
    ref->persistent = false;
}

/* ---- threads --------------------------------------------------------------------------------- */

struct handle_cached {
    uint64_t value;
    uint64_t generation; /* the kind's generation at the look-up; 0: the entry is empty */
    int64_t slot;
    enum handle_kind kind;
    uint32_t handle; /* HANDLE_NONE: the program did not create it */
};

#define HANDLE_CACHED 32 /* a power of two */

/* The data that each thread has. */
struct handle_user {
    struct handle_numbers requests, messages;
    struct handle_cached cached[HANDLE_CACHED];
};

/* `lane` distinguishes its numbers from those of other threads. */
void handle_user_init(struct handle_user *u, uint32_t lane);
void handle_user_clear(struct handle_user *u);
/* Have other threads used handles that this thread created? Then their rows name this thread's lane. */
bool handle_user_is_met(const struct handle_user *u);

/* Call this when the program has promised that only one thread is in MPI at a time. Before that, several
 * threads are expected. */
void handle_expect_one_thread(void);

/* ---- the way of a call ----------------------------------------------------------------------- */

/* Generation of the cached results for each kind, from 1. A change makes cached results of the kind
 * invalid. */
extern GUARD_HIDDEN atomic_uint_fast64_t handle_generations[HANDLE_KINDS];

static inline struct handle_cached *handle_cached(struct handle_user *u, enum handle_kind kind,
                                                  uint64_t value)
{
    return &u->cached[((value + kind) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (HANDLE_CACHED - 1)];
}

/* Return the cached result of handle_find; NULL if a search is needed. */
static inline const struct handle_cached *handle_recall(struct handle_user *u, enum handle_kind kind,
                                                        uint64_t value)
{
    const struct handle_cached *c = handle_cached(u, kind, value);
    return c->value == value && c->kind == kind &&
                   c->generation == atomic_load_explicit(&handle_generations[kind], memory_order_acquire)
               ? c
               : NULL;
}

const struct handle_cached *handle_search(struct handle_user *u, enum handle_kind kind, uint64_t value);

/* Find the slot of a value (predefined, live or unknown), and the handle if it is live. The result is
 * valid until the thread's next look-up. Not for requests. `u` must be this thread's. */
static inline const struct handle_cached *handle_find(struct handle_user *u, enum handle_kind kind,
                                                      uint64_t value)
{
    assert(kind != HANDLE_REQUEST);
    const struct handle_cached *c = handle_recall(u, kind, value);
    return c ? c : handle_search(u, kind, value);
}

/* Is it a predefined one? Then *slot is its slot. */
bool handle_find_constant(enum handle_kind kind, uint64_t value, int64_t *slot);

/* Look up a value that a call passes, and return its slot. For a request, `serial` is the number of the
 * call in this thread, from 1, so that the k-th look-up of a value finds its k-th request; 0 finds any
 * request of that value. Requests that are busy in other threads' calls may be completed already, and a
 * new request may have their value. `busy` marks the request found as busy. */
int64_t handle_meet(enum handle_kind kind, uint64_t value, uint64_t serial, bool busy,
                    struct handle_ref *handle);
/* The same for a request that the call may complete. */
int64_t handle_meet_busy(uint64_t value, uint64_t serial, struct handle_ref *handle);
/* Call this when the call has returned and `value` is now stored in place of the handle. If the value has
 * changed, the handle loses a reference, and *slot becomes the slot of the new value. Exception: a request
 * that is replaced by a value that is not predefined stays live under the new value, and *handle is
 * updated. Open MPI does this in MPI_Start if the previous message is still in the buffer of
 * MPI_Buffer_attach. */
void handle_settle(struct handle_ref *handle, uint64_t value, int64_t *slot);
/* For requests: a request is active from its start to its completion; a request that is not persistent is
 * always active. */
void handle_started(const struct handle_ref *handle);
void handle_completed(const struct handle_ref *handle);

/* Enter a new handle, with a number of class class_key. *is_new: the number was never used before. An
 * older live handle of the same value becomes free, except for requests. */
enum refrain_status handle_make(enum handle_kind kind, uint64_t value, uint64_t class_key, int64_t *slot,
                                bool *is_new);
/* The same for a request, unless it is predefined. */
enum refrain_status handle_make_request(uint64_t value, uint64_t class_key, enum handle_status status,
                                        bool persistent, int64_t *slot);
/* Enter a handle that may be live already; then its reference count grows by one, unless it is only lent. */
enum refrain_status handle_share(enum handle_kind kind, uint64_t value, bool lent, uint64_t class_key,
                                 int64_t *slot, bool *is_new);

/* Enter a predefined handle; only before anything is recorded. If several have the same value, the first
 * one wins. */
enum refrain_status handle_add_constant(enum handle_kind kind, uint64_t value, int64_t index);

/* Call handle_start before there are any handles. */
void handle_start(void);
void handle_clear(void);

#endif
