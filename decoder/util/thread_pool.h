/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that share work: tasks with numbers, each done once, by whoever is free.
 *
 *     pool of 3      thread 0, the caller     task 0     task 3          task 5
 *                    thread 1                 task 1          task 4
 *                    thread 2                 task 2 ……………………………
 *
 * A task may have others done in turn: by its own thread, and those that have nothing to do. Which thread
 * does a task is chance, so what a task makes may depend on its number alone; thread numbers are for what
 * threads do not share, such as scratch memory. */
#ifndef REFRAIN_THREAD_POOL_H
#define REFRAIN_THREAD_POOL_H

#include "src/core/base/status.h"

#include <stddef.h>

struct thread_pool;

typedef enum refrain_status (*thread_pool_task)(void *context, size_t number, unsigned thread);

/* As many threads as there are processors for this process, or as REFRAIN_THREADS says; the caller is number
 * 0. Should threads not start, the others do the work. NULL when memory is short. */
struct thread_pool *thread_pool_create(void);
void thread_pool_free(struct thread_pool *c); /* also NULL */
unsigned thread_pool_size(const struct thread_pool *c);

/* Tasks 0 … n - 1. `thread` is the caller's number. After a failure no more are begun; the status is that of
 * the first, by number, of those that failed. */
enum refrain_status thread_pool_run(struct thread_pool *c, unsigned thread, size_t n, thread_pool_task task,
                                    void *context);

#endif
