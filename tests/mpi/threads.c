/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 4 */
/* MPI_THREAD_MULTIPLE: threads with their own communicators, on one communicator with one tag each,
 * a request that one thread makes and another completes, threads that begin and end.
 *
 * The expected lines of lane T are separate (expect_thread). Threads begin one after another, so
 * that their lanes are known; later they begin in rounds. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

enum { THREADS = 3, ROUNDS = 20, LIVES = 40 };

static pthread_barrier_t barrier;
static MPI_Comm own_comm[THREADS];
static MPI_Request handed[2]; /* from thread 1 to the others */
static int buffer[2];

static int left(void)
{
    return (rank + size - 1) % size;
}

static int right(void)
{
    return (rank + 1) % size;
}

/* Communicators are numbered by their first creator: the main thread, in the order of the
 * threads. */
static void on_own_communicator(int t)
{
    for (int i = 0; i < ROUNDS; i++) {
        int sum, in = rank, theirs;
        MPI_Request requests[2];
        MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, own_comm[t]);
        OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, comm=comm%d)", t);
        MPI_Irecv(&theirs, 1, MPI_INT, left(), i, own_comm[t], &requests[0]);
        OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=%d, comm=comm%d, request=req0)",
           left(), i, t);
        MPI_Isend(&in, 1, MPI_INT, right(), i, own_comm[t], &requests[1]);
        OK("MPI_Isend(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=%d, comm=comm%d, request=req1)",
           right(), i, t);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=2, array_of_requests=[req0, req1], array_of_statuses=[ignored%s, ignored" SENT
           "])",
           status_is(left(), i, sizeof theirs));
    }
}

/* All threads on one communicator at the same time: the tag identifies the thread of a message. */
static void by_tag(int t)
{
    for (int i = 0; i < ROUNDS; i++) {
        int in = i, theirs;
        MPI_Sendrecv(&in, 1, MPI_INT, right(), t, &theirs, 1, MPI_INT, left(), t, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, dest=%d, sendtag=%d, recvbuf=ptr, "
           "recvcount=1, recvtype=MPI_INT, source=%d, recvtag=%d, " WORLD ", status=ignored%s)",
           right(), t, left(), t, status_is(left(), t, sizeof theirs));
    }
}

/* Thread 1 makes two requests; thread 2 completes the first one, thread 0 (the main thread) the
 * other. The numbers are thread 1's, which made two before on another communicator. */
static void handed_over(int t)
{
    if (t == 1) {
        MPI_Irecv(&buffer[0], 1, MPI_INT, left(), 77, MPI_COMM_WORLD, &handed[0]);
        OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=77, " WORLD ", request=req2)",
           left());
        MPI_Isend(&rank, 1, MPI_INT, right(), 77, MPI_COMM_WORLD, &handed[1]);
        OK("MPI_Isend(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=77, " WORLD ", request=req3)",
           right());
    }
    pthread_barrier_wait(&barrier);
    if (t == 2) {
        MPI_Wait(&handed[0], MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req2@1, status=ignored%s)", status_is(left(), 77, sizeof buffer[0]));
    }
    if (t == 0) {
        MPI_Wait(&handed[1], MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req3@1, status=ignored" SENT ")");
    }
    pthread_barrier_wait(&barrier);
}

static void work(int t)
{
    on_own_communicator(t);
    by_tag(t);
    handed_over(t);
}

static void *thread_main(void *argument)
{
    const int t = *(int *)argument;
    expect_thread(t);
    int is_main;
    MPI_Is_thread_main(&is_main);
    OK("MPI_Is_thread_main(flag=%d)", is_main);
    pthread_barrier_wait(&barrier);
    work(t);
    return NULL;
}

static void all_at_once(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own_comm[t]);
        OK("MPI_Comm_dup(" WORLD ", newcomm=comm%d)", t);
    }
    for (int t = 1; t < THREADS; t++) {
        numbers[t] = t;
        if (pthread_create(&threads[t], NULL, thread_main, &numbers[t]) != 0)
            abort();
    }
    pthread_barrier_wait(&barrier);
    work(0);
    for (int t = 1; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++) {
        MPI_Comm_free(&own_comm[t]);
        OK("MPI_Comm_free(comm=comm%d)", t);
    }
    pthread_barrier_destroy(&barrier);
}

/* Rounds of threads that begin at the same time: the thread that was created first gets the first
 * lane, whichever thread calls MPI first. */
static void *joins_in(void *argument)
{
    const int t = *(int *)argument;
    int theirs;
    pthread_barrier_wait(&barrier); /* all have begun, and none calls MPI before */
    MPI_Sendrecv(&t, 1, MPI_INT, 0, t, &theirs, 1, MPI_INT, 0, t, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void fork_and_join(void)
{
    pthread_barrier_init(&barrier, NULL, THREADS - 1);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t threads[THREADS];
        int numbers[THREADS];
        for (int t = 1; t < THREADS; t++) {
            numbers[t] = t;
            if (pthread_create(&threads[t], NULL, joins_in, &numbers[t]) != 0)
                abort();
        }
        for (int t = 1; t < THREADS; t++) {
            pthread_join(threads[t], NULL);
            expect_thread(t);
            OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, dest=0, sendtag=%d, recvbuf=ptr, "
               "recvcount=1, recvtype=MPI_INT, source=0, recvtag=%d, comm=MPI_COMM_SELF, status=ignored%s)",
               t, t, status_is(0, t, sizeof(int)));
        }
        expect_thread(0);
    }
    pthread_barrier_destroy(&barrier);
}

/* One thread after another: each gets the lane of the previous one, which is the first free
 * lane. */
static void *short_life(void *argument)
{
    (void)argument;
    expect_thread(1);
    int in = 1, sum;
    MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, comm=MPI_COMM_SELF)");
    return NULL;
}

static void come_and_go(void)
{
    for (int i = 0; i < LIVES; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, short_life, NULL) != 0)
            abort();
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    expect_start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
    all_at_once();
    fork_and_join();
    come_and_go();
    return expect_end();
}
