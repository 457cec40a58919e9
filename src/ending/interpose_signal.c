/* SPDX-License-Identifier: BSD-3-Clause */
/* Interposes sigaction and signal: a program that sets a handler after MPI_Init receives the same
 * previous action as without the tracer. Otherwise a program that passes a signal on to the
 * previous handler would call the handler of signals.c, which ends the program.
 *
 * Only in librefrain.so: a static library cannot interpose the C library. The linker directs the
 * tracer's own calls to __wrap_sigaction, which returns the real action. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "signals.h"
#include "src/memory/guard.h"

typedef void (*handler)(int);

int __sigaction(int number, const struct sigaction *action, struct sigaction *before);
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before);

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return __sigaction(number, action, before);
}

static struct {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    handler (*signal)(int, handler), (*sysv_signal)(int, handler), (*sigset)(int, handler);
} next;

/* Handlers may call these functions, but not dlsym: so they are looked up before main. */
__attribute__((constructor)) static void know_next(void)
{
    static const struct {
        const char *name;
        void *to;
    } wanted[] = {{"sigaction", &next.sigaction},
                  {"signal", &next.signal},
                  {"__sysv_signal", &next.sysv_signal},
                  {"sigset", &next.sigset}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *const found = dlsym(RTLD_NEXT, wanted[i].name);
        /* ISO C has no cast from object to function pointer. */
        memcpy(wanted[i].to, &found, sizeof found);
    }
}

GUARD_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (!next.sigaction)
        know_next();
    struct sigaction kept;
    if (action) {
        kept = *action;
        signals_keep(number, &kept);
        action = &kept;
    }
    const int result = next.sigaction(number, action, before);
    if (result == 0 && before)
        signals_hide(number, before);
    return result;
}

static handler hide(int number, handler before)
{
    struct sigaction action = {.sa_handler = before};
    if (before != SIG_ERR)
        signals_hide(number, &action);
    return action.sa_handler;
}

/* Set the action with `set`, one of the C library's functions. If the action is one that
 * signals_keep replaces, sigaction sets the tracer's. */
static handler install(int number, handler action, handler (*set)(int, handler))
{
    struct sigaction kept = {.sa_handler = action}, before;
    signals_keep(number, &kept);
    if (kept.sa_handler == action)
        return hide(number, set(number, action));
    return sigaction(number, &kept, &before) == 0 ? before.sa_handler : SIG_ERR;
}

GUARD_EXPORT handler signal(int number, handler action)
{
    if (!next.signal)
        know_next();
    return install(number, action, next.signal);
}

/* The C library redirects `signal` to this function in programs that request System V semantics. */
GUARD_EXPORT handler __sysv_signal(int number, handler action);

GUARD_EXPORT handler __sysv_signal(int number, handler action)
{
    if (!next.sysv_signal)
        know_next();
    return install(number, action, next.sysv_signal);
}

GUARD_EXPORT handler sigset(int number, handler action)
{
    if (!next.sigset)
        know_next();
    return install(number, action, next.sigset);
}

/* other names of these functions */
#define SAME(name, other)                                                                                    \
    GUARD_EXPORT handler name(int number, handler action) __attribute__((nothrow, leaf, alias(#other)))

SAME(bsd_signal, signal);
SAME(ssignal, signal);
SAME(sysv_signal, __sysv_signal);
