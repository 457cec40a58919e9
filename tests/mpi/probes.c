/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives messages of the others that matched probes found: from a known source and from
 * any source, on a communicator with reversed ranks, without blocking, and from MPI_PROC_NULL.
 * tests/mpi/model.sh has the model. */
#include <mpi.h>

enum { ROUNDS = 10 };

static int rank, size, value;

/* It is inlined so that each use is a separate call site: a single site for several communicators
 * would have one message handle for all. */
static inline __attribute__((always_inline)) void receive(int source, int tag, MPI_Comm comm)
{
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(source, tag, comm, &message, &status);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void collect(MPI_Comm reversed)
{
    MPI_Message message;
    MPI_Request request;
    for (int source = 1; source < size; source++)
        receive(source, 7, MPI_COMM_WORLD);
    receive(MPI_ANY_SOURCE, 8, reversed);
    MPI_Mprobe(1, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    receive(MPI_PROC_NULL, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Comm reversed;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0)
            collect(reversed);
        else
            MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Send(&value, 1, MPI_INT, size - 1, 8, reversed);
            MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
