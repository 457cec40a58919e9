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

static int rank, iteration, received[3];
static MPI_Comm second; /* of the second threads */
static MPI_File file;
static double waited; /* for the lock */
/* When rank 0 began to receive a message, and rank 1 to send it. */
static double begin[TIMES][3];
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
    const double write_begin = now();
    if (thread == 0 || !alone)
        MPI_File_write_at(file, thread * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, IGNORE);
    if (thread == 0 && !alone)
        waited += slow_end - write_begin;
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

static void pass(int message, MPI_Comm comm)
{
    begin[iteration][message] = now();
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    else
        MPI_Recv(&received[message], 1, MPI_INT, 1, 0, comm, IGNORE);
}

/* Rank 0 waits for a message that is sent after the lock. */
static void *write_and_send(void *thread)
{
    if (rank == 1)
        write_both(thread);
    if (*(int *)thread == 0)
        pass(2, WORLD);
    return NULL;
}

/* No lock: both threads of rank 0 wait for rank 1, one longer than the other. */
static void *receive(void *thread)
{
    const int number = *(int *)thread;
    if (rank == 1)
        nap((2 - number) * LATE);
    pass(number, number == 0 ? WORLD : second);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    char name[] = "data.0";
    double all[2], sent[TIMES][3], late = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_dup(WORLD, &second);
    name[sizeof name - 2] += (char)rank;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (provided < MPI_THREAD_MULTIPLE || argc < 2)
        MPI_Abort(WORLD, 2);
    both(write_alone);
    for (iteration = 0; iteration < TIMES; iteration++) {
        both(write_both);
        both(write_and_send);
        both(receive);
    }
    PMPI_Gather(&waited, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, WORLD);
    if (rank == 1)
        PMPI_Send(begin, 3 * TIMES, MPI_DOUBLE, 0, 0, WORLD);
    else
        PMPI_Recv(sent, 3 * TIMES, MPI_DOUBLE, 1, 0, WORLD, IGNORE);
    for (int i = 0; rank == 0 && i < 3 * TIMES; i++)
        late += sent[i / 3][i % 3] - begin[i / 3][i % 3];
    FILE *out = rank == 0 ? fopen(argv[1], "w") : NULL;
    if (out) {
        fprintf(out, "mpi_threads_io 0 %.9f\nmpi_threads_io 1 %.9f\nmpi_latesender 0 %.9f\n", all[0], all[1],
                late);
        fclose(out);
    }
    MPI_File_close(&file);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
