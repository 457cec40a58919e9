/* SPDX-License-Identifier: BSD-3-Clause */
/* What does a call cost if many ranks share a core?
 *
 * Ranks exchange messages with four neighbours on a torus, in windows of some iterations,
 * alternately through PMPI_, which no tracer sees, and through MPI_. So one run measures both under
 * the same conditions of the machine and the other ranks.
 *
 *     barrier | PMPI_ × ITERATIONS | barrier | MPI_ × ITERATIONS | barrier | PMPI_ …
 *
 * Without a tracer, other work can follow each call of the second kind, to measure its cost:
 *
 *     crowd [WINDOWS [SORT N]]        SORT pages: writes to one cache line of each of N pages
 *                                          lines: writes to N cache lines on as few pages as possible
 *                                          spin: waits for N nanoseconds
 *
 * Rank 0 prints medians over the windows, in microseconds of a core per call: untraced, traced, and
 * the difference. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEIGHBOURS = 4, CALLS = 2 * NEIGHBOURS + 1, ITERATIONS = 20, DOUBLES = 64 };
enum { LINE = 64, PAGE = 4096, WORK = 32768 /* bytes that the program itself uses */ };

static int neighbours[NEIGHBOURS]; /* number i ^ 1 is opposite to i */
static double in[NEIGHBOURS][DOUBLES], out[NEIGHBOURS][DOUBLES];
static char *work, *touched;
static int n_lines, distance; /* of the lines that are written after each call */
static double spin;           /* in seconds */

static void behind(void)
{
    for (int i = 0; i < n_lines; i++)
        (*(volatile char *)&touched[i * distance])++;
    for (double start = spin > 0 ? PMPI_Wtime() : 0; spin > 0 && PMPI_Wtime() < start + spin;)
        ;
}

#define EXCHANGE(name, SORT, BEHIND)                                                                         \
    static void name(void)                                                                                   \
    {                                                                                                        \
        for (int n = 0; n < ITERATIONS; n++) {                                                               \
            MPI_Request requests[2 * NEIGHBOURS];                                                            \
            for (int i = 0; i < NEIGHBOURS; i++) {                                                           \
                SORT##_Irecv(in[i], DOUBLES, MPI_DOUBLE, neighbours[i], i, MPI_COMM_WORLD, &requests[i]);    \
                BEHIND;                                                                                      \
            }                                                                                                \
            for (int i = 0; i < NEIGHBOURS; i++) {                                                           \
                SORT##_Isend(out[i], DOUBLES, MPI_DOUBLE, neighbours[i ^ 1], i, MPI_COMM_WORLD,              \
                             &requests[NEIGHBOURS + i]);                                                     \
                BEHIND;                                                                                      \
            }                                                                                                \
            SORT##_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);                                   \
            BEHIND;                                                                                          \
            for (int i = 0; i < WORK; i += LINE)                                                             \
                work[i]++;                                                                                   \
        }                                                                                                    \
    }

EXCHANGE(exchange_plainly, PMPI, (void)0)
EXCHANGE(exchange_traced, MPI, (void)0)
EXCHANGE(exchange_and_more, PMPI, behind())

static void meet_neighbours(int rank, int size)
{
    int sides[2] = {0, 0};
    MPI_Dims_create(size, 2, sides);
    const int x = rank % sides[1], y = rank / sides[1];
    neighbours[0] = y * sides[1] + (x + 1) % sides[1];
    neighbours[1] = y * sides[1] + (x + sides[1] - 1) % sides[1];
    neighbours[2] = (y + 1) % sides[0] * sides[1] + x;
    neighbours[3] = (y + sides[0] - 1) % sides[0] * sides[1] + x;
}

static double seconds(void (*exchange)(void))
{
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start = PMPI_Wtime();
    exchange();
    PMPI_Barrier(MPI_COMM_WORLD);
    return PMPI_Wtime() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}

int main(int argc, char **argv)
{
    const int windows = argc > 1 ? atoi(argv[1]) : 200;
    const char *sort = argc > 3 ? argv[2] : "calls";
    const int n = argc > 3 ? atoi(argv[3]) : 0;
    void (*const other)(void) = argc > 3 ? exchange_and_more : exchange_traced;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n_lines = strcmp(sort, "spin") ? n : 0;
    distance =
        /* a different line of each page, because caches have sets */
        strcmp(sort, "pages") ? LINE : PAGE + LINE;
    spin = strcmp(sort, "spin") ? 0 : n * 1e-9;
    work = calloc(1, WORK);
    touched = malloc((size_t)(PAGE + LINE) * (size_t)(n_lines + 1));
    double *plain = malloc(sizeof *plain * (size_t)windows),
           *traced = malloc(sizeof *traced * (size_t)windows), *more = malloc(sizeof *more * (size_t)windows);
    if (windows < 1 || !work || !touched || !plain || !traced || !more)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(touched, 0, (size_t)(PAGE + LINE) * (size_t)(n_lines + 1));
    meet_neighbours(rank, size);
    exchange_plainly();
    other();
    for (int i = 0; i < windows; i++) {
        plain[i] = seconds(exchange_plainly);
        traced[i] = seconds(other);
        more[i] = traced[i] - plain[i];
    }
    /* microseconds of a core per call */
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double scale = 1e6 / (CALLS * ITERATIONS * (double)size) * (size < cores ? size : (double)cores);
    if (rank == 0)
        printf("%.3f %.3f %.3f\n", scale * median(plain, windows), scale * median(traced, windows),
               scale * median(more, windows));
    MPI_Finalize();
    return 0;
}
