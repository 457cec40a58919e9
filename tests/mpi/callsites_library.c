/* SPDX-License-Identifier: BSD-3-Clause */
/* A call site in a shared library. */
#include "callsites.h"

void library_barrier(void)
{
    MPI("MPI_Barrier", MPI_Barrier(MPI_COMM_WORLD));
}
