/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3; large: 3 */
/* Matched probes: messages as handles. */
#include "expect.h"

enum { N = 4 };

static int right, left;
static int out[N], in[N];

/* In each round, MPI_Mprobe finds the message to the neighbour, and a blocking call receives it. */
static void blocking(void)
{
    for (int i = 0; i < 3; i++) {
        MPI_Request send;
        MPI_Message message;
        MPI_Status status;
        MPI_Isend(out, i + 1, MPI_INT, right, i, MPI_COMM_WORLD, &send);
        OK("MPI_Isend(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req0)", i + 1,
           right, i);
        MPI_Mprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        const char *arrived = status_is(left, i, 4 * (i + 1));
        OK("MPI_Mprobe(source=%d, tag=MPI_ANY_TAG, " WORLD ", message=message0, status=%s)", left, arrived);
        MPI_Mrecv(in, N, MPI_INT, &message, &status);
        OK("MPI_Mrecv(buf=ptr, count=4, datatype=MPI_INT, message=message0, status=%s)", arrived);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req0, status=ignored" SENT ")");
    }
}

/* Two messages are held at the same time, and received in the other order, non-blocking. */
static void nonblocking(void)
{
    MPI_Request requests[4];
    MPI_Message messages[2];
    MPI_Status statuses[4];
    for (int i = 0; i < 2; i++) {
        MPI_Isend(out, i + 1, MPI_INT, right, 10 + i, MPI_COMM_WORLD, &requests[i]);
        OK("MPI_Isend(buf=ptr, count=%d, datatype=MPI_INT, dest=%d, tag=%d, " WORLD ", request=req%d)", i + 1,
           right, 10 + i, 1 + i);
    }
    for (int i = 0; i < 2; i++) {
        int flag;
        do {
            MPI_Improbe(MPI_ANY_SOURCE, 10 + i, MPI_COMM_WORLD, &flag, &messages[i], &statuses[0]);
            if (flag)
                OK("MPI_Improbe(source=MPI_ANY_SOURCE, tag=%d, " WORLD
                   ", flag=1, message=message%d, status=%s)",
                   10 + i, 1 + i, status_is(left, 10 + i, 4 * (i + 1)));
            else
                OK("MPI_Improbe(source=MPI_ANY_SOURCE, tag=%d, " WORLD
                   ", flag=0, message=MPI_MESSAGE_NULL, status=" SENT ")",
                   10 + i);
        } while (!flag);
    }
    MPI_Imrecv(in, N, MPI_INT, &messages[1], &requests[2]);
    OK("MPI_Imrecv(buf=ptr, count=4, datatype=MPI_INT, message=message2, request=req3)");
    MPI_Imrecv(in, N, MPI_INT, &messages[0], &requests[3]);
    OK("MPI_Imrecv(buf=ptr, count=4, datatype=MPI_INT, message=message1, request=req4)");
    MPI_Waitall(4, requests, statuses);
    OK("MPI_Waitall(count=4, array_of_requests=[req1, req2, req3, req4], array_of_statuses=[" SENT ", " SENT
       ", %s, %s])",
       status_is(left, 11, 8), status_is(left, 10, 4));
}

static void null_process(void)
{
    MPI_Message message;
    MPI_Status status;
    int flag;
    const char *nothing = status_is(MPI_PROC_NULL, MPI_ANY_TAG, 0);
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    OK("MPI_Mprobe(source=MPI_PROC_NULL, tag=1, " WORLD ", message=MPI_MESSAGE_NO_PROC, status=%s)", nothing);
    MPI_Mrecv(in, N, MPI_INT, &message, MPI_STATUS_IGNORE);
    OK("MPI_Mrecv(buf=ptr, count=4, datatype=MPI_INT, message=MPI_MESSAGE_NO_PROC, status=ignored%s)",
       nothing);
    MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
    OK("MPI_Improbe(source=MPI_PROC_NULL, tag=MPI_ANY_TAG, " WORLD
       ", flag=1, message=MPI_MESSAGE_NO_PROC, status=%s)",
       nothing);
    MPI_Request request;
    MPI_Imrecv(in, N, MPI_INT, &message, &request);
    OK("MPI_Imrecv(buf=ptr, count=4, datatype=MPI_INT, message=MPI_MESSAGE_NO_PROC, request=req5)");
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=req5, status=%s)", nothing);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    blocking();
    nonblocking();
    null_process();
    return expect_end();
}
