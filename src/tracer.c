#include "tracer.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "assembly.h"
#include "callpath.h"
#include "clock.h"
#include "comm.h"
#include "config.h"
#include "definitions.h"
#include "ending.h"
#include "functions.h"
#include "guard.h"
#include "handle.h"
#include "log.h"
#include "memory.h"
#include "part.h"
#include "predefined.h"
#include "recording.h"
#include "session.h"
#include "signals.h"
#include "verify.h"
#include "world.h"

_Thread_local int guard_depth;

struct tracer tracer = {.lock = PTHREAD_MUTEX_INITIALIZER, .open_end = &tracer.open};

static pthread_once_t woken = PTHREAD_ONCE_INIT;

static bool create(void)
{
    const bool with_times = config.timing != CONFIG_TIMING_OFF;
    tracer.calls = lane_create(LANE_THREAD, 0, with_times);
    tracer.definitions = lane_create(LANE_DEFINITIONS, 0, false);
    if (!tracer.calls || !tracer.definitions)
        return false;
    if (config.timing == CONFIG_TIMING_RANK) {
        tracer.busy = calloc(FUNCTION_COUNT, sizeof *tracer.busy);
        tracer.n_calls = calloc(FUNCTION_COUNT, sizeof *tracer.n_calls);
        if (!tracer.busy || !tracer.n_calls) {
            log_error("no memory for the times of functions");
            return false;
        }
    }
    return predefined_register() == REFRAIN_OK && definitions_start() == REFRAIN_OK;
}

static void wake(void)
{
    config_read(); /* constructors of libraries may call MPI before ours has run */
    config_log();
    world_start();
    /* What this process becomes by exec need not call MPI any more. */
    if (config.process)
        setenv("REFRAIN_PROCESS", "1", 1);
    if (config.callpath)
        callpath_start();
    recording_start();
    tracer.start = time(NULL);
    tracer.left = clock_now();
    tracer_lock();
    if (create())
        atomic_store(&tracer.state, TRACER_RECORDING);
    else
        tracer_stop();
    tracer_unlock();
}

bool tracer_is_recording(void)
{
    enum tracer_state state = atomic_load_explicit(&tracer.state, memory_order_acquire);
    if (state == TRACER_ASLEEP) {
        pthread_once(&woken, wake);
        state = atomic_load(&tracer.state);
    }
    return state == TRACER_RECORDING;
}

/* Set before the lock is taken, so that a handler never waits for its own thread. */
static _Thread_local volatile sig_atomic_t holding __attribute__((tls_model("initial-exec")));

static void let_go(void)
{
    holding = 0;
    if (signals_waiting)
        signals_deliver();
}

void tracer_lock(void)
{
    holding = 1;
    pthread_mutex_lock(&tracer.lock);
}

bool tracer_try_lock(void)
{
    holding = 1;
    if (pthread_mutex_trylock(&tracer.lock) == 0)
        return true;
    let_go();
    return false;
}

void tracer_unlock(void)
{
    pthread_mutex_unlock(&tracer.lock);
    let_go();
}

bool tracer_holds_lock(void)
{
    return holding;
}

void tracer_clear(void)
{
    lane_free(tracer.calls);
    lane_free(tracer.definitions);
    tracer.calls = tracer.definitions = NULL;
    callsite_free(&tracer.sites);
    handle_clear();
    comm_clear();
    free(tracer.busy);
    free(tracer.n_calls);
    tracer.busy = tracer.n_calls = NULL;
}

void tracer_stop(void)
{
    if (atomic_load(&tracer.state) == TRACER_STOPPED)
        return;
    log_error("recording stops; the program runs on");
    atomic_store(&tracer.state, TRACER_STOPPED);
    tracer_clear();
    verify_close();
}

/* Gaps are between calls, recorded or not; there is none behind a time when recording was off. */
static void left_at(uint64_t leave)
{
    if (!recording_is_on())
        tracer.left = UINT64_MAX;
    else if (leave > tracer.left || tracer.left == UINT64_MAX)
        tracer.left = leave;
}

void tracer_record(const struct callsite *site, const int64_t *slots, uint32_t n, uint64_t enter,
                   uint64_t leave)
{
    /* Calls of several threads overlap: then there is no gap before them. */
    const uint64_t gap = enter > tracer.left ? enter - tracer.left : 0;
    tracer.changing = 1;
    const enum refrain_status status = lane_record(tracer.calls, site->site, slots, n, gap, leave - enter);
    if (!status)
        verify_record(LANE_THREAD, site->hash, slots, n);
    tracer.changing = 0;
    if (status) {
        tracer_stop();
        return;
    }
    if (tracer.busy) {
        tracer.busy[site->function] += leave - enter;
        tracer.n_calls[site->function]++;
    }
    left_at(leave);
    if (leave >= part_due)
        part_checkpoint();
}

void tracer_pass(uint64_t leave)
{
    recording_leave_out();
    left_at(leave);
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
    if (tracer.process == 0 && tracer_try_lock())
        tracer_unlock();
    else
        atomic_store(&tracer.state, TRACER_FINISHED);
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
    tracer_lock();
    signals_release();
    assembly_finish();
    atomic_store(&tracer.state, TRACER_FINISHED);
    verify_close();
    tracer_clear();
    tracer_unlock();
}

/* The program ends: write the part, or say that it leaves nothing behind. Runs after what the program
 * registered with atexit, where some call MPI_Finalize. */
__attribute__((destructor)) static void farewell(void)
{
    const bool is_program = !has_children && (!config.process || config.process == (long)getpid());
    switch (atomic_load(&tracer.state)) {
    case TRACER_ASLEEP:
        if (is_program)
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
