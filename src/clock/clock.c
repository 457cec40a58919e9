/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include "src/core/base/placement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

HOT_DATA struct clock_rate clock_rate;

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail: the clock exists and the address is good */
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#ifdef __x86_64__
#include <cpuid.h>

/* Of one that the kernel takes its time from, or would but for a hypervisor's better knowledge. errno is
 * kept: the time is taken between the library and the program. */
static bool is_trusted(void)
{
    char name[32] = "";
    const int saved_errno = errno;
    const int fd =
        open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
    if (fd >= 0)
        close(fd);
    errno = saved_errno;
    return n > 0 && (strncmp(name, "tsc", 3) == 0 || strncmp(name, "kvm-clock", 9) == 0 ||
                     strncmp(name, "hyperv_clocksource_tsc_page", 27) == 0);
}

static bool is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static atomic_bool is_unusable;             /* the counter, for good */
static bool is_asked;                       /* whether it is */
static uint64_t first_ticks, first_ns;      /* of the first pair */
static atomic_flag busy = ATOMIC_FLAG_INIT; /* a thread has the above; others do without */

static void learn(uint64_t ticks, uint64_t ns)
{
    if (first_ns == 0) {
        first_ticks = ticks;
        first_ns = ns;
    } else if (ns - first_ns >= CLOCK_LEARNS && ticks > first_ticks && !atomic_load(&clock_rate.known)) {
        clock_rate.ticks = ticks;
        clock_rate.ns = ns;
        clock_rate.factor = (int64_t)(((unsigned __int128)(ns - first_ns) << 32) / (ticks - first_ticks));
        atomic_store_explicit(&clock_rate.known, true, memory_order_release);
    }
}

uint64_t clock_learn(void)
{
    if (atomic_load_explicit(&is_unusable, memory_order_relaxed))
        return monotonic();
    /* The counter is read on both sides: a pair that something came between is not taken. */
    const uint64_t before = __builtin_ia32_rdtsc();
    const uint64_t ns = monotonic();
    const uint64_t after = __builtin_ia32_rdtsc();
    if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        if (!is_asked)
            atomic_store(&is_unusable, !is_invariant() || !is_trusted());
        is_asked = true;
        if (after - before < 1000)
            learn(before + (after - before) / 2, ns);
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
    return ns;
}
#else
uint64_t clock_learn(void)
{
    return monotonic();
}
#endif
