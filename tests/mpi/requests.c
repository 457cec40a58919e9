/* SPDX-License-Identifier: BSD-3-Clause */
/* For requests.sh: completes N requests (an even number) with each of these functions, whose rows have thousands of
 * values. */
#include <mpi.h>
#include <stdlib.h>

#define MOST 2200

static MPI_Request requests[MOST];
static MPI_Status statuses[MOST];
static int values[MOST], indices[MOST];

static void begin(int n, int other)
{
    for (int i = 0; i < n / 2; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = n / 2; i < n; i++)
        MPI_Isend(&values[i], 1, MPI_INT, other, i - n / 2, MPI_COMM_WORLD, &requests[i]);
}

int main(int argc, char **argv)
{
    int rank, flag, index;
    const int n = argc > 1 ? atoi(argv[1]) : MOST;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin(n, 1 - rank);
    MPI_Waitall(n, requests, statuses);
    begin(n, 1 - rank);
    for (int left = n, done; left > 0; left -= done)
        MPI_Waitsome(n, requests, &done, indices, statuses);
    begin(n, 1 - rank);
    for (int left = n; left > 0; left -= flag)
        MPI_Testany(n, requests, &index, &flag, statuses);
    MPI_Finalize();
    return 0;
}
