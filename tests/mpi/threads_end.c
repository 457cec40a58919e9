/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* A thread that ends inside a call, in a callback: its call is not in the trace, and its lane
 * continues with the next thread. One thread is in MPI at a time. */
#include <pthread.h>
#include <stdlib.h>

#include "expect.h"

static MPI_Errhandler handler;

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    pthread_exit(NULL);
}

static void rank_of_world(void)
{
    int r;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    OK("MPI_Comm_rank(" WORLD ", rank=%d)", r);
}

static void *ends_within(void *argument)
{
    (void)argument;
    expect_thread(1);
    rank_of_world();
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    EXPECT("the thread is gone");
    return NULL;
}

static void *comes_after(void *argument)
{
    (void)argument;
    expect_thread(1);
    rank_of_world();
    return NULL;
}

static void run(void *(*procedure)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, procedure, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    expect_start_threads(&argc, &argv, MPI_THREAD_SERIALIZED);
    MPI_Comm_create_errhandler(leave, &handler);
    OK("MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    OK("MPI_Comm_set_errhandler(comm=MPI_COMM_SELF, errhandler=errhandler0)");
    run(ends_within);
    run(comes_after);
    rank_of_world();
    return expect_end();
}
