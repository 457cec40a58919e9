/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with and without a delay, for removal.sh. Ranks sleep instead of computing.
 *
 *     removal PROGRAM yes|no      is the delay there? */
#include <mpi.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { STEPS = 30, WORK = 30, DELAY = 24, PIPELINE = 20 }; /* in ms */
#define WORLD  MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static int rank, number, value;
static bool delayed;

static void compute(int milliseconds)
{
    const struct timespec t = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    if (milliseconds > 0)
        nanosleep(&t, NULL);
}

/* Rank 1 has more work than the others. */
static void imbalance(int step)
{
    (void)step;
    compute(WORK + (delayed && rank == 1 ? DELAY : 0));
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, WORLD);
}

/* Ranks exchange with their neighbours in a ring. Rank 2 is late once, by half a second. */
static void once(int step)
{
    compute(WORK + (delayed && rank == 2 && step == STEPS / 2 ? 500 : 0));
    const int next = (rank + 1) % number, last = (rank + number - 1) % number;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &value, 1, MPI_INT, last, 0, WORLD, IGNORE);
    MPI_Sendrecv(&rank, 1, MPI_INT, last, 1, &value, 1, MPI_INT, next, 1, WORLD, IGNORE);
}

/* Rank 0 alone does work that all need, while the others wait. */
static void serial(int step)
{
    (void)step;
    if (rank == 0 && delayed)
        compute(DELAY);
    MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
    compute(WORK);
    MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_MAX, 0, WORLD);
}

/* Two ranks have more work, one of them a little less than the other. */
static void two(int step)
{
    (void)step;
    compute(WORK + (!delayed ? 0 : rank == 1 ? DELAY : rank == 3 ? DELAY - 1 : 0));
    MPI_Barrier(WORLD);
}

/* The same in a ring. */
static void two_neighbours(int step)
{
    const int next = (rank + 1) % number, last = (rank + number - 1) % number;
    MPI_Request requests[4];
    int in[2];
    (void)step;
    compute(WORK + (!delayed ? 0 : rank == 1 ? DELAY : rank == 3 ? DELAY - 1 : 0));
    MPI_Irecv(&in[0], 1, MPI_INT, next, 0, WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, last, 0, WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, WORLD, &requests[2]);
    MPI_Isend(&rank, 1, MPI_INT, last, 0, WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* In each step, another rank has more work. */
static void alternates(int step)
{
    compute(WORK + (delayed && step % number == rank ? DELAY : 0));
    MPI_Barrier(WORLD);
}

/* Work goes through the ranks one after another. Rank 1 takes longer than the others, and the
 * ranks before it do not wait. */
static void pipeline(int step)
{
    if (rank > 0)
        MPI_Recv(&value, 1, MPI_INT, rank - 1, step, WORLD, IGNORE);
    compute(PIPELINE + (delayed && rank == 1 ? DELAY : 0));
    if (rank + 1 < number)
        MPI_Send(&value, 1, MPI_INT, rank + 1, step, WORLD);
}

static const struct {
    const char *name;
    void (*step)(int step);
} programs[] = {{"imbalance", imbalance},   {"once", once}, {"serial", serial},
                {"alternates", alternates}, {"two", two},   {"neighbours", two_neighbours},
                {"pipeline", pipeline}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &number);
    size_t which = 0, n = sizeof programs / sizeof programs[0];
    while (argc == 3 && which < n && strcmp(programs[which].name, argv[1]) != 0)
        which++;
    if (argc != 3 || which == n)
        MPI_Abort(WORLD, 2);
    delayed = strcmp(argv[2], "yes") == 0;
    for (int step = 0; step < STEPS; step++)
        programs[which].step(step);
    MPI_Finalize();
    return 0;
}
