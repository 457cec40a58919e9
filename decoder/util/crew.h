/* Threads that share work: tasks with numbers, each done once, by whoever is free.
 *
 *     crew of 3      thread 0, the caller     task 0     task 3          task 5
 *                    thread 1                 task 1          task 4
 *                    thread 2                 task 2 ……………………………
 *
 * A task may have others done in turn: by its own thread, and those that have nothing to do. Which thread
 * does a task is chance, so what a task makes may depend on its number alone; thread numbers are for what
 * threads do not share, such as scratch memory. */
#ifndef REFRAIN_CREW_H
#define REFRAIN_CREW_H

#include "src/core/base/status.h"

#include <stddef.h>

struct crew;

typedef enum refrain_status (*crew_task)(void *context, size_t number, unsigned thread);

/* As many threads as there are processors for this process, or as REFRAIN_THREADS says; the caller is number
 * 0. Should threads not start, the others do the work. NULL when memory is short. */
struct crew *crew_create(void);
void crew_free(struct crew *c); /* also NULL */
unsigned crew_size(const struct crew *c);

/* Tasks 0 … n - 1. `thread` is the caller's number. After a failure no more are begun; the status is that of
 * the first, by number, of those that failed. */
enum refrain_status crew_run(struct crew *c, unsigned thread, size_t n, crew_task task, void *context);

#endif
