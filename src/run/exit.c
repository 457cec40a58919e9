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

#define PAUSE_MS 1000 /* for threads that are in the tracer */

static bool has_children; /* by fork: perhaps the children call MPI, as in a program that becomes a daemon */

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

/* Without MPI_Finalize. This may run in a signal handler that interrupted the thread while it held a lock of malloc or of the tracer: then only the last checkpoint remains. */
static void finish_alone(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (thread_is_busy() || memory_inside) {
        log_error("the program ended inside the tracer; the last calls of this rank are lost");
    } else if (!atomic_flag_test_and_set(&begun)) {
        tracer_heap_begin();
        finish();
        tracer_heap_end();
    } else if (threads_pause(PAUSE_MS)) { /* another thread has finished, or this one is about to */
        threads_resume();
    }
}

/* A tracer that the program is linked with, where this one was preloaded: what is set by `wake` is not ours.
 */
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

/* exit, or a return from main: write the part, or say that the program leaves nothing behind. Runs after what
 * the program registered with atexit, where some call MPI_Finalize. */
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

/* Nothing is touched in a child that has its memory from vfork. */
void exit_at_once(void)
{
    if (atomic_load(&tracer.state) == TRACER_RECORDING && tracer.process == getpid())
        signal_stack_run(leave, NULL);
}

/* Before those of the program, so that it runs after them. */
__attribute__((constructor)) static void await_quick_exit(void)
{
    at_quick_exit(exit_at_once);
}
