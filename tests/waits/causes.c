/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose causes of waiting are known. In each, one rank sleeps before a call, or exchanges
 * much data in it, and others wait for it, directly or through a third rank; "cause" is in the line
 * of that call. The first argument chooses the program. The file of the second argument gets the
 * time that each rank slept or spent in the exchange:
 *
 *     rank seconds */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NAP 0.05 /* in seconds */
enum { TURNS = 6, LARGE = 1 << 20, MUCH = 64 << 20 };
#define WORLD  MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define BYTES  MUCH, MPI_CHAR

static int rank, number, buffer[16];
static double slept;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void compute(int who, double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    const double begin = now();
    if (rank != who)
        return;
    nanosleep(&t, NULL);
    slept += now() - begin;
}

/* Rank 2 delays rank 1, which delays rank 0. */
static void hops(int turn)
{
    (void)turn;
    compute(2, NAP);
    if (rank == 2)
        MPI_Send(buffer, 1, MPI_INT, 1, 0, WORLD); /* cause: hops */
    if (rank == 1) {
        MPI_Recv(buffer, 1, MPI_INT, 2, 0, WORLD, IGNORE);
        MPI_Send(buffer, 1, MPI_INT, 0, 0, WORLD);
    }
    if (rank == 0)
        MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE);
}

/* In each turn another rank is late. */
static void alternate(int turn)
{
    compute(turn % number, NAP);
    MPI_Barrier(WORLD); /* cause: alternate */
}

/* The message that rank 1 sends late arrives before rank 0 asks for it. */
static void slack(int turn)
{
    (void)turn;
    compute(1, NAP / 2);
    if (rank == 1)
        MPI_Send(buffer, 1, MPI_INT, 0, 0, WORLD);
    compute(0, NAP);
    if (rank == 0)
        MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE); /* cause: slack */
    MPI_Barrier(WORLD);
}

/* Rank 0 alone does work that all need. */
static void serial(int turn)
{
    (void)turn;
    compute(0, NAP);
    MPI_Bcast(buffer, 1, MPI_INT, 0, WORLD); /* cause: serial */
    MPI_Gather(buffer, 1, MPI_INT, buffer + 1, 1, MPI_INT, 0, WORLD);
}

/* Each rank does the same work after the previous rank has done it. */
static void relay(int turn)
{
    (void)turn;
    if (rank > 0)
        MPI_Recv(buffer, 1, MPI_INT, rank - 1, 0, WORLD, IGNORE);
    compute(rank, NAP);
    MPI_Send(buffer, 1, MPI_INT, (rank + 1) % number, 0, WORLD); /* cause: relay */
    if (rank == 0)
        MPI_Recv(buffer, 1, MPI_INT, number - 1, 0, WORLD, IGNORE);
}

/* Rank 1 is late, and rank 0 receives from it first, while the others wait. */
static void order(int turn)
{
    (void)turn;
    compute(1, NAP);
    if (rank > 0)
        MPI_Ssend(buffer, 1, MPI_INT, 0, 0, WORLD); /* cause: order */
    for (int from = 1; rank == 0 && from < number; from++)
        MPI_Recv(buffer, 1, MPI_INT, from, 0, WORLD, IGNORE);
}

/* Each rank does the same before it exchanges with its partner, in lines of its own; rank 0 takes longer. */
static void mirror(int turn)
{
    (void)turn;
    const int to = rank ^ 1;
    int *in = buffer + 1;
    compute(rank, rank == 0 ? 1.6 * NAP : NAP);
    if (rank % 2 == 0)
        MPI_Sendrecv(buffer, 1, MPI_INT, to, 0, in, 1, MPI_INT, to, 0, WORLD, IGNORE); /* cause: mirror */
    else
        MPI_Sendrecv(buffer, 1, MPI_INT, to, 0, in, 1, MPI_INT, to, 0, WORLD, IGNORE);
}

/* Ranks 1 and 3 are late in each turn: rank 3 by a little less, so that it hardly causes waiting. */
static void together(int turn)
{
    (void)turn;
    compute(rank, rank == 1 ? 2 * NAP : rank == 3 ? 1.96 * NAP : NAP);
    MPI_Barrier(WORLD); /* cause: together */
}

/* The same between neighbours of a ring: each of the others waits for both. */
static void meet_neighbours(double seconds)
{
    const int next = (rank + 1) % number, last = (rank + number - 1) % number;
    MPI_Request requests[4];
    compute(rank, seconds);
    MPI_Irecv(buffer, 1, MPI_INT, next, 0, WORLD, &requests[0]); /* cause: meet_neighbours */
    MPI_Irecv(buffer + 1, 1, MPI_INT, last, 0, WORLD, &requests[1]);
    MPI_Isend(buffer + 2, 1, MPI_INT, next, 0, WORLD, &requests[2]);
    MPI_Isend(buffer + 2, 1, MPI_INT, last, 0, WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void neighbours(int turn)
{
    (void)turn;
    meet_neighbours(rank == 1 ? 2 * NAP : rank == 3 ? 1.96 * NAP : NAP);
}

/* Every other rank is late in turn. */
static void turns(int turn)
{
    meet_neighbours(turn % 2 == rank % 2 ? 2 * NAP : NAP);
}

/* Each half of the ranks synchronizes, then their first ranks exchange. All of the second half is late. */
static void component(int turn)
{
    static MPI_Comm half;
    const int second = 2 * rank >= number, to = second ? 0 : number / 2;
    if (turn == 0)
        MPI_Comm_split(WORLD, second, rank, &half);
    compute(rank, second ? 1.5 * NAP : NAP);
    if (second)
        MPI_Barrier(half); /* cause: component */
    else
        MPI_Barrier(half);
    if (rank == 0 || rank == number / 2)
        MPI_Sendrecv(buffer, 1, MPI_INT, to, 0, buffer + 1, 1, MPI_INT, to, 0, WORLD, IGNORE);
}

/* Two functions synchronize in the same line; rank 1 is late in the second one. */
__attribute__((noinline)) static void meet(void)
{
    MPI_Barrier(WORLD); /* cause: meet */
}
__attribute__((noinline)) static void morning(void)
{
    compute(rank, NAP / 5);
    meet();
}
__attribute__((noinline)) static void evening(void)
{
    compute(rank, rank == 1 ? NAP : NAP / 5);
    meet();
}
static void twice(int turn)
{
    (void)turn;
    morning();
    evening();
}

/* The same in one line of one function. */
#define MEET_TWICE                                                                                           \
    do {                                                                                                     \
        compute(rank, NAP / 5);                                                                              \
        MPI_Barrier(WORLD);                                                                                  \
        compute(rank, rank == 1 ? NAP : NAP / 5);                                                            \
        MPI_Barrier(WORLD);                                                                                  \
    } while (0)
static void one_line(int turn)
{
    (void)turn;
    MEET_TWICE; /* cause: one_line */
}

/* All ranks begin to exchange large messages, and compute: rank 1 longer. The others wait until it is in MPI again. */
static void overlap(int turn)
{
    (void)turn;
    static char out[LARGE], in[LARGE];
    MPI_Request requests[2];
    MPI_Irecv(in, LARGE, MPI_CHAR, (rank + number - 1) % number, 0, WORLD, &requests[0]);
    MPI_Isend(out, LARGE, MPI_CHAR, (rank + 1) % number, 0, WORLD, &requests[1]);
    compute(rank, rank == 1 ? 2 * NAP : NAP);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* cause: overlap */
}

/* The root of a broadcast waits until rank 2 is in MPI again. */
static void deferred(int turn)
{
    (void)turn;
    static char data[LARGE];
    MPI_Request request;
    MPI_Ibcast(data, LARGE, MPI_CHAR, 0, WORLD, &request);
    compute(rank, rank == 2 ? 2 * NAP : NAP);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* cause: deferred */
}

/* Work in three parts goes through all ranks, and back. */
static void sweeps(int turn)
{
    (void)turn;
    for (int part = 0; part < 6; part++) {
        const int step = part < 3 ? 1 : -1, from = rank - step, to = rank + step;
        if (from >= 0 && from < number)
            MPI_Recv(buffer, 1, MPI_INT, from, 0, WORLD, IGNORE);
        compute(rank, NAP / 5);
        if (to >= 0 && to < number)
            MPI_Send(buffer, 1, MPI_INT, to, 0, WORLD); /* cause: sweeps */
    }
}

static MPI_Win window = MPI_WIN_NULL;

/* Makes a window of some numbers on each rank, once. */
static void need_window(void)
{
    int *memory;
    if (window == MPI_WIN_NULL)
        MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &window);
}

/* Each rank writes into the memory of its neighbours in a ring; rank 2 is late. */
static void epochs(int turn)
{
    (void)turn;
    const int peers[] = {(rank + 1) % number, (rank + number - 1) % number};
    MPI_Group all, neighbours;
    need_window();
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 2, peers, &neighbours);
    compute(rank, rank == 2 ? 2 * NAP : NAP);
    MPI_Win_post(neighbours, 0, window); /* cause: epochs */
    MPI_Win_start(neighbours, 0, window);
    MPI_Put(buffer, 1, MPI_INT, peers[0], 0, 1, MPI_INT, window);
    MPI_Put(buffer, 1, MPI_INT, peers[1], 1, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&neighbours);
    MPI_Group_free(&all);
}

/* Each rank needs the lock of rank 0's memory; rank 1 has it first, and computes meanwhile. */
static void locks(int turn)
{
    (void)turn;
    need_window();
    compute(rank, rank == 1 ? NAP / 5 : NAP / 4);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(buffer, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    compute(1, NAP);
    MPI_Put(buffer, 1, MPI_INT, 0, 0, 1, MPI_INT, window); /* cause: locks */
    MPI_Win_unlock(0, window);
    MPI_Barrier(WORLD);
}

/* Ranks 0 and 1 begin a long exchange at the same time. */
static void transfer(int turn)
{
    (void)turn;
    static char out[MUCH], in[MUCH];
    if (rank < 2) {
        const double begin = now();
        const int to = 1 - rank;
        MPI_Sendrecv(out, BYTES, to, 0, in, BYTES, to, 0, WORLD, IGNORE); /* cause: transfer */
        slept += now() - begin;
    }
    MPI_Barrier(WORLD);
}

static const struct {
    const char *name;
    void (*run)(int turn);
} programs[] = {
    {"hops", hops},         {"alternate", alternate}, {"slack", slack},
    {"serial", serial},     {"relay", relay},         {"order", order},
    {"mirror", mirror},     {"together", together},   {"neighbours", neighbours},
    {"turns", turns},       {"component", component}, {"twice", twice},
    {"one_line", one_line}, {"overlap", overlap},     {"deferred", deferred},
    {"sweeps", sweeps},     {"epochs", epochs},       {"locks", locks},
    {"transfer", transfer},
};
enum { N_PROGRAMS = sizeof programs / sizeof programs[0] };

int main(int argc, char **argv)
{
    double all[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &number);
    if (argc != 3 || number > 15)
        MPI_Abort(WORLD, 2);
    size_t chosen = 0;
    while (chosen < N_PROGRAMS && strcmp(argv[1], programs[chosen].name) != 0)
        chosen++;
    if (chosen == N_PROGRAMS)
        MPI_Abort(WORLD, 2);
    for (int turn = 0; turn < TURNS; turn++)
        programs[chosen].run(turn);
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    /* Calls of PMPI_ are not recorded. */
    PMPI_Gather(&slept, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, WORLD);
    if (rank == 0) {
        FILE *out = fopen(argv[2], "w");
        for (int i = 0; out && i < number; i++)
            fprintf(out, "%d %.9f\n", i, all[i]);
        if (!out || fclose(out) != 0)
            MPI_Abort(WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
