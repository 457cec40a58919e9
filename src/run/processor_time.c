/* SPDX-License-Identifier: BSD-3-Clause */
#include "processor_time.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "src/record/definition_records.h"

struct sample {
    bool known;
    uint64_t now, ready; /* ns; `ready` of the main thread, since it began */
    pid_t process;
};

static struct sample begin;

/* The file has three numbers: ns that the thread ran, ns that it was ready, and how many times it ran. */
static struct sample take(void)
{
    char text[96], *at;
    struct timespec now;
    struct sample s = {.process = getpid()};
    const int fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    if (n <= 0 || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return s;
    text[n] = '\0';
    const uint64_t ran = strtoull(text, &at, 10);
    s.ready = strtoull(at, NULL, 10);
    s.now = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    s.known = ran > 0; /* 0: the kernel does not count */
    return s;
}

void processor_time_start(void)
{
    begin = take();
}

void processor_time_end(void)
{
    const struct sample end = take();
    if (!begin.known || !end.known || begin.process != end.process || end.now <= begin.now ||
        end.ready < begin.ready)
        return;
    const uint64_t percent = 100 * (end.ready - begin.ready) / (end.now - begin.now);
    if (percent > 0)
        definition_records_processor(percent < 100 ? (int64_t)percent : 100);
}
