/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload that makes the query of the host's name slow. The tracer asks for it right
 * after MPI is initialised. */
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
