/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations of several threads, in an order that the program knows and a trace without
 * times does not contain: tests/mpi/matching.sh expects no complaint.
 *
 * First the main thread makes some on MPI_COMM_WORLD, then an executor that is created after them.
 * Then several threads at the same time repeatedly create communicators of the same processes, each
 * with its own tag. On each rank they begin in another order, with other calls in between. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 100, THREADS = 3, LIVES = 20 };

static int rank, size;
static MPI_Group everybody;

static void *execute(void *unused)
{
    int sum;
    for (int i = 0; i < ROUNDS; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return unused;
}

static void *live(void *argument)
{
    const int tag = *(int *)argument;
    for (int i = 0; i < LIVES; i++) {
        MPI_Comm comm;
        int in = rank, out;
        usleep((useconds_t)(rand() % 1000));
        MPI_Comm_create_group(MPI_COMM_WORLD, everybody, tag, &comm);
        if (tag == 0)
            MPI_Barrier(comm);
        else if (tag == 1)
            MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MAX, comm);
        else
            MPI_Bcast(&in, 1, MPI_INT, 0, comm);
        MPI_Comm_free(&comm);
    }
    return NULL;
}

static void begin(pthread_t *thread, void *(*what)(void *), void *argument)
{
    if (pthread_create(thread, NULL, what, argument) != 0)
        abort();
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int tags[THREADS], level, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 3);
    srand((unsigned)rank);
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < rank; k++)
            MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Bcast(&value, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    begin(&threads[0], execute, NULL);
    pthread_join(threads[0], NULL);
    for (int t = 0; t < THREADS; t++) {
        tags[t] = (t + rank) % THREADS;
        begin(&threads[t], live, &tags[t]);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    MPI_Group_free(&everybody);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
