/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 */
/* MPI through sessions, without MPI_Init: two overlapping ones, each with its own communicators,
 * and calls before the first and after the last. With a library older than MPI 4.0, this program
 * checks only its own start and end. */
#include "expect.h"

#if MPI_VERSION >= 4

static MPI_Comm open_session(MPI_Session *session, int n)
{
    int groups, own_rank;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session);
    OK("MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, session=session%d)", n);
    MPI_Session_get_num_psets(*session, MPI_INFO_NULL, &groups);
    OK("MPI_Session_get_num_psets(session=session%d, info=MPI_INFO_NULL, npset_names=%d)", n, groups);
    MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
    OK("MPI_Group_from_session_pset(session=session%d, pset_name=\"mpi://WORLD\", newgroup=group0)", n);
    MPI_Group_rank(group, &own_rank);
    OK("MPI_Group_rank(group=group0, rank=%d)", own_rank);
    MPI_Comm_create_from_group(group, n ? "second" : "first", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    OK("MPI_Comm_create_from_group(group=group0, stringtag=\"%s\", info=MPI_INFO_NULL, "
       "errhandler=MPI_ERRORS_RETURN, "
       "newcomm=comm%d)",
       n ? "second" : "first", n);
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=group0)");
    return comm;
}

static void close_session(MPI_Session *session, MPI_Comm *comm, int n)
{
    MPI_Comm_free(comm);
    OK("MPI_Comm_free(comm=comm%d)", n);
    MPI_Session_finalize(session);
    OK("MPI_Session_finalize(session=session%d)", n);
}

int main(int argc, char **argv)
{
    MPI_Session sessions[2];
    MPI_Comm comms[2], half;
    int flag, x;
    expect_open(argc, argv);
    MPI_Initialized(&flag);
    OK("MPI_Initialized(flag=0)");
    for (int i = 0; i < 2; i++)
        comms[i] = open_session(&sessions[i], i);
    PMPI_Comm_rank(comms[0], &rank);
    PMPI_Comm_size(comms[0], &size);
    for (int i = 0; i < 2; i++) {
        x = rank;
        MPI_Bcast(&x, 1, MPI_INT, size - 1, comms[i]);
        OK("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=%d, comm=comm%d)", size - 1, i);
    }
    MPI_Comm_split(comms[1], rank % 2, 0, &half);
    OK("MPI_Comm_split(comm=comm1, color=%d, key=0, newcomm=comm%d)", rank % 2, 2 + rank % 2);
    MPI_Barrier(half);
    OK("MPI_Barrier(comm=comm%d)", 2 + rank % 2);
    MPI_Comm_free(&half);
    OK("MPI_Comm_free(comm=comm%d)", 2 + rank % 2);
    for (int i = 0; i < 2; i++)
        close_session(&sessions[i], &comms[i], i);
    MPI_Finalized(&flag);
    OK("MPI_Finalized(flag=%d)", flag);
    return expect_close();
}

#else

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    return expect_end();
}

#endif
