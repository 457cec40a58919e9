/* SPDX-License-Identifier: BSD-3-Clause */
/* A function that the linker knows by the name of a method of C++, Solver::exchange(). */
#include <mpi.h>

void exchange(void) __asm__("_ZN6Solver8exchangeEv");

__attribute__((noinline, noipa)) void exchange(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    exchange();
    MPI_Finalize();
    return 0;
}
