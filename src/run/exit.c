/* SPDX-License-Identifier: BSD-3-Clause */
#include "exit.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/ending/checkpoint.h"
#include "src/ending/ending.h"
#include "last_rank_merge.h"
#include "src/part/run_info.h"
#include "session.h"
#include "src/ending/signal_stack.h"
#include "src/ending/signals.h"
#include "src/core/base/log.h"
#include "src/memory/memory.h"
#include "src/memory/tracer_heap.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"
#include "src/settings/config.h"

#define PAUSE_MS 1000 /* longest wait for threads inside the tracer */

/* By fork; a child may be the one that calls MPI, as in a program that becomes a daemon. */
static bool has_children;

void exit_has_children(void)
{
    has_children = true;
}

static void finish(void)
{
    checkpoint_stop();
    if (!threads_pause(PAUSE_MS)) {
        log_error("a thread is still in the tracer; the last calls of this rank are lost");
        return;
    }
    signals_release();
    last_rank_merge();
    tracer_become(TRACER_FINISHED);
    verify_close(run_info_id());
    tracer_clear();
    threads_resume();
}

/* Finish without MPI_Finalize. This may run in a signal handler that interrupted the thread while
 * it held a lock of malloc or of the tracer: then only the last checkpoint remains. */
static void finish_alone(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (thread_is_busy() || memory_inside) {
        log_error("the program ended inside the tracer; the last calls of this rank are lost");
    } else if (!atomic_flag_test_and_set(&begun)) {
        tracer_heap_begin();
        finish();
        tracer_heap_end();
    } else if (threads_pause(PAUSE_MS)) { /* another thread has finished, or finishes now */
        threads_resume();
    }
}

/* Whether another tracer recorded this process: the program is linked with a tracer of its own, and
 * this one was preloaded. The other one's `wake` has set REFRAIN_PROCESS. */
static bool another_woke(void)
{
    const char *process = getenv("REFRAIN_PROCESS");
    return config.process && process && strtol(process, NULL, 10) != config.process;
}

static void leave(void *unused)
{
    (void)unused;
    if (tracer.up)
        ending_write_last("exit", 0);
    else if (session_over())
        finish_alone();
}

/* exit, or a return from main: write the part, or report that nothing was recorded. It runs after
 * the handlers that the program registered with atexit, since some of them call MPI_Finalize. */
__attribute__((destructor)) static void farewell(void)
{
    const bool is_program = !has_children && (!config.process || config.process == (long)getpid());
    switch (atomic_load(&tracer.state)) {
    case TRACER_ASLEEP:
        if (is_program && !another_woke() && launched_rank() <= 0)
            log_error("%s called no MPI procedure; nothing was recorded", program_invocation_short_name);
        break;
    case TRACER_RECORDING:
        if (tracer.up || session_over())
            leave(NULL);
        else if (is_program)
            log_error("%s ended without MPI_Init; nothing was recorded", program_invocation_short_name);
        break;
    case TRACER_STOPPED:
    case TRACER_FINISHING:
    case TRACER_FINISHED:
        break;
    }
}

/* A child of vfork shares its parent's memory, so it changes nothing. */
void exit_at_once(void)
{
    if (atomic_load(&tracer.state) == TRACER_RECORDING && tracer.process == getpid())
        signal_stack_run(leave, NULL);
}

/* Registered before the program's handlers, so it runs after them. */
__attribute__((constructor)) static void await_quick_exit(void)
{
    at_quick_exit(exit_at_once);
}
