/* SPDX-License-Identifier: BSD-3-Clause */
/* Rooted collective operations between two groups of different sizes. Each process prints only
 * what it sends and receives in them, in bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N     3
#define BYTES ((long)(N * sizeof(int)))

static long sent, received;

static void operations(MPI_Comm between, int first, int me, int others)
{
    int own[N] = {0}, *all = calloc((size_t)others * N, sizeof *all);
    /* From number 1 of the first group to the second group. */
    const int down = !first ? 1 : me == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(own, N, MPI_INT, down, between);
    MPI_Scatter(all, N, MPI_INT, own, N, MPI_INT, down, between);
    if (!first)
        received += 2 * BYTES;
    else if (me == 1)
        sent += BYTES + others * BYTES;
    /* From the second group to number 0 of the first group. */
    const int up = !first ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Reduce(own, all, N, MPI_INT, MPI_SUM, up, between);
    MPI_Gather(own, N, MPI_INT, all, N, MPI_INT, up, between);
    if (!first)
        sent += 2 * BYTES;
    else if (me == 0)
        received += BYTES + others * BYTES;
    free(all);
}

int main(int argc, char **argv)
{
    int rank, size, me, others;
    MPI_Comm half, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int first = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, first, -rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? size - 1 : 1, 1, &between);
    MPI_Comm_rank(between, &me);
    MPI_Comm_remote_size(between, &others);
    for (int i = 0; i < 4; i++)
        operations(between, first, me, others);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    printf("sent %ld\nreceived %ld\n", sent, received);
    return 0;
}
