/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 */
/* Each thread has its own regions: another thread cannot end them. The threads meet at every
 * step. */
#include <pthread.h>
#include <stdlib.h>

#include "expect.h"

#include <refrain.h>

enum { THREADS = 3, STEPS = 100 };

static pthread_barrier_t barrier;

static void *work(void *argument)
{
    const int t = *(int *)argument;
    expect_thread(t);
    for (int i = 0; i < STEPS; i++) {
        const char *name = format_text("thread %d", t);
        refrain_region_begin("step");
        EXPECT("refrain_region_begin(name=\"step\")");
        pthread_barrier_wait(&barrier);
        refrain_region_begin(name);
        EXPECT("refrain_region_begin(name=%s)", quoted(name));
        int in = t, sum;
        MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
        OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, "
           "comm=MPI_COMM_SELF)");
        refrain_region_end(name);
        EXPECT("refrain_region_end(name=%s)", quoted(name));
        pthread_barrier_wait(&barrier);
        refrain_region_end("step");
        EXPECT("refrain_region_end(name=\"step\")");
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    expect_start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        if (t > 0 && pthread_create(&threads[t], NULL, work, &numbers[t]) != 0)
            abort();
    }
    work(&numbers[0]);
    for (int t = 1; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    return expect_end();
}
