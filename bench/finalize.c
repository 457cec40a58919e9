/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to preload before a program and the tracer. It measures when MPI_Finalize begins and
 * ends on each rank, and the CPU time of the process in between. Ranks first wait for each other,
 * so that no rank's own work is counted. Appends a line to the file FINALIZE_LOG:
 *
 *     rank  seconds (monotonic) at the beginning, at the end  seconds of CPU */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static struct {
    int depth, rank; /* an MPI library's Fortran procedure may call the C function */
    double begin, cpu;
} timer;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void begin(void)
{
    if (timer.depth++ > 0)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &timer.rank);
    PMPI_Barrier(MPI_COMM_WORLD);
    /* a second one: ranks do not leave the first one at the same time */
    PMPI_Barrier(MPI_COMM_WORLD);
    timer.begin = now();
    timer.cpu = cpu();
}

static void end(void)
{
    if (--timer.depth > 0)
        return;
    const double at = now(), used = cpu() - timer.cpu;
    const char *path = getenv("FINALIZE_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log)
        abort();
    /* fclose writes it at once */
    fprintf(log, "%d %.6f %.6f %.6f\n", timer.rank, timer.begin, at, used);
    fclose(log);
}

static void find_next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

int MPI_Finalize(void)
{
    int (*next)(void);
    find_next("MPI_Finalize", &next);
    begin();
    const int result = next();
    end();
    return result;
}

void mpi_finalize_(int *error);
void mpi_finalize_(int *error)
{
    void (*next)(int *);
    find_next("mpi_finalize_", &next);
    begin();
    next(error);
    end();
}
