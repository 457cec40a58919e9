/* SPDX-License-Identifier: BSD-3-Clause */
/* For scan.sh: loops in loops with bounds that depend on indices, partners that are sometimes
 * MPI_PROC_NULL, and polls with any number of calls. Ranks communicate in pairs. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, flag;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int partner = rank ^ 1, sends = rank % 2 == 0, there = partner < size;
    for (int i = 1; i <= 12; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int j = 1; j <= i; j++) {
            if (there && sends)
                MPI_Send(&value, 1, MPI_INT, partner, 100 + i, MPI_COMM_WORLD);
            else if (there)
                MPI_Recv(&value, 1, MPI_INT, partner, 100 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        /* Every third message goes to MPI_PROC_NULL: the same call, but no event. */
        for (int j = 1; j <= 6; j++) {
            MPI_Send(&value, 0, MPI_INT, j % 3 == 0 ? MPI_PROC_NULL : 0, 7, MPI_COMM_SELF);
            if (j % 3 != 0)
                MPI_Recv(&value, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
        MPI_Irecv(&value, 1, MPI_INT, there ? partner : MPI_PROC_NULL, i, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, there ? partner : MPI_PROC_NULL, i, MPI_COMM_WORLD);
        do
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        while (!flag);
    }
    MPI_Finalize();
    return 0;
}
