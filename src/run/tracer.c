/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/record/tracer.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "src/ending/checkpoint.h"
#include "exit.h"
#include "generated/functions.h"
#include "src/memory/tracer_heap.h"
#include "src/part/spawner.h"
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
HOT_DATA uint8_t tracer_grids[FUNCTION_COUNT];

static pthread_once_t woken = PTHREAD_ONCE_INIT;

static void choose_grids(void)
{
    for (uint32_t f = 0; f < FUNCTION_COUNT; f++)
        tracer_grids[f] = (uint8_t)time_mode_grid(&config.times, gen_functable.functions.items[f].name);
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
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next)
        thread_clear(t);
    definition_records_clear();
    callsite_free_modules();
    handle_clear();
    comm_clear();
}

void tracer_become(enum tracer_state state)
{
    assert(state > TRACER_RECORDING);
    atomic_store(&tracer.state, state);
    slow_path_require(SLOW_PATH_PASS);
}

void tracer_stop(void)
{
    enum tracer_state state = atomic_load(&tracer.state);
    while (state == TRACER_ASLEEP || state == TRACER_RECORDING) {
        if (atomic_compare_exchange_weak(&tracer.state, &state, TRACER_STOPPED)) {
            slow_path_require(SLOW_PATH_PASS);
            log_error("recording stops; the program continues");
            return;
        }
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
    return lane_record(t->lane, site->site, slots, n, gap, duration);
}

enum refrain_status tracer_take_times(struct thread *t)
{
    assert(t->stage);
    const enum refrain_status status = time_log_take(t->times);
    if (time_log_is_full(t->times))
        t->stage = NULL;
    return status;
}

/* After fork, the child is no longer recorded if MPI was up, since it shares the parent's MPI state
 * only by accident, or if another thread was inside the tracer. Otherwise the child may be the
 * process that goes on, with the calls recorded so far. */
static void forget_in_child(void)
{
    if (!threads_forked() || tracer.process != 0)
        tracer_become(TRACER_FINISHED);
    checkpoint_forked();
    atomic_store(&memory_tracking, false); /* another thread may have had its lock */
}

/* The environment is read before the program can change it. */
__attribute__((constructor)) static void load(void)
{
    config_read();
    pthread_atfork(NULL, exit_has_children, forget_in_child);
}
