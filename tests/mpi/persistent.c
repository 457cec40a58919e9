/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4; large: 3 */
/* Persistent requests: created once, started several times, freed at the end. */
#include "expect.h"

#include <stdlib.h>

enum { N = 4, ROUNDS = 5 };

static int right, left;
static int out[N], in[N];

/* A request keeps its number from MPI_Send_init to MPI_Request_free, active or not. */
static void one_pair(void)
{
    MPI_Request receive, send;
    MPI_Status status;
    int flag;
    MPI_Recv_init(in, N, MPI_INT, left, 1, MPI_COMM_WORLD, &receive);
    OK("MPI_Recv_init(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=1, " WORLD ", request=req0)", left);
    MPI_Send_init(out, N, MPI_INT, right, 1, MPI_COMM_WORLD, &send);
    OK("MPI_Send_init(buf=ptr, count=4, datatype=MPI_INT, dest=%d, tag=1, " WORLD ", request=req1)", right);

    MPI_Wait(&receive, &status);
    OK("MPI_Wait(request=req0, status=" EMPTY ")");
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Start(&receive);
        OK("MPI_Start(request=req0)");
        MPI_Start(&send);
        OK("MPI_Start(request=req1)");
        MPI_Wait(&receive, &status);
        OK("MPI_Wait(request=req0, status=%s)", status_is(left, 1, sizeof in));
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req1, status=ignored" SENT ")");
    }
    MPI_Test(&receive, &flag, &status);
    OK("MPI_Test(request=req0, flag=1, status=" EMPTY ")");

    MPI_Request_free(&receive);
    OK("MPI_Request_free(request=req0)");
    MPI_Request_free(&send);
    OK("MPI_Request_free(request=req1)");
}

/* All send modes at the same time, started and completed together. */
static void all_modes(void)
{
    enum { MODES = 3, ALL = 2 * MODES };
    MPI_Request requests[ALL];
    MPI_Status statuses[ALL];
    count_t bytes = 4000;
    void *buffer = malloc((size_t)bytes), *detached;
    MPI_Buffer_attach(buffer, bytes);
    OK("MPI_Buffer_attach(buffer=ptr, size=4000)");
    for (int i = 0; i < MODES; i++) {
        MPI_Recv_init(in, N, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
        OK("MPI_Recv_init(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=req%d)",
           left, i, 2 + i);
    }
    MPI_Bsend_init(out, 3, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
    OK("MPI_Bsend_init(buf=ptr, count=3, datatype=MPI_INT, dest=%d, tag=0, " WORLD ", request=req5)", right);
    MPI_Ssend_init(out, 2, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[4]);
    OK("MPI_Ssend_init(buf=ptr, count=2, datatype=MPI_INT, dest=%d, tag=1, " WORLD ", request=req6)", right);
    MPI_Rsend_init(out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[5]);
    OK("MPI_Rsend_init(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=2, " WORLD ", request=req7)", right);

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Startall(MODES, requests);
        OK("MPI_Startall(count=3, array_of_requests=[req2, req3, req4])");
        MPI_Barrier(MPI_COMM_WORLD); /* the receive that Rsend needs is posted */
        OK("MPI_Barrier(" WORLD ")");
        MPI_Startall(MODES, requests + MODES);
        OK("MPI_Startall(count=3, array_of_requests=[req5, req6, req7])");
        MPI_Waitall(ALL, requests, statuses);
        OK("MPI_Waitall(count=6, array_of_requests=[req2, req3, req4, req5, req6, req7], "
           "array_of_statuses=[%s, %s, "
           "%s, " SENT ", " SENT ", " SENT "])",
           status_is(left, 0, 12), status_is(left, 1, 8), status_is(left, 2, 4));
    }
    /* None is active, so there is nothing to wait for. */
    int index;
    MPI_Waitany(ALL, requests, &index, MPI_STATUS_IGNORE);
    OK("MPI_Waitany(count=6, array_of_requests=[req2, req3, req4, req5, req6, req7], index=MPI_UNDEFINED, "
       "status=ignored" EMPTY ")");
    for (int i = 0; i < ALL; i++) {
        MPI_Request_free(&requests[i]);
        OK("MPI_Request_free(request=req%d)", 2 + i);
    }
    MPI_Buffer_detach(&detached, &bytes);
    OK("MPI_Buffer_detach(buffer_addr=ptr, size=%d)", (int)bytes);
    free(buffer);
}

/* Created again each time: the call sites' pools give the same numbers again. */
static void again_and_again(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request pair[2];
        MPI_Recv_init(in, N, MPI_INT, left, i, MPI_COMM_WORLD, &pair[0]);
        OK("MPI_Recv_init(buf=ptr, count=4, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", request=req8)",
           left, i);
        MPI_Send_init(out, i, MPI_INT, right, i, MPI_COMM_WORLD, &pair[1]);
        OK("MPI_Send_init(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req9)", i,
           right, i);
        MPI_Startall(2, pair);
        OK("MPI_Startall(count=2, array_of_requests=[req8, req9])");
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=2, array_of_requests=[req8, req9], array_of_statuses=[ignored%s, ignored" SENT
           "])",
           status_is(left, i, 4 * i));
        MPI_Request_free(&pair[1]);
        OK("MPI_Request_free(request=req9)");
        MPI_Request_free(&pair[0]);
        OK("MPI_Request_free(request=req8)");
    }
}

/* Started again while the last message is still in the buffer, because it is not received yet:
 * Open MPI replaces the request passed to MPI_Start by another one. For the program it is the
 * same. */
static void buffered(void)
{
    enum { LARGE = 30000, STARTS = 2 * ROUNDS };
    static int large[LARGE], received[LARGE];
    MPI_Request requests[2];
    MPI_Status status;
    count_t bytes = 2 * STARTS * ((int)sizeof large + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes), *detached;
    MPI_Buffer_attach(buffer, bytes);
    OK("MPI_Buffer_attach(buffer=ptr, size=%d)", (int)bytes);
    for (int i = 0; i < 2; i++) {
        MPI_Bsend_init(large, LARGE, MPI_INT, right, i, MPI_COMM_WORLD, &requests[i]);
        OK("MPI_Bsend_init(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req%d)",
           LARGE, right, i, 10 + i);
    }
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Start(&requests[0]);
        OK("MPI_Start(request=req10)");
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req10, status=ignored" SENT ")");
        MPI_Startall(2, requests);
        OK("MPI_Startall(count=2, array_of_requests=[req10, req11])");
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=2, array_of_requests=[req10, req11], array_of_statuses=[ignored" SENT
           ", ignored" SENT "])");
    }
    for (int i = 0; i < STARTS + ROUNDS; i++) {
        MPI_Recv(received, LARGE, MPI_INT, left, i < STARTS ? 0 : 1, MPI_COMM_WORLD, &status);
        OK("MPI_Recv(buf=ptr, count=%d, datatype=MPI_INT, source=%d, tag=%d, " WORLD ", status=%s)", LARGE,
           left, i < STARTS ? 0 : 1, status_is(left, i < STARTS ? 0 : 1, sizeof large));
    }
    MPI_Buffer_detach(&detached, &bytes);
    OK("MPI_Buffer_detach(buffer_addr=ptr, size=%d)", (int)bytes);
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&requests[i]);
        OK("MPI_Request_free(request=req%d)", 10 + i);
    }
    free(buffer);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    one_pair();
    all_modes();
    again_and_again();
    buffered();
    return expect_end();
}
