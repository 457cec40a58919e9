/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations in an executor thread that only some ranks have: it begins after the main
 * thread's first calls and is joined before its last. Many are of the same kind, so only the order
 * of threads identifies an operation; tests/mpi/matching.sh expects no complaint. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { BEFORE = 100, WITHIN = 20, BEHIND = 30 };

static int rank;

static void meet(int times)
{
    for (int i = 0; i < times; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void *execute(void *unused)
{
    int sum;
    meet(WITHIN);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t executor;
    int level, value = 0, sum;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 3);
    meet(BEFORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank % 2 == 1) {
        execute(NULL);
    } else {
        if (pthread_create(&executor, NULL, execute, NULL) != 0)
            abort();
        pthread_join(executor, NULL);
    }
    meet(BEHIND);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
