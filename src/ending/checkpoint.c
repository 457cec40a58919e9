/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_ENDING
#include "checkpoint.h"

#include <assert.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "ending.h"
#include "src/core/base/log.h"
#include "src/part/part.h"
#include "src/clock/clock.h"
#include "src/memory/tracer_heap.h"
#include "src/record/checkpoint_due.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

/* Wait for other threads; afterwards the checkpoint is put off … */
#define PAUSE_MS    1000
#define PAUSE_AGAIN UINT64_C(1000000000) /* … by this time, in nanoseconds */
#define STACK_BYTES ((size_t)1 << 20)
#define SECOND      UINT64_C(1000000000)

/* All of it is protected by the lock. Times are nanoseconds of clock_now. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool runs, stop;
    uint64_t due;
} planned = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .due = CHECKPOINT_NEVER};

/* Plan the next checkpoint: the thread makes it or, if there is no thread, the call that finds it
 * due. */
static void plan(uint64_t due)
{
    pthread_mutex_lock(&planned.lock);
    if (planned.runs)
        planned.due = due;
    atomic_store(&checkpoint_due, planned.runs ? CHECKPOINT_NEVER : due);
    pthread_cond_signal(&planned.changed);
    pthread_mutex_unlock(&planned.lock);
}

void checkpoint_make(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    uint64_t next = clock_now() + PAUSE_AGAIN;
    if (atomic_load(&tracer.state) != TRACER_RECORDING)
        return;
    tracer_heap_begin();
    if (!ending_is_expected())
        next = part_checkpoint();
    tracer_heap_end();
    plan(next);
}

static void pause_and_make(void)
{
    if (threads_pause(PAUSE_MS)) {
        checkpoint_make();
        threads_resume();
    } else {
        log_debug("a thread does not pause for %d ms: the checkpoint is put off", PAUSE_MS);
        plan(clock_now() + PAUSE_AGAIN);
    }
}

/* If several threads see that the checkpoint is due, only one makes it. */
void tracer_check(uint64_t now)
{
    uint64_t due = atomic_load_explicit(&checkpoint_due, memory_order_relaxed);
    if (now >= due && atomic_compare_exchange_strong(&checkpoint_due, &due, CHECKPOINT_NEVER))
        pause_and_make();
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Wait this long, or until something has changed. The lock must be held. */
static void sleep_for(uint64_t nanoseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const uint64_t end = (uint64_t)until.tv_nsec + nanoseconds;
    until.tv_sec += (time_t)(end / SECOND);
    until.tv_nsec = (long)(end % SECOND);
    pthread_cond_clockwait(&planned.changed, &planned.lock, CLOCK_MONOTONIC, &until);
}

static void *run(void *unused)
{
    pthread_mutex_lock(&planned.lock);
    while (!planned.stop) {
        const uint64_t now = clock_now();
        if (planned.due == CHECKPOINT_NEVER) {
            pthread_cond_wait(&planned.changed, &planned.lock);
        } else if (now < planned.due) {
            sleep_for(planned.due - now);
        } else {
            planned.due = CHECKPOINT_NEVER;
            pthread_mutex_unlock(&planned.lock);
            pause_and_make();
            pthread_mutex_lock(&planned.lock);
        }
    }
    pthread_mutex_unlock(&planned.lock);
    return unused;
}

/* Add up the thread-local variables of all modules: the C library places them on the thread's
 * stack. */
static int add_thread_variables(struct dl_phdr_info *module, size_t size, void *sum)
{
    size_t *bytes = sum;
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type == PT_TLS)
            *bytes += module->dlpi_phdr[i].p_memsz + module->dlpi_phdr[i].p_align;
    }
    return 0;
}

/* Start the thread with all signals blocked: a thread inherits the mask of its creator. */
static bool start_thread(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    size_t stack = STACK_BYTES;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    sigfillset(&all);
    dl_iterate_phdr(add_thread_variables, &stack);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool runs = pthread_create(&planned.thread, &attributes, run, NULL) == 0 ||
                      pthread_create(&planned.thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return runs;
}

void checkpoint_start(void)
{
    checkpoint_allow();
    if (config.checkpoint == 0)
        return;
    pthread_mutex_lock(&planned.lock);
    planned.runs = start_thread();
    pthread_mutex_unlock(&planned.lock);
    plan(clock_now() + config.checkpoint);
}

void checkpoint_forked(void)
{
    planned.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    planned.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    planned.runs = false;
}

void checkpoint_stop(void)
{
    pthread_mutex_lock(&planned.lock);
    const bool runs = planned.runs;
    planned.runs = false;
    planned.stop = true;
    pthread_cond_signal(&planned.changed);
    pthread_mutex_unlock(&planned.lock);
    if (runs)
        pthread_join(planned.thread, NULL);
    atomic_store(&checkpoint_due, CHECKPOINT_NEVER);
}
