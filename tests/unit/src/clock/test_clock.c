/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/clock/clock.h"

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* A stretch of time, measured by both clocks. The limits for clock_now are readings of the other
 * clock before and after it, so that a process switch in between does not matter. */
struct stretch {
    uint64_t back; /* the most by which the clock went back */
    double took, least, most;
};

static struct stretch watch(uint64_t ns)
{
    struct stretch s = {0};
    const uint64_t before = monotonic(), start = clock_now(), after = monotonic();
    uint64_t last = start, end_before, end_after;
    do {
        end_before = monotonic();
        const uint64_t now = clock_now();
        end_after = monotonic();
        s.back = now < last && last - now > s.back ? last - now : s.back;
        last = now;
    } while (end_before - after < ns);
    s.took = (double)(last - start);
    s.least = (double)(end_before - after);
    s.most = (double)(end_after - before);
    return s;
}

/* Whether the clock keeps the pace while its rate is measured, at the change from one source to the
 * other, and afterwards. The later source depends on the machine. */
static bool keeps_pace(void)
{
    const struct stretch s = watch(10 * CLOCK_LEARNS);
    if (s.back < 1000 && s.took > 0.9999 * s.least && s.took < 1.0001 * s.most)
        return true;
    fprintf(stderr, "%.0f ns instead of %.0f to %.0f, back by %lu ns\n", s.took, s.least, s.most, s.back);
    return false;
}

/* A machine that was stopped, or whose clock is being corrected, may let one of its clocks continue
 * at another pace than the other. A process measures the rate once, so each try is a process. A bug
 * of ours would show each time. */
Test(clock, goes_forward_at_the_pace_of_the_monotonic_clock)
{
    enum { TRIES = 5 };
    for (int i = 0; i < TRIES; i++) {
        int status;
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(keeps_pace() ? EXIT_SUCCESS : EXIT_FAILURE);
        cr_assert_eq(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
            return;
    }
    cr_assert_fail("no process of %d found the clock at the right pace", TRIES);
}
