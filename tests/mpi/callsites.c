/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls from several places on one rank, which print their own places. For
 * tests/mpi/callsites.sh. */
#include "callsites.h"

#include <stdlib.h>

struct caller callers[DEPTH_MAX];
int depth;

void say(const char *name)
{
    printf("%s ", name);
    for (int i = depth; i-- > 0;)
        printf("%s (%s:%d)%s", callers[i].function, callers[i].file, callers[i].line, i > 0 ? " < " : "\n");
}

/* One place that three paths lead to. */
__attribute__((noinline)) static void helper(void)
{
    MPI("MPI_Comm_set_name", MPI_Comm_set_name(MPI_COMM_SELF, "self"));
}

__attribute__((noinline)) static void first_caller(void)
{
    CALL(helper());
    CALL(helper());
}

__attribute__((noinline)) static void second_caller(void)
{
    for (int i = 0; i < 3; i++)
        CALL(helper());
}

static inline __attribute__((always_inline)) void inner(void)
{
    int size;
    MPI("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &size));
}

/* Inlined together with the function that it calls, even without optimisation. */
static inline __attribute__((always_inline)) void outer(void)
{
    CALL(inner());
}

/* Called by the C library. */
static void at_exit(void)
{
    MPI("MPI_Finalize", MPI_Finalize());
}

int main(int argc, char **argv)
{
    atexit(at_exit);
    MPI("MPI_Init", MPI_Init(&argc, &argv));
    CALL(first_caller());
    CALL(second_caller());
    CALL(outer());
    CALL(library_barrier());
    return 0;
}
