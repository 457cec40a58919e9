/* SPDX-License-Identifier: BSD-3-Clause */
/* For requests.sh: completes N requests (an even number) with each of these functions, whose rows have thousands of
 * values.
 *
 *     requests N            once
 *     requests N ROUNDS     receives of messages that come in random order; prints the peak of each process's memory,
 *                           in KB, after MPI_Finalize */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

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

/* Sends n messages to the other process, in random order, and sees after each one which have come from there. */
static void exchange(int n, int other)
{
    int order[MOST], done;
    for (int i = 0; i < n; i++) {
        const int k = rand() % (i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < n; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < n; i++) {
        MPI_Send(&i, 1, MPI_INT, other, order[i], MPI_COMM_WORLD);
        MPI_Testsome(n, requests, &done, indices, statuses);
    }
    MPI_Waitall(n, requests, statuses);
}

static void print_peak(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("peak %ld\n", used.ru_maxrss);
}

int main(int argc, char **argv)
{
    int rank, flag, index;
    const int n = argc > 1 ? atoi(argv[1]) : MOST;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srand((unsigned)rank);
    for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
        exchange(n, 1 - rank);
    if (argc > 2) {
        MPI_Finalize();
        print_peak();
        return 0;
    }
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
