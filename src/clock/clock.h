/* SPDX-License-Identifier: BSD-3-Clause */
/* Timestamps in nanoseconds since an arbitrary moment; hardly ever going backwards, and then by less than a
 * microsecond.
 *
 * The processor's timestamp counter takes less than half the time of clock_gettime, where it counts at a
 * constant rate in all states of the processor and the kernel trusts it. How fast it counts is found out from
 * the first CLOCK_LEARNS nanoseconds, in which both are read a few times:
 *
 *     clock_gettime    *         *         *          the rate is the slope from the first to the last star, if
 *     counter          *         *         *- - - -   the one between is on it; time goes on from the last one
 *
 * Until then, and on other machines, it is CLOCK_MONOTONIC. A rate of so short a time is off by a millionth or
 * more. That is told by pairs of times that are taken in the whole run (clock_pairs.h), and made up for by
 * readers. */
#ifndef REFRAIN_CLOCK_H
#define REFRAIN_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/placement.h"
#include "src/memory/guard.h"

#define CLOCK_LEARNS UINT64_C(20000000)

extern GUARD_HIDDEN struct clock_rate {
    uint64_t first;     /* what the clock showed first; 0 until then */
    atomic_bool known;  /* then the rest is constant */
    uint64_t ticks, ns; /* the same moment, … */
    uint64_t error;     /* … within so many nanoseconds */
    int64_t factor;     /* nanoseconds a tick, times 2^32 */
} clock_rate;

/* Before the rate is known. From any thread, and in signal handlers. */
COLD uint64_t clock_learn(void);

static inline uint64_t clock_now(void)
{
#ifdef __x86_64__
    if (atomic_load_explicit(&clock_rate.known, memory_order_acquire)) {
        /* On another processor it may still be a little before that moment. */
        const int64_t ticks = (int64_t)(__builtin_ia32_rdtsc() - clock_rate.ticks);
        return clock_rate.ns + (uint64_t)((__int128)ticks * clock_rate.factor >> 32);
    }
#endif
    return clock_learn();
}

#endif
