/* SPDX-License-Identifier: BSD-3-Clause */
/* Timestamps in nanoseconds since an arbitrary moment. They hardly ever go backwards, and then by
 * less than a microsecond.
 *
 * The processor's timestamp counter takes less than half the time of clock_gettime. It is used if
 * it counts at a constant rate in all states of the processor and the kernel trusts it. Its rate is
 * measured in the first CLOCK_LEARNS nanoseconds, in which both clocks are read a few times:
 *
 *     clock_gettime    *         *         *          the rate is the slope from the first to the last star
 *     counter          *         *         *- - - -   if the middle one is on that line; time then
 *                                                      continues from the last one
 *
 * Until then, and on other machines, the clock is CLOCK_MONOTONIC. A rate from such a short time
 * has an error of a millionth or more. Pairs of times from the whole run (clock_pairs.h) show that
 * error, and readers correct it. */
#ifndef REFRAIN_CLOCK_H
#define REFRAIN_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/placement.h"
#include "src/memory/guard.h"

#define CLOCK_LEARNS UINT64_C(20000000)

extern GUARD_HIDDEN struct clock_rate {
    uint64_t first;     /* the clock's first value; 0 until then */
    atomic_bool known;  /* if true, the rest is constant */
    uint64_t ticks, ns; /* the same moment on both clocks, … */
    uint64_t error;     /* … within so many nanoseconds */
    int64_t factor;     /* nanoseconds per tick, times 2^32 */
} clock_rate;

/* The clock before the rate is known. For any thread, and in signal handlers. */
COLD uint64_t clock_learn(void);

static inline uint64_t clock_now(void)
{
#ifdef __x86_64__
    if (atomic_load_explicit(&clock_rate.known, memory_order_acquire)) {
        /* on another processor this may be slightly negative */
        const int64_t ticks = (int64_t)(__builtin_ia32_rdtsc() - clock_rate.ticks);
        return clock_rate.ns + (uint64_t)((__int128)ticks * clock_rate.factor >> 32);
    }
#endif
    return clock_learn();
}

#endif
