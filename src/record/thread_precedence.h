/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace without times tells of the order between threads: who began when others had made some of their calls, and
 * who ended before they made the rest.
 *
 *     main       ■ ■ ■ ■ ─ created ─┐             ┌─ joined ─ ■ ■        the executor's come behind the first 4,
 *     executor                      └─ ■ ■ ■ ■ ■ ─┘                      those from number 4 on behind its 5
 *
 * Each is a definition, @order. The first threads of a process are told of, since others could begin for ever. */
#ifndef REFRAIN_THREAD_PRECEDENCE_H
#define REFRAIN_THREAD_PRECEDENCE_H

struct thread;

/* The thread is about to make its first call. It is not inside, nor thread_self yet. */
void thread_precedence_begin(struct thread *t);
/* It has made its last one, and left the tracer. */
void thread_precedence_end(struct thread *t);

#endif
