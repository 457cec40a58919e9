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
    clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail: the clock exists and the pointer is valid */
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

/* Whether the file contains the word. errno is kept, since the tracer reads the time between the
 * library and the program. */
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

/* The counter is trusted if the kernel takes its time from it, directly or through a hypervisor's
 * clock. The kernel makes "tsc" unavailable if it finds that the counter differs between
 * processors. */
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
#define TRIES      8    /* attempts to read counter and clock together */
#define APART_MOST 1000 /* most ticks between the counter's values before and after the clock */
/* Ns: largest distance of the middle reading from the line through the others. */
#define OFF_MOST  2000
#define WIDE_MOST 64 /* attempts without a narrow reading before the counter is given up */
#define FAILURES  4  /* lines that do not fit before the counter is given up */

static atomic_bool is_unusable; /* the counter is given up for good */
/* One thread at a time uses the variables below; others go on without. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static bool is_asked; /* whether the counter's properties have been checked */
static struct clock_reading {
    uint64_t ticks, ns, apart; /* apart: ticks between the counter's values before and after */
} readings[READINGS];
static unsigned n_readings, n_wide, n_failures;

/* Take the narrowest of a few readings: an interruption between the counter's two values may lie
 * before or after the clock's value. False if every reading was interrupted. */
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

/* The readings are on no line if each processor has its own counter, or the counter stopped while
 * the machine slept. */
static bool is_line(const struct clock_reading *r)
{
    const double rate = (double)(r[2].ns - r[0].ns) / (double)(r[2].ticks - r[0].ticks);
    const double off = (double)(r[1].ns - r[0].ns) - rate * (double)(r[1].ticks - r[0].ticks);
    return r[0].ticks < r[1].ticks && r[1].ticks < r[2].ticks && off < OFF_MOST && off > -OFF_MOST;
}

/* The second reading is due after half of CLOCK_LEARNS, the last one after all of it. The last one
 * also keeps a distance from the second one, in case MPI_Init delayed the second one. */
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
        /* Where clock_gettime is a system call, no reading is narrow. */
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
