/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread_order.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/base/log.h"
#include "thread.h"

/* ---- the kernel's order ---------------------------------------------------------------------- */

#define FIELD_START 22 /* in /proc/self/task/TID/stat, the first is number 1; the second ends with ')' */

struct thread_id thread_id_of(pid_t tid)
{
    struct thread_id id = {.tid = tid};
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)tid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')');
    for (int field = 2; at && field < FIELD_START; field++)
        at = strchr(at + 1, ' ');
    if (at)
        id.start = strtoull(at, NULL, 10);
    return id;
}

/* If two thread numbers of the same tick are further apart than this, the kernel's numbers wrapped around
 * between them. */
#define NUMBERS_OF_A_TICK 8192

int thread_id_compare(const struct thread_id *a, const struct thread_id *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    const int order = (a->tid > b->tid) - (a->tid < b->tid);
    const long apart = labs((long)a->tid - (long)b->tid);
    return apart > NUMBERS_OF_A_TICK ? -order : order;
}

/* ---- lanes of threads that have ended -------------------------------------------------------- */

static bool is_free(const struct thread *t)
{
    return !atomic_load_explicit(&t->taken, memory_order_acquire);
}

/* Does a live thread with this id have a lane? */
static bool has_lane(pid_t tid)
{
    for (const struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (t->user.tid == tid && !is_free(t))
            return true;
    }
    return false;
}

/* Count the threads without a lane that were created between two others. */
static size_t count_waiting(const struct thread_id *after, const struct thread_id *before)
{
    size_t n = 0;
    DIR *directory = opendir("/proc/self/task");
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (tid <= 0 || tid == before->tid || has_lane(tid))
            continue;
        const struct thread_id id = thread_id_of(tid);
        n += thread_id_compare(after, &id) < 0 && thread_id_compare(&id, before) < 0;
    }
    if (directory)
        closedir(directory);
    return n;
}

/* Return the free lane that follows `last` in the order of lanes; the first free lane if `last` is NULL. */
static struct thread *next_free(const struct thread *last)
{
    struct thread *next = NULL;
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (is_free(t) && (!last || thread_id_compare(&last->id, &t->id) < 0) &&
            (!next || thread_id_compare(&t->id, &next->id) < 0))
            next = t;
    }
    return next;
}

struct thread *thread_order_take_over(const struct thread_id *id)
{
    const struct thread *youngest = NULL;
    for (struct thread *t = next_free(NULL); t; t = next_free(t)) {
        if (!youngest || thread_id_compare(&youngest->user, &t->user) < 0)
            youngest = t;
    }
    if (!youngest)
        return NULL;
    size_t skip = count_waiting(&youngest->user, id);
    struct thread *t = next_free(NULL);
    for (; t && skip > 0; skip--)
        t = next_free(t);
    return t;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int compare_threads(const void *a, const void *b)
{
    struct thread *const x = *(struct thread *const *)a, *const y = *(struct thread *const *)b;
    struct thread *const first = atomic_load(&threads.main);
    if (x == first || y == first)
        return (y == first) - (x == first);
    return thread_id_compare(&x->id, &y->id);
}

struct thread **thread_order_list(size_t *n)
{
    struct thread *const newest = atomic_load(&threads.first);
    size_t count = 0;
    for (const struct thread *t = newest; t; t = t->next)
        count++;
    struct thread **list = malloc((count + 1) * sizeof(struct thread *));
    if (!list) {
        log_error("no memory for a list of %zu threads", count);
        return NULL;
    }
    *n = 0;
    for (struct thread *t = newest; t; t = t->next)
        list[(*n)++] = t;
    qsort(list, *n, sizeof(struct thread *), compare_threads);
    return list;
}
