/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 3 4; large: 3 */
/* Non-blocking collectives: each has its own call site; they are completed together. */
#include "expect.h"

enum { MAX = 8, ALL = 17 };

static int a[ALL][MAX * MAX], b[ALL][MAX * MAX];
static count_t ones[MAX];
static place_t places[MAX];
static int root;

static const char *at_root(const char *values)
{
    return rank == root ? values : "unused";
}

static void start(MPI_Request *r)
{
    MPI_Datatype types[MAX];
    for (int i = 0; i < MAX; i++)
        types[i] = MPI_INT;
    const char *one = count_list(size, ones), *place = place_list(size, places),
               *type = same_list(size, "MPI_INT");

    MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
    OK("MPI_Ibarrier(" WORLD ", request=req0)");
    MPI_Iallgather(a[1], 1, MPI_INT, b[1], 1, MPI_INT, MPI_COMM_WORLD, &r[1]);
    OK("MPI_Iallgather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, " WORLD ", request=req1)");
    MPI_Iallgatherv(a[2], 1, MPI_INT, b[2], ones, places, MPI_INT, MPI_COMM_WORLD, &r[2]);
    OK("MPI_Iallgatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, " WORLD ", request=req2)",
       one, place);
    MPI_Ialltoall(a[3], 1, MPI_INT, b[3], 1, MPI_INT, MPI_COMM_WORLD, &r[3]);
    OK("MPI_Ialltoall(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, " WORLD ", request=req3)");
    MPI_Ialltoallv(a[4], ones, places, MPI_INT, b[4], ones, places, MPI_INT, MPI_COMM_WORLD, &r[4]);
    OK("MPI_Ialltoallv(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "rdispls=%s, recvtype=MPI_INT, " WORLD ", request=req4)",
       one, place, one, place);
    static place_t bytes[MAX];
    static MPI_Datatype kept[MAX]; /* they must live until the call completes */
    for (int i = 0; i < MAX; i++) {
        bytes[i] = i * (place_t)sizeof(int);
        kept[i] = types[i];
    }
    MPI_Ialltoallw(a[5], ones, bytes, kept, b[5], ones, bytes, kept, MPI_COMM_WORLD, &r[5]);
    OK("MPI_Ialltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, recvcounts=%s, "
       "rdispls=%s, "
       "recvtypes=%s, " WORLD ", request=req5)",
       one, place_list(size, bytes), type, one, place_list(size, bytes), type);
    MPI_Iallreduce(a[6], b[6], 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[6]);
    OK("MPI_Iallreduce(sendbuf=ptr, recvbuf=ptr, count=2, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ", request=req6)");
    MPI_Ireduce_scatter(a[7], b[7], ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[7]);
    OK("MPI_Ireduce_scatter(sendbuf=ptr, recvbuf=ptr, recvcounts=%s, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ", request=req7)",
       one);
    MPI_Ireduce_scatter_block(a[8], b[8], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[8]);
    OK("MPI_Ireduce_scatter_block(sendbuf=ptr, recvbuf=ptr, recvcount=1, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ", request=req8)");
    MPI_Iscan(a[9], b[9], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[9]);
    OK("MPI_Iscan(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD ", request=req9)");
    MPI_Iexscan(a[10], b[10], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[10]);
    OK("MPI_Iexscan(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ", request=req10)");

    /* A root is a rank: if the same line had another root, this would be another pool. */
    MPI_Ibcast(a[11], 3, MPI_INT, root, MPI_COMM_WORLD, &r[11]);
    OK("MPI_Ibcast(buffer=ptr, count=3, datatype=MPI_INT, root=%d, " WORLD ", request=req%d)", root,
       11 + 6 * root);
    MPI_Igather(a[12], 1, MPI_INT, b[12], 1, MPI_INT, root, MPI_COMM_WORLD, &r[12]);
    OK("MPI_Igather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, recvtype=MPI_INT, "
       "root=%d, " WORLD ", request=req%d)",
       root, 12 + 6 * root);
    MPI_Igatherv(a[13], 1, MPI_INT, b[13], ones, places, MPI_INT, root, MPI_COMM_WORLD, &r[13]);
    OK("MPI_Igatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, root=%d, " WORLD ", request=req%d)",
       at_root(count_list(size, ones)), at_root(place_list(size, places)), root, 13 + 6 * root);
    MPI_Iscatter(a[14], 1, MPI_INT, b[14], 1, MPI_INT, root, MPI_COMM_WORLD, &r[14]);
    OK("MPI_Iscatter(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, recvtype=MPI_INT, "
       "root=%d, " WORLD ", request=req%d)",
       root, 14 + 6 * root);
    MPI_Iscatterv(a[15], ones, places, MPI_INT, b[15], 1, MPI_INT, root, MPI_COMM_WORLD, &r[15]);
    OK("MPI_Iscatterv(sendbuf=ptr, sendcounts=%s, displs=%s, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, root=%d, " WORLD ", request=req%d)",
       at_root(count_list(size, ones)), at_root(place_list(size, places)), root, 15 + 6 * root);
    MPI_Ireduce(a[16], b[16], 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &r[16]);
    OK("MPI_Ireduce(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, root=%d, " WORLD
       ", request=req%d)",
       root, 16 + 6 * root);
}

int main(int argc, char **argv)
{
    MPI_Request requests[ALL];
    expect_start(&argc, &argv);
    for (int i = 0; i < MAX; i++) {
        ones[i] = 1;
        places[i] = i;
    }
    for (int round = 0; round < 2; round++) {
        for (root = 0; root < size; root++) {
            start(requests);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            OK("MPI_Wait(request=req0, status=ignored" SENT ")");
            /* numbers of the rooted operations begin after those of earlier roots */
            int n = 6 * root;
            MPI_Waitall(ALL - 1, requests + 1, MPI_STATUSES_IGNORE);
            OK("MPI_Waitall(count=16, array_of_requests=[req1, req2, req3, req4, req5, req6, req7, req8, "
               "req9, "
               "req10, req%d, req%d, req%d, req%d, req%d, req%d], array_of_statuses=%s)",
               11 + n, 12 + n, 13 + n, 14 + n, 15 + n, 16 + n, same_list(ALL - 1, "ignored" SENT));
        }
    }
    return expect_end();
}
