/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 4 16 */
/* Cells on the diagonals of a square of ranks, as in the solvers of NAS bt and sp: a rank works on
 * another cell in each step, and sends its right neighbour the cell's face. All counts are one
 * list of all ranks, seen from different places; the file has a short form for such lists
 * (src/core/passes/torus_permutation.h). Offsets in a buffer are sums of sizes. */
#include "expect.h"

static int side, x, y;

/* Returns the points of the cell on which the rank in column x works. */
static int points(int column, int step)
{
    static const int width[] = {5, 3, 7, 4, 9}, height[] = {11, 6, 8, 2, 13};
    const int u = (column + y + side - step % side) % side, v = (step + side - column % side) % side;
    return width[u % 5] * height[v % 5];
}

static void solve(void)
{
    static int out[4096], in[4096];
    const int left = y * side + (x + side - 1) % side, right = y * side + (x + 1) % side;
    for (int step = 0; step < side; step++) {
        const int sent = 22 * points(x, step), received = 22 * points((x + side - 1) % side, step);
        MPI_Sendrecv(out, sent, MPI_INT, right, 2000, in, received, MPI_INT, left, 2000, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        OK("MPI_Sendrecv(sendbuf=ptr, sendcount=%d, sendtype=MPI_INT, dest=%d, sendtag=2000, recvbuf=ptr, "
           "recvcount=%d, "
           "recvtype=MPI_INT, source=%d, recvtag=2000, " WORLD ", status=ignored%s)",
           sent, right, received, left, status_is(left, 2000, received * (long long)sizeof *in));
    }
}

/* Irregular sizes of the faces, and their places in one buffer. */
static void pack(void)
{
    static int buffer[4096];
    const int west = 10 + rank * rank % 7, east = 20 + rank * 37 % 11, north = 30 + rank * 23 % 13;
    const int counts[] = {west, east, north, west + east, west + east + north};
    for (int i = 0; i < (int)(sizeof counts / sizeof counts[0]); i++) {
        MPI_Send(buffer, counts[i], MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=%d, datatype=MPI_INT, dest=MPI_PROC_NULL, tag=%d, " WORLD ")", counts[i],
           i);
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    for (side = 1; (side + 1) * (side + 1) <= size; side++) {
    }
    x = rank % side;
    y = rank / side;
    if (side * side == size)
        solve();
    pack();
    return expect_end();
}
