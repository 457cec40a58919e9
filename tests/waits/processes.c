/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with many calls, for `refrain waits` in several processes: a part in which partners and sizes
 * change all the time, and one whose rounds are alike. Times of a rank are more than one block of the file.
 *
 *     processes finish    ends with MPI_Finalize
 *     processes abort     rank 1 aborts in the middle of the first part, shortly after a checkpoint of all ranks */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGING = 9000, ALIKE = 2000, MOST = 64 };

static char in[MOST], out[MOST];

static void compute(unsigned n)
{
    for (volatile unsigned i = 0; i < n; i++)
        ;
}

static void exchange(int rank, int ranks, int round, unsigned dice)
{
    MPI_Request requests[2];
    const int far = 1 + (int)(dice % (unsigned)(ranks - 1)), bytes = 1 + (int)(dice / 16 % MOST);
    MPI_Irecv(in, MOST, MPI_CHAR, dice % 7 ? (rank - far + ranks) % ranks : MPI_ANY_SOURCE, round,
              MPI_COMM_WORLD, &requests[0]);
    compute((dice + (unsigned)rank) % 1000);
    MPI_Isend(out, bytes, MPI_CHAR, (rank + far) % ranks, round, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    const int aborts = argc > 1 && strcmp(argv[1], "abort") == 0;
    unsigned dice = 1;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < CHANGING; i++) {
        dice = dice * 1103515245 + 12345;
        exchange(rank, ranks, i, dice >> 8);
        if (i % 4 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        if (aborts && i == CHANGING / 2)
            usleep(500000);
        if (aborts && rank == 1 && i == CHANGING / 2 + 20)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (int i = 0; i < ALIKE; i++) {
        compute(rank == i % ranks ? 1000 : 10);
        MPI_Sendrecv(out, 8, MPI_CHAR, (rank + 1) % ranks, 1, in, 8, MPI_CHAR, (rank + ranks - 1) % ranks, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
