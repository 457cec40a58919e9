/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4; large: 4 */
/* MPI 4.0's additions: combined non-blocking exchange, persistent collectives, partitions, large
 * counts. With an older library, this program checks only its own start and end. */
#include "expect.h"

#include <stddef.h>

#if MPI_VERSION >= 4

enum { N = 8, PARTS = 4, ROUNDS = 3 };

static int right, left;
static int out[N], in[N];

static void exchange(void)
{
    MPI_Request request;
    MPI_Status status;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Isendrecv(out, N, MPI_INT, right, i, in, N, MPI_INT, left, i, MPI_COMM_WORLD, &request);
        OK("MPI_Isendrecv(sendbuf=ptr, sendcount=8, sendtype=MPI_INT, dest=%d, sendtag=%d, recvbuf=ptr, "
           "recvcount=8, "
           "recvtype=MPI_INT, source=%d, recvtag=%d, " WORLD ", request=req0)",
           right, i, left, i);
        MPI_Wait(&request, &status); /* as the program gets it: MPICH 4.0 leaves it unset */
        OK("MPI_Wait(request=req0, status=%s)", status_text(&status));
    }
    MPI_Isendrecv_replace(in, N, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &request);
    OK("MPI_Isendrecv_replace(buf=ptr, count=8, datatype=MPI_INT, dest=%d, sendtag=5, source=%d, "
       "recvtag=5, " WORLD ", request=req1)",
       right, left);
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=req1, status=%s)", status_text(&status));
}

static void persistent_collectives(void)
{
    MPI_Request requests[3];
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    OK("MPI_Barrier_init(" WORLD ", info=MPI_INFO_NULL, request=req2)");
    MPI_Bcast_init(out, N, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    OK("MPI_Bcast_init(buffer=ptr, count=8, datatype=MPI_INT, root=0, " WORLD
       ", info=MPI_INFO_NULL, request=req3)");
    MPI_Allreduce_init(out, in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    OK("MPI_Allreduce_init(sendbuf=ptr, recvbuf=ptr, count=8, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ", info=MPI_INFO_NULL, request=req4)");
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Startall(3, requests);
        OK("MPI_Startall(count=3, array_of_requests=[req2, req3, req4])");
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=3, array_of_requests=[req2, req3, req4], array_of_statuses=%s)",
           same_list(3, "ignored" SENT));
    }
    for (int i = 0; i < 3; i++) {
        MPI_Request_free(&requests[i]);
        OK("MPI_Request_free(request=req%d)", 2 + i);
    }
}

/* Rank 0 sends to rank 1 in parts; each part may become ready at any time. */
static void partitions(void)
{
    MPI_Request request;
    MPI_Status status;
    int flag;
    if (rank == 0) {
        MPI_Psend_init(out, PARTS, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        OK("MPI_Psend_init(buf=ptr, partitions=4, count=2, datatype=MPI_INT, dest=1, tag=7, " WORLD
           ", info=MPI_INFO_NULL, request=req5)");
        MPI_Start(&request);
        OK("MPI_Start(request=req5)");
        MPI_Pready(2, request);
        OK("MPI_Pready(partition=2, request=req5)");
        MPI_Pready_range(0, 1, request);
        OK("MPI_Pready_range(partition_low=0, partition_high=1, request=req5)");
        MPI_Pready_list(1, (int[]){3}, request);
        OK("MPI_Pready_list(length=1, array_of_partitions=[3], request=req5)");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        OK("MPI_Wait(request=req5, status=ignored" SENT ")");
    } else if (rank == 1) {
        MPI_Precv_init(in, PARTS, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        OK("MPI_Precv_init(buf=ptr, partitions=4, count=2, datatype=MPI_INT, source=0, tag=7, " WORLD
           ", info=MPI_INFO_NULL, request=req5)");
        MPI_Start(&request);
        OK("MPI_Start(request=req5)");
        MPI_Parrived(request, 0, &flag);
        OK("MPI_Parrived(request=req5, partition=0, flag=%d)", flag);
        MPI_Wait(&request, &status);
        OK("MPI_Wait(request=req5, status=%s)", status_text(&status));
    }
    if (rank < 2) {
        MPI_Request_free(&request);
        OK("MPI_Request_free(request=req5)");
    }
}

/* For counts that an int cannot hold, there are separate procedures. */
static void large_counts(void)
{
    MPI_Status status;
    MPI_Datatype type;
    MPI_Count n;
    MPI_Sendrecv_c(out, 3, MPI_INT, right, 8, in, N, MPI_INT, left, 8, MPI_COMM_WORLD, &status);
    OK("MPI_Sendrecv_c(sendbuf=ptr, sendcount=3, sendtype=MPI_INT, dest=%d, sendtag=8, recvbuf=ptr, "
       "recvcount=8, "
       "recvtype=MPI_INT, source=%d, recvtag=8, " WORLD ", status=%s)",
       right, left, status_is(left, 8, 12));
    MPI_Get_count_c(&status, MPI_INT, &n);
    OK("MPI_Get_count_c(status=%s, datatype=MPI_INT, count=3)", status_is(left, 8, 12));
    MPI_Type_contiguous_c((MPI_Count)1 << 33, MPI_CHAR, &type);
    OK("MPI_Type_contiguous_c(count=8589934592, oldtype=MPI_CHAR, newtype=type0)");
    MPI_Type_size_c(type, &n);
    OK("MPI_Type_size_c(datatype=type0, size=8589934592)");
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type0)");
}

static void info(void)
{
    MPI_Info object;
    char value[20];
    int length = sizeof value, flag;
    MPI_Info_create(&object);
    OK("MPI_Info_create(info=info0)");
    MPI_Info_set(object, "key", "value");
    OK("MPI_Info_set(info=info0, key=\"key\", value=\"value\")");
    MPI_Info_get_string(object, "key", &length, value, &flag);
    OK("MPI_Info_get_string(info=info0, key=\"key\", buflen=20->6, value=\"value\", flag=1)");
    MPI_Info_free(&object);
    OK("MPI_Info_free(info=info0)");
}

static void news(void)
{
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    exchange();
    persistent_collectives();
    partitions();
    large_counts();
    info();
}

#else

static void news(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    news();
    return expect_end();
}
