/* SPDX-License-Identifier: BSD-3-Clause */
/* A stack of the tracer's own for what a signal handler does. The stack that a program provides for handlers
 * (sigaltstack) may be as small as 8 KiB, which was SIGSTKSZ for long; the program's memory lies below it. */
#ifndef REFRAIN_SIGNAL_STACK_H
#define REFRAIN_SIGNAL_STACK_H

/* Once, not in a handler. Without memory the work is done where the handler is. */
void signal_stack_prepare(void);
/* Calls `work`: on the signal stack, if this thread is on an alternate stack that is too small for it and no
 * other thread has been here before; otherwise where it is. */
void signal_stack_run(void (*work)(void *), void *argument);

#endif
