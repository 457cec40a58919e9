/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 4; large: 3 */
/* Blocking point-to-point: all send modes, Sendrecv, probes, wildcards, MPI_PROC_NULL. */
#include "expect.h"

#include <stdlib.h>

enum { N = 4 };

static int right, left;
static int out[N], in[N];

/* Every mode sends N integers around the ring. Before Rsend, a barrier makes sure that the
 * receives are posted. */
static void modes(void)
{
    MPI_Status status;
    MPI_Sendrecv(out, N, MPI_INT, right, 1, in, N, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
    OK("MPI_Sendrecv(sendbuf=ptr, sendcount=4, sendtype=MPI_INT, dest=%d, sendtag=1, recvbuf=ptr, "
       "recvcount=4, "
       "recvtype=MPI_INT, source=%d, recvtag=1, " WORLD ", status=%s)",
       right, left, status_is(left, 1, sizeof in));

    MPI_Sendrecv_replace(in, N, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OK("MPI_Sendrecv_replace(buf=ptr, count=4, datatype=MPI_INT, dest=%d, sendtag=2, source=%d, "
       "recvtag=2, " WORLD ", status=ignored%s)",
       right, left, status_is(left, 2, sizeof in));

    count_t room, bytes;
    MPI_Pack_size(N, MPI_INT, MPI_COMM_WORLD, &room);
    OK("MPI_Pack_size(incount=4, datatype=MPI_INT, " WORLD ", size=%d)", (int)room);
    bytes = room + MPI_BSEND_OVERHEAD;
    void *buffer = malloc((size_t)bytes), *detached;
    MPI_Buffer_attach(buffer, bytes);
    OK("MPI_Buffer_attach(buffer=ptr, size=%d)", (int)bytes);
    MPI_Bsend(out, N, MPI_INT, right, 3, MPI_COMM_WORLD);
    OK("MPI_Bsend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=3, " WORLD ")", right);
    MPI_Recv(in, N, MPI_INT, left, 3, MPI_COMM_WORLD, &status);
    OK("MPI_Recv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=3, " WORLD ", status=%s)", left,
       status_is(left, 3, sizeof in));
    MPI_Buffer_detach(&detached, &bytes);
    OK("MPI_Buffer_detach(buffer_addr=ptr, size=%d)", (int)bytes);
    free(buffer);
}

/* Even ranks send first, odd ranks receive first; the last rank of an odd number does nothing. */
static void pairs(void)
{
    int partner = rank ^ 1;
    if (partner >= size)
        return;
    if (rank % 2 == 0) {
        MPI_Send(out, 0, MPI_INT, partner, 4, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=0, datatype=MPI_INT, dest=%d, tag=4, " WORLD ")", partner);
        MPI_Ssend(out, 2, MPI_INT, partner, 5, MPI_COMM_WORLD);
        OK("MPI_Ssend(buf=ptr, count=2, datatype=MPI_INT, dest=%d, tag=5, " WORLD ")", partner);
        /* The partner posts its receive before it sends this message. */
        MPI_Recv(in, N, MPI_INT, partner, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        OK("MPI_Recv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=6, " WORLD ", status=ignored%s)",
           partner, status_is(partner, 6, sizeof(int)));
        MPI_Rsend(out, N, MPI_INT, partner, 7, MPI_COMM_WORLD);
        OK("MPI_Rsend(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=7, " WORLD ")", partner);
    } else {
        MPI_Status status;
        MPI_Recv(in, N, MPI_INT, partner, 4, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=4, " WORLD ", status=%s)", partner,
           status_is(partner, 4, 0));
        MPI_Recv(in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=4, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, " WORLD
           ", status=%s)",
           status_is(partner, 5, 2 * sizeof(int)));
        MPI_Request request;
        MPI_Irecv(in, N, MPI_INT, partner, 7, MPI_COMM_WORLD, &request);
        OK("MPI_Irecv(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=7, " WORLD ", request=req0)",
           partner);
        MPI_Send(out, 1, MPI_INT, partner, 6, MPI_COMM_WORLD);
        OK("MPI_Send(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=6, " WORLD ")", partner);
        MPI_Wait(&request, &status);
        OK("MPI_Wait(request=req0, status=%s)", status_is(partner, 7, sizeof in));
    }
}

/* A message of a rank to itself is probed, measured and received. */
static void probes(void)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(out, 3, MPI_INT, rank, 8, MPI_COMM_WORLD, &request);
    OK("MPI_Isend(buf=ptr, count=3, datatype=MPI_INT, dest=%d, tag=8, " WORLD ", request=req%d)", rank,
       rank % 2 == 1 ? 1 : 0);
    MPI_Probe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    const char *arrived = status_is(rank, 8, 3 * sizeof(int));
    OK("MPI_Probe(source=%d, tag=MPI_ANY_TAG, " WORLD ", status=%s)", rank, arrived);
    count_t count, elements;
    int flag;
    MPI_Get_count(&status, MPI_INT, &count);
    OK("MPI_Get_count(status=%s, datatype=MPI_INT, count=3)", arrived);
    MPI_Get_elements(&status, MPI_INT, &elements);
    OK("MPI_Get_elements(status=%s, datatype=MPI_INT, count=3)", arrived);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    OK("MPI_Get_count(status=%s, datatype=MPI_DOUBLE, count=MPI_UNDEFINED)", arrived);
    do {
        MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &flag, &status);
        OK("MPI_Iprobe(source=MPI_ANY_SOURCE, tag=8, " WORLD ", flag=%d, status=%s)", flag,
           flag ? arrived : SENT);
    } while (!flag);
    MPI_Recv(in, 3, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
    OK("MPI_Recv(buf=ptr, count=3, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=8, " WORLD ", status=%s)",
       arrived);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req%d, status=ignored" SENT ")", rank % 2 == 1 ? 1 : 0);
}

static void null_processes(void)
{
    MPI_Status status;
    MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
    OK("MPI_Send(buf=NULL, count=0, datatype=MPI_BYTE, dest=MPI_PROC_NULL, tag=9, " WORLD ")");
    MPI_Recv(in, N, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status);
    const char *nothing = status_is(MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK("MPI_Recv(buf=ptr, count=4, datatype=MPI_INT, source=MPI_PROC_NULL, tag=9, " WORLD ", status=%s)",
       nothing);
    MPI_Probe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status);
    OK("MPI_Probe(source=MPI_PROC_NULL, tag=9, " WORLD ", status=%s)", nothing);

    /* An open chain: the ends use MPI_PROC_NULL. */
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(out, N, MPI_INT, up, 10, in, N, MPI_INT, down, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    OK("MPI_Sendrecv(sendbuf=ptr, sendcount=4, sendtype=MPI_INT, dest=%s, sendtag=10, recvbuf=ptr, "
       "recvcount=4, "
       "recvtype=MPI_INT, source=%s, recvtag=MPI_ANY_TAG, " WORLD ", status=%s)",
       rank_text(up), rank_text(down), rank > 0 ? status_is(down, 10, sizeof in) : nothing);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    modes();
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    pairs();
    probes();
    null_processes();
    return expect_end();
}
