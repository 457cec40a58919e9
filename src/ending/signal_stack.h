/* SPDX-License-Identifier: BSD-3-Clause */
/* A stack for the tracer's work in signal handlers. The stack that a program provides for handlers
 * (sigaltstack) may have only 8 KiB, the former value of SIGSTKSZ; other memory of the program lies
 * below it. */
#ifndef REFRAIN_SIGNAL_STACK_H
#define REFRAIN_SIGNAL_STACK_H

/* Allocate the stack, once, outside of handlers. If memory is short, the work runs on the current
 * stack. */
void signal_stack_prepare(void);
/* Call `work` on this stack, if the thread runs on an alternate stack that is too small and the
 * stack has never been used. Otherwise call it on the current stack. */
void signal_stack_run(void (*work)(void *), void *argument);

#endif
