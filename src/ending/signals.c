/* SPDX-License-Identifier: BSD-3-Clause */
#include "signals.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"
#include "signal_stack.h"
#include "src/clock/clock.h"
#include "src/memory/module.h"
#include "src/record/signal_pending.h"
#include "src/record/tracer.h"

/* A fault comes from the current instruction, which cannot continue. The other signals can wait
 * until the thread leaves the tracer. */
static struct caught {
    int number;
    bool fault;
    bool the_programs;     /* the program has set an action */
    void (*at_start)(int); /* handler before main */
    bool installed;
    struct sigaction before; /* the action that follows the tracer's */
} caught[] = {
    {.number = SIGSEGV, .fault = true},
    {.number = SIGBUS, .fault = true},
    {.number = SIGFPE, .fault = true},
    {.number = SIGILL, .fault = true},
    {.number = SIGABRT, .fault = true},
    {.number = SIGTERM},
    {.number = SIGINT},
    {.number = SIGHUP},
    {.number = SIGQUIT},
    {.number = SIGXCPU},
};

#define N_CAUGHT    (sizeof caught / sizeof caught[0])
#define STACK_BYTES ((size_t)512 << 10)

_Thread_local volatile sig_atomic_t signal_pending __attribute__((tls_model("initial-exec")));
static _Thread_local siginfo_t waiting_info __attribute__((tls_model("initial-exec")));

/* mpirun sends SIGTERM to all ranks and, as soon as the first of them is gone, SIGKILL. So a rank
 * waits before it ends: as long as its own part took, and GRACE_MIN more, for the other ranks'
 * parts. */
#define GRACE_MIN UINT64_C(100000000) /* nanoseconds */
#define GRACE_MAX UINT64_C(800000000)

static void let_others_finish(uint64_t since)
{
    uint64_t grace = GRACE_MIN + (clock_now() - since);
    if (grace > GRACE_MAX)
        grace = GRACE_MAX;
    nanosleep(&(struct timespec){.tv_nsec = (long)grace}, NULL);
}

/* Send the signal to this thread again, with its original information. */
static void send_again(int number, siginfo_t *info)
{
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info) != 0)
        raise(number);
}

/* Block the signal until the handler returns. */
static void hold_back(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

struct writing {
    int number;
    bool deadly; /* as far as is known, nothing keeps the signal from ending the program */
    bool done;   /* this call has tried to write the part */
};

static void write_part(void *argument)
{
    struct writing *w = argument;
    w->done = (w->deadly ? ending_write_last : ending_write)("signal", w->number);
}

static void handle(int number, siginfo_t *info, void *context)
{
    const int saved_errno = errno;
    struct caught *c = caught;
    (void)context;
    while (c->number != number)
        c++;
    if (c->fault)
        ending_escape();
    if (!c->fault && thread_is_busy()) {
        waiting_info = *info;
        signal_pending = number;
    } else {
        const uint64_t since = clock_now();
        struct writing w = {.number = number, .deadly = c->fault || c->before.sa_handler == SIG_DFL};
        signal_stack_run(write_part, &w);
        if (w.done && !c->fault && info->si_pid != getpid())
            let_others_finish(since);
        sigaction(number, &c->before, NULL);
        hold_back(number);
        send_again(number, info);
    }
    errno = saved_errno;
}

void signal_deliver(void)
{
    siginfo_t info = waiting_info;
    const int number = signal_pending;
    signal_pending = 0;
    send_again(number, &info);
}

static void (*handler_of(int number))(int)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 ? now.sa_handler : SIG_IGN;
}

/* Libraries that the MPI library uses may install handlers before main. */
__attribute__((constructor)) static void look_at_start(void)
{
    for (size_t i = 0; i < N_CAUGHT; i++)
        caught[i].at_start = handler_of(caught[i].number);
}

/* Whether it is the handler of the Fortran runtime, which prints a backtrace and then lets the
 * signal end the program. It is treated like handlers of the MPI library. */
static bool is_fortrans(void (*handler)(int))
{
    struct module module;
    return module_find((const void *)(uintptr_t)handler, &module) && module.kind == MODULE_FORTRAN;
}

void signals_look(void)
{
    for (size_t i = 0; i < N_CAUGHT; i++) {
        void (*const handler)(int) = handler_of(caught[i].number);
        caught[i].the_programs = handler != SIG_DFL && handler != caught[i].at_start && !is_fortrans(handler);
    }
}

/* Provide an alternate stack, so that the handler can run after a stack overflow. */
static void provide_stack(void)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    void *memory =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return; /* then handlers run on the normal stack */
    stack = (stack_t){.ss_sp = memory, .ss_size = STACK_BYTES};
    if (sigaltstack(&stack, NULL) != 0)
        munmap(memory, STACK_BYTES);
}

/* The tracer's action. It blocks the other signals, but not faults: ending_escape needs them. */
static void ours_for(const struct caught *c, struct sigaction *ours)
{
    *ours =
        (struct sigaction){.sa_sigaction = handle,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | (c->fault ? SA_NODEFER : 0)};
    sigemptyset(&ours->sa_mask);
    for (size_t i = 0; i < N_CAUGHT; i++) {
        if (!caught[i].fault)
            sigaddset(&ours->sa_mask, caught[i].number);
    }
}

void signals_catch(void)
{
    struct sigaction ours;
    provide_stack();
    signal_stack_prepare();
    for (size_t i = 0; i < N_CAUGHT; i++) {
        struct caught *c = &caught[i];
        if (c->the_programs || c->installed || sigaction(c->number, NULL, &c->before) != 0 ||
            c->before.sa_handler == SIG_IGN)
            continue;
        ours_for(c, &ours);
        c->installed = sigaction(c->number, &ours, NULL) == 0;
    }
}

void signals_hide(int number, struct sigaction *action)
{
    for (size_t i = 0; i < N_CAUGHT; i++) {
        if (caught[i].number == number && action->sa_sigaction == handle)
            *action = caught[i].before;
    }
}

void signals_keep(int number, struct sigaction *action)
{
    struct sigaction ours;
    for (size_t i = 0; i < N_CAUGHT; i++) {
        const struct caught *c = &caught[i];
        if (c->number == number && c->installed && action->sa_sigaction == c->before.sa_sigaction) {
            ours_for(c, &ours);
            *action = ours;
        }
    }
}

void signals_release(void)
{
    struct sigaction now;
    for (size_t i = 0; i < N_CAUGHT; i++) {
        struct caught *c = &caught[i];
        if (c->installed && sigaction(c->number, NULL, &now) == 0 && now.sa_sigaction == handle)
            sigaction(c->number, &c->before, NULL);
        c->installed = false;
    }
}
