/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* MPI_THREAD_MULTIPLE: one thread frees a communicator while another creates one. On some processes
 * the first event is earlier, on the others the second. Nothing orders the two, but a communicator
 * must have the same name everywhere.
 *
 *     even ranks, thread 1   free ──┐              odd ranks, thread 1                ┌── free
 *                 thread 0          └── make                   thread 0   make ───────┘ */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "expect.h"

enum { ROUNDS = 3, PATIENCE_MS = 2000 };

static pthread_barrier_t barrier;
static atomic_bool freed, made;
static MPI_Comm first; /* created by thread 0, freed by thread 1 */
static MPI_Group everybody;

/* If the other event waits for another process, it comes later. */
static void await(atomic_bool *event)
{
    for (int i = 0; i < PATIENCE_MS && !atomic_load(event); i++)
        usleep(1000);
}

static void duplicate(MPI_Comm *comm, int number)
{
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm%d)", number);
}

static void of_group(MPI_Comm *comm, int number)
{
    MPI_Comm_create_group(MPI_COMM_WORLD, everybody, 5, comm);
    OK("MPI_Comm_create_group(" WORLD ", group=group0, tag=5, newcomm=comm%d)", number);
}

static void (*const ways[])(MPI_Comm *, int) = {duplicate, of_group};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void use(MPI_Comm comm, int number)
{
    int x = rank;
    MPI_Bcast(&x, 1, MPI_INT, 0, comm);
    OK("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=0, comm=comm%d)", number);
}

/* Thread 1. */
static void *frees(void *unused)
{
    expect_thread(1);
    for (int i = 0; i < WAYS * ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        if (rank % 2 == 1)
            await(&made);
        MPI_Comm_free(&first);
        OK("MPI_Comm_free(comm=comm%d)", 2 * i);
        atomic_store(&freed, true);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static void makes(void (*make)(MPI_Comm *, int), int i)
{
    MPI_Comm second;
    atomic_store(&freed, false);
    atomic_store(&made, false);
    make(&first, 2 * i);
    use(first, 2 * i);
    pthread_barrier_wait(&barrier);
    if (rank % 2 == 0)
        await(&freed);
    make(&second, 2 * i + 1);
    atomic_store(&made, true);
    use(second, 2 * i + 1);
    pthread_barrier_wait(&barrier);
    MPI_Comm_free(&second);
    OK("MPI_Comm_free(comm=comm%d)", 2 * i + 1);
}

/* Communicators of a single process: one name for everything that one call creates repeatedly. */
static void alone(int number)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm mine;
        MPI_Comm_dup(MPI_COMM_SELF, &mine);
        OK("MPI_Comm_dup(comm=MPI_COMM_SELF, newcomm=comm%d)", number);
        MPI_Comm_free(&mine);
        OK("MPI_Comm_free(comm=comm%d)", number);
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    expect_start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    OK("MPI_Comm_group(" WORLD ", group=group0)");
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, frees, NULL) != 0)
        abort();
    for (int i = 0; i < WAYS * ROUNDS; i++)
        makes(ways[i / ROUNDS], i);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    alone(2 * WAYS * ROUNDS + rank);
    MPI_Group_free(&everybody);
    OK("MPI_Group_free(group=group0)");
    return expect_end();
}
