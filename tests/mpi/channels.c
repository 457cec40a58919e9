/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that differ only in their communicators (tests/mpi/model.sh): they are received in
 * another order than they were sent, with the same tag between the same two ranks.
 *
 *     mpirun -n 4 ./channels */
#include <mpi.h>

enum { TAG = 5, TIMES = 20 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm twin, half, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, TAG, &between);

    /* From rank 0 to 2, and from 1 to 3; these are ranks 0 and 1 of the halves. */
    for (int i = 0; i < TIMES; i++) {
        if (rank < 2) {
            MPI_Send(&value, 1, MPI_INT, rank + 2, TAG, MPI_COMM_WORLD);
            MPI_Send(&value, 1, MPI_INT, rank + 2, TAG, twin);
            MPI_Send(&value, 1, MPI_INT, 1, TAG, half);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, TAG, half, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, rank - 2, TAG, twin, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, rank - 2, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    /* From rank 0 to 1, which is rank 0 of the other group. */
    for (int i = 0; i < TIMES; i++) {
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
            MPI_Send(&value, 1, MPI_INT, 0, TAG, between);
        } else if (rank == 1) {
            MPI_Recv(&value, 1, MPI_INT, 0, TAG, between, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
