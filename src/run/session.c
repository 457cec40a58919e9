/* SPDX-License-Identifier: BSD-3-Clause */
#include "session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "init.h"
#include "src/part/part.h"
#include "src/part/run_info.h"
#include "src/call/call.h"
#include "src/core/base/log.h"
#include "src/memory/tracer_heap.h"
#include "src/record/checkpoint_due.h"
#include "src/record/time_share.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

static atomic_int open_sessions;
static atomic_bool had_sessions;

bool session_over(void)
{
    return atomic_load(&had_sessions) && atomic_load(&open_sessions) == 0;
}

#if MPI_VERSION >= 4

#define PAUSE_MS 1000 /* longest wait for threads inside the tracer */

/* Find the world group. From now on the tracer may make calls about groups. */
static enum refrain_status find_world(MPI_Session session)
{
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &tracer.world) != MPI_SUCCESS ||
        PMPI_Group_rank(tracer.world, &tracer.rank) != MPI_SUCCESS ||
        PMPI_Group_size(tracer.world, &tracer.size) != MPI_SUCCESS) {
        log_error("cannot find this process in mpi://WORLD");
        return REFRAIN_ERR_MPI;
    }
    tracer.threads = MPI_THREAD_MULTIPLE; /* assumed, since another session may get another level */
    tracer.process = getpid();
    time_share_ranks(tracer.size);
    tracer.up = true;
    return REFRAIN_OK;
}

static enum refrain_status begin(struct call *call, MPI_Session session)
{
    enum refrain_status status = REFRAIN_OK;
    if (call->failed || tracer.up)
        return status;
    status = find_world(session);
    if (!status && !atomic_exchange(&had_sessions, true)) {
        run_info_start_alone();
        status = init_process();
    }
    return status;
}

void session_opened(struct call *call, MPI_Session session)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&open_sessions, 1);
    tracer_heap_begin();
    const enum refrain_status status = begin(call, session);
    tracer_heap_end();
    pthread_mutex_unlock(&lock);
    if (status)
        call_fail(call);
    call_prolong(call);
}

/* Free the group after the last session: it is invalid without one, and no thread may be about to
 * use it. A checkpoint follows this call, since the process may call exec, which leaves no time to
 * write a part. */
void session_closing(void)
{
    const bool paused = threads_pause(PAUSE_MS);
    if (atomic_load(&open_sessions) > 0 && atomic_fetch_sub(&open_sessions, 1) == 1 && tracer.up &&
        !tracer.connected) {
        tracer.up = false;
        if (paused)
            PMPI_Group_free(&tracer.world);
        if (config.checkpoint > 0)
            atomic_store(&checkpoint_due, 0);
    }
    if (paused)
        threads_resume();
}

#endif
