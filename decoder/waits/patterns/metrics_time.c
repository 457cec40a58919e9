/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile: all time of all threads, by activity. A call belongs to the last row that matches
 * it. */
#include "decoder/waits/search/wait_metric.h"

#define SCOUT "Scalasca (scout)"

static bool is_any(const struct role *role)
{
    (void)role;
    return true;
}

static bool is_collective(const struct role *role)
{
    return role->actions & ROLE_COLLECTIVE && role->kind == CALL_COLLECTIVE &&
           role->variant != VARIANT_PERSISTENT;
}

static bool is_barrier(const struct role *role)
{
    return is_collective(role) && role->collective == COLLECTIVE_BARRIER;
}

static bool is_data_collective(const struct role *role)
{
    return is_collective(role) && role->collective != COLLECTIVE_BARRIER;
}

static bool is_message(const struct role *role)
{
    return (role->kind == CALL_BLOCKING || role->kind == CALL_NONBLOCKING || role->kind == CALL_WAITING) &&
           role->variant != VARIANT_PERSISTENT;
}

static bool is_access(const struct role *role)
{
    return role->actions & ROLE_RMA;
}

/* Epochs, and the creation and freeing of windows, in which processes wait for each other. */
static bool is_active(const struct role *role)
{
    const bool epoch = role->actions & (ROLE_OPEN | ROLE_CLOSE),
               lock = role->epoch == ROLE_LOCK || role->epoch == ROLE_LOCK_ALL;
    return role->kind == CALL_ONE_SIDED && role->actions & (ROLE_OPEN | ROLE_CLOSE | ROLE_COLLECTIVE) &&
           !(epoch && lock);
}

static bool is_passive(const struct role *role)
{
    const bool lock = role->actions & (ROLE_OPEN | ROLE_CLOSE) &&
                      (role->epoch == ROLE_LOCK || role->epoch == ROLE_LOCK_ALL);
    return role->kind == CALL_ONE_SIDED && (lock || role->actions & ROLE_FLUSH);
}

static bool is_file(const struct role *role)
{
    return role->kind == CALL_FILE;
}

static bool is_collective_file(const struct role *role)
{
    return role->kind == CALL_FILE && role->actions & ROLE_COLLECTIVE;
}

static bool is_init(const struct role *role)
{
    return role->actions & ROLE_INIT;
}

static bool is_init_or_exit(const struct role *role)
{
    return role->actions & (ROLE_INIT | ROLE_FINALIZE);
}

const struct metric metrics_time[] = {
    {.uniq_name = "time",
     .name = "time",
     .text = "From the first MPI call of a thread to its last one, summed over all threads.",
     .source = SCOUT},
    {.uniq_name = "execution",
     .name = "execution",
     .parent = "time",
     .text = "The program itself and its MPI calls. The program's own time is the time between two calls.",
     .source = SCOUT},
    {.uniq_name = "mpi",
     .name = "MPI",
     .parent = "execution",
     .text = "In MPI calls. Its own time is that of calls that neither communicate nor synchronize, such "
             "as creating a persistent request.",
     .source = SCOUT,
     .has_calls = is_any},
    {.uniq_name = "mpi_synchronization",
     .name = "synchronization",
     .parent = "mpi",
     .text = "In calls that make processes wait for each other and move no data.",
     .source = SCOUT},
    {.uniq_name = "mpi_sync_collective",
     .name = "collective synchronization",
     .parent = "mpi_synchronization",
     .text = "In barriers.",
     .source = SCOUT,
     .has_calls = is_barrier},
    {.uniq_name = "mpi_rma_synchronization",
     .name = "synchronization of one-sided communication",
     .parent = "mpi_synchronization",
     .text = "In calls that begin or end epochs, or that create or free windows.",
     .source = SCOUT},
    {.uniq_name = "mpi_rma_sync_active",
     .name = "active target synchronization",
     .parent = "mpi_rma_synchronization",
     .text = "MPI_Win_fence, MPI_Win_start, MPI_Win_complete, MPI_Win_post, MPI_Win_wait, MPI_Win_test; "
             "creating and freeing windows.",
     .source = SCOUT,
     .has_calls = is_active},
    {.uniq_name = "mpi_rma_sync_passive",
     .name = "passive target synchronization",
     .parent = "mpi_rma_synchronization",
     .text = "MPI_Win_lock, MPI_Win_unlock, their forms for all targets, and flushes.",
     .source = SCOUT,
     .has_calls = is_passive},
    {.uniq_name = "mpi_communication",
     .name = "communication",
     .parent = "mpi",
     .text = "In calls that move data between processes.",
     .source = SCOUT},
    {.uniq_name = "mpi_point2point",
     .name = "point-to-point communication",
     .parent = "mpi_communication",
     .text = "In sends, receives, probes, and calls that complete or test requests.",
     .source = SCOUT,
     .has_calls = is_message},
    {.uniq_name = "mpi_collective",
     .name = "collective communication",
     .parent = "mpi_communication",
     .text = "In collective operations that move data, including those of neighbourhoods. A non-blocking "
             "operation waits in the call that completes it.",
     .source = SCOUT,
     .has_calls = is_data_collective},
    {.uniq_name = "mpi_rma_communication",
     .name = "one-sided communication",
     .parent = "mpi_communication",
     .text = "In accesses to windows: MPI_Put, MPI_Get, MPI_Accumulate ...",
     .source = SCOUT,
     .has_calls = is_access},
    {.uniq_name = "mpi_io",
     .name = "I/O",
     .parent = "mpi",
     .text = "In file operations of a single process.",
     .source = SCOUT,
     .has_calls = is_file},
    {.uniq_name = "mpi_io_collective",
     .name = "collective I/O",
     .parent = "mpi_io",
     .text = "In file operations that all processes of a communicator call together.",
     .source = SCOUT,
     .has_calls = is_collective_file},
    {.uniq_name = "mpi_init_exit",
     .name = "init and exit",
     .parent = "mpi",
     .text = "In MPI_Init, MPI_Init_thread and MPI_Finalize.",
     .source = SCOUT,
     .has_calls = is_init_or_exit},
    {.uniq_name = "mpi_init",
     .name = "init",
     .parent = "mpi_init_exit",
     .text = "In MPI_Init and MPI_Init_thread. The page shows it apart: the run begins after it.",
     .has_calls = is_init},
    {0},
};
