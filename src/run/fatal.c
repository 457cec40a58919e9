/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that the MPI library does not survive (MPI_ERRORS_ARE_FATAL, the default): it ends the process from
 * within the call, and on one of the two libraries the launcher kills it at the same moment. So the library's
 * own procedure on that way is stepped in front of, as its other procedures are, and passed on to.
 *
 * Only librefrain.so has these symbols: beside an MPI library that is linked statically they would be there
 * twice (src/local.mk). Programs linked with librefrain.a keep what was recorded up to the last checkpoint.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "ending.h"
#include "part.h"
#include "src/core/base/log.h"
#include "src/memory/guard.h"
#include "src/record/checkpoint_due.h"
#include "src/record/tracer.h"

/* The library's procedure of that name, into a pointer to it. */
static void find(const char *name, void *procedure)
{
    void **to = procedure;
    *to = dlsym(RTLD_NEXT, name);
    if (!*to) {
        log_error("the MPI library ends the program, but has no %s", name);
        abort();
    }
}

#if defined OPEN_MPI

/* Where all that is fatal goes through, MPI_Abort included. The library's error codes are their classes here;
 * MPI_Error_class is no help, since it ends the program by itself on what MPI_Abort may be given. */
GUARD_EXPORT int ompi_mpi_abort(MPI_Comm comm, int code);

GUARD_EXPORT int ompi_mpi_abort(MPI_Comm comm, int code)
{
    int (*next)(MPI_Comm, int);
    ending_write("MPI error", code);
    find("ompi_mpi_abort", &next);
    return next(comm, code);
}

#elif defined MPICH_VERSION

/* Each procedure passes its error here, with the object that it happened on (NULL: none, which is as on
 * MPI_COMM_WORLD); what the object's error handler does about it follows. Objects begin with their handle.
 *
 * Which handler that is can be asked here unless MPI_THREAD_MULTIPLE is provided: then the procedure has the
 * library's lock still, which may not be taken twice. So the first error is taken for one that may be fatal,
 * and a checkpoint made: all but the calls that are open. Another thread may be inside the tracer and want
 * the library's lock, so it is not waited for long. */
#define PAUSE_MS 20

GUARD_EXPORT int MPIR_Err_return_comm(const int *comm, const char *procedure, int code);
GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code);

static _Thread_local bool asking; /* that may be an error, too */

static bool may_ask(void)
{
    static atomic_flag had_error = ATOMIC_FLAG_INIT;
    if (asking || !ending_matters()) /* before MPI_Init asking ends the program */
        return false;
    if (tracer.threads != MPI_THREAD_MULTIPLE)
        return true;
    if (atomic_load(&checkpoint_due) != CHECKPOINT_NEVER && !atomic_flag_test_and_set(&had_error) &&
        threads_pause(PAUSE_MS)) {
        if (atomic_load(&tracer.state) == TRACER_RECORDING)
            part_checkpoint();
        threads_resume();
    }
    return false;
}

static void look(int result, MPI_Errhandler handler, int code)
{
    if (result != MPI_SUCCESS || handler == MPI_ERRORS_ARE_FATAL
#ifdef MPI_ERRORS_ABORT
        || handler == MPI_ERRORS_ABORT
#endif
    ) {
        int class;
        ending_write("MPI error", PMPI_Error_class(code, &class) == MPI_SUCCESS ? class : code);
    } else if (handler != MPI_ERRORS_RETURN) {
        PMPI_Errhandler_free(&handler);
    }
}

GUARD_EXPORT int MPIR_Err_return_comm(const int *comm, const char *procedure, int code)
{
    int (*next)(const int *, const char *, int);
    if (may_ask()) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        asking = true;
        const int result = PMPI_Comm_get_errhandler(comm ? *comm : MPI_COMM_WORLD, &handler);
        look(result, handler, code);
        asking = false;
    }
    find("MPIR_Err_return_comm", &next);
    return next(comm, procedure, code);
}

GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code)
{
    int (*next)(const int *, const char *, int);
    if (win && may_ask()) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        asking = true;
        const int result = PMPI_Win_get_errhandler(*win, &handler);
        look(result, handler, code);
        asking = false;
    }
    find("MPIR_Err_return_win", &next);
    return next(win, procedure, code);
}

#endif
