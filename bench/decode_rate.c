/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs for bench/decode_rate.sh, which reads their traces: they make many calls in a few seconds.
 *
 *     decode_rate CASE N */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 64 };

static int rank, size;

/* Collectives that always have the same arguments, except for the root. */
static void collectives(int n)
{
    int counts[RANKS_MAX], places[RANKS_MAX];
    double in[RANKS_MAX] = {0}, out[RANKS_MAX];
    for (int k = 0; k < size; k++)
        counts[k] = 1, places[k] = k;
    for (int i = 0; i < n; i++) {
        MPI_Bcast(in, 4, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
        MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Alltoallv(in, counts, places, MPI_DOUBLE, out, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Messages whose length and tag count up and start again. */
static void lengths(int n)
{
    static char to[1000], from[1000];
    for (int i = 0; i < n; i++) {
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(from, 1000, MPI_CHAR, rank, i, MPI_COMM_WORLD, &request);
        MPI_Send(to, i % 1000, MPI_CHAR, rank, i, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
    }
}

/* One call site sends to the rank itself and to MPI_PROC_NULL, with lengths that count up at
 * different rates. */
static void alternating(int n)
{
    static char to[1000], from[1000];
    static volatile int messages = 2; /* volatile, so that the compiler keeps a single call */
    for (int i = 0; i < n; i++) {
        MPI_Request request;
        MPI_Irecv(from, 1000, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &request);
        for (int k = 0; k < messages; k++)
            MPI_Send(to, k == 0 ? i % 1000 : i, MPI_CHAR, k == 0 ? rank : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static const struct {
    const char *name;
    void (*run)(int n);
} cases[] = {{"collectives", collectives}, {"lengths", lengths}, {"alternating", alternating}};

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; n > 0 && size <= RANKS_MAX && i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run(n);
    }
    MPI_Finalize();
    return n > 0 && size <= RANKS_MAX ? 0 : 2;
}
