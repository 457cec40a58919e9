/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that the MPI library does not survive (MPI_ERRORS_ARE_FATAL, the default). The library
 * ends the process within the call, and with one of the two libraries the launcher kills the
 * process at the same moment. So the tracer interposes an internal procedure of the library that
 * every fatal error passes through.
 *
 * Only librefrain.so has these symbols: together with a statically linked MPI library they would be
 * defined twice (src/local.mk). Programs linked with librefrain.a keep the calls up to the last
 * checkpoint. */
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

/* Store the address of the library's procedure of that name in the pointer to which `procedure`
 * points. */
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

/* All fatal errors pass through this procedure, MPI_Abort included. In Open MPI an error code is
 * its own class. MPI_Error_class is not called, since it ends the program if it is given an invalid
 * code, which MPI_Abort may be. */
GUARD_EXPORT int ompi_mpi_abort(MPI_Comm comm, int code);

GUARD_EXPORT int ompi_mpi_abort(MPI_Comm comm, int code)
{
    int (*next)(MPI_Comm, int);
    ending_write_last("MPI error", code);
    find("ompi_mpi_abort", &next);
    return next(comm, code);
}

#elif defined MPICH_VERSION

/* Each procedure passes its error here, with the object that it concerns (NULL: none). The object's
 * error handler decides what follows, or that of MPI_COMM_WORLD if the object has none. Objects
 * begin with their handle.
 *
 *     handler of the object      MPI_COMM_WORLD's      the error
 *     returns, or a function     any                   is returned
 *     fatal                      fatal                 is fatal
 *     fatal                      returns …             unknown: MPI also reports `fatal` for no handler
 *     (no object)                fatal, or not         is fatal, or not
 *
 * With MPI_THREAD_MULTIPLE no handler can be queried: the procedure still holds the library's lock,
 * which is not recursive. If the outcome is unknown, a checkpoint is made, which has all calls but
 * the open ones. The wait for other threads is short, since a thread inside the tracer may want the
 * library's lock. */
#define PAUSE_MS 20

GUARD_EXPORT int MPIR_Err_return_comm(const int *comm, const char *procedure, int code);
GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code);

/* Type of PMPI_Comm_get_errhandler, PMPI_Win_get_errhandler. */
typedef int (*asking)(int object, MPI_Errhandler *handler);

/* Whether the object's handler is fatal. True if that is unknown. */
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
    if (inside || !ending_matters())  /* before MPI_Init, a query would end the program */
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

/* Without a window, the library itself calls MPIR_Err_return_comm. */
GUARD_EXPORT int MPIR_Err_return_win(const int *win, const char *procedure, int code)
{
    int (*next)(const int *, const char *, int);
    if (win)
        look(PMPI_Win_get_errhandler, win, code);
    find("MPIR_Err_return_win", &next);
    return next(win, procedure, code);
}

#endif
