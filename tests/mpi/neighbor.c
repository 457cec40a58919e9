/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4; large: 3 */
/* Neighbourhood collectives on a ring: on a Cartesian topology (two neighbours) and a distributed
 * graph (one in each direction). Arrays have one element for each neighbour of the communicator. */
#include "expect.h"

enum { MAX = 4, ROUNDS = 3 };

static int out[MAX], in[MAX];
static const count_t ones[MAX] = {1, 1, 1, 1};
static const place_t places[MAX] = {0, 1, 2, 3};
static const MPI_Aint offsets[MAX] = {0, 4, 8, 12};
static MPI_Datatype types[MAX] = {MPI_DATATYPE_NULL};

static void blocking(MPI_Comm comm, int number, int n)
{
    const char *one = count_list(n, ones), *place = place_list(n, places), *offset = aint_list(n, offsets),
               *type = same_list(n, "MPI_INT");
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    OK("MPI_Neighbor_allgather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm%d)",
       number);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, ones, places, MPI_INT, comm);
    OK("MPI_Neighbor_allgatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "displs=%s, "
       "recvtype=MPI_INT, comm=comm%d)",
       one, place, number);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    OK("MPI_Neighbor_alltoall(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm%d)",
       number);
    MPI_Neighbor_alltoallv(out, ones, places, MPI_INT, in, ones, places, MPI_INT, comm);
    OK("MPI_Neighbor_alltoallv(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtype=MPI_INT, comm=comm%d)",
       one, place, one, place, number);
    MPI_Neighbor_alltoallw(out, ones, offsets, types, in, ones, offsets, types, comm);
    OK("MPI_Neighbor_alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, "
       "recvcounts=%s, "
       "rdispls=%s, recvtypes=%s, comm=comm%d)",
       one, offset, type, one, offset, type, number);
}

/* `first` is the first request number of these lines on this communicator. */
static void nonblocking(MPI_Comm comm, int number, int n, int first)
{
    static int received[5][MAX];
    const char *one = count_list(n, ones), *place = place_list(n, places), *offset = aint_list(n, offsets),
               *type = same_list(n, "MPI_INT");
    MPI_Request r[5];
    MPI_Ineighbor_allgather(out, 1, MPI_INT, received[0], 1, MPI_INT, comm, &r[0]);
    OK("MPI_Ineighbor_allgather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm%d, request=req%d)",
       number, first);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, received[1], ones, places, MPI_INT, comm, &r[1]);
    OK("MPI_Ineighbor_allgatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "displs=%s, "
       "recvtype=MPI_INT, comm=comm%d, request=req%d)",
       one, place, number, first + 1);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, received[2], 1, MPI_INT, comm, &r[2]);
    OK("MPI_Ineighbor_alltoall(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm%d, request=req%d)",
       number, first + 2);
    MPI_Ineighbor_alltoallv(out, ones, places, MPI_INT, received[3], ones, places, MPI_INT, comm, &r[3]);
    OK("MPI_Ineighbor_alltoallv(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtype=MPI_INT, comm=comm%d, request=req%d)",
       one, place, one, place, number, first + 3);
    MPI_Ineighbor_alltoallw(out, ones, offsets, types, received[4], ones, offsets, types, comm, &r[4]);
    OK("MPI_Ineighbor_alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, "
       "recvcounts=%s, "
       "rdispls=%s, recvtypes=%s, comm=comm%d, request=req%d)",
       one, offset, type, one, offset, type, number, first + 4);
    MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
    OK("MPI_Waitall(count=5, array_of_requests=[req%d, req%d, req%d, req%d, req%d], array_of_statuses=%s)",
       first, first + 1, first + 2, first + 3, first + 4, same_list(5, "ignored" SENT));
}

int main(int argc, char **argv)
{
    MPI_Comm ring, graph;
    expect_start(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < MAX; i++)
        types[i] = MPI_INT;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[%d], periods=[1], reorder=0, "
       "comm_cart=comm0)",
       size);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    OK("MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=1, sources=[%d], "
       "sourceweights=MPI_UNWEIGHTED, outdegree=1, destinations=[%d], destweights=MPI_UNWEIGHTED, "
       "info=MPI_INFO_NULL, reorder=0, comm_dist_graph=comm1)",
       left, right);
    for (int i = 0; i < ROUNDS; i++) {
        blocking(ring, 0, 2);
        blocking(graph, 1, 1);
        nonblocking(ring, 0, 2, 0);
        nonblocking(graph, 1, 1, 5);
    }
    MPI_Comm_free(&ring);
    OK("MPI_Comm_free(comm=comm0)");
    MPI_Comm_free(&graph);
    OK("MPI_Comm_free(comm=comm1)");
    return expect_end();
}
