/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/record/tracer.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"
#include "generated/functions.h"
#include "last_rank_merge.h"
#include "part.h"
#include "session.h"
#include "src/memory/tracer_heap.h"
#include "signals.h"
#include "spawner.h"
#include "src/clock/clock.h"
#include "src/core/base/cancel.h"
#include "src/core/base/log.h"
#include "src/memory/guard.h"
#include "src/memory/memory.h"
#include "src/record/comm.h"
#include "src/record/definition_records.h"
#include "src/record/handle.h"
#include "src/record/predefined.h"
#include "src/record/recording.h"
#include "src/record/verify_writer.h"
#include "src/settings/config.h"
#include "src/site/callpath.h"

_Thread_local int guard_depth;

struct tracer tracer;
static uint8_t grids[FUNCTION_COUNT]; /* of functions, for their times (time_mode.h) */

#define PAUSE_MS    1000                 /* for other threads, before a checkpoint is put off … */
#define PAUSE_AGAIN UINT64_C(1000000000) /* … by so many nanoseconds */

static pthread_once_t woken = PTHREAD_ONCE_INIT;

static void choose_grids(void)
{
    for (uint32_t f = 0; f < FUNCTION_COUNT; f++)
        grids[f] = (uint8_t)time_mode_grid(&config.times, gen_functable.functions.items[f].name);
}

static void wake(void)
{
    config_read(); /* constructors of libraries may call MPI before ours has run */
    config_log();
    spawner_start();
    /* What this process becomes by exec need not call MPI any more. */
    if (config.process)
        setenv("REFRAIN_PROCESS", "1", 1);
    if (config.callpath)
        callpath_start();
    recording_start();
    choose_grids();
    tracer.start = time(NULL);
    threads_start();
    handle_start();
    if (predefined_register() == REFRAIN_OK && definition_records_start() == REFRAIN_OK)
        atomic_store(&tracer.state, TRACER_RECORDING);
    else
        tracer_stop();
}

bool tracer_is_recording(void)
{
    enum tracer_state state = atomic_load_explicit(&tracer.state, memory_order_acquire);
    if (state == TRACER_ASLEEP) {
        const int cancel = cancel_forbid();
        pthread_once(&woken, wake);
        cancel_allow(cancel);
        state = atomic_load(&tracer.state);
    }
    return state == TRACER_RECORDING;
}

struct thread *tracer_new_thread(void)
{
    const int cancel = cancel_forbid();
    tracer_heap_begin();
    if (tracer_is_recording() && thread_start() != REFRAIN_OK)
        tracer_stop();
    tracer_heap_end();
    cancel_allow(cancel);
    return thread_self;
}

void tracer_clear(void)
{
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next)
        thread_clear(t);
    definition_records_clear();
    callsite_free_modules();
    handle_clear();
    comm_clear();
}

void tracer_become(enum tracer_state state)
{
    atomic_store(&tracer.state, state);
    slow_path_require(SLOW_PATH_PASS);
}

void tracer_stop(void)
{
    enum tracer_state state = atomic_load(&tracer.state);
    while (state == TRACER_ASLEEP || state == TRACER_RECORDING) {
        if (atomic_compare_exchange_weak(&tracer.state, &state, TRACER_STOPPED)) {
            slow_path_require(SLOW_PATH_PASS);
            log_error("recording stops; the program runs on");
            return;
        }
    }
}

/* Of several threads that find that it is due, one makes it. */
static void make_checkpoint(uint64_t due)
{
    if (!atomic_compare_exchange_strong(&checkpoint_due, &due, CHECKPOINT_NEVER))
        return;
    if (threads_pause(PAUSE_MS)) {
        tracer_heap_begin();
        part_checkpoint();
        tracer_heap_end();
        threads_resume();
    } else {
        atomic_store(&checkpoint_due, clock_now() + PAUSE_AGAIN);
    }
}

enum refrain_status tracer_note(struct thread *t, const struct callsite *site, const int64_t *slots,
                                uint32_t n, uint64_t gap, const struct timestamp *timestamps)
{
    const uint64_t duration = timestamps->leave - timestamps->enter;
    verify_writer_put(&t->raw, site->hash, slots, n, timestamps);
    if (t->busy) {
        t->busy[site->function] += duration;
        t->calls[site->function]++;
    }
    const enum refrain_status status = lane_record(t->lane, site->site, slots, n, gap, duration);
    return t->times && !status ? time_log_add(t->times, site->site, grids[site->function], timestamps)
                               : status;
}

void tracer_check(uint64_t now)
{
    const uint64_t due = atomic_load_explicit(&checkpoint_due, memory_order_relaxed);
    if (now >= due)
        make_checkpoint(due);
}

static bool has_children; /* by fork: it may be them who shall call MPI, as when a program becomes a daemon */

static void note_child(void)
{
    has_children = true;
}

/* A child after fork() is another program as far as tracing goes, if MPI was up: it shares the parent's MPI
 * state by accident. Otherwise it may be the one that goes on, with what was recorded so far. */
static void forget_in_child(void)
{
    if (!threads_forked() || tracer.process != 0)
        tracer_become(TRACER_FINISHED);
    atomic_store(&memory_tracking, false); /* another thread may have had its lock */
}

/* The environment is read before the program can change it. */
__attribute__((constructor)) static void load(void)
{
    config_read();
    pthread_atfork(NULL, note_child, forget_in_child);
}

/* There was no MPI_Finalize to do it. */
static void finish_alone(void)
{
    if (!threads_pause(PAUSE_MS)) {
        log_error("a thread is still in the tracer; the last calls of this rank are lost");
        return;
    }
    signals_release();
    last_rank_merge();
    tracer_become(TRACER_FINISHED);
    verify_close();
    tracer_clear();
    threads_resume();
}

/* A tracer that the program is linked with, where this one was preloaded: what is set by `wake` is not ours.
 */
static bool another_woke(void)
{
    const char *process = getenv("REFRAIN_PROCESS");
    return config.process && process && strtol(process, NULL, 10) != config.process;
}

/* The program ends: write the part, or say that it leaves nothing behind. Runs after what the program
 * registered with atexit, where some call MPI_Finalize. */
__attribute__((destructor)) static void farewell(void)
{
    const bool is_program = !has_children && (!config.process || config.process == (long)getpid());
    switch (atomic_load(&tracer.state)) {
    case TRACER_ASLEEP:
        if (is_program && !another_woke())
            log_error("%s called no MPI procedure; nothing was recorded", program_invocation_short_name);
        break;
    case TRACER_RECORDING:
        if (tracer.up)
            ending_write("exit", 0);
        else if (session_over())
            finish_alone();
        else if (is_program)
            log_error("%s ended without MPI_Init; nothing was recorded", program_invocation_short_name);
        break;
    case TRACER_STOPPED:
    case TRACER_FINISHING:
    case TRACER_FINISHED:
        break;
    }
}
