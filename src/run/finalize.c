/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize: the last call that is recorded; then the trace is merged and written. */
#include "finalize.h"

#include <errno.h>
#include <limits.h>

#include "src/ending/checkpoint.h"
#include "src/part/file_limits.h"
#include "src/part/part.h"
#include "src/part/run_info.h"
#include "src/ending/signals.h"
#include "src/call/call.h"
#include "src/clock/clock.h"
#include "src/clock/clock_sync.h"
#include "src/core/base/cancel.h"
#include "src/core/base/log.h"
#include "src/core/trace/annex_columns.h"
#include "src/memory/memory.h"
#include "src/memory/merge_heap.h"
#include "src/memory/tracer_heap.h"
#include "src/output/gather.h"
#include "src/output/rank_trace.h"
#include "src/record/definition_records.h"
#include "src/record/recording.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"
#include "src/settings/config.h"
#include "census_tree.h"
#include "processor_time.h"
#include "write_collective.h"

/* Every rank that has been in MPI_Init calls this, even if its recording has stopped. While the
 * ranks communicate, threads are not paused and lanes are kept: so a rank that is killed meanwhile
 * can still write its part. */
#define PAUSE_MS 5000 /* for threads in MPI calls: the program should have none */

/* Make this rank's trace, ready to be merged with those of the other ranks. */
static enum refrain_status make_trace(struct trace *t, struct bytes *pieces)
{
    enum refrain_status status = rank_trace_number_lanes();
    merge_heap_begin();
    if (!status)
        status = rank_trace_make(t, false, pieces);
    if (!status && config.check)
        status = trace_check(t);
    if (!status && tracer.size > 1)
        status = annex_columns_detach(t, config.check ? INT_MAX : tracer.size, pieces);
    if (!status && tracer.rank == 0)
        status = run_info_describe(t);
    return status;
}

/* Report the state of this rank's part; the run has no trace. */
static void tell(enum refrain_status part)
{
    if (!part)
        part_announce();
    else if (tracer.rank == 0)
        log_error("this run has no trace, and this rank wrote no part");
}

static void finish(void)
{
    const bool together = tracer.comm != MPI_COMM_NULL;
    struct trace t = {0};
    struct bytes pieces = {0};
    struct file_limits limits;
    enum refrain_status status = REFRAIN_ERR_CHECK; /* recording has stopped and reported why */
    tracer.ended = clock_now();
    checkpoint_stop(); /* its thread reads the clocks */
    clock_sync_finish();
    const bool paused = threads_pause(PAUSE_MS);
    /* No address is looked up any more, and the MPI library now frees much memory. */
    atomic_store(&memory_tracking, false);
    if (!paused)
        log_error("a thread is still in an MPI call; this run has no trace");
    const bool recorded = paused && atomic_load(&tracer.state) == TRACER_RECORDING;
    if (recorded)
        processor_time_end();
    if (recorded && together)
        status = make_trace(&t, &pieces);
    enum tracer_state recording = TRACER_RECORDING;
    if (atomic_compare_exchange_strong(&tracer.state, &recording, TRACER_FINISHING))
        slow_path_require(SLOW_PATH_PASS);
    if (paused)
        threads_resume();

    file_limits_lift(&limits);
    const bool written = together && write_collective(&t, &pieces, status);
    file_limits_restore(&limits);
    bytes_free(&pieces);
    merge_heap_end();

    const bool again = threads_pause(PAUSE_MS);
    signals_release();
    recording_release();
    if (written) {
        part_remove();
    } else if (recorded && again && atomic_load(&tracer.state) == TRACER_FINISHING) {
        definition_records_end("MPI_Finalize", 0);
        tell(part_write(0));
    } else if (together) {
        tell(REFRAIN_ERR_CHECK);
    }
    tracer_become(TRACER_FINISHED);
    if (again) {
        verify_close(run_info_id());
        tracer_clear();
    }
    tracer.up = tracer.connected = false;
    PMPI_Group_free(&tracer.world);
    if (together)
        PMPI_Comm_free(&tracer.comm);
    census_tree_end();
    if (again)
        threads_resume();
}

/* Do the tracer's own work inside a call of the program. */
static void do_aside(void (*work)(void))
{
    const int saved_errno = errno, cancel = cancel_forbid();
    guard_depth++;
    tracer_heap_begin();
    work();
    tracer_heap_end();
    guard_depth--;
    cancel_allow(cancel);
    errno = saved_errno;
}

static void meet(void)
{
    if (tracer.comm != MPI_COMM_NULL)
        gather_meet(tracer.comm);
}

void finalize_begin(const void *return_address)
{
    struct call call;
    if (tracer.connected)
        guard_depth =
            /* A callback must not finalize, so the depth is left over from a call that was left by
             * a jump. The other ranks wait for this one. */
            0;
    const bool recorded = call_begin(&call, FUNCTION_MPI_Finalize, return_address);
    if (recorded)
        call_enter(&call);
    if (tracer.connected)
        do_aside(meet); /* the call's time includes the wait for the last rank */
    if (recorded) {
        call_leave(&call);
        call_int(&call, MPI_SUCCESS); /* recorded before the library's result is known */
        call_end(&call);
    }
    if (guard_depth == 0 && tracer.connected)
        do_aside(finish);
    guard_depth++;
}

void finalize_end(void)
{
    guard_depth--;
}

GUARD_EXPORT int MPI_Finalize(void)
{
    finalize_begin(__builtin_return_address(0));
    const int result = PMPI_Finalize();
    finalize_end();
    return result;
}
