/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid whose waiting is known: processes sleep instead of computing, and each message contains
 * the time when it was sent.
 *
 *     grid FILE SIZES PATTERN       sizes such as 4x2, x first, which changes fastest; the patterns:
 *
 *     waves      from each corner in turn, in every other turn so that one dimension changes at a time;
 *                 all synchronise between turns
 *     line       repeatedly from the same corner, with nothing in between
 *     halo       all exchange with all neighbours, one process sleeps; then all synchronise
 *     shift      the same in one direction after the other, with MPI_Sendrecv; nothing in between
 *     solver     such an exchange, with MPI_Irecv, MPI_Send and MPI_Wait, a wave, and one from the opposite corner
 *
 * FILE gets lines `corner NUMBER RANK SECONDS` for the first step of a new wave, and `from SIDE
 * SECONDS` for all messages that were waited for: corners have a bit for each dimension, sides are
 * 2 d for lower, 2 d + 1 for higher.
 *
 * MPI does not know the grid. Calls of PMPI_ are not recorded. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIMS = 3, CORNERS = 1 << DIMS, SIDES = 2 * DIMS, BLOCKS = 4, ROUNDS = 3 };
#define STEP 0.004 /* in seconds */

static int rank, n_dims, sizes[DIMS], at[DIMS];
static double refill[CORNERS], from_side[SIDES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void work(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

/* Returns MPI_PROC_NULL beyond the border. */
static int neighbour(int side)
{
    const int d = side / 2, way = side % 2 ? 1 : -1;
    int stride = 1;
    if (at[d] + way < 0 || at[d] + way >= sizes[d])
        return MPI_PROC_NULL;
    for (int i = 0; i < d; i++)
        stride *= sizes[i];
    return rank + way * stride;
}

static void note(double begin, double end, double sent, int side, int corner)
{
    const double wait = (sent < end ? sent : end) - begin;
    if (wait <= 0)
        return;
    from_side[side] += wait;
    if (corner >= 0)
        refill[corner] += wait;
}

static void receive(int side, int corner)
{
    const int peer = neighbour(side);
    double sent, begin, end;
    if (peer == MPI_PROC_NULL)
        return;
    begin = now();
    MPI_Recv(&sent, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end = now();
    note(begin, end, sent, side, corner);
}

static void send(int side)
{
    const double sent = now();
    MPI_Send(&sent, 1, MPI_DOUBLE, neighbour(side), 0, MPI_COMM_WORLD);
}

/* If the corner's bit is not set, upstream is lower. */
static void wave(int corner, bool is_new)
{
    for (int block = 0; block < BLOCKS; block++) {
        for (int d = 0; d < n_dims; d++)
            receive(2 * d + (corner >> d & 1), is_new && block == 0 ? corner : -1);
        work(STEP);
        for (int d = 0; d < n_dims; d++) {
            if (neighbour(2 * d + !(corner >> d & 1)) != MPI_PROC_NULL)
                send(2 * d + !(corner >> d & 1));
        }
    }
}

/* If one call completes several requests, their times are those of the last message. */
static void exchange(void)
{
    MPI_Request requests[2 * SIDES];
    double sent[SIDES] = {0}, mine, begin, end;
    int n = 0, last = -1;
    work(rank == 0 ? 4 * STEP : 0);
    for (int side = 0; side < 2 * n_dims; side++) {
        const int peer = neighbour(side);
        if (peer != MPI_PROC_NULL)
            MPI_Irecv(&sent[side], 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[n++]);
    }
    mine = now();
    for (int side = 0; side < 2 * n_dims; side++) {
        const int peer = neighbour(side);
        if (peer != MPI_PROC_NULL)
            MPI_Isend(&mine, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[n++]);
    }
    begin = now();
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    end = now();
    for (int side = 0; side < 2 * n_dims; side++) {
        if (neighbour(side) != MPI_PROC_NULL && (last < 0 || sent[side] > sent[last]))
            last = side;
    }
    if (last >= 0)
        note(begin, end, sent[last], last, -1);
}

/* In each dimension to the lower side, then to the higher one. */
static void shift(void)
{
    work(rank == 0 ? 4 * STEP : 0);
    for (int side = 0; side < 2 * n_dims; side++) {
        const int to = neighbour(side), from = neighbour(side ^ 1);
        double sent = now(), got = 0, begin = sent, end;
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, to, 0, &got, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        end = now();
        if (from != MPI_PROC_NULL)
            note(begin, end, got, side ^ 1, -1);
    }
}

/* As shift, but a process at the border only sends or only receives. */
static void pass_on(void)
{
    work(rank == 0 ? 4 * STEP : 0);
    for (int side = 0; side < 2 * n_dims; side++) {
        const int from = neighbour(side ^ 1);
        MPI_Request request;
        double got = 0, begin, end;
        if (from != MPI_PROC_NULL)
            MPI_Irecv(&got, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request);
        if (neighbour(side) != MPI_PROC_NULL)
            send(side);
        if (from == MPI_PROC_NULL)
            continue;
        begin = now();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        end = now();
        note(begin, end, got, side ^ 1, -1);
    }
}

static void run(const char *pattern)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (strcmp(pattern, "waves") == 0) {
            for (int corner = 0; corner < 1 << n_dims; corner++)
                wave(round % 2 ? corner ^ corner >> 1 : corner, true);
            MPI_Barrier(MPI_COMM_WORLD);
        } else if (strcmp(pattern, "line") == 0) {
            wave(0, round == 0);
        } else if (strcmp(pattern, "shift") == 0) {
            shift();
        } else if (strcmp(pattern, "solver") == 0) {
            pass_on();
            wave(0, true);
            wave((1 << n_dims) - 1, true);
        } else {
            exchange();
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}

static void say(const char *path, int n)
{
    double *all = calloc((size_t)n * CORNERS, sizeof *all), sides[SIDES];
    FILE *file = rank == 0 ? fopen(path, "w") : NULL;
    PMPI_Gather(refill, CORNERS, MPI_DOUBLE, all, CORNERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    PMPI_Reduce(from_side, sides, SIDES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; file && i < n * CORNERS; i++)
        fprintf(file, "corner %d %d %.9f\n", i % CORNERS, i / CORNERS, all[i]);
    for (int side = 0; file && side < 2 * n_dims; side++)
        fprintf(file, "from %d %.9f\n", side, sides[side]);
    if (file)
        fclose(file);
    free(all);
}

int main(int argc, char **argv)
{
    int n, rest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (argc != 4 || (n_dims = sscanf(argv[2], "%dx%dx%d", &sizes[0], &sizes[1], &sizes[2])) < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    rest = rank;
    for (int d = 0; d < n_dims; d++) {
        at[d] = rest % sizes[d];
        rest /= sizes[d];
    }
    if (rest > 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    PMPI_Barrier(MPI_COMM_WORLD);
    run(argv[3]);
    PMPI_Barrier(MPI_COMM_WORLD);
    say(argv[1], n);
    MPI_Finalize();
    return 0;
}
