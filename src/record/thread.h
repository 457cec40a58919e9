/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of the program that call MPI, and the data that each of them records.
 *
 *     threads ──> struct thread ──> struct thread ──> …      newest first; none ever leaves the list
 *                   lane, call sites, scratch, times …       touched by the thread alone
 *
 * A thread that runs tracer code is *inside*: before a call and after it, never during it. While inside,
 * it uses its data without a lock. A thread that needs to read all lanes (for a checkpoint, at the
 * program's end, in MPI_Finalize) pauses the threads: threads that are inside leave soon, and no thread
 * enters until they are resumed.
 *
 *     a thread that enters        who pauses
 *         inside = true               paused = true (slow_path.h)
 *         fence                       fence
 *         if (paused) wait            wait until no one is inside
 *
 * At least one of the two sees the other's flag, whatever the order. Every call executes the first fence,
 * so it is only a compiler fence; the pausing thread uses membarrier(2) to turn it into a processor fence.
 * If the kernel does not have membarrier, the first fence is always a processor fence (SLOW_PATH_FENCE).
 *
 * When a thread ends, the next new thread takes over its lane. So the number of lanes is the maximum
 * number of threads that were alive at the same time and had called MPI. thread_order.h numbers the lanes
 * in a trace. */
#ifndef REFRAIN_THREAD_H
#define REFRAIN_THREAD_H

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handle.h"
#include "partial_status.h"
#include "scratch.h"
#include "signal_pending.h"
#include "slow_path.h"
#include "src/core/base/placement.h"
#include "src/core/lane/lane.h"
#include "src/core/time/time_log.h"
#include "src/memory/guard.h"
#include "src/memory/memory.h"
#include "src/site/callsite.h"
#include "thread_order.h"
#include "verify_writer.h"

struct thread {
    /* Data that every call needs, side by side: */
    atomic_bool inside;
    /* The lane is being changed. If the program ends now, the lane cannot be stored. */
    volatile sig_atomic_t changing;
    int *errno_address;       /* its errno */
    struct lane *lane;        /* NULL after thread_clear */
    uint64_t serial;          /* number of its last call, from 1 */
    uint64_t left;            /* when the last call ended, in nanoseconds, … */
    unsigned changes;         /* … and recording_changes at that time */
    bool is_noted;            /* call tracer_note: write raw records, or add times to `busy` */
    struct time_stage *stage; /* stage of `times` while it accepts calls; NULL: none */
    struct scratch scratch;
    struct callsite_table sites;
    struct handle_user handles;
    struct memory_recent memory[MEMORY_RECENTS]; /* addresses that it passed recently */
    struct partial_statuses partial;

    struct thread *next;
    atomic_bool taken;      /* in use by a thread that is alive */
    struct thread_id id;    /* first thread that used the lane; determines its number */
    struct thread_id user;  /* thread that uses it, or used it last */
    struct time_log *times; /* times of each call; NULL unless CONFIG_TIMING_CALLS */
    struct verify_writer raw;
    uint32_t number;   /* number of the lane in the trace (rank_trace_number_lanes) */
    bool told;         /* the lane has been defined; … */
    bool is_named;     /* … other lanes name the lane */
    uint64_t left_out; /* calls that are not recorded */
    uint64_t *busy;    /* nanoseconds in each function; NULL unless CONFIG_TIMING_RANK */
    uint64_t *calls;   /* number of calls of each function; NULL if `busy` is */
};

extern GUARD_HIDDEN struct threads {
    _Atomic(struct thread *) first;
    _Atomic(struct thread *) main; /* the thread whose lane is number 0 */
} threads;

/* This thread; NULL until it has called MPI. The TLS model is initial-exec, so that reading it calls no
 * function. */
extern _Thread_local struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Call this before there is a thread. */
void threads_start(void);
/* Make thread_self, with its lane. */
enum refrain_status thread_start(void);
/* Free the recorded data of a thread, which must be paused or this thread. */
COLD void thread_clear(struct thread *t);

/* Enter the tracer on the fast path. False if one of `reasons` requires the slow path (slow_path.h); they
 * include SLOW_PATH_PAUSED and SLOW_PATH_FENCE. Then the thread only seems to be inside, until it calls
 * thread_enter or thread_leave. */
static inline bool thread_try_enter(struct thread *t, int reasons)
{
    assert(t->lane);
    atomic_store_explicit(&t->inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return !slow_path_is_required(reasons);
}

/* Enter the tracer; wait while another thread pauses it. If a signal that could end the program arrives
 * while the thread is inside, it waits until the thread leaves, except for faults. */
COLD void thread_enter(struct thread *t);

static inline void thread_leave(struct thread *t)
{
    assert(atomic_load(&t->inside));
    atomic_store_explicit(&t->inside, false, memory_order_release);
    if (signal_pending)
        signal_deliver();
}

/* Is this thread inside, or does it pause the others, or is it about to pause them? For signal handlers. */
bool thread_is_busy(void);

/* Pause all other threads. Returns true when they are all outside the tracer; they stay outside until
 * threads_resume. Returns false if a thread has not left within this many milliseconds, or if another
 * thread has paused the threads for that long. May be called from inside, from outside, and in signal
 * handlers. */
bool threads_pause(int milliseconds);
void threads_resume(void);

/* Call this in a child process after fork(), where only this thread exists: mark the other threads' lanes
 * as free and in no call. False if fork() happened while another thread was in the tracer or had paused
 * it; then shared data may stay locked or half changed for ever. */
bool threads_forked(void);

#endif
