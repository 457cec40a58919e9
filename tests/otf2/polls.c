/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests without success, in a number that the program knows: a tested request cannot be complete,
 * because its sender waits for a message; and collective operations whose roots are known late, or
 * by MPI_ROOT. */
#include "tell.h"

#include <mpi.h>

enum { MANY = 3 };

static int rank, size;

/* The last rank sends after all others have tested. */
static void messages(void)
{
    MPI_Request r[MANY], odd;
    MPI_Status statuses[MANY];
    int in[MANY], flag, n, index, indices[MANY];
    const int last = size - 1;
    if (rank == last) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int to = 0; to < last; to++) {
            for (int i = 0; i < MANY; i++)
                MPI_Send(&i, 1, MPI_INT, to, i, MPI_COMM_WORLD);
        }
        return;
    }
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &r[i]);
    MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);     /* 1 */
    MPI_Request_get_status(r[1], &flag, statuses); /* 1 */
    MPI_Testall(MANY, r, &flag, statuses);         /* MANY */
    MPI_Testany(MANY, r, &index, &flag, statuses); /* MANY */
    MPI_Testsome(MANY, r, &n, indices, statuses);  /* MANY */
    odd = r[2];
    r[2] = MPI_REQUEST_NULL;
    MPI_Testall(MANY, r, &flag, statuses); /* one less */
    r[2] = odd;
    TELL(MPI_REQUEST_TEST, 1 + 1 + 3 * MANY + MANY - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE);
    MPI_Testall(MANY, r, &flag, statuses); /* nothing is active */
    TELL(MPI_IRECV, MANY);
}

/* Tests of a persistent request count only while it is active. */
static void persistent(void)
{
    MPI_Request r;
    int in, flag;
    const int last = size - 1;
    if (rank == last) {
        for (int round = 0; round < 2; round++) {
            MPI_Barrier(MPI_COMM_WORLD);
            for (int to = 0; to < last; to++)
                MPI_Send(&round, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
        }
        return;
    }
    MPI_Recv_init(&in, 1, MPI_INT, last, 9, MPI_COMM_WORLD, &r);
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&r);
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        TELL(MPI_REQUEST_TEST, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        TELL(MPI_IRECV, 1);
    }
    MPI_Request_free(&r);
}

/* A barrier that one process has not entered. */
static void collective(void)
{
    MPI_Request r;
    int flag, token = 0;
    if (rank == size - 1) {
        for (int i = 0; i < size - 1; i++)
            MPI_Recv(&token, 1, MPI_INT, i, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        TELL(MPI_REQUEST_TEST, 1);
        MPI_Send(&token, 1, MPI_INT, size - 1, 11, MPI_COMM_WORLD);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    TELL(NON_BLOCKING_COLLECTIVE_COMPLETE, 1);
}

/* Rooted persistent collective operations, if the library has them: on MPI_COMM_WORLD, and on a
 * communicator with reversed ranks. */
static void rooted(void)
{
#if MPI_VERSION >= 4
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    const MPI_Comm comms[] = {MPI_COMM_WORLD, reversed};
    for (int c = 0; c < 2; c++) {
        MPI_Request r[3];
        int value = rank, sum, *all = calloc((size_t)size, sizeof *all);
        MPI_Bcast_init(&value, 1, MPI_INT, size - 1, comms[c], MPI_INFO_NULL, &r[0]);
        MPI_Reduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, comms[c], MPI_INFO_NULL, &r[1]);
        MPI_Gather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, 1 % size, comms[c], MPI_INFO_NULL, &r[2]);
        for (int i = 0; i < 4; i++) {
            MPI_Startall(3, r);
            MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
            TELL(NON_BLOCKING_COLLECTIVE_COMPLETE, 3);
        }
        for (int i = 0; i < 3; i++)
            MPI_Request_free(&r[i]);
        free(all);
    }
    MPI_Comm_free(&reversed);
#endif
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    persistent();
    collective();
    rooted();
    MPI_Finalize();
    tell_all();
    return 0;
}
