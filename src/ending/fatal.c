/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that the MPI library does not survive (MPI_ERRORS_ARE_FATAL, the default): it ends the process from
 * within the call, and on one of the two libraries the launcher kills it at the same moment. So the library's
 * own procedure on that way is stepped before, as its other procedures are, and passed on to.
 *
 * Only librefrain.so has these symbols: beside an MPI library that is linked statically they would be there
 * twice (src/local.mk). Programs linked with librefrain.a keep what was recorded up to the last checkpoint.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checkpoint.h"
#include "ending.h"
#include "src/part/part.h"
#include "src/core/base/log.h"
#include "src/memory/guard.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

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
    ending_write_last("MPI error", code);
    find("ompi_mpi_abort", &next);
    return next(comm, code);
}

#elif defined MPICH_VERSION

/* Each procedure passes its error here, with the object that it happened on (NULL: none). What follows is up
 * to the object's error handler, or where it has none of its own to that of MPI_COMM_WORLD. Objects begin with
 * their handle.
 *
 *     handler of the object      MPI_COMM_WORLD's      the error
 *     returns, or a function     whatever it is        is returned
 *     fatal                      fatal                 is fatal
 *     fatal                      returns …             may be either: MPI says `fatal` of an object without one
 *     (no object)                fatal, or not         is fatal, or not
 *
 * With MPI_THREAD_MULTIPLE nobody can be asked: the procedure has the library's lock still, which may not be
 * taken twice. Where it may be either, a checkpoint is made: all but the calls that are open. Another thread
 * may be inside the tracer and want the library's lock, so it is not waited for long. */
#define PAUSE_MS 20

GUARD_EXPORT int MPIR_Err_return_comm(const int *comm, const char *procedure, int code);
GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code);

typedef int (*asking)(int object, MPI_Errhandler *handler); /* PMPI_Comm_get_errhandler, or of another kind */

/* Is the object's handler fatal, or is that unknown? */
static bool is_fatal(asking get, int object)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (get(object, &handler) != MPI_SUCCESS || handler == MPI_ERRORS_ARE_FATAL)
        return true;
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    if (handler != MPI_ERRORS_RETURN)
        PMPI_Errhandler_free(&handler);
    return false;
}

static void save(void)
{
    if (config.checkpoint == 0 || !part_may_checkpoint())
        return;
    if (threads_pause(PAUSE_MS)) {
        checkpoint_make();
        threads_resume();
    } else {
        part_took(PAUSE_MS * UINT64_C(1000000));
    }
}

static void look(asking get, const int *object, int code)
{
    static _Thread_local bool inside; /* the query may itself cause an error */
    if (inside || !ending_matters())  /* before MPI_Init asking ends the program */
        return;
    inside = true;
    if (tracer.threads == MPI_THREAD_MULTIPLE) {
        save();
    } else if (!object || is_fatal(get, *object)) {
        int class;
        if (is_fatal(PMPI_Comm_get_errhandler, MPI_COMM_WORLD))
            ending_write_last("MPI error", PMPI_Error_class(code, &class) == MPI_SUCCESS ? class : code);
        else if (object)
            save();
    }
    inside = false;
}

GUARD_EXPORT int MPIR_Err_return_comm(const int *comm, const char *procedure, int code)
{
    int (*next)(const int *, const char *, int);
    look(PMPI_Comm_get_errhandler, comm, code);
    find("MPIR_Err_return_comm", &next);
    return next(comm, procedure, code);
}

/* Without a window the library goes on with MPIR_Err_return_comm. */
GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code)
{
    int (*next)(const int *, const char *, int);
    if (win)
        look(PMPI_Win_get_errhandler, win, code);
    find("MPIR_Err_return_win", &next);
    return next(win, procedure, code);
}

#endif
