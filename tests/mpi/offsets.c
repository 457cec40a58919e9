/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 4 16 */
/* Irregular exchanges with places in bytes: running sums of the counts, times the size of an
 * element (src/core/passes/prefix_sums.h). In an array filled from its end, the places go down. */
#include "expect.h"

enum { MAX = 16, ITERATIONS = 3, BLOCKS = 6 };

/* Returns the elements from one rank to another: irregular, and the same on both sides. Rank 0
 * sends nothing. */
static int elements(int from, int to, int step)
{
    return from == 0 ? 0 : (from * 37 + to * 23 + from * to % 7 + step * 5) % 19;
}

static void fill(int *counts, int *places, int element, int step, int sending)
{
    int at = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = sending ? elements(rank, i, step) : elements(i, rank, step);
        places[i] = at;
        at += counts[i] * element;
    }
}

/* Packs from the end of the buffer: each piece begins below the previous one. */
static void turn_around(const int *counts, int *places, int element)
{
    int at = 18 * MAX * element;
    for (int i = 0; i < size; i++) {
        places[i] = at;
        at -= counts[i] * element;
    }
}

static void exchange(void)
{
    static double out[18 * MAX + 18], in[18 * MAX];
    int sent[MAX], from[MAX], received[MAX], to[MAX];
    MPI_Datatype types[MAX];
    for (int i = 0; i < size; i++)
        types[i] = MPI_DOUBLE;
    for (int step = 0; step < ITERATIONS; step++) {
        MPI_Request request;
        fill(sent, from, sizeof *out, step, 1);
        fill(received, to, sizeof *in, step, 0);
        const char *doubles = same_list(size, "MPI_DOUBLE");
        MPI_Alltoallw(out, sent, from, types, in, received, to, types, MPI_COMM_WORLD);
        OK("MPI_Alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, recvcounts=%s, "
           "rdispls=%s, recvtypes=%s, " WORLD ")",
           int_list(size, sent), int_list(size, from), doubles, int_list(size, received), int_list(size, to),
           doubles);
        turn_around(sent, from, sizeof *out);
        doubles = same_list(size, "MPI_DOUBLE");
        MPI_Ialltoallw(out, sent, from, types, in, received, to, types, MPI_COMM_WORLD, &request);
        OK("MPI_Ialltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, recvcounts=%s, "
           "rdispls=%s, recvtypes=%s, " WORLD ", request=req0)",
           int_list(size, sent), int_list(size, from), doubles, int_list(size, received), int_list(size, to),
           doubles);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req0, status=ignored" SENT ")");
    }
}

/* Pieces of a buffer as one datatype, with places in bytes and in elements. */
static void pieces(void)
{
    int lengths[BLOCKS], starts[BLOCKS];
    MPI_Aint bytes[BLOCKS];
    MPI_Datatype type;
    for (int i = 0, at = 0; i < BLOCKS; i++) {
        lengths[i] = 1 + elements(rank + 1, i, 0);
        starts[i] = at;
        bytes[i] = at * (MPI_Aint)sizeof(int);
        at += lengths[i];
    }
    MPI_Type_create_hindexed(BLOCKS, lengths, bytes, MPI_INT, &type);
    OK("MPI_Type_create_hindexed(count=6, array_of_blocklengths=%s, array_of_displacements=%s, "
       "oldtype=MPI_INT, newtype=type0)",
       int_list(BLOCKS, lengths), aint_list(BLOCKS, bytes));
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type0)");
    MPI_Type_indexed(BLOCKS, lengths, starts, MPI_INT, &type);
    OK("MPI_Type_indexed(count=6, array_of_blocklengths=%s, array_of_displacements=%s, oldtype=MPI_INT, "
       "newtype=type1)",
       int_list(BLOCKS, lengths), int_list(BLOCKS, starts));
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type1)");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    exchange();
    pieces();
    return expect_end();
}
