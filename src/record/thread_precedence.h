/* SPDX-License-Identifier: BSD-3-Clause */
/* The order between threads in a trace without times: which calls of other threads come before a
 * thread's begin, and which come after its end.
 *
 *     main       ■ ■ ■ ■ ─ created ─┐             ┌─ joined ─ ■ ■     the executor's come after the first 4,
 *     executor                      └─ ■ ■ ■ ■ ■ ─┘                   those from number 4 on after its 5
 *
 * Each of these facts is a definition, @order. Only the first threads of a process get definitions,
 * because a program may create threads without end. */
#ifndef REFRAIN_THREAD_PRECEDENCE_H
#define REFRAIN_THREAD_PRECEDENCE_H

struct thread;

/* Call this when the thread is about to make its first call. It is not inside, and not thread_self yet. */
void thread_precedence_begin(struct thread *t);
/* Call this when the thread has made its last call and left the tracer. */
void thread_precedence_end(struct thread *t);

#endif
