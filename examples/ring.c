/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes around a ring of processes a few times; each adds its rank. The smallest program worth
 * tracing:
 *
 *     mpirun -n 4 refrain record -o ring.refrain ./ring [ROUNDS]
 *     refrain text --rank 0 ring.refrain */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    int token = 0;
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            MPI_Send(&token, 1, MPI_INT, right, round, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, left, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_INT, left, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token += rank;
            MPI_Send(&token, 1, MPI_INT, right, round, MPI_COMM_WORLD);
        }
    }

    if (rank == 0)
        printf("after %d rounds on %d processes the token is %d\n", rounds, size, token);
    MPI_Finalize();
    return 0;
}
