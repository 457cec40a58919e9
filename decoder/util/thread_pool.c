/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread_pool.h"

#include "src/core/base/log.h"
#include "src/core/settings/variable.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS_MAX 64

struct thread_pool {
    pthread_mutex_t lock;
    pthread_cond_t change;        /* a new task, a finished job, or the end */
    struct thread_pool_job *jobs; /* latest first */
    bool ends;
    unsigned n; /* threads, including the creator's */
    struct member {
        struct thread_pool *pool;
        unsigned number;
        pthread_t thread;
    } members[THREADS_MAX];
};

/* ---- tasks; the lock is held ----------------------------------------------------------------- */

static bool has_tasks(const struct thread_pool_job *j)
{
    return j->begun < j->n && j->failed == SIZE_MAX && (!j->in_order || j->begun == j->ended);
}

/* Returns a job with tasks that can begin: a queue if there is one, otherwise the latest. NULL: none. */
static struct thread_pool_job *find_job(const struct thread_pool *c)
{
    struct thread_pool_job *found = NULL;
    for (struct thread_pool_job *j = c->jobs; j; j = j->next) {
        if (has_tasks(j) && (!found || (j->in_order && !found->in_order)))
            found = j;
    }
    return found;
}

static void do_task(struct thread_pool *c, struct thread_pool_job *j, unsigned thread)
{
    const size_t number = j->begun++;
    pthread_mutex_unlock(&c->lock);
    const enum refrain_status status = j->task(j->context, number, thread);
    pthread_mutex_lock(&c->lock);
    if (status != REFRAIN_OK && number < j->failed) {
        j->failed = number;
        j->status = status;
    }
    if (++j->ended == j->begun && (j->in_order || !has_tasks(j)))
        pthread_cond_broadcast(&c->change);
}

static void *serve(void *argument)
{
    const struct member *m = argument;
    struct thread_pool *c = m->pool;
    pthread_mutex_lock(&c->lock);
    while (!c->ends) {
        struct thread_pool_job *j = find_job(c);
        if (j)
            do_task(c, j, m->number);
        else
            pthread_cond_wait(&c->change, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void leave(struct thread_pool *c, struct thread_pool_job *j)
{
    struct thread_pool_job **at = &c->jobs;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
}

static void join(struct thread_pool *c, struct thread_pool_job *j)
{
    pthread_mutex_lock(&c->lock);
    j->next = c->jobs;
    c->jobs = j;
    if (j->n > 0 && c->n > 1)
        pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
}

void thread_pool_begin(struct thread_pool *c, struct thread_pool_job *j, size_t n, thread_pool_task task,
                       void *context)
{
    *j = (struct thread_pool_job){.n = n, .task = task, .context = context, .failed = SIZE_MAX};
    join(c, j);
}

void thread_pool_begin_queue(struct thread_pool *c, struct thread_pool_job *j, thread_pool_task task,
                             void *context)
{
    *j = (struct thread_pool_job){.in_order = true, .task = task, .context = context, .failed = SIZE_MAX};
    join(c, j);
}

void thread_pool_add(struct thread_pool *c, struct thread_pool_job *j)
{
    pthread_mutex_lock(&c->lock);
    j->n++;
    if (has_tasks(j) && c->n > 1)
        pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
}

enum refrain_status thread_pool_wait(struct thread_pool *c, unsigned thread, struct thread_pool_job *j,
                                     size_t most)
{
    pthread_mutex_lock(&c->lock);
    while (j->n - j->ended > most && j->failed == SIZE_MAX) {
        struct thread_pool_job *other = has_tasks(j) ? j : find_job(c);
        if (other)
            do_task(c, other, thread);
        else
            pthread_cond_wait(&c->change, &c->lock);
    }
    const enum refrain_status status = j->status;
    pthread_mutex_unlock(&c->lock);
    return status;
}

enum refrain_status thread_pool_end(struct thread_pool *c, unsigned thread, struct thread_pool_job *j)
{
    pthread_mutex_lock(&c->lock);
    while (has_tasks(j) || j->ended < j->begun) {
        if (has_tasks(j))
            do_task(c, j, thread);
        else
            pthread_cond_wait(&c->change, &c->lock);
    }
    leave(c, j);
    pthread_mutex_unlock(&c->lock);
    return j->status;
}

enum refrain_status thread_pool_run(struct thread_pool *c, unsigned thread, size_t n, thread_pool_task task,
                                    void *context)
{
    assert(thread < thread_pool_size(c));
    struct thread_pool_job job;
    if (n == 1)
        return task(context, 0, thread);
    thread_pool_begin(c, &job, n, task, context);
    return thread_pool_end(c, thread, &job);
}

/* ---- threads --------------------------------------------------------------------------------- */

static unsigned count_threads(void)
{
    const struct variable *v = &variables[VARIABLE_THREADS];
    const char *text = getenv(v->name);
    struct variable_value value = {0};
    cpu_set_t set;
    static bool said; /* a command makes several pools, all in its first thread */
    if (text && *text && !variable_parse(v, text, &value) && !said) {
        log_warning("%s=%s: wanted a number from 1 on", v->name, text);
        said = true;
    }
    if (value.number == 0)
        value.number = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 1;
    return value.number < 1 ? 1 : value.number > THREADS_MAX ? THREADS_MAX : (unsigned)value.number;
}

struct thread_pool *thread_pool_create(void)
{
    struct thread_pool *c = calloc(1, sizeof *c);
    if (!c) {
        log_error("out of memory: threads");
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->change, NULL);
    const unsigned wanted = count_threads();
    for (c->n = 1; c->n < wanted; c->n++) {
        struct member *m = &c->members[c->n];
        *m = (struct member){.pool = c, .number = c->n};
        if (pthread_create(&m->thread, NULL, serve, m) != 0)
            break;
    }
    return c;
}

void thread_pool_free(struct thread_pool *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->ends = true;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 1; i < c->n; i++)
        pthread_join(c->members[i].thread, NULL);
    pthread_cond_destroy(&c->change);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

unsigned thread_pool_size(const struct thread_pool *c)
{
    return c->n;
}
