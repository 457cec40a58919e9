/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* Irregular values, enough that their columns lie in the annex (src/core/trace/annex_columns.h):
 * tags that each rank has for itself, tags that all ranks share, and some counting ones in
 * between. */
#include "expect.h"

enum { CALLS = 9000 };

static unsigned state;

static int next(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

static void send(int count, int tag)
{
    static char buffer[30000];
    MPI_Send(buffer, count, MPI_CHAR, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
    OK("MPI_Send(buf=ptr, count=%d, datatype=MPI_CHAR, dest=MPI_PROC_NULL, tag=%d, " WORLD ")", count, tag);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    state = (unsigned)rank * 7919 + 1;
    for (int i = 0; i < CALLS; i++)
        send(0, next(30000));
    for (int i = 0; i < 10; i++)
        send(1, 3 * i);
    state = 5;
    for (int i = 0; i < CALLS; i++)
        send(next(30000), rank);
    return expect_end();
}
