/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* Irregular tags: the trace of each process has more bytes than go up the merge tree in one
 * message (src/output/gather.c). */
#include "expect.h"

enum { CALLS = 12000, TAGS = 1 << 20 };

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    unsigned random = 12345 + (unsigned)rank;
    for (int i = 0; i < CALLS; i++) {
        random = random * 1103515245 + 12345;
        const int tag = (int)(random >> 8) % TAGS;
        MPI_Send(&tag, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=MPI_PROC_NULL, tag=%d, " WORLD ")", tag);
    }
    return expect_end();
}
