/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpose _exit, after which no code runs any more. Only in librefrain.so: a static library
 * cannot precede the C library. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exit.h"
#include "src/memory/guard.h"

static void (*next)(int);

/* At start, since signal handlers may call _exit, but not dlsym. */
__attribute__((constructor)) static void know_next(void)
{
    void *const found = dlsym(RTLD_NEXT, "_exit");
    memcpy(&next, &found, sizeof found); /* ISO C has no cast from object to function pointer */
}

GUARD_EXPORT void _exit(int status)
{
    exit_at_once();
    if (next)
        next(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

GUARD_EXPORT void _Exit(int status) __attribute__((noreturn, alias("_exit")));
