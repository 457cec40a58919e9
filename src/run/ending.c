/* SPDX-License-Identifier: BSD-3-Clause */
#include "ending.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "part.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/memory/emergency.h"
#include "src/output/rank_trace.h"
#include "src/record/checkpoint_due.h"
#include "src/record/definition_records.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"

#define PATIENCE_MS 5000 /* for another thread to leave the tracer, or to write the part */

static atomic_flag begun = ATOMIC_FLAG_INIT;
static atomic_bool done;
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

/* Calls of a thread that were entered, those around others first: each is its part before the call alone.
 * They are the last of the lane. */
static void record_open_calls(struct thread *t, const struct scratch *s, uint64_t now)
{
    const struct open_call *open = &s->open;
    if (s->around)
        record_open_calls(t, s->around, now);
    if (!open->open || open->left_out)
        return;
    uint64_t enter = atomic_load_explicit(&open->enter, memory_order_relaxed);
    if (enter == 0 || enter > now)
        enter = now;
    tracer_record(t, &t->sites.sites.items[open->site], s->slots.items, open->n, enter, now);
}

static void record_all_open_calls(void)
{
    const uint64_t now = clock_now();
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        if (t->lane)
            record_open_calls(t, &t->scratch, now);
    }
}

static void write_part(const char *how, int64_t detail)
{
    writing = 1;
    emergency_begin();
    if (sigsetjmp(rescue, 1) == 0) {
        atomic_store(&checkpoint_due, CHECKPOINT_NEVER);
        if (atomic_load(&tracer.state) == TRACER_RECORDING)
            record_all_open_calls();
        const enum refrain_status status = rank_trace_number_lanes();
        definition_records_end(how, detail);
        verify_close();
        if (!status && !part_write(CODEC_STORED))
            log_info("the calls so far are in %s", part_directory());
    } else {
        log_error("the calls since the last checkpoint are lost: a fault while they were written");
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

bool ending_write(const char *how, int64_t detail)
{
    if (!ending_matters())
        return false;
    if (atomic_flag_test_and_set(&begun)) {
        if (!writing)
            wait_for_other();
        return false;
    }
    if (!threads_pause(PATIENCE_MS)) {
        log_error("the calls since the last checkpoint are lost: the tracer is busy");
        tracer_become(TRACER_FINISHED);
    } else {
        if (!ending_matters()) {
            /* it has stopped meanwhile, and said why */
        } else if (thread_self && thread_self->changing) {
            log_error("the calls since the last checkpoint are lost: it ended in the tracer itself");
        } else {
            write_part(how, detail);
        }
        /* Should the program go on, this part is what there is of it. */
        tracer_become(TRACER_FINISHED);
        threads_resume();
    }
    atomic_store(&done, true);
    return true;
}

void ending_escape(void)
{
    if (writing)
        siglongjmp(rescue, 1);
}

void ending_abort(int code)
{
    ending_write("MPI_Abort", code);
}
