/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <time.h>

#include "src/clock/clock.h"

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* While the rate is found out, at the change from one source to the other, and afterwards. Which source it is
 * afterwards depends on the machine. */
Test(clock, goes_forward_at_the_pace_of_the_monotonic_clock)
{
    const uint64_t before = monotonic(), start = clock_now(), after = monotonic();
    uint64_t last = start, end_before, end_after;
    do {
        end_before = monotonic();
        const uint64_t now = clock_now();
        end_after = monotonic(); /* much later if another process came between */
        cr_assert(now + 1000 > last, "%llu after %llu", (unsigned long long)now, (unsigned long long)last);
        last = now;
    } while (end_before - after < 10 * CLOCK_LEARNS);
    const double took = (double)(last - start);
    const double least = (double)(end_before - after), most = (double)(end_after - before);
    cr_assert(took > 0.98 * least && took < 1.02 * most, "%.0f ns instead of %.0f to %.0f", took, least,
              most);
}
