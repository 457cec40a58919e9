/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose arguments or control flow are irregular, for bench/irregular.sh.
 *
 *     irregular CASE N [SEED]
 *
 * prints the nanoseconds of CPU time of one step of the measured loop, and the peak memory of rank
 * 0 in KB after MPI_Finalize. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

static int rank, size;

/* Tags from 64 values. */
static void few_tags(int n)
{
    for (int i = 0, flag; i < n; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, (int)(next_random() % 64), MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

/* Distinct tags: i times an odd number, modulo 2^20, is a permutation; its bits are mixed. */
static void all_tags(int n)
{
    const uint32_t mask = (1u << 20) - 1, key = (uint32_t)next_random();
    for (int i = 0, flag; i < n; i++) {
        uint32_t tag = (uint32_t)i;
        for (int round = 0; round < 3; round++) {
            tag = (tag * 0x9E3B1u + key) & mask;
            tag ^= tag >> 9;
        }
        MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    }
}

/* Messages of a rank to itself, whose tag counts up. */
static void counting_tags(int n)
{
    char byte = 0, got;
    for (int i = 0; i < n; i++) {
        MPI_Request request;
        MPI_Irecv(&got, 1, MPI_CHAR, 0, i, MPI_COMM_SELF, &request);
        MPI_Send(&byte, 1, MPI_CHAR, 0, i, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* A poll that takes a random number of tries, with one call, and with two. */
static void polls(int n)
{
    char byte = 0, got;
    for (int i = 0, flag; i < n; i++) {
        for (uint64_t tries = next_random() % 100; tries > 0; tries--)
            MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&byte, 1, MPI_CHAR, 0, 0, &got, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
}

static void double_polls(int n)
{
    char byte = 0, got;
    for (int i = 0, flag; i < n; i++) {
        MPI_Request request;
        const uint64_t tries = next_random() % 100;
        MPI_Irecv(&got, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF, &request);
        for (uint64_t k = 0; k <= tries; k++) {
            if (k == tries)
                MPI_Send(&byte, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF);
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (!flag)
                MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        }
    }
}

/* A master polls for results and gives out work; the workers take a random time. */
static void master_worker(int n)
{
    int task = 0, flag;
    if (rank > 0) {
        for (;;) {
            MPI_Status status;
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == 1)
                return;
            for (volatile uint64_t spin = next_random() % 2000; spin > 0; spin--)
                ;
            MPI_Send(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    for (int to = 1; to < size; to++)
        MPI_Send(&task, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    for (int done = 0, sent = size - 1; done < n + size - 1;) {
        MPI_Status status;
        do
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        while (!flag);
        MPI_Recv(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        done++;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, sent++ < n + size - 1 ? 0 : 1, MPI_COMM_WORLD);
    }
}

/* The request that completes, of 8, is random. */
static void wait_any(int n)
{
    MPI_Request request[8];
    char byte[8], sent = 0;
    for (int k = 0; k < 8; k++)
        MPI_Irecv(&byte[k], 1, MPI_CHAR, 0, k, MPI_COMM_SELF, &request[k]);
    for (int i = 0, which; i < n; i++) {
        const int k = (int)(next_random() % 8);
        MPI_Send(&sent, 1, MPI_CHAR, 0, k, MPI_COMM_SELF);
        MPI_Waitany(8, request, &which, MPI_STATUS_IGNORE);
        MPI_Irecv(&byte[which], 1, MPI_CHAR, 0, which, MPI_COMM_SELF, &request[which]);
    }
    for (int k = 0; k < 8; k++) {
        MPI_Cancel(&request[k]);
        MPI_Request_free(&request[k]);
    }
}

static const struct {
    const char *name;
    void (*run)(int n);
} cases[] = {{"few_tags", few_tags},           {"all_tags", all_tags},
             {"counting_tags", counting_tags}, {"polls", polls},
             {"double_polls", double_polls},   {"wait_any", wait_any},
             {"master_worker", master_worker}};

static long peak_kilobytes(void)
{
    char line[256];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kilobytes);
    if (f)
        fclose(f);
    return kilobytes;
}

int main(int argc, char **argv)
{
    struct timespec a, b;
    const int n = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state += (uint64_t)rank + (argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    for (size_t i = 0; n > 0 && i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(argv[1], cases[i].name) != 0)
            continue;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        cases[i].run(n);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    }
    MPI_Finalize();
    if (n > 0 && rank == 0)
        printf("%.0f ns  %ld KB\n",
               ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / n, peak_kilobytes());
    return n > 0 ? 0 : 2;
}
