/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, makes the host's name take its time, which the tracer asks for when MPI has just been initialised. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

int gethostname(char *name, size_t size)
{
    int (*next)(char *, size_t) = (int (*)(char *, size_t))dlsym(RTLD_NEXT, "gethostname");
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    return next(name, size);
}
