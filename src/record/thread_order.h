/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order the lanes of threads stand: one that depends on the program, and as little as possible on
 * who happened to be faster. */
#ifndef REFRAIN_THREAD_ORDER_H
#define REFRAIN_THREAD_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct thread;

/* Threads in the order in which the kernel created them. Its numbers for them count up, and start again from
 * low ones one day; so the time comes first. */
struct thread_id {
    uint64_t start; /* in ticks of the kernel; 0 if it does not tell */
    pid_t tid;
};

struct thread_id thread_id_of(pid_t tid);
/* Below 0 if a was created before b. */
int thread_id_compare(const struct thread_id *a, const struct thread_id *b);

/* The lane of a thread that has ended, for a new one; NULL if there is none for it. One thread at a time.
 *
 * When several threads begin at once, as in every round of a program that forks and joins, each gets the lane
 * that it would get if they had begun one after the other: threads that are alive, have no lane yet, and were
 * created between the last one that had one of the free lanes and the new one, come first. */
struct thread *thread_order_take_over(const struct thread_id *id);

/* All threads in the order of their lanes' numbers, for free(): the main one, then the others as the first
 * thread of each lane was created. They have to be paused. NULL when memory is short, which is logged. */
struct thread **thread_order_list(size_t *n);

#endif
