/* SPDX-License-Identifier: BSD-3-Clause */
/* For recording.sh: always the same calls, with an event in between that turns recording on.
 *
 *   recording [before|after|none|pause|kill]
 *
 * before, after: the program has a handler of SIGUSR2, set before or after MPI_Init, which must run
 * once; none: it has none; all three raise SIGUSR2 before the only MPI_Barrier. pause: recording is
 * off for a while. kill: a part is requested, then the program kills itself. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t n_signals, with_info;

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    n_signals += number == SIGUSR2;
    with_info += info->si_signo == SIGUSR2;
}

static void set_handler(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR2, &action, NULL);
}

static bool is(const char *mode, const char *name)
{
    return mode && strcmp(mode, name) == 0;
}

static void exchange(int rank, int size)
{
    MPI_Comm comm;
    MPI_Request requests[2];
    int in, out = rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 5; i++) {
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, i, comm, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, i, comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Wtime();
    }
    MPI_Comm_free(&comm);
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 800000000}, NULL);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : NULL;
    const bool has_handler = is(mode, "before") || is(mode, "after");
    int rank, size, failed = 0;
    if (is(mode, "before"))
        set_handler();
    MPI_Init(NULL, NULL);
    if (is(mode, "after"))
        set_handler();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(rank, size);
    if (is(mode, "pause")) {
        MPI_Pcontrol(0);
        rest();
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        rest();
        MPI_Pcontrol(1);
    }
    if (has_handler || is(mode, "none"))
        raise(SIGUSR2);
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(rank, size);
    if (is(mode, "kill")) {
        MPI_Pcontrol(2);
        PMPI_Barrier(MPI_COMM_WORLD); /* the others have entered theirs, too */
        MPI_Wtime();
        raise(SIGKILL);
    }
    if (is(mode, "late") && rank == 1)
        rest();
    MPI_Finalize();
    struct sigaction now;
    sigaction(SIGUSR2, NULL, &now);
    if (has_handler && (n_signals != 1 || with_info != 1 || now.sa_sigaction != handle))
        failed = 1;
    if (!has_handler && now.sa_handler != SIG_DFL)
        failed = 1;
    if (failed)
        fprintf(stderr, "signals: %d\n", (int)n_signals);
    return failed;
}
