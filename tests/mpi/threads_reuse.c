/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* The library frees a request inside one thread's MPI_Wait and gives its value to another thread
 * before the first one returns. Here this happens every time, because this program stands between
 * the tracer and the library. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { ROUNDS = 10 };

static pthread_barrier_t freed, made, done;
/* stay in MPI_Wait until others have made and completed a request */
static _Thread_local bool linger;
static MPI_Request first, second;
static int first_buffer, second_buffer, reused;

/* The tracer calls this function; without a tracer, the program does. */
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int (*wait)(MPI_Request *, MPI_Status *);
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Wait");
    memcpy(&wait, &symbol, sizeof wait);
    const int result = wait(request, status);
    if (linger) {
        pthread_barrier_wait(&freed);
        pthread_barrier_wait(&done);
    }
    return result;
}

static void receive(int *buffer, int tag, MPI_Request *request)
{
    MPI_Irecv(buffer, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, request);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=req0)", rank,
       tag);
    MPI_Send(&tag, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
    OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ")", rank, tag);
}

/* Thread 1: its request is freed. */
static void *lingerer(void *argument)
{
    (void)argument;
    expect_thread(1);
    int is_main;
    MPI_Is_thread_main(&is_main);
    OK("MPI_Is_thread_main(flag=0)");
    pthread_barrier_wait(&made);
    for (int i = 0; i < ROUNDS; i++) {
        receive(&first_buffer, 1, &first);
        const MPI_Request value = first;
        linger = true;
        MPI_Wait(&first, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req0, status=ignored%s)", status_is(rank, 1, sizeof first_buffer));
        linger = false;
        reused += value == second;
        pthread_barrier_wait(&made);
    }
    return NULL;
}

/* Thread 2: it gets the same value. */
static void *maker(void *argument)
{
    (void)argument;
    expect_thread(2);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&freed);
        receive(&second_buffer, 2, &second);
        pthread_barrier_wait(&made);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t one, two;
    expect_start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
    pthread_barrier_init(&freed, NULL, 2);
    pthread_barrier_init(&made, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    if (pthread_create(&one, NULL, lingerer, NULL) != 0)
        abort();
    pthread_barrier_wait(&made); /* it has called MPI, so it is the first of the two */
    if (pthread_create(&two, NULL, maker, NULL) != 0)
        abort();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&made);
        MPI_Request mine = second;
        MPI_Wait(&mine, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req0@2, status=ignored%s)", status_is(rank, 2, sizeof second_buffer));
        pthread_barrier_wait(&done);
        pthread_barrier_wait(&made);
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (reused == 0)
        fprintf(stderr, "the library never used the value again\n");
    return expect_end();
}
