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

#include <stdbool.h>
#include <stddef.h>

struct thread_pool;

typedef enum refrain_status (*thread_pool_task)(void *context, size_t number, unsigned thread);

/* A set of tasks of one caller, who owns this struct. It must not move until the tasks are done. */
struct thread_pool_job {
    struct thread_pool_job *next;
    size_t n, begun, ended;
    bool in_order; /* each task begins after the one before has ended */
    thread_pool_task task;
    void *context;
    size_t failed; /* the smallest number of a failed task; SIZE_MAX: none */
    enum refrain_status status;
};

/* As many threads as there are processors for this process, or as REFRAIN_THREADS says; the caller is number
 * 0. Should threads not start, the others do the work. NULL when memory is short. */
struct thread_pool *thread_pool_create(void);
void thread_pool_free(struct thread_pool *c); /* also NULL */
unsigned thread_pool_size(const struct thread_pool *c);

/* Tasks 0 … n - 1. `thread` is the caller's number. After a failure no more are begun; the status is that of
 * the first, by number, of those that failed. */
enum refrain_status thread_pool_run(struct thread_pool *c, unsigned thread, size_t n, thread_pool_task task,
                                    void *context);

/* The same in two steps, so that the caller can do other work in between. The first step: idle threads begin
 * the tasks. */
void thread_pool_begin(struct thread_pool *c, struct thread_pool_job *j, size_t n, thread_pool_task task,
                       void *context);
/* The second step: the caller does the tasks that no thread has begun, and waits for the others. */
enum refrain_status thread_pool_end(struct thread_pool *c, unsigned thread, struct thread_pool_job *j);

/* A queue: a job whose tasks are added later and done in order, one at a time. Idle threads prefer them to others,
 * because nothing else can be done in their place. thread_pool_end ends it. */
void thread_pool_begin_queue(struct thread_pool *c, struct thread_pool_job *j, thread_pool_task task,
                             void *context);
void thread_pool_add(struct thread_pool *c, struct thread_pool_job *j);
/* Returns when at most `most` of the queue's tasks have not ended, or one has failed. Until then the caller does tasks
 * of this job or others. */
enum refrain_status thread_pool_wait(struct thread_pool *c, unsigned thread, struct thread_pool_job *j,
                                     size_t most);

#endif
