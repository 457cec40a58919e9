/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 */
/* MPI_Pcontrol turns recording off and on. The trace lacks what happens meanwhile, but handles
 * that are created, used and freed then have the numbers that they would have had otherwise, and
 * the same meaning. */
#include "expect.h"

static int right, left, in[2], out[2];

#define CONTROL(level)                                                                                       \
    do {                                                                                                     \
        MPI_Pcontrol(level);                                                                                 \
        OK("MPI_Pcontrol(level=%d)", level);                                                                 \
    } while (0)

static MPI_Request receive(int *where, int tag)
{
    MPI_Request request;
    MPI_Irecv(where, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
    return request;
}

/* Started while recording is off, completed while it is on, and the other way round. */
static void requests(void)
{
    MPI_Request first, second;
    CONTROL(0);
    first = receive(&in[0], 1);
    CONTROL(1);
    second = receive(&in[1], 2);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=2, " WORLD ", request=req1)", left);
    CONTROL(0);
    MPI_Send(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Send(&out[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    CONTROL(1);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req0, status=ignored%s)", status_is(left, 1, sizeof in[0]));
    /* Both numbers are free again. */
    first = receive(&in[0], 3);
    OK("MPI_Irecv(buf=ptr, count=1, datatype=MPI_INT, source=%d, tag=3, " WORLD ", request=req0)", left);
    MPI_Send(&out[0], 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=3, " WORLD ")", right);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req0, status=ignored%s)", status_is(left, 3, sizeof in[0]));
}

/* Objects that are created while recording is off: the trace knows what they are made of. */
static void objects(void)
{
    MPI_Comm comm, child;
    MPI_Datatype type;
    int n, bytes;
    CONTROL(0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    CONTROL(1);
    MPI_Comm_size(comm, &n);
    OK("MPI_Comm_size(comm=comm0, size=%d)", size);
    MPI_Type_size(type, &bytes);
    OK("MPI_Type_size(datatype=type0, size=24)");
    MPI_Comm_dup(comm, &child);
    OK("MPI_Comm_dup(comm=comm0, newcomm=comm1)");
    CONTROL(0);
    MPI_Comm_free(&child);
    MPI_Type_free(&type);
    CONTROL(1);
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm0)");
}

/* Ranks may differ. */
static void one_rank(void)
{
    int flag;
    if (rank == 0)
        CONTROL(0);
    for (int i = 0; i < 10; i++) {
        MPI_Initialized(&flag);
        if (rank != 0)
            OK("MPI_Initialized(flag=1)");
    }
    if (rank == 0)
        CONTROL(1);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    CONTROL(7); /* no meaning for recording */
    requests();
    objects();
    one_rank();
    CONTROL(2);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    CONTROL(0);
    MPI_Barrier(MPI_COMM_WORLD);
    return expect_end(); /* MPI_Finalize is always recorded */
}
