/* SPDX-License-Identifier: BSD-3-Clause */
#include "signal_stack.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

#define BYTES ((size_t)512 << 10)

static struct {
    void *memory; /* NULL: there is no such stack */
    atomic_flag taken;
    ucontext_t handler, spare;
    void (*work)(void *);
    void *argument;
} stack = {.taken = ATOMIC_FLAG_INIT};

void signal_stack_prepare(void)
{
    if (stack.memory)
        return;
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    stack.memory = memory == MAP_FAILED ? NULL : memory;
}

/* Run the work with the alternate stack disabled: so a fault in the work is handled on this stack.
 * On the alternate stack, the second handler's frame would overwrite the first one's. */
static void start(void)
{
    stack_t programs;
    const stack_t none = {.ss_flags = SS_DISABLE};
    const int disabled = sigaltstack(&none, &programs);
    stack.work(stack.argument);
    if (disabled == 0)
        sigaltstack(&programs, NULL);
}

static int is_on_small_stack(void)
{
    stack_t now;
    return sigaltstack(NULL, &now) == 0 && now.ss_flags & SS_ONSTACK && now.ss_size < BYTES;
}

void signal_stack_run(void (*work)(void *), void *argument)
{
    if (!stack.memory || !is_on_small_stack() || atomic_flag_test_and_set(&stack.taken) ||
        getcontext(&stack.spare) != 0) {
        work(argument);
        return;
    }
    stack.work = work;
    stack.argument = argument;
    stack.spare.uc_stack = (stack_t){.ss_sp = stack.memory, .ss_size = BYTES};
    stack.spare.uc_link = &stack.handler;
    makecontext(&stack.spare, start, 0);
    swapcontext(&stack.handler, &stack.spare);
}
