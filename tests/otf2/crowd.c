/* SPDX-License-Identifier: BSD-3-Clause */
/* Many messages in each call: more than there are nanoseconds in a rounded time. */
#include <mpi.h>

enum { EACH = 100, RANKS_MAX = 8, ROUNDS = 20 };

int main(int argc, char **argv)
{
    MPI_Request requests[2 * EACH * RANKS_MAX], started[2 * EACH];
    int in[EACH * RANKS_MAX], out[EACH] = {0}, rank, size, next, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 1);
    next = (rank + 1) % size;
    for (int i = 0; i < EACH; i++) {
        MPI_Recv_init(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &started[i]);
        MPI_Send_init(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &started[EACH + i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(2 * EACH, started);
        MPI_Waitall(2 * EACH, started, MPI_STATUSES_IGNORE);
        n = 0;
        for (int peer = 0; peer < size; peer++) {
            for (int i = 0; peer != rank && i < EACH; i++)
                MPI_Irecv(&in[peer * EACH + i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[n++]);
        }
        for (int peer = 0; peer < size; peer++) {
            for (int i = 0; peer != rank && i < EACH; i++)
                MPI_Isend(&out[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[n++]);
        }
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2 * EACH; i++)
        MPI_Request_free(&started[i]);
    MPI_Finalize();
    return 0;
}
