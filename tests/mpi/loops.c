/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 4 */
/* Long loops, as in solvers: the compressed trace must be exact. */
#include "expect.h"

enum { N = 16, STEPS = 300, SWEEPS = 7 };

static int right, left;
static double out[N], in[N];

/* A pair of requests on each side, counting tags, a reduction in every tenth step, and an
 * alternating message size. */
static void solver(void)
{
    for (int step = 0; step < STEPS; step++) {
        MPI_Request requests[2];
        int n = step % 2 == 0 ? N : N / 2;
        MPI_Irecv(in, N, MPI_DOUBLE, left, step, MPI_COMM_WORLD, &requests[0]);
        OK("MPI_Irecv(buf=ptr, count=16, datatype=MPI_DOUBLE, source=%d, tag=%d, " WORLD ", request=req0)",
           left, step);
        MPI_Isend(out, n, MPI_DOUBLE, right, step, MPI_COMM_WORLD, &requests[1]);
        OK("MPI_Isend(buf=ptr, count=%d, datatype=MPI_DOUBLE, dest=%d, tag=%d, " WORLD ", request=req1)", n,
           right, step);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=2, array_of_requests=[req0, req1], array_of_statuses=[ignored%s, ignored" SENT
           "])",
           status_is(left, step, 8 * n));
        if (step % 10 == 9) {
            MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_DOUBLE, op=MPI_MAX, " WORLD
               ")");
        }
    }
}

/* Loops in loops whose inner count grows: a triangle. */
static void triangle(void)
{
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < i; j++) {
            MPI_Bcast(out, j + 1, MPI_DOUBLE, j % size, MPI_COMM_WORLD);
            OK("MPI_Bcast(buffer=ptr, count=%d, datatype=MPI_DOUBLE, root=%d, " WORLD ")", j + 1, j % size);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        OK("MPI_Barrier(" WORLD ")");
    }
}

/* Counts that never repeat and follow no short rule: a linear congruence. */
static void irregular_counts(void)
{
    unsigned x = 12345;
    for (int i = 0; i < 200; i++) {
        x = x * 1103515245u + 12345u;
        int n = (int)(x >> 16) % N;
        MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        OK("MPI_Bcast(buffer=ptr, count=%d, datatype=MPI_DOUBLE, root=0, " WORLD ")", n);
    }
}

/* A wavefront: the first process only sends, the last one only receives, and every sweep reverses
 * the direction. */
static void sweeps(void)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        int forth = sweep % 2 == 0;
        int from = forth ? rank - 1 : rank + 1, to = forth ? rank + 1 : rank - 1;
        if (from >= 0 && from < size) {
            MPI_Recv(in, N, MPI_DOUBLE, from, sweep, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            OK("MPI_Recv(buf=ptr, count=16, datatype=MPI_DOUBLE, source=%d, tag=%d, " WORLD
               ", status=ignored%s)",
               from, sweep, status_is(from, sweep, 8 * N));
        }
        if (to >= 0 && to < size) {
            MPI_Send(out, N, MPI_DOUBLE, to, sweep, MPI_COMM_WORLD);
            OK("MPI_Send(buf=ptr, count=16, datatype=MPI_DOUBLE, dest=%d, tag=%d, " WORLD ")", to, sweep);
        }
    }
}

/* Recursive doubling: the partner of step i is rank xor 2^i. */
static void butterfly(void)
{
    for (int round = 0; round < 10; round++) {
        for (int mask = 1; mask < size; mask *= 2) {
            int partner = rank ^ mask;
            if (partner >= size)
                continue;
            MPI_Sendrecv(out, mask, MPI_DOUBLE, partner, round, in, mask, MPI_DOUBLE, partner, round,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            OK("MPI_Sendrecv(sendbuf=ptr, sendcount=%d, sendtype=MPI_DOUBLE, dest=%d, sendtag=%d, "
               "recvbuf=ptr, "
               "recvcount=%d, recvtype=MPI_DOUBLE, source=%d, recvtag=%d, " WORLD ", status=ignored%s)",
               mask, partner, round, mask, partner, round, status_is(partner, round, 8 * mask));
        }
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    solver();
    triangle();
    irregular_counts();
    sweeps();
    butterfly();
    return expect_end();
}
