/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload: each two ranks get a node of their own, whose clock began at another time
 * and runs faster:  5 s and 1 % for each node. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int node(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = getenv("PMI_RANK");
    return rank ? atoi(rank) / 2 : 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (!next)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const int result = next(clock, t);
    if (clock == CLOCK_MONOTONIC) {
        const long long ns = t->tv_sec * 1000000000LL + t->tv_nsec;
        const long long other = ns + node() * (5000000000LL + ns / 100);
        t->tv_sec = other / 1000000000;
        t->tv_nsec = other % 1000000000;
    }
    return result;
}

/* Adds the clock owner's name to that of the system, because libraries also need the latter. */
int stat(const char *path, struct stat *out)
{
    static int (*next)(const char *, struct stat *);
    if (!next)
        next = (int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "stat");
    const int result = next(path, out);
    if (strcmp(path, "/proc/self/ns/time") == 0)
        out->st_ino = (ino_t)node();
    return result;
}
