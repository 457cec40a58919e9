/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a call, for bench/call_cost.sh: each case in a loop on one rank, in
 * nanoseconds of CPU time per call.
 *
 *     call_cost N [CASE [T]]
 *
 * prints for each case its name, the nanoseconds per call, and the number of calls; T threads run
 * at the same time, each with its own communicator. */
#include <mpi.h>
#include <pthread.h>
#include <refrain.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct worker {
    pthread_t id;
    MPI_Comm comm;
    long n;
    double ns;
};

static void comm_rank(const struct worker *w)
{
    int rank;
    for (long i = 0; i < w->n; i++)
        MPI_Comm_rank(w->comm, &rank);
}

static void test_null(const struct worker *w)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int flag;
    for (long i = 0; i < w->n; i++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

static void iprobe(const struct worker *w)
{
    int flag;
    for (long i = 0; i < w->n; i++)
        MPI_Iprobe(0, 1, w->comm, &flag, MPI_STATUS_IGNORE);
}

static void exchange(const struct worker *w)
{
    double in, out = 1;
    MPI_Request requests[2];
    for (long i = 0; i < w->n; i += 3) {
        MPI_Irecv(&in, 8, MPI_BYTE, 0, 7, w->comm, &requests[0]);
        MPI_Isend(&out, 8, MPI_BYTE, 0, 7, w->comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void region(const struct worker *w)
{
    for (long i = 0; i < w->n; i += 2) {
        refrain_region_begin("step");
        refrain_region_end("step");
    }
}

static void sendrecv(const struct worker *w)
{
    double in, out = 1;
    for (long i = 0; i < w->n; i++)
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, 0, 7, &in, 1, MPI_DOUBLE, 0, 7, w->comm, MPI_STATUS_IGNORE);
}

static void send_recv(const struct worker *w)
{
    double in, out = 1;
    for (long i = 0; i < w->n; i += 2) {
        MPI_Send(&out, 1, MPI_DOUBLE, 0, 7, w->comm);
        MPI_Recv(&in, 1, MPI_DOUBLE, 0, 7, w->comm, MPI_STATUS_IGNORE);
    }
}

static void allreduce(const struct worker *w)
{
    double in = 1, out;
    for (long i = 0; i < w->n; i++)
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, w->comm);
}

static const struct {
    const char *name;
    void (*run)(const struct worker *);
} cases[] = {
    {"comm_rank", comm_rank}, {"test_null", test_null}, {"iprobe", iprobe},       {"exchange", exchange},
    {"sendrecv", sendrecv},   {"send_recv", send_recv}, {"allreduce", allreduce}, {"region", region},
};

static void (*loop)(const struct worker *);

static void *work(void *arg)
{
    struct worker *w = arg;
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    loop(w);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    w->ns = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    return NULL;
}

static double measure(struct worker *workers, int threads, long n)
{
    double ns = 0;
    for (int i = 0; i < threads; i++) {
        workers[i].n = n;
        if (threads == 1)
            work(&workers[i]);
        else
            pthread_create(&workers[i].id, NULL, work, &workers[i]);
    }
    for (int i = 0; i < threads; i++) {
        if (threads > 1)
            pthread_join(workers[i].id, NULL);
        ns += workers[i].ns;
    }
    return ns / threads / (double)n;
}

int main(int argc, char **argv)
{
    const long n = argc > 1 ? atol(argv[1]) : 300000;
    const int threads = argc > 3 ? atoi(argv[3]) : 1;
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    int level;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    if (!workers || (threads > 1 && level < MPI_THREAD_MULTIPLE)) {
        fprintf(stderr, "call_cost: %d threads are not to be had\n", threads);
        return 1;
    }
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &workers[i].comm);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (argc > 2 && strcmp(argv[2], "all") != 0 && strcmp(argv[2], cases[i].name) != 0)
            continue;
        loop = cases[i].run;
        measure(workers, threads, n / 10 + 6); /* warm-up */
        printf("%s %.1f %ld\n", cases[i].name, measure(workers, threads, n), n);
    }
    for (int i = 0; i < threads; i++)
        MPI_Comm_free(&workers[i].comm);
    MPI_Finalize();
    free(workers);
    return 0;
}
