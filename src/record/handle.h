/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles as symbols: which handle values are live, and what number each has in the trace.
 *
 *     value 0x55d0  ──>  handle 3: req0   ──>  handle 7: req4      a chain, oldest first
 *     value 0x7f10  ──>  constant MPI_COMM_WORLD
 *
 * One value of a request may stand for several live ones (MPI libraries share a completed request); each has
 * its own symbol, and within one call the k-th occurrence of the value is the k-th of them. A value of any
 * other kind that is handed out while it is live is either the same object once more (its references are
 * counted) or, from a constructor, a new object in the place of one that was freed out of the tracer's sight.
 *
 * All threads share the registries: one may wait for another's request. Numbers of requests and messages
 * are those of the thread's lane (handle_numbers.h), so that they do not depend on what other threads do
 * meanwhile; those of other handles are the rank's. Everything here is for threads that are inside the
 * tracer (thread.h), and locks what it has to:
 *
 *     predefined handles      never change: no lock
 *     requests, messages      a lock for each of many groups of values, if the program may call MPI from
 *                             several threads at once
 *     others                  in that case, a look-up in a cache of the thread, or a lock
 *
 * Between the moment in which the library frees a handle, inside a thread's call, and the moment in which the
 * call tells the registry, another thread may be given the same value. So every call refers to a handle by
 * how-manieth it is, and requests that a call may complete are marked until it has returned. */
#ifndef REFRAIN_HANDLE_H
#define REFRAIN_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "handle_numbers.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"
#include "src/memory/guard.h"

/* Kinds of handles that have symbols; the sets of constants of the same names are their predefined ones. */
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
/* The same, of one in memory. */
static inline uint64_t handle_load(const void *handle, size_t size)
{
    int32_t small;
    intptr_t large;
    if (size == sizeof small) {
        memcpy(&small, handle, sizeof small);
        return HANDLE_VALUE(small);
    }
    memcpy(&large, handle, sizeof large);
    return HANDLE_VALUE(large);
}

/* In a row: a slot as functable.h has it, or this for a value that nobody made. */
#define HANDLE_UNKNOWN ((int64_t)-1)

#define HANDLE_NONE MAP_NONE

/* What the status of a request's completion means (docs/TEXT.md). */
enum handle_status {
    HANDLE_STATUS_WHOLE, /* source, tag, bytes: receives, generalized requests, inactive and null requests */
    HANDLE_STATUS_ERROR, /* only the error: sends, collectives */
    HANDLE_STATUS_BYTES, /* nothing but the bytes: file input and output */
    HANDLE_STATUS_PROBED /* of a probe, which is never cancelled; MPICH 4.0 does not say so */
};

/* A handle as a call met it. */
struct handle_ref {
    uint64_t value;
    uint64_t made;   /* how-manieth handle it is, from 1: tells it from others at its place */
    uint32_t handle; /* HANDLE_NONE if it was none of the program's making */
    uint16_t kind;   /* enum handle_kind */
    uint8_t status;  /* of a request: what its completion tells, an enum handle_status, … */
    bool persistent; /* … and does it go on to live? */
};

/* One of nobody's making. */
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
    uint64_t value, generation; /* of the registry, when it said so; 0: nothing is cached */
    int64_t slot;
    enum handle_kind kind;
    uint32_t handle; /* HANDLE_NONE: it is none of the program's making */
};

#define HANDLE_CACHED 32 /* a power of two */

/* What a thread has of its own. */
struct handle_user {
    struct handle_numbers requests, messages;
    struct handle_cached cached[HANDLE_CACHED];
};

/* `lane` tells its numbers from those of other threads. */
void handle_user_init(struct handle_user *u, uint32_t lane);
void handle_user_clear(struct handle_user *u);
/* Have other threads met handles of this one's making? Then their rows name its lane. */
bool handle_user_is_met(const struct handle_user *u);

/* The program has promised that one thread is in MPI at a time. Until then several are expected. */
void handle_expect_one_thread(void);

/* ---- the way of a call ----------------------------------------------------------------------- */

/* Of what handle_find says of each kind, from 1. */
extern GUARD_HIDDEN atomic_uint_fast64_t handle_generations[HANDLE_KINDS];

static inline struct handle_cached *handle_cached(struct handle_user *u, enum handle_kind kind,
                                                  uint64_t value)
{
    return &u->cached[((value + kind) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (HANDLE_CACHED - 1)];
}

/* What handle_find would say, if the thread has asked lately; NULL: it has to search. */
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

/* The slot of a value, predefined, live or unknown, and the handle, if it is a live one: until the thread
 * asks for another. Not for requests. `u` is this thread's. */
static inline const struct handle_cached *handle_find(struct handle_user *u, enum handle_kind kind,
                                                      uint64_t value)
{
    const struct handle_cached *c = handle_recall(u, kind, value);
    return c ? c : handle_search(u, kind, value);
}

/* Is it a predefined one? Then *slot is its slot. */
bool handle_find_constant(enum handle_kind kind, uint64_t value, int64_t *slot);

/* A value that a call passes. For a request `serial` is the call's number, from 1 and the thread's own (or
 * 0: any request of that value), so that the k-th look-up of a value finds its k-th request; busy ones are
 * those of other threads' calls: MPI may have completed them and have given their value to a new one. `busy`:
 * from now on it is. */
int64_t handle_meet(enum handle_kind kind, uint64_t value, uint64_t serial, bool busy,
                    struct handle_ref *handle);
/* The same of a request that the call may complete. */
int64_t handle_meet_busy(uint64_t value, uint64_t serial, struct handle_ref *handle);
/* The call has returned, and the value where the handle was is now `value`. If it is another one, a reference
 * was given back, and *slot is that of the new value; but a request that is replaced by one that is not
 * predefined goes on under the new value, and *handle with it: so Open MPI does in MPI_Start where the message
 * of the time before is still in the buffer of MPI_Buffer_attach. */
void handle_settle(struct handle_ref *handle, uint64_t value, int64_t *slot);
/* Of requests: active is what was started and has not completed; always, if it is not persistent. */
void handle_started(const struct handle_ref *handle);
void handle_completed(const struct handle_ref *handle);

/* A new handle, with a number of class_key; *is_new: nobody has had the number before. What was
 * live of the value is free; of requests, it stays. */
enum refrain_status handle_make(enum handle_kind kind, uint64_t value, uint64_t class_key, int64_t *slot,
                                bool *is_new);
/* The same of a request, if it is none of the predefined ones. */
enum refrain_status handle_make_request(uint64_t value, uint64_t class_key, enum handle_status status,
                                        bool persistent, int64_t *slot);
/* A handle that may be live already: then it counts a reference more, or if it is only lent, none. */
enum refrain_status handle_share(enum handle_kind kind, uint64_t value, bool lent, uint64_t class_key,
                                 int64_t *slot, bool *is_new);

/* A predefined handle, before anything is recorded. First one wins, when several have the same value. */
enum refrain_status handle_add_constant(enum handle_kind kind, uint64_t value, int64_t index);

/* Before there is any. */
void handle_start(void);
void handle_clear(void);

#endif
