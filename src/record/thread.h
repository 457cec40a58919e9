/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the program that call MPI, and what each of them records.
 *
 *     threads ──> struct thread ──> struct thread ──> …      newest first; none ever leaves the list
 *                   lane, call sites, scratch, times …       touched by the thread alone
 *
 * A thread that is in the tracer is *inside*: before a call, after it, never during it. What it has is its
 * own then, without a lock. Who wants to look at all lanes (a checkpoint, the part of a program that ends,
 * MPI_Finalize) pauses the threads: those inside leave soon, and nobody enters until they are resumed.
 *
 *     a thread that enters        who pauses
 *         inside = true               paused = true (slow_path.h)
 *         fence                       fence
 *         if (paused) wait            wait until no one is inside
 *
 * One of the two sees the other's mark, whatever the order. The first fence is on the way of every call, so
 * it is one for the compiler alone, and membarrier(2) makes it a fence of the processor when somebody pauses.
 * Where the kernel has no such call, it is a fence of the processor always (SLOW_PATH_FENCE).
 *
 * A thread that ends leaves its lane to the next one that begins: there are as many lanes as threads that
 * were alive, and had called MPI, at the same time. Their numbers in a trace: thread_order.h. */
#ifndef REFRAIN_THREAD_H
#define REFRAIN_THREAD_H

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
    /* What every call needs, side by side: */
    atomic_bool inside;
    /* The lane is being changed: should the program end now, it is not fit to be stored. */
    volatile sig_atomic_t changing;
    int *errno_address;       /* its errno */
    struct lane *lane;        /* NULL after thread_clear */
    uint64_t serial;          /* of its last call, from 1 */
    uint64_t left;            /* when that ended, in nanoseconds, … */
    unsigned changes;         /* … and recording_changes then */
    bool is_noted;            /* each record is written as it is, too, or its time goes into `busy` */
    struct time_stage *stage; /* of `times`, as long as that takes calls; NULL: none */
    struct scratch scratch;
    struct callsite_table sites;
    struct handle_user handles;
    struct memory_recent memory[MEMORY_RECENTS]; /* addresses that it passed lately */
    struct partial_statuses partial;

    struct thread *next;
    atomic_bool taken;      /* by a thread that is alive */
    struct thread_id id;    /* of the first thread that had the lane, by which it is numbered */
    struct thread_id user;  /* of the one that has it, or had it last */
    struct time_log *times; /* of each call; NULL unless CONFIG_TIMING_CALLS */
    struct verify_writer raw;
    uint32_t number;   /* of the lane in the trace; as rank_trace_number_lanes says */
    bool told;         /* in a definition; … */
    bool is_named;     /* … others name the lane */
    uint64_t left_out; /* calls that are not recorded */
    uint64_t *busy;    /* nanoseconds in each function; NULL unless CONFIG_TIMING_RANK */
    uint64_t *calls;   /* of each function; with busy */
};

extern GUARD_HIDDEN struct threads {
    _Atomic(struct thread *) first;
    _Atomic(struct thread *) main; /* whose lane is number 0 */
} threads;

/* This thread; NULL as long as it has not called MPI. Initial-exec, so that reading it calls no function. */
extern _Thread_local struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Before there is a thread. */
void threads_start(void);
/* Makes thread_self, with a lane of its own. */
enum refrain_status thread_start(void);
/* Gives back what a thread that is paused, or this one, has recorded. */
COLD void thread_clear(struct thread *t);

/* False if one of these reasons closes the short way (slow_path.h), SLOW_PATH_PAUSED and SLOW_PATH_FENCE
 * among them. Then the thread only seems to be inside, until thread_enter or thread_leave. */
static inline bool thread_try_enter(struct thread *t, int reasons)
{
    atomic_store_explicit(&t->inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return !slow_path_is_required(reasons);
}

/* Into the tracer, after those who have paused it. A signal that could end the program, and comes while its
 * thread is inside, waits until it leaves; only faults do not. */
COLD void thread_enter(struct thread *t);

static inline void thread_leave(struct thread *t)
{
    atomic_store_explicit(&t->inside, false, memory_order_release);
    if (signal_pending)
        signal_deliver();
}

/* Is this thread inside, or does it pause the others, or is it about to? In signal handlers. */
bool thread_is_busy(void);

/* True once all threads but this one are out of the tracer, to stay there until threads_resume. False when
 * one has not left after so many milliseconds, or when another thread has paused them for so long. From
 * inside and from outside, in signal handlers, too. */
bool threads_pause(int milliseconds);
void threads_resume(void);

/* In a child after fork(), which has this thread alone: the others' lanes are free, and they are in no call.
 * False if fork() came while one of them was in the tracer, or had paused it: what is shared may be locked or
 * half done for ever. */
bool threads_forked(void);

#endif
