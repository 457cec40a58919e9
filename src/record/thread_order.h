/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the threads' lanes. It depends on the program, and as little as possible on which thread
 * happened to be faster. */
#ifndef REFRAIN_THREAD_ORDER_H
#define REFRAIN_THREAD_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct thread;

/* Identifies a thread; ids are ordered by creation. The kernel's thread numbers count up but wrap around
 * some day, so the start time is compared first. */
struct thread_id {
    uint64_t start; /* in kernel ticks; 0 if the kernel does not say */
    pid_t tid;
};

struct thread_id thread_id_of(pid_t tid);
/* Returns a value < 0 if a was created before b. */
int thread_id_compare(const struct thread_id *a, const struct thread_id *b);

/* Return the lane of a thread that has ended, for a new thread; NULL if no lane is free for it. Only one
 * thread at a time may call it.
 *
 * If several threads begin at once, as in each round of a fork-join program, each gets the lane that it
 * would get if they had begun one after the other. To achieve this, lanes are kept for the threads that
 * are alive, have no lane yet, and were created before the new thread but after the last user of the free
 * lanes. */
struct thread *thread_order_take_over(const struct thread_id *id);

/* Return all threads in the order of their lanes' numbers: the main thread, then the others in the order
 * in which the first thread of each lane was created. The threads must be paused. The caller frees the
 * list with free(). NULL when memory is short (logged). */
struct thread **thread_order_list(size_t *n);

#endif
