/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what `refrain stat` counts if buffers are both sent and received, or too short. Rank 0
 * prints the expected values of each function for all ranks; tests/mpi/volumes.sh compares:
 *
 *     MPI_Allreduce  sent=48  received=96 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { INT = sizeof(int), N = 4 };

static int rank, size;

static void say(const char *function, long sent, long received)
{
    if (rank == 0)
        printf("%s  sent=%ld  received=%ld\n", function, sent, received);
}

static int *buffer(void)
{
    int *b = calloc((size_t)(N * size * size), INT);
    if (!b)
        abort();
    return b;
}

/* Each function with its own buffer, and in place. */
static void reductions(void)
{
    int *in = buffer(), *out = buffer();
    int *counts = buffer();
    long all = 0;
    for (int i = 0; i < size; i++)
        all += counts[i] = i + 1;

    MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Allreduce", (long)size * N * INT, 2L * size * N * INT);

    MPI_Reduce(in, out, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : in, out, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    say("MPI_Reduce", (2L * size - 1) * N * INT, 2L * N * INT);

    MPI_Scan(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Scan", (long)size * N * INT, 2L * size * N * INT);

    MPI_Exscan(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(MPI_IN_PLACE, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Exscan", (long)size * N * INT, 2L * size * N * INT);

    MPI_Reduce_scatter_block(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Reduce_scatter_block", (long)size * size * N * INT, 2L * size * N * INT);

    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Reduce_scatter", size * all * INT, 2L * all * INT);
    free(in);
    free(out);
    free(counts);
}

/* With one count for all members, and with a count for each; also in place. */
static void of_each(void)
{
    const long part = N * INT, buffers = (long)size * part;
    int *in = buffer(), *out = buffer();
    int *counts = buffer(), *places = buffer();
    for (int i = 0; i < size; i++) {
        counts[i] = N;
        places[i] = i * N;
    }
    MPI_Gather(in, N, MPI_INT, out, N, MPI_INT, size - 1, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : in, N, MPI_INT, out, N, MPI_INT, 0, MPI_COMM_WORLD);
    say("MPI_Gather", 2 * buffers - part, 2 * buffers);
    MPI_Gatherv(in, N, MPI_INT, out, counts, places, MPI_INT, size - 1, MPI_COMM_WORLD);
    say("MPI_Gatherv", buffers, buffers);

    MPI_Scatter(in, N, MPI_INT, out, N, MPI_INT, 0, MPI_COMM_WORLD);
    say("MPI_Scatter", buffers, buffers);
    MPI_Scatterv(in, counts, places, MPI_INT, out, N, MPI_INT, 0, MPI_COMM_WORLD);
    say("MPI_Scatterv", buffers, buffers);

    MPI_Allgather(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    say("MPI_Allgather", buffers, 2 * size * buffers);
    MPI_Allgatherv(in, N, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD);
    say("MPI_Allgatherv", buffers, size * buffers);

    MPI_Alltoall(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD);
    say("MPI_Alltoall", size * buffers, size * buffers);
    MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD);
    say("MPI_Alltoallv", size * buffers, size * buffers);
    free(in);
    free(out);
    free(counts);
    free(places);
}

/* On other communicators: one of some of the ranks, and one between rank 0 and the others. */
static void of_groups(void)
{
    const int first = rank == 0, others = size - 1, remote = first ? others : 1;
    const long part = N * INT;
    int *in = buffer(), *out = buffer();
    MPI_Comm group, both;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, first, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, first ? 1 : 0, 0, &both);

    MPI_Iallgather(in, N, MPI_INT, out, N, MPI_INT, group, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("MPI_Iallgather", size * part, (1L + others * others) * part);

    MPI_Ialltoall(in, N, MPI_INT, out, N, MPI_INT, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("MPI_Ialltoall", 2L * others * part, 2L * others * part);

    MPI_Igather(in, N, MPI_INT, out, N, MPI_INT, first ? MPI_ROOT : 0, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("MPI_Igather", others * part, others * part);

    /* Each process sends as much as its own group receives. */
    MPI_Ireduce_scatter_block(in, out, N * remote, MPI_INT, MPI_SUM, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("MPI_Ireduce_scatter_block", (long)size * others * part, 2L * others * part);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    free(in);
    free(out);
}

/* The first receive is too short for its message, the second is not. (On Open MPI, a process that
 * sends to itself gets no error.) */
static void truncated(void)
{
    int in[2][2], out[N] = {0};
    char word[2] = "", other[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], 2, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(out, N, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Send(out, 2, MPI_INT, right, 2, MPI_COMM_WORLD);
    /* A later message has arrived, so both have. */
    MPI_Sendrecv(word, 2, MPI_CHAR, right, 3, other, 2, MPI_CHAR, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (MPI_Waitall(2, requests, statuses) != MPI_ERR_IN_STATUS)
        abort();
    /* MPICH leaves the second one pending after the first one has failed. */
    const long one = statuses[1].MPI_ERROR == MPI_SUCCESS ? 2L * INT : 0;
    long all;
    PMPI_Allreduce(&one, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    say("MPI_Waitall", 0, all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    reductions();
    of_each();
    of_groups();
    truncated();
    MPI_Finalize();
    return 0;
}
