/* What keeps calls from the short way through the tracer (call.c), in one word, since each call asks for all
 * of it. Nothing does, mostly. */
#ifndef REFRAIN_GATE_H
#define REFRAIN_GATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "guard.h"

enum {
    GATE_PAUSED = 1, /* threads wait before they enter (thread.h) */
    GATE_FENCE = 2,  /* who enters needs a fence of the processor; constant once there are threads */
    GATE_PASS = 4,   /* the tracer records no more (tracer.h) */
    GATE_ASK = 8,    /* whether the call is recorded has to be asked (recording.h) */
    GATE_ANY = -1
};

extern GUARD_HIDDEN atomic_int gate; /* zero is open */

/* From any thread, and in signal handlers. */
static inline void gate_close(int reason)
{
    atomic_fetch_or(&gate, reason);
}

static inline void gate_open(int reason)
{
    atomic_fetch_and(&gate, ~reason);
}

static inline bool gate_is_closed(int reasons)
{
    return atomic_load_explicit(&gate, memory_order_acquire) & reasons;
}

#endif
