/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define WIDTH 32
/* Erases the line. */
#define CLEAR "\r\033[K"

void progress_start(struct progress *p, const char *what, uint64_t all)
{
    *p = (struct progress){.what = what, .on = isatty(STDERR_FILENO) == 1, .all = all};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
}

static bool waited(const struct progress *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - p->start.tv_sec) * 1000 + (now.tv_nsec - p->start.tv_nsec) / 1000000 >= 1000;
}

/* The threads compete for each step of the bar; the one that wins draws it with a single write. */
static void draw(struct progress *p, int percent)
{
    char line[128], bar[WIDTH + 1];
    int shown = atomic_load(&p->shown);
    if (shown > percent || !atomic_compare_exchange_strong(&p->shown, &shown, percent + 1))
        return;
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * 100 < percent * WIDTH ? '#' : ' ';
    bar[WIDTH] = '\0';
    const int n = snprintf(line, sizeof line, "\rrefrain %s: [%s] %3d %%", p->what, bar, percent);
    if (n > 0 && (size_t)n < sizeof line && write(STDERR_FILENO, line, (size_t)n) < 0)
        p->on = false;
}

void progress_add(struct progress *p, uint64_t units)
{
    if (!p->on || p->all == 0)
        return;
    const uint64_t done = atomic_fetch_add(&p->done, units) + units;
    const double part = (double)done / (double)p->all;
    const int percent = part < 1 ? (int)(part * 100) : 100;
    if (percent >= atomic_load(&p->shown) && (atomic_load(&p->shown) > 0 || waited(p)))
        draw(p, percent);
}

void progress_end(struct progress *p)
{
    if (p->on && atomic_load(&p->shown) > 0 && write(STDERR_FILENO, CLEAR, sizeof CLEAR - 1) < 0)
        p->on = false;
    p->on = false;
}
