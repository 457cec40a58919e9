#include "session.h"

#include <unistd.h>

#include "call.h"
#include "config.h"
#include "init.h"
#include "log.h"
#include "part.h"
#include "run.h"
#include "tracer.h"

static int open_sessions; /* under the tracer's lock */
static bool had_sessions;

bool session_over(void)
{
    return had_sessions && open_sessions == 0;
}

#if MPI_VERSION >= 4

/* From now on MPI may be asked about groups. */
static enum refrain_status find_world(MPI_Session session)
{
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &tracer.world) != MPI_SUCCESS ||
        PMPI_Group_rank(tracer.world, &tracer.rank) != MPI_SUCCESS ||
        PMPI_Group_size(tracer.world, &tracer.size) != MPI_SUCCESS) {
        log_error("cannot find this process in mpi://WORLD");
        return REFRAIN_ERR_MPI;
    }
    tracer.threads = MPI_THREAD_MULTIPLE; /* perhaps: another session may get another level */
    tracer.process = getpid();
    tracer.up = true;
    return REFRAIN_OK;
}

void session_opened(struct call *call, MPI_Session session)
{
    open_sessions++;
    if (call->failed || tracer.up)
        return;
    enum refrain_status status = find_world(session);
    if (!status && !had_sessions) {
        run_start_alone();
        status = init_process();
    }
    had_sessions = true;
    if (status)
        call_fail(call);
}

/* The group is no use without a session. Should the process end by _exit, or become another program by exec,
 * a checkpoint is what it leaves: made behind this call. */
void session_closing(void)
{
    tracer_lock();
    if (open_sessions > 0 && --open_sessions == 0 && tracer.up && !tracer.connected) {
        PMPI_Group_free(&tracer.world);
        tracer.up = false;
        if (config.checkpoint > 0)
            part_due = 0;
    }
    tracer_unlock();
}

#endif
