/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_ENDING
#include "ending.h"

#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "src/part/part.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/memory/emergency.h"
#include "src/output/rank_trace.h"
#include "src/record/checkpoint_due.h"
#include "src/record/definition_records.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"

/* Longest wait for another thread to leave the tracer, or to write the part. */
#define PATIENCE_MS 5000

/* Times in nanoseconds after which a call shows that the process survived: a call of the thread
 * that seemed to end it, or of any other thread. Before SURVIVAL, the call may come from a handler
 * of exit. Before SURVIVAL_OF_OTHERS, other threads may still run while the launcher ends all
 * processes. */
#define SURVIVAL           UINT64_C(1000000000)
#define SURVIVAL_OF_OTHERS UINT64_C(5000000000)

static atomic_flag begun = ATOMIC_FLAG_INIT; /* a thread writes the part, or … */
static atomic_bool done;                     /* … has written it */

/* Valid while `begun`: the cause of the end and its time; the thread that ends the process, if it
 * has called MPI; the number of calls that this thread and all threads had made by then. */
static struct {
    const char *how;
    int64_t detail;
    uint64_t at;
    const struct thread *thread;
    uint64_t own_calls, calls;
} dying;
static sigjmp_buf rescue;
static _Thread_local volatile sig_atomic_t writing __attribute__((tls_model("initial-exec")));

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void wait_for_other(void)
{
    for (int i = 0; i < PATIENCE_MS && !atomic_load(&done); i++)
        rest();
}

/* Record the open calls of a thread, outer calls first, with the part before the call only. They
 * are the last of the lane. Should such a call return after all, it is not recorded again. */
static void record_open_calls(struct thread *t, struct scratch *s, uint64_t now)
{
    struct open_call *open = &s->open;
    if (s->around)
        record_open_calls(t, s->around, now);
    if (!open->open || open->left_out)
        return;
    uint64_t enter = atomic_load_explicit(&open->enter, memory_order_relaxed);
    if (enter == 0 || enter > now)
        enter = now;
    tracer_record(t, &t->sites.sites.items[open->site], s->slots.items, open->n, enter, now);
    open->left_out = open->told = true;
}

static void record_all_open_calls(void)
{
    const uint64_t now = clock_now();
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (t->lane)
            record_open_calls(t, &t->scratch, now);
    }
}

/* Write the part. After a fault, any data of the tracer may be damaged and any lock held forever: a
 * second fault jumps to `rescue`. */
static void write_part(void)
{
    writing = 1;
    emergency_begin();
    if (sigsetjmp(rescue, 1) == 0) {
        atomic_store(&checkpoint_due, CHECKPOINT_NEVER);
        if (atomic_load(&tracer.state) == TRACER_RECORDING)
            record_all_open_calls();
        const enum refrain_status status = rank_trace_number_lanes();
        definition_records_end(dying.how, dying.detail);
        verify_flush();
        verify_hold(true);
        if (!status && !part_write(CODEC_STORED))
            log_info("the calls so far are in %s", part_directory());
    } else {
        log_error("the calls since the last checkpoint are lost: writing them failed; recording stops");
        tracer_become(TRACER_STOPPED);
    }
    emergency_end();
    writing = 0;
}

bool ending_matters(void)
{
    const enum tracer_state state = atomic_load(&tracer.state);
    return (state == TRACER_RECORDING || state == TRACER_FINISHING) && tracer.up &&
           tracer.process == getpid();
}

static uint64_t calls_of(const struct thread *thread)
{
    return thread ? thread->serial : 0;
}

static uint64_t calls_of_all(void)
{
    uint64_t n = 0;
    for (const struct thread *t = atomic_load(&threads.first); t; t = t->next)
        n += t->serial;
    return n;
}

/* Whether calls were made since then that are not in the part. */
static bool goes_on(void)
{
    return calls_of(dying.thread) != dying.own_calls || (!dying.thread && calls_of_all() != dying.calls);
}

/* Whether the program continues, so that the cause did not end it. */
static bool lives(void)
{
    const uint64_t since = clock_now() - dying.at;
    return (since > SURVIVAL && calls_of(dying.thread) != dying.own_calls) ||
           (since > SURVIVAL_OF_OTHERS && calls_of_all() != dying.calls);
}

bool ending_is_expected(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    if (!atomic_load(&done))
        return false;
    if (!lives())
        return true;
    if (atomic_exchange(&done, false)) {
        log_debug("the process goes on: recording does, too");
        definition_records_end("", 0);
        verify_hold(false);
        atomic_flag_clear(&begun);
    }
    return false;
}

/* Whether this thread must write the part. If not, another thread writes it or has written it, and
 * this one has waited for that. */
static bool begin(void)
{
    if (!atomic_flag_test_and_set(&begun))
        return true;
    if (writing)
        return false;
    if (!atomic_load(&done)) {
        wait_for_other();
        return false;
    }
    return goes_on() && atomic_exchange(&done, false);
}

/* Remember the first cause, unless the program survived it. */
static void note(const char *how, int64_t detail)
{
    if (!dying.how || lives()) {
        dying.how = how;
        dying.detail = detail;
        dying.at = clock_now();
        dying.thread = thread_self;
    }
    dying.own_calls = calls_of(dying.thread);
    dying.calls = calls_of_all();
}

bool ending_write(const char *how, int64_t detail)
{
    if (!ending_matters() || !begin())
        return false;
    log_debug("%s (%lld) ends the process: the part is written", how, (long long)detail);
    const bool paused = threads_pause(PATIENCE_MS);
    note(how, detail);
    if (!paused) {
        log_error("the calls since the last checkpoint are lost: the tracer is busy");
    } else {
        if (!ending_matters())
            ; /* recording has stopped and reported why */
        else if (thread_self && thread_self->changing)
            log_error("the calls since the last checkpoint are lost: the program ended inside the tracer");
        else
            write_part();
        /* If the program goes on, its next call makes the checkpoint that is due, and so detects
         * it. */
        if (atomic_load(&tracer.state) == TRACER_RECORDING)
            atomic_store(&checkpoint_due, 0);
        threads_resume();
    }
    atomic_store(&done, true);
    return true;
}

bool ending_write_last(const char *how, int64_t detail)
{
    const bool written = ending_write(how, detail);
    if (written || (ending_matters() && atomic_load(&done)))
        part_announce();
    return written;
}

void ending_escape(void)
{
    if (writing)
        siglongjmp(rescue, 1);
}

void ending_abort(bool of_any, int code)
{
    (of_any ? ending_write_last : ending_write)("MPI_Abort", code);
}
