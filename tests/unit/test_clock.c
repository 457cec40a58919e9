#include <criterion/criterion.h>

#include <time.h>

#include "../../src/clock.h"

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
    const uint64_t start = clock_now(), real_start = monotonic();
    uint64_t last = start, real = real_start;
    while (real - real_start < 10 * CLOCK_LEARNS) {
        const uint64_t now = clock_now();
        cr_assert(now + 1000 > last, "%llu after %llu", (unsigned long long)now, (unsigned long long)last);
        last = now;
        real = monotonic();
    }
    const double took = (double)(last - start), really = (double)(real - real_start);
    cr_assert(took > 0.98 * really && took < 1.02 * really, "%.0f ns instead of %.0f", took, really);
}
