/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* A session before MPI_Init: its communicators are created while no process has a rank in
 * MPI_COMM_WORLD. With a library older than MPI 4.0, this program checks only its own start and
 * end. */
#include "expect.h"

#if MPI_VERSION >= 4

static MPI_Session session;
static MPI_Comm comm;

static void open_session(void)
{
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    OK("MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, session=session0)");
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    OK("MPI_Group_from_session_pset(session=session0, pset_name=\"mpi://WORLD\", newgroup=group0)");
    MPI_Comm_create_from_group(group, "refrain", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    OK("MPI_Comm_create_from_group(group=group0, stringtag=\"refrain\", info=MPI_INFO_NULL, "
       "errhandler=MPI_ERRORS_RETURN, newcomm=comm0)");
    MPI_Barrier(comm);
    OK("MPI_Barrier(comm=comm0)");
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=group0)");
}

static void close_session(void)
{
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm0)");
    MPI_Session_finalize(&session);
    OK("MPI_Session_finalize(session=session0)");
}

#else

static void open_session(void)
{
}

static void close_session(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_open(argc, argv);
    open_session();
    const char *arguments = quoted_list(argc, argv);
    MPI_Init(&argc, &argv);
    OK("MPI_Init(argc=%d, argv=%s)", argc, arguments);
    expect_world();
    close_session();
    return expect_end();
}
