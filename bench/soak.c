/* SPDX-License-Identifier: BSD-3-Clause */
/* A long run of mixed calls on 2 ranks, for bench/soak.sh, which checks that the tracer's memory is
 * bounded.
 *
 *     soak CALLS [PART…]     makes about CALLS calls, of both ranks together,
 *                          of the named parts; by default, of all regular parts
 *
 * Each rank prints, TIMES times after equal numbers of calls:  rank  calls so far (its own)
 * seconds  KB of its private memory (RssAnon: without what processes share, such as the MPI
 * library's buffers). */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 10, BATCH = 4, LENGTH = 64, TAGS = 30000, SELDOM = 64 /* rounds between expensive calls */ };

static uint64_t calls;
static int rank, other;
static uint32_t rounds;
static int from[BATCH][LENGTH], to[BATCH][LENGTH];
static uint64_t dice = 88172645463325252u;

#define CALL(call) (calls++, (call))

/* xorshift64 (Marsaglia 2003). Both ranks get the same numbers. */
static int roll(int n)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (int)(dice % (unsigned)n);
}

/* ---- parts: one round of each ---------------------------------------------------------------- */

static void nonblocking(void)
{
    MPI_Request requests[2];
    CALL(MPI_Irecv(from[0], LENGTH, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(to[0], LENGTH, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]));
    CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

/* Tags that count up to more than a table of rows could hold. */
static void tags(void)
{
    MPI_Request requests[2 * BATCH];
    MPI_Status statuses[2 * BATCH];
    const int tag = (int)(rounds % (TAGS / BATCH)) * BATCH;
    for (int i = 0; i < BATCH; i++) {
        CALL(MPI_Irecv(from[i], LENGTH, MPI_INT, other, tag + i, MPI_COMM_WORLD, &requests[i]));
        CALL(MPI_Isend(to[i], LENGTH, MPI_INT, other, tag + i, MPI_COMM_WORLD, &requests[BATCH + i]));
    }
    CALL(MPI_Waitall(2 * BATCH, requests, statuses));
}

static void collectives(void)
{
    CALL(MPI_Bcast(from[0], LENGTH, MPI_INT, (int)(rounds % 2), MPI_COMM_WORLD));
    CALL(MPI_Allreduce(to[0], from[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(MPI_Alltoall(to[0], 1, MPI_INT, from[0], 1, MPI_INT, MPI_COMM_WORLD));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
}

/* Messages whose lengths count up and start again; a probe gives the length to receive. */
static void probes(void)
{
    const int length = (int)(rounds % LENGTH);
    MPI_Status status;
    int n;
    CALL(MPI_Send(to[0], length, MPI_INT, other, 2, MPI_COMM_WORLD));
    CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    CALL(MPI_Recv(from[0], n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void communicators(void)
{
    MPI_Comm dup;
    if (rounds % SELDOM != 0)
        return;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CALL(MPI_Allreduce(to[0], from[0], 1, MPI_INT, MPI_MAX, dup));
    CALL(MPI_Comm_free(&dup));
}

static void datatypes(void)
{
    MPI_Datatype vector;
    CALL(MPI_Type_vector(4, 2, 4 + (int)(rounds % 3), MPI_INT, &vector));
    CALL(MPI_Type_commit(&vector));
    CALL(MPI_Sendrecv(to[0], 1, vector, other, 3, from[0], 8, MPI_INT, other, 3, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    CALL(MPI_Type_free(&vector));
}

static MPI_Win window;
static int exposed[LENGTH];

static void rma(void)
{
    CALL(MPI_Win_fence(0, window));
    CALL(MPI_Put(to[0], 4, MPI_INT, other, (MPI_Aint)(rounds % 8), 4, MPI_INT, window));
    CALL(MPI_Win_fence(0, window));
}

static MPI_Request persistent_requests[2];

static void persistent(void)
{
    CALL(MPI_Startall(2, persistent_requests));
    CALL(MPI_Waitall(2, persistent_requests, MPI_STATUSES_IGNORE));
}

/* The number of requests completed by a call is random, and so is the number of calls. */
static void some(void)
{
    MPI_Request requests[2 * BATCH];
    MPI_Status statuses[2 * BATCH];
    int indices[2 * BATCH], done = 0;
    for (int i = 0; i < BATCH; i++) {
        CALL(MPI_Irecv(from[i], LENGTH, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]));
        CALL(MPI_Isend(to[i], LENGTH, MPI_INT, other, i, MPI_COMM_WORLD, &requests[BATCH + i]));
    }
    for (int n; done < 2 * BATCH; done += n)
        CALL(MPI_Waitsome(2 * BATCH, requests, &n, indices, statuses));
}

static void polling(void)
{
    MPI_Request requests[2];
    MPI_Status status;
    CALL(MPI_Irecv(from[0], 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(to[0], 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]));
    for (int index, flag, done = 0; done < 2; done += flag)
        CALL(MPI_Testany(2, requests, &index, &flag, &status));
}

/* Random counts: each call has 2 unpredictable numbers. */
static void counts(void)
{
    const int n[2] = {roll(LENGTH / 2), roll(LENGTH / 2)}, *sent = n;
    int received[2];
    const int places[2] = {0, LENGTH / 2};
    for (int i = 0; i < 2; i++)
        received[i] = n[rank];
    CALL(MPI_Alltoallv(to[0], sent, places, MPI_INT, from[0], received, places, MPI_INT, MPI_COMM_WORLD));
}

static const struct part {
    const char *name;
    void (*round)(void);
    int regular;
} parts[] = {
    {"nonblocking", nonblocking, 1},
    {"tags", tags, 1},
    {"collectives", collectives, 1},
    {"probes", probes, 1},
    {"communicators", communicators, 1},
    {"datatypes", datatypes, 1},
    {"rma", rma, 1},
    {"persistent", persistent, 1},
    {"some", some, 0},
    {"polling", polling, 0},
    {"counts", counts, 0},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* ---- the run --------------------------------------------------------------------------------- */

static long own_kb(void)
{
    char line[128];
    long kb = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && kb < 0 && fgets(line, sizeof line, file))
        sscanf(line, "RssAnon: %ld", &kb);
    if (file)
        fclose(file);
    return kb;
}

static int wanted(const struct part *p, int argc, char **argv)
{
    int found = argc == 2 && p->regular;
    for (int i = 2; i < argc; i++)
        found = found || strcmp(argv[i], p->name) == 0;
    return found;
}

int main(int argc, char **argv)
{
    int used[PARTS], size, any = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int p = 0; argc > 1 && p < PARTS; p++)
        any += used[p] = wanted(&parts[p], argc, argv);
    if (!any || size != 2) {
        fprintf(stderr, "usage, on 2 ranks: soak CALLS [PART...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const uint64_t wanted_calls = strtoull(argv[1], NULL, 10) / 2;
    other = 1 - rank;
    MPI_Win_create(exposed, sizeof exposed, sizeof *exposed, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Recv_init(from[0], LENGTH, MPI_INT, other, 5, MPI_COMM_WORLD, &persistent_requests[0]);
    MPI_Send_init(to[0], LENGTH, MPI_INT, other, 5, MPI_COMM_WORLD, &persistent_requests[1]);
    const double start = MPI_Wtime();
    uint64_t calls_of_0 = 0; /* rank 0 decides for both, because the numbers of calls may differ */
    for (uint64_t moment = 1; moment <= TIMES; moment++) {
        while (calls_of_0 < wanted_calls * moment / TIMES) {
            for (int k = 0; k < SELDOM; k++, rounds++) {
                for (int p = 0; p < PARTS; p++) {
                    if (used[p])
                        parts[p].round();
                }
            }
            calls_of_0 = calls;
            CALL(MPI_Bcast(&calls_of_0, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
        }
        printf("%d %llu %.1f %ld\n", rank, (unsigned long long)calls, MPI_Wtime() - start, own_kb());
        fflush(stdout);
    }
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&persistent_requests[i]);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
