/* SPDX-License-Identifier: BSD-3-Clause */
#include "init.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "census.h"
#include "src/ending/checkpoint.h"
#include "defined_elsewhere.h"
#include "src/part/part.h"
#include "src/part/run_info.h"
#include "src/ending/signals.h"
#include "src/call/call.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/memory/tracer_heap.h"
#include "src/record/comm.h"
#include "src/record/definition_records.h"
#include "src/record/recording.h"
#include "src/record/status_field.h"
#include "src/record/time_share.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"
#include "processor_time.h"

#define PAUSE_MS 1000 /* longest wait for threads inside the tracer */

static char context[32]; /* of messages; the log keeps a pointer to it */

static void tell_rank(void)
{
    snprintf(context, sizeof context, "[%d]", tracer.rank);
    log_set_context(context);
}

/* Create the tracer's own communicator, on which errors return instead of ending the program.
 * Collective. */
static enum refrain_status duplicate_world(void)
{
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &tracer.comm) != MPI_SUCCESS ||
        PMPI_Comm_set_errhandler(tracer.comm, MPI_ERRORS_RETURN) != MPI_SUCCESS) {
        log_error("cannot duplicate MPI_COMM_WORLD");
        return REFRAIN_ERR_MPI;
    }
    return run_info_start();
}

/* Replace the world group. If a session is open, another group exists, which other threads may be
 * about to use. */
static void take_world(MPI_Group world)
{
    MPI_Group before = tracer.world;
    const bool paused = tracer.up && threads_pause(PAUSE_MS);
    tracer.world = world;
    if (paused) {
        PMPI_Group_free(&before);
        threads_resume();
    }
}

static enum refrain_status find_world(void)
{
    MPI_Comm parent;
    MPI_Group world;
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &tracer.rank) != MPI_SUCCESS ||
        PMPI_Comm_size(MPI_COMM_WORLD, &tracer.size) != MPI_SUCCESS ||
        PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS ||
        PMPI_Query_thread(&tracer.threads) != MPI_SUCCESS || PMPI_Comm_get_parent(&parent) != MPI_SUCCESS) {
        log_error("cannot find this process in MPI_COMM_WORLD");
        return REFRAIN_ERR_MPI;
    }
    take_world(world);
    tracer.spawned = parent != MPI_COMM_NULL;
    return REFRAIN_OK;
}

static enum refrain_status connect_ranks(void)
{
    enum refrain_status status = find_world();
    if (status)
        return status;
    tracer.comm = MPI_COMM_NULL;
    /* The launcher's variables describe the first world only. */
    if (tracer.spawned || census_is_complete())
        status = duplicate_world();
    else
        run_info_start_alone();
    if (status)
        return status;
    tracer.process = getpid();
    time_share_ranks(tracer.size);
    if (tracer.threads != MPI_THREAD_MULTIPLE)
        handle_expect_one_thread();
    atomic_store(&threads.main, thread_self);
    tracer.connected = true;
    tracer.up = true;
    tell_rank();
    return REFRAIN_OK;
}

enum refrain_status init_process(void)
{
    static bool done; /* a session may have called it before MPI_Init */
    char host[HOST_NAME_MAX + 1];
    if (done)
        return REFRAIN_OK;
    done = true;
    tracer.began = clock_now();
    tell_rank();
    if (gethostname(host, sizeof host) != 0)
        host[0] = '\0';
    host[sizeof host - 1] = '\0'; /* gethostname need not terminate a name that it cuts off */
    verify_open(tracer.rank, run_info_id());
    status_field_start();
    definition_records_process(host, sysconf(_SC_NPROCESSORS_ONLN));
    processor_time_start();
    if (tracer.rank == 0)
        defined_elsewhere_tell();
    const enum refrain_status status = part_start();
    if (!status) {
        checkpoint_start();
        signals_catch();
    }
    recording_catch();
    return status;
}

static enum refrain_status find_out(void)
{
    if (tracer.spawned)
        verify_separate(run_info_id());
    const enum refrain_status status = init_process();
    return status ? status : comm_start();
}

void init_up(struct call *call)
{
    tracer_heap_begin();
    enum refrain_status status = connect_ranks();
    if (!status && !call->failed)
        status = find_out();
    tracer_heap_end();
    if (status)
        call_fail(call);
    call_prolong(call);
}

int init_passed(int result)
{
    if (result != MPI_SUCCESS || guard_depth > 0 || atomic_load(&tracer.state) != TRACER_STOPPED)
        return result;
    guard_depth++;
    tracer_heap_begin();
    connect_ranks();
    tracer_heap_end();
    guard_depth--;
    return result;
}
