/* SPDX-License-Identifier: BSD-3-Clause */
#include "thread.h"

#include <assert.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "generated/functions.h"
#include "src/clock/clock.h"
#include "src/core/base/cancel.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/memory/tracer_heap.h"
#include "src/settings/config.h"
#include "thread_order.h"
#include "thread_precedence.h"
#include "time_share.h"

struct threads threads;
HOT_DATA atomic_int slow_path;
_Thread_local struct thread *thread_self;

static atomic_flag pausing = ATOMIC_FLAG_INIT; /* only one thread may pause at a time … */
static int cancelling;                         /* … and its former cancelability */

/* This is set before the others are paused, so that a signal handler never waits for its own thread. */
static _Thread_local volatile sig_atomic_t holding __attribute__((tls_model("initial-exec")));

/* ---- pauses ---------------------------------------------------------------------------------- */

static void rest(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* The fence of the pausing thread; it pairs with the fence in thread_enter. */
static void fence(void)
{
    if (!slow_path_is_required(SLOW_PATH_FENCE))
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Wait, outside, until no thread pauses the others. */
static void wait_for_others(struct thread *t)
{
    const int cancel = cancel_forbid();
    thread_leave(t);
    while (slow_path_is_required(SLOW_PATH_PAUSED))
        rest(50);
    cancel_allow(cancel);
}

void thread_enter(struct thread *t)
{
    while (!thread_try_enter(t, SLOW_PATH_PAUSED | SLOW_PATH_FENCE)) {
        atomic_thread_fence(memory_order_seq_cst);
        if (!slow_path_is_required(SLOW_PATH_PAUSED))
            return;
        wait_for_others(t);
    }
}

bool thread_is_busy(void)
{
    return holding || (thread_self && atomic_load(&thread_self->inside));
}

static bool all_outside(void)
{
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (t != thread_self && atomic_load_explicit(&t->inside, memory_order_acquire))
            return false;
    }
    return true;
}

static void stop_holding(void)
{
    holding = 0;
    if (signal_pending && !thread_is_busy())
        signal_deliver();
}

bool threads_pause(int milliseconds)
{
    const uint64_t last = clock_now() + (uint64_t)milliseconds * 1000000;
    const int cancel = cancel_forbid();
    holding = 1;
    while (atomic_flag_test_and_set(&pausing)) {
        if (clock_now() > last) {
            stop_holding();
            cancel_allow(cancel);
            return false;
        }
        rest(100);
    }
    cancelling = cancel;
    slow_path_require(SLOW_PATH_PAUSED);
    fence();
    while (!all_outside()) {
        if (clock_now() > last) {
            threads_resume();
            return false;
        }
        rest(20);
    }
    return true;
}

void threads_resume(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    const int cancel = cancelling;
    slow_path_release(SLOW_PATH_PAUSED);
    atomic_flag_clear(&pausing);
    stop_holding();
    cancel_allow(cancel);
}

/* ---- beginning and end of a thread ----------------------------------------------------------- */

static pthread_key_t key; /* holds thread_self, for its destructor */
static bool has_key;

/* Destructor: the thread ends, maybe within a call that it left by a jump. */
static void end(void *thread)
{
    struct thread *t = thread;
    const int cancel = cancel_forbid();
    thread_enter(t);
    scratch_clear(&t->scratch);
    thread_leave(t);
    tracer_heap_begin();
    thread_precedence_end(t);
    tracer_heap_end();
    thread_self = NULL;
    atomic_store_explicit(&t->taken, false, memory_order_release);
    cancel_allow(cancel);
}

void threads_start(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        slow_path_require(SLOW_PATH_FENCE);
    has_key = pthread_key_create(&key, end) == 0;
}

static enum refrain_status add(struct thread *t)
{
    static uint32_t lanes; /* so far */
    t->lane = lane_create(LANE_THREAD, 0, config.timing != CONFIG_TIMING_OFF);
    if (!t->lane)
        return REFRAIN_ERR_MEMORY;
    if (config.timing == CONFIG_TIMING_RANK) {
        t->busy = calloc(FUNCTION_COUNT, sizeof *t->busy);
        t->calls = calloc(FUNCTION_COUNT, sizeof *t->calls);
        if (!t->busy || !t->calls) {
            log_error("no memory for the times of functions");
            return REFRAIN_ERR_MEMORY;
        }
    }
    if (config.timing == CONFIG_TIMING_CALLS) {
        t->times = time_log_create(&config.times, time_share_budget());
        if (!t->times)
            return REFRAIN_ERR_MEMORY;
        t->stage = time_log_stage(t->times);
    }
    t->is_noted = t->busy || config.verify;
    handle_user_init(&t->handles, lanes);
    verify_init(&t->raw, lanes);
    if (lanes++ == 0)
        atomic_store(&threads.main, t);
    t->next = atomic_load(&threads.first);
    atomic_store(&threads.first, t);
    return REFRAIN_OK;
}

/* Take the lane of a thread that has ended, or make a new lane. */
static enum refrain_status find_lane(const struct thread_id *id, struct thread **out)
{
    struct thread *t = thread_order_take_over(id);
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t) {
            log_error("no memory for a thread");
            return REFRAIN_ERR_MEMORY;
        }
        t->id = *id;
        const enum refrain_status status = add(t);
        if (status) {
            thread_clear(t);
            free(t);
            return status;
        }
    }
    t->user = *id;
    atomic_store(&t->taken, true);
    *out = t;
    return REFRAIN_OK;
}

enum refrain_status thread_start(void)
{
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    const struct thread_id id = thread_id_of(gettid());
    struct thread *t;
    pthread_mutex_lock(&starting);
    const enum refrain_status status = find_lane(&id, &t);
    pthread_mutex_unlock(&starting);
    if (status)
        return status;
    thread_precedence_begin(t);
    t->errno_address = &errno;
    t->left = clock_now();
    if (has_key)
        pthread_setspecific(key, t);
    thread_self = t;
    return REFRAIN_OK;
}

bool threads_forked(void)
{
    const bool whole = !slow_path_is_required(SLOW_PATH_PAUSED) && all_outside();
    tracer_heap_forked();
    slow_path_release(SLOW_PATH_PAUSED);
    atomic_flag_clear(&pausing);
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (t == thread_self) {
            t->user = thread_id_of(gettid());
        } else if (whole) {
            scratch_clear(&t->scratch);
            atomic_store(&t->taken, false);
        }
    }
    return whole;
}

void thread_clear(struct thread *t)
{
    lane_free(t->lane);
    t->lane = NULL;
    time_log_free(t->times);
    t->times = NULL;
    t->stage = NULL;
    callsite_free(&t->sites);
    handle_user_clear(&t->handles);
    free(t->busy);
    free(t->calls);
    t->busy = t->calls = NULL;
}
