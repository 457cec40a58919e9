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

static void note_first(uint64_t ns)
{
    static atomic_flag noted = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set_explicit(&noted, memory_order_relaxed))
        clock_rate.first = ns;
}

#ifdef __x86_64__
#include <cpuid.h>

/* errno is kept: the time is taken between the library and the program. */
static bool has_word(const char *path, const char *word)
{
    char text[256];
    const int saved_errno = errno;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    errno = saved_errno;
    text[n > 0 ? n : 0] = '\0';
    for (const char *at = text; *at; at += strspn(at, " \n")) {
        const size_t length = strcspn(at, " \n");
        if (length == strlen(word) && memcmp(at, word, length) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Of one that the kernel takes its time from, or would except for a hypervisor's better knowledge. A counter that
 * the kernel has found to differ between processors is not available any more. */
static bool is_trusted(void)
{
#define SOURCES "/sys/devices/system/clocksource/clocksource0/"
    static const char *const taken[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page"};
    bool trusted = false;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0] && !trusted; i++)
        trusted = has_word(SOURCES "current_clocksource", taken[i]);
    return trusted && has_word(SOURCES "available_clocksource", "tsc");
}

static bool is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

#define READINGS   3    /* from first to last CLOCK_LEARNS */
#define TRIES      8    /* of reading both at once */
#define APART_MOST 1000 /* ticks between the two ends of a reading */
#define OFF_MOST   2000 /* ns: of the line that the others are on */
#define WIDE_MOST  64   /* moments without a narrow reading, likewise */
#define FAILURES   4    /* until the counter is given up */

static atomic_bool is_unusable;             /* the counter, for good */
static atomic_flag busy = ATOMIC_FLAG_INIT; /* a thread has what follows; others do without */
static bool is_asked;                       /* whether the counter is usable */
static struct clock_reading {
    uint64_t ticks, ns, apart; /* apart: ticks between the counter's two ends */
} readings[READINGS];
static unsigned n_readings, n_wide, n_failures;

/* The narrowest of a few: what came between the counter's two ends, as another process, may have been before
 * or after the clock. False if something always came. */
static bool read_both(struct clock_reading *out)
{
    uint64_t narrowest = APART_MOST;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = __builtin_ia32_rdtsc();
        const uint64_t ns = monotonic();
        const uint64_t apart = __builtin_ia32_rdtsc() - before;
        if (apart < narrowest) {
            narrowest = apart;
            *out = (struct clock_reading){before + apart / 2, ns, apart};
        }
    }
    return narrowest < APART_MOST;
}

/* A counter that is another one on each processor, or stood still with the machine, is on no line. */
static bool is_line(const struct clock_reading *r)
{
    const double rate = (double)(r[2].ns - r[0].ns) / (double)(r[2].ticks - r[0].ticks);
    const double off = (double)(r[1].ns - r[0].ns) - rate * (double)(r[1].ticks - r[0].ticks);
    return r[0].ticks < r[1].ticks && r[1].ticks < r[2].ticks && off < OFF_MOST && off > -OFF_MOST;
}

/* The second one is halfway at the earliest, the last one soon after it if MPI_Init took all the time. */
static bool is_due(uint64_t ns)
{
    if (n_readings == 0)
        return true;
    const uint64_t first = ns - readings[0].ns, last = ns - readings[n_readings - 1].ns;
    return n_readings == 1 ? first >= CLOCK_LEARNS / 2 : first >= CLOCK_LEARNS && last >= CLOCK_LEARNS / 64;
}

static void learn(uint64_t ns)
{
    if (!is_due(ns) || atomic_load(&clock_rate.known))
        return;
    if (!read_both(&readings[n_readings])) {
        /* Where clock_gettime is a call of the system it takes too long each time. */
        if (++n_wide == WIDE_MOST)
            atomic_store(&is_unusable, true);
        return;
    }
    if (++n_readings < READINGS)
        return;
    n_readings = 0;
    if (is_line(readings)) {
        const struct clock_reading *first = &readings[0], *last = &readings[READINGS - 1];
        clock_rate.ticks = last->ticks;
        clock_rate.ns = last->ns;
        clock_rate.factor =
            (int64_t)(((unsigned __int128)(last->ns - first->ns) << 32) / (last->ticks - first->ticks));
        clock_rate.error = (uint64_t)((__int128)(last->apart / 2 + 1) * clock_rate.factor >> 32) + 1;
        atomic_store_explicit(&clock_rate.known, true, memory_order_release);
    } else if (++n_failures == FAILURES) {
        atomic_store(&is_unusable, true);
    }
}

uint64_t clock_learn(void)
{
    const uint64_t ns = monotonic();
    note_first(ns);
    if (!atomic_load_explicit(&is_unusable, memory_order_relaxed) &&
        !atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        if (!is_asked)
            atomic_store(&is_unusable, !is_invariant() || !is_trusted());
        is_asked = true;
        if (!atomic_load_explicit(&is_unusable, memory_order_relaxed))
            learn(ns);
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
    return ns;
}
#else
uint64_t clock_learn(void)
{
    const uint64_t ns = monotonic();
    note_first(ns);
    return ns;
}
#endif
