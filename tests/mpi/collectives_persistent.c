/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4; large: 3 */
/* Persistent collectives of MPI 4.0, of groups and of neighbourhoods: created once, started
 * several times. With an older library, this program checks only its own start and end. */
#include "expect.h"

#include <stddef.h>

#if MPI_VERSION >= 4

enum { MAX = 8, ALL = 17, AROUND = 5 };

static int a[ALL][MAX * MAX], b[ALL][MAX * MAX];
static count_t ones[MAX];
static place_t places[MAX], bytes[MAX];
static MPI_Aint offsets[MAX]; /* in bytes, for all forms of MPI_Neighbor_alltoallw_init */
static MPI_Datatype types[MAX];

/* Texts that are the same in all calls. */
static const char *one, *place;

#define INFO "info=MPI_INFO_NULL"

static void make(MPI_Request *r)
{
    const char *byte = place_list(size, bytes), *type = same_list(size, "MPI_INT");
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    OK("MPI_Barrier_init(" WORLD ", " INFO ", request=req0)");
    MPI_Allgather_init(a[1], 1, MPI_INT, b[1], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    OK("MPI_Allgather_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, " WORLD ", " INFO ", request=req1)");
    MPI_Allgatherv_init(a[2], 1, MPI_INT, b[2], ones, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
    OK("MPI_Allgatherv_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "displs=%s, recvtype=MPI_INT, " WORLD ", " INFO ", request=req2)",
       one, place);
    MPI_Alltoall_init(a[3], 1, MPI_INT, b[3], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[3]);
    OK("MPI_Alltoall_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, " WORLD ", " INFO ", request=req3)");
    MPI_Alltoallv_init(a[4], ones, places, MPI_INT, b[4], ones, places, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &r[4]);
    OK("MPI_Alltoallv_init(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtype=MPI_INT, " WORLD ", " INFO ", request=req4)",
       one, place, one, place);
    MPI_Alltoallw_init(a[5], ones, bytes, types, b[5], ones, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &r[5]);
    OK("MPI_Alltoallw_init(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtypes=%s, " WORLD ", " INFO ", request=req5)",
       one, byte, type, one, byte, type);
    MPI_Allreduce_init(a[6], b[6], 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[6]);
    OK("MPI_Allreduce_init(sendbuf=ptr, recvbuf=ptr, count=2, datatype=MPI_INT, op=MPI_SUM, " WORLD ", " INFO
       ", request=req6)");
    MPI_Reduce_scatter_init(a[7], b[7], ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[7]);
    OK("MPI_Reduce_scatter_init(sendbuf=ptr, recvbuf=ptr, recvcounts=%s, datatype=MPI_INT, "
       "op=MPI_SUM, " WORLD ", " INFO ", request=req7)",
       one);
    MPI_Reduce_scatter_block_init(a[8], b[8], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[8]);
    OK("MPI_Reduce_scatter_block_init(sendbuf=ptr, recvbuf=ptr, recvcount=1, datatype=MPI_INT, "
       "op=MPI_SUM, " WORLD ", " INFO ", request=req8)");
    MPI_Scan_init(a[9], b[9], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[9]);
    OK("MPI_Scan_init(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD ", " INFO
       ", request=req9)");
    MPI_Exscan_init(a[10], b[10], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[10]);
    OK("MPI_Exscan_init(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_SUM, " WORLD ", " INFO
       ", request=req10)");
}

/* Rank 0 is the root; only it reads counts and displacements. */
static void make_rooted(MPI_Request *r)
{
    const char *counts = rank == 0 ? one : "unused", *displacements = rank == 0 ? place : "unused";
    MPI_Bcast_init(a[11], 3, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[11]);
    OK("MPI_Bcast_init(buffer=ptr, count=3, datatype=MPI_INT, root=0, " WORLD ", " INFO ", request=req11)");
    MPI_Gather_init(a[12], 1, MPI_INT, b[12], 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[12]);
    OK("MPI_Gather_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, root=0, " WORLD ", " INFO ", request=req12)");
    MPI_Gatherv_init(a[13], 1, MPI_INT, b[13], ones, places, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &r[13]);
    OK("MPI_Gatherv_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "displs=%s, recvtype=MPI_INT, root=0, " WORLD ", " INFO ", request=req13)",
       counts, displacements);
    MPI_Scatter_init(a[14], 1, MPI_INT, b[14], 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[14]);
    OK("MPI_Scatter_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, root=0, " WORLD ", " INFO ", request=req14)");
    MPI_Scatterv_init(a[15], ones, places, MPI_INT, b[15], 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &r[15]);
    OK("MPI_Scatterv_init(sendbuf=ptr, sendcounts=%s, displs=%s, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcount=1, recvtype=MPI_INT, root=0, " WORLD ", " INFO ", request=req15)",
       counts, displacements);
    MPI_Reduce_init(a[16], b[16], 2, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[16]);
    OK("MPI_Reduce_init(sendbuf=ptr, recvbuf=ptr, count=2, datatype=MPI_INT, op=MPI_MAX, root=0, " WORLD
       ", " INFO ", request=req16)");
}

/* On a ring, with two neighbours. */
static void make_around(MPI_Comm ring, MPI_Request *r)
{
    const char *two = count_list(2, ones), *near = place_list(2, places), *offset = aint_list(2, offsets),
               *type = same_list(2, "MPI_INT");
    MPI_Neighbor_allgather_init(a[0], 1, MPI_INT, b[0], 1, MPI_INT, ring, MPI_INFO_NULL, &r[0]);
    OK("MPI_Neighbor_allgather_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm0, " INFO ", request=req17)");
    MPI_Neighbor_allgatherv_init(a[1], 1, MPI_INT, b[1], ones, places, MPI_INT, ring, MPI_INFO_NULL, &r[1]);
    OK("MPI_Neighbor_allgatherv_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcounts=%s, displs=%s, recvtype=MPI_INT, comm=comm0, " INFO ", request=req18)",
       two, near);
    MPI_Neighbor_alltoall_init(a[2], 1, MPI_INT, b[2], 1, MPI_INT, ring, MPI_INFO_NULL, &r[2]);
    OK("MPI_Neighbor_alltoall_init(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm0, " INFO ", request=req19)");
    MPI_Neighbor_alltoallv_init(a[3], ones, places, MPI_INT, b[3], ones, places, MPI_INT, ring, MPI_INFO_NULL,
                                &r[3]);
    OK("MPI_Neighbor_alltoallv_init(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtype=MPI_INT, comm=comm0, " INFO ", request=req20)",
       two, near, two, near);
    MPI_Neighbor_alltoallw_init(a[4], ones, offsets, types, b[4], ones, offsets, types, ring, MPI_INFO_NULL,
                                &r[4]);
    OK("MPI_Neighbor_alltoallw_init(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtypes=%s, comm=comm0, " INFO ", request=req21)",
       two, offset, type, two, offset, type);
}

/* `first` is the first number. */
static void start_and_free(MPI_Request *r, int n, int first, int rounds)
{
    const char *names = "";
    for (int i = 0; i < n; i++)
        names = format_text("%s%sreq%d", names, i ? ", " : "", first + i);
    for (int i = 0; i < rounds; i++) {
        MPI_Startall(n, r);
        OK("MPI_Startall(count=%d, array_of_requests=[%s])", n, names);
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
        OK("MPI_Waitall(count=%d, array_of_requests=[%s], array_of_statuses=%s)", n, names,
           same_list(n, "ignored" SENT));
    }
    for (int i = 0; i < n; i++) {
        MPI_Request_free(&r[i]);
        OK("MPI_Request_free(request=req%d)", first + i);
    }
}

static void persistent(void)
{
    MPI_Request requests[ALL];
    MPI_Comm ring;
    for (int i = 0; i < MAX; i++) {
        ones[i] = 1;
        places[i] = i;
        bytes[i] = i * (place_t)sizeof(int);
        offsets[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    one = count_list(size, ones);
    place = place_list(size, places);
    make(requests);
    make_rooted(requests);
    start_and_free(requests, ALL, 0,
                   1);  /* MPI_Scatter_init of MPICH 4.0 works only once with three or more ranks */
    one = place = NULL; /* the ring of texts has been used up */
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[%d], periods=[1], reorder=0, "
       "comm_cart=comm0)",
       size);
    make_around(ring, requests);
    start_and_free(requests, AROUND, ALL, 3);
    MPI_Comm_free(&ring);
    OK("MPI_Comm_free(comm=comm0)");
}

#else

static void persistent(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    persistent();
    return expect_end();
}
