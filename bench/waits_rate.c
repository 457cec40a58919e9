/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs for bench/waits_rate.sh:
 *
 *     waits_rate alltoall N      N times all processes exchange with all others, and agree on a sum
 *     waits_rate random N        N times each process sends to another one, who it is changes each time */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64, PROCESSES_MOST = 256 };

static void alltoall(long n, int size)
{
    static char from[BYTES * PROCESSES_MOST], to[BYTES * PROCESSES_MOST];
    for (long i = 0; i < n; i++) {
        int one = 1, sum;
        MPI_Alltoall(from, BYTES, MPI_CHAR, to, BYTES, MPI_CHAR, MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != size)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* All processes draw the same numbers: by how much the receiver's rank is higher. */
static void random_partners(long n, int rank, int size)
{
    unsigned state = 1;
    char out[BYTES] = {0}, in[BYTES];
    for (long i = 0; i < n; i++) {
        MPI_Request requests[2];
        state = state * 1664525u + 1013904223u;
        const int shift = (int)((state >> 16) % (unsigned)size);
        MPI_Irecv(in, BYTES, MPI_CHAR, (rank + size - shift) % size, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, BYTES, MPI_CHAR, (rank + shift) % size, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3 || size > PROCESSES_MOST) {
        fprintf(stderr, "usage: waits_rate alltoall|random N, on at most %d processes\n", PROCESSES_MOST);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(argv[1], "alltoall") == 0)
        alltoall(atol(argv[2]), size);
    else
        random_partners(atol(argv[2]), rank, size);
    MPI_Finalize();
    return 0;
}
