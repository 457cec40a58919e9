/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with two threads in MPI (MPI_THREAD_MULTIPLE). In some calls one waits for the other: MPI libraries
 * write to a file with a lock held, and the disk of this program is slow. The file of the first argument gets who
 * waited how long, by the clock:
 *
 *     metric rank seconds
 *
 * Calls of PMPI_ are not recorded, so they can synchronise the processes. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORLD  MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define TIMES  4
#define SLOW   0.1  /* seconds of a slow write */
#define LATE   0.03 /* seconds until the other thread writes, too, or until a message is sent */

static int rank, received[2];
static MPI_Comm second; /* of the second threads */
static MPI_File file;
static double waited[3]; /* for the lock; thread 0 and thread 1 for a sender */
static _Thread_local bool is_slow;
static volatile double slow_end;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void nap(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

/* The MPI library calls these instead of those of the C library. */
static ssize_t slow_write(int fd, const void *data, size_t n, off_t at)
{
    if (is_slow) {
        nap(SLOW);
        slow_end = now();
    }
    return syscall(SYS_pwrite64, fd, data, n, at);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return slow_write(fd, data, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off_t at)
{
    return slow_write(fd, data, n, at);
}

/* Runs a function in two threads, numbered 0 and 1, of each rank at the same time. */
static void both(void *(*run)(void *))
{
    static int numbers[] = {0, 1};
    pthread_t thread;
    PMPI_Barrier(WORLD);
    if (pthread_create(&thread, NULL, run, &numbers[1]) != 0)
        exit(EXIT_FAILURE);
    run(&numbers[0]);
    pthread_join(thread, NULL);
    PMPI_Barrier(WORLD);
}

/* Thread 0 writes while thread 1 does, which holds the lock. */
static void write_at(int thread, bool alone)
{
    is_slow = thread == 1;
    if (thread == 0 && !alone)
        nap(LATE);
    const double begin = now();
    if (thread == 0 || !alone)
        MPI_File_write_at(file, thread * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, IGNORE);
    if (thread == 0 && !alone)
        waited[0] += slow_end - begin;
}

static void *write_alone(void *thread)
{
    write_at(*(int *)thread, true);
    return NULL;
}

static void *write_both(void *thread)
{
    write_at(*(int *)thread, false);
    return NULL;
}

/* Rank 0 waits for a message that is sent after the lock. */
static void *write_and_send(void *thread)
{
    const int number = *(int *)thread;
    if (rank == 1)
        write_both(thread);
    if (rank == 1 && number == 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    if (rank == 0 && number == 0) {
        const double begin = now();
        MPI_Recv(&received[0], 1, MPI_INT, 1, 0, WORLD, IGNORE);
        waited[1] += now() - begin;
    }
    return NULL;
}

/* No lock: both threads of rank 0 wait for rank 1, one longer than the other. */
static void *receive(void *thread)
{
    const int number = *(int *)thread;
    const MPI_Comm comm = number == 0 ? WORLD : second;
    if (rank == 1) {
        nap((2 - number) * LATE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    } else {
        const double begin = now();
        MPI_Recv(&received[number], 1, MPI_INT, 1, 0, comm, IGNORE);
        waited[1 + number] += now() - begin;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    char name[] = "data.0";
    double all[2][3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_dup(WORLD, &second);
    name[sizeof name - 2] += (char)rank;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (provided < MPI_THREAD_MULTIPLE || argc < 2)
        MPI_Abort(WORLD, 2);
    both(write_alone);
    for (int i = 0; i < TIMES; i++) {
        both(write_both);
        both(write_and_send);
        both(receive);
    }
    PMPI_Gather(waited, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, WORLD);
    FILE *out = rank == 0 ? fopen(argv[1], "w") : NULL;
    if (out) {
        fprintf(out, "mpi_threads_io 0 %.9f\nmpi_threads_io 1 %.9f\nmpi_latesender 0 %.9f\n", all[0][0],
                all[1][0], all[0][1] + all[0][2]);
        fclose(out);
    }
    MPI_File_close(&file);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
