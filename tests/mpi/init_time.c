/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins MPI in the way of its argument (init, thread; session, if the library has sessions),
 * pauses, and makes another call. Prints durations of its own clock in nanoseconds: of the call
 * that joined, and from its return to the next call. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_US 50000

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void tell(long long before, long long joined)
{
    usleep(PAUSE_US);
    printf("%lld %lld\n", joined - before, now() - joined);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int thread;
    const long long before = now();
#if MPI_VERSION >= 4
    if (strcmp(how, "session") == 0) {
        MPI_Session session;
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        tell(before, now());
        return MPI_Session_finalize(&session);
    }
#endif
    if (strcmp(how, "thread") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &thread);
    else
        MPI_Init(&argc, &argv);
    tell(before, now());
    return MPI_Finalize();
}
