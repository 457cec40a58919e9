/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags that force calls onto the slow path of the tracer (call.c). Each call tests them as one word,
 * which is normally zero. */
#ifndef REFRAIN_SLOW_PATH_H
#define REFRAIN_SLOW_PATH_H

#include <stdatomic.h>
#include <stdbool.h>

#include "src/memory/guard.h"

enum {
    SLOW_PATH_PAUSED = 1, /* threads wait before they enter (thread.h) */
    SLOW_PATH_FENCE = 2,  /* entering needs a processor fence; constant once there are threads */
    SLOW_PATH_PASS = 4,   /* the tracer records no more (tracer.h) */
    SLOW_PATH_ASK = 8,    /* each call must ask whether it is recorded (recording.h) */
    SLOW_PATH_ANY = -1
};

extern GUARD_HIDDEN atomic_int slow_path; /* SLOW_PATH_ bits; 0: calls take the fast path */

/* May be called from any thread, and in signal handlers. */
static inline void slow_path_require(int reason)
{
    atomic_fetch_or(&slow_path, reason);
}

static inline void slow_path_release(int reason)
{
    atomic_fetch_and(&slow_path, ~reason);
}

static inline bool slow_path_is_required(int reasons)
{
    return atomic_load_explicit(&slow_path, memory_order_acquire) & reasons;
}

#endif
