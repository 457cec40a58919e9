/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* Queries about a session and its process sets, its error handlers, and intercommunicators of
 * groups. With a library older than MPI 4.0, this program checks only its own start and end. */
#include "expect.h"

#include <stddef.h>

#if MPI_VERSION >= 4

static MPI_Session session; /* session0 */
static int handled;         /* calls of the error handler */

/* Asks for the name of each process set, first for its length. */
static void sets(void)
{
    MPI_Info info;
    int n;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
    OK("MPI_Session_get_num_psets(session=session0, info=MPI_INFO_NULL, npset_names=%d)", n);
    for (int i = 0; i < n; i++) {
        char name[MPI_MAX_PSET_NAME_LEN];
        int length = 0;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        OK("MPI_Session_get_nth_pset(session=session0, info=MPI_INFO_NULL, n=%d, pset_len=0->%d, "
           "pset_name=unused)",
           i, length);
        const int room = length;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        OK("MPI_Session_get_nth_pset(session=session0, info=MPI_INFO_NULL, n=%d, pset_len=%d, pset_name=%s)",
           i, room, quoted(name));
        MPI_Session_get_pset_info(session, name, &info);
        OK("MPI_Session_get_pset_info(session=session0, pset_name=%s, info=info0)", quoted(name));
        MPI_Info_free(&info);
        OK("MPI_Info_free(info=info0)");
    }
    MPI_Session_get_info(session, &info);
    OK("MPI_Session_get_info(session=session0, info_used=info1)");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info1)");
}

static void count_errors(MPI_Session *at, int *code, ...)
{
    (void)at, (void)code;
    handled++;
}

static void handlers(void)
{
    MPI_Errhandler handler, got;
    MPI_Session_get_errhandler(session, &got);
    const char *name = got == MPI_ERRORS_RETURN ? "MPI_ERRORS_RETURN" : "MPI_ERRORS_ARE_FATAL";
    /* MPICH 4.0 has forgotten it */
    OK("MPI_Session_get_errhandler(session=session0, errhandler=%s)", name);
    MPI_Errhandler_free(&got);
    OK("MPI_Errhandler_free(errhandler=%s)", name);
    MPI_Session_create_errhandler(count_errors, &handler);
    OK("MPI_Session_create_errhandler(session_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Session_set_errhandler(session, handler);
    OK("MPI_Session_set_errhandler(session=session0, errhandler=errhandler0)");
    int code = MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    EXPECT("MPI_Session_call_errhandler(session=session0, errorcode=MPI_ERR_OTHER) = %s", result_text(code));
    if (handled != 1)
        EXPECT("the error handler should have been called");
    MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
    OK("MPI_Session_set_errhandler(session=session0, errhandler=MPI_ERRORS_RETURN)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
}

/* Rank 0 on one side, the other ranks on the other. */
static void groups(void)
{
    MPI_Group all, sides[2];
    MPI_Comm between;
    const int first = 0, mine = rank > 0;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    OK("MPI_Group_from_session_pset(session=session0, pset_name=\"mpi://WORLD\", newgroup=group0)");
    MPI_Group_incl(all, 1, &first, &sides[0]);
    OK("MPI_Group_incl(group=group0, n=1, ranks=[0], newgroup=group1)");
    MPI_Group_excl(all, 1, &first, &sides[1]);
    OK("MPI_Group_excl(group=group0, n=1, ranks=[0], newgroup=group2)");
    MPI_Intercomm_create_from_groups(sides[mine], 0, sides[!mine], 0, "sides", MPI_INFO_NULL,
                                     MPI_ERRORS_RETURN, &between);
    OK("MPI_Intercomm_create_from_groups(local_group=group%d, local_leader=0, remote_group=group%d, "
       "remote_leader=0, stringtag=\"sides\", info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, "
       "newintercomm=comm0)",
       1 + mine, 2 - mine);
    MPI_Barrier(between);
    OK("MPI_Barrier(comm=comm0)");
    MPI_Comm_free(&between);
    OK("MPI_Comm_free(comm=comm0)");
    for (int i = 0; i < 2; i++) {
        MPI_Group_free(&sides[i]);
        OK("MPI_Group_free(group=group%d)", 1 + i);
    }
    MPI_Group_free(&all);
    OK("MPI_Group_free(group=group0)");
}

static void queries(void)
{
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    OK("MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, session=session0)");
    sets();
    handlers();
    groups();
    MPI_Session_finalize(&session);
    OK("MPI_Session_finalize(session=session0)");
}

#else

static void queries(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    queries();
    return expect_end();
}
