/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4; large: 3 */
/* Blocking collectives with IN_PLACE, vector and w variants, and arguments that only the root
 * passes. */
#include "expect.h"

#include <stddef.h>

enum { MAX = 8 };

static int root;
static int a[MAX * MAX], b[MAX * MAX];
static count_t ones[MAX];
static place_t places[MAX];

/* Returns the text of an array that only the root reads. */
static const char *at_root(const char *values)
{
    return rank == root ? values : "unused";
}

static void rooted(void)
{
    MPI_Bcast(a, 5, MPI_DOUBLE, root, MPI_COMM_WORLD);
    OK("MPI_Bcast(buffer=ptr, count=5, datatype=MPI_DOUBLE, root=%d, " WORLD ")", root);
    MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, root, MPI_COMM_WORLD);
    OK("MPI_Gather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, recvtype=MPI_INT, "
       "root=%d, " WORLD ")",
       root);
    MPI_Gatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, root, MPI_COMM_WORLD);
    OK("MPI_Gatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, root=%d, " WORLD ")",
       at_root(count_list(size, ones)), at_root(place_list(size, places)), root);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, root, MPI_COMM_WORLD);
    OK("MPI_Scatter(sendbuf=ptr, sendcount=2, sendtype=MPI_INT, recvbuf=ptr, recvcount=2, recvtype=MPI_INT, "
       "root=%d, " WORLD ")",
       root);
    /* Other ranks than the root may pass nothing. */
    MPI_Scatterv(a, rank == root ? ones : NULL, rank == root ? places : NULL, MPI_INT, b, 1, MPI_INT, root,
                 MPI_COMM_WORLD);
    OK("MPI_Scatterv(sendbuf=ptr, sendcounts=%s, displs=%s, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, root=%d, " WORLD ")",
       at_root(count_list(size, ones)), at_root(place_list(size, places)), root);
    MPI_Reduce(a, rank == root ? b : NULL, 3, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    OK("MPI_Reduce(sendbuf=ptr, recvbuf=%s, count=3, datatype=MPI_INT, op=MPI_SUM, root=%d, " WORLD ")",
       rank == root ? "ptr" : "NULL", root);
}

static void rooted_in_place(void)
{
    if (rank == root) {
        MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, root, MPI_COMM_WORLD);
        OK("MPI_Gather(sendbuf=MPI_IN_PLACE, sendcount=0, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
           "recvtype=MPI_INT, root=%d, " WORLD ")",
           root);
        MPI_Scatter(a, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, MPI_COMM_WORLD);
        OK("MPI_Scatter(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=MPI_IN_PLACE, recvcount=0, "
           "recvtype=MPI_INT, root=%d, " WORLD ")",
           root);
        MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        OK("MPI_Reduce(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_INT, op=MPI_MAX, "
           "root=%d, " WORLD ")",
           root);
    } else {
        MPI_Gather(a, 1, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD);
        OK("MPI_Gather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=NULL, recvcount=0, "
           "recvtype=MPI_INT, "
           "root=%d, " WORLD ")",
           root);
        MPI_Scatter(NULL, 0, MPI_INT, b, 1, MPI_INT, root, MPI_COMM_WORLD);
        OK("MPI_Scatter(sendbuf=NULL, sendcount=0, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
           "recvtype=MPI_INT, "
           "root=%d, " WORLD ")",
           root);
        MPI_Reduce(a, NULL, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        OK("MPI_Reduce(sendbuf=ptr, recvbuf=NULL, count=1, datatype=MPI_INT, op=MPI_MAX, root=%d, " WORLD ")",
           root);
    }
}

static void everywhere(void)
{
    MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Allgather(sendbuf=ptr, sendcount=2, sendtype=MPI_INT, recvbuf=ptr, recvcount=2, "
       "recvtype=MPI_INT, " WORLD ")");
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Allgather(sendbuf=MPI_IN_PLACE, sendcount=0, sendtype=MPI_DATATYPE_NULL, recvbuf=ptr, "
       "recvcount=2, "
       "recvtype=MPI_INT, " WORLD ")");
    MPI_Allgatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Allgatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, " WORLD ")",
       count_list(size, ones), place_list(size, places));
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Alltoall(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, " WORLD ")");
    MPI_Alltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Alltoallv(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, "
       "rdispls=%s, recvtype=MPI_INT, " WORLD ")",
       count_list(size, ones), place_list(size, places), count_list(size, ones), place_list(size, places));

    MPI_Datatype types[MAX];
    place_t offsets[MAX]; /* in bytes */
    for (int i = 0; i < MAX; i++) {
        types[i] = MPI_INT;
        offsets[i] = i * (place_t)sizeof(int);
    }
    const char *all_int = same_list(size, "MPI_INT");
    MPI_Alltoallw(a, ones, offsets, types, b, ones, offsets, types, MPI_COMM_WORLD);
    OK("MPI_Alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, recvcounts=%s, "
       "rdispls=%s, "
       "recvtypes=%s, " WORLD ")",
       count_list(size, ones), place_list(size, offsets), all_int, count_list(size, ones),
       place_list(size, offsets), all_int);

    /* With MPI_IN_PLACE, the send arrays have no meaning. */
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, ones, places, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Alltoallv(sendbuf=MPI_IN_PLACE, sendcounts=unused, sdispls=unused, sendtype=MPI_DATATYPE_NULL, "
       "recvbuf=ptr, recvcounts=%s, rdispls=%s, recvtype=MPI_INT, " WORLD ")",
       count_list(size, ones), place_list(size, places));
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, b, ones, offsets, types, MPI_COMM_WORLD);
    OK("MPI_Alltoallw(sendbuf=MPI_IN_PLACE, sendcounts=unused, sdispls=unused, sendtypes=unused, "
       "recvbuf=ptr, "
       "recvcounts=%s, rdispls=%s, recvtypes=%s, " WORLD ")",
       count_list(size, ones), place_list(size, offsets), all_int);
}

static void reductions(void)
{
    MPI_Allreduce(a, b, 4, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=4, datatype=MPI_INT, op=MPI_BOR, " WORLD ")");
    MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    OK("MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_DOUBLE_INT, "
       "op=MPI_MAXLOC, " WORLD ")");
    MPI_Reduce_scatter(a, b, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    OK("MPI_Reduce_scatter(sendbuf=ptr, recvbuf=ptr, recvcounts=%s, datatype=MPI_INT, op=MPI_SUM, " WORLD ")",
       count_list(size, ones));
    MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    OK("MPI_Reduce_scatter_block(sendbuf=ptr, recvbuf=ptr, recvcount=2, datatype=MPI_INT, op=MPI_SUM, " WORLD
       ")");
    MPI_Scan(a, b, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    OK("MPI_Scan(sendbuf=ptr, recvbuf=ptr, count=2, datatype=MPI_INT, op=MPI_MIN, " WORLD ")");
    MPI_Exscan(MPI_IN_PLACE, b, 2, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
    OK("MPI_Exscan(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=2, datatype=MPI_INT, op=MPI_PROD, " WORLD ")");
    MPI_Reduce_local(a, b, 2, MPI_INT, MPI_LAND);
    OK("MPI_Reduce_local(inbuf=ptr, inoutbuf=ptr, count=2, datatype=MPI_INT, op=MPI_LAND)");
}

static void keep_second(void *in, void *inout, count_t *count, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)count, (void)datatype;
}

static void own_operations(void)
{
    MPI_Op op;
    int commutes;
    for (int commute = 0; commute < 2; commute++) {
        MPI_Op_create(keep_second, commute, &op);
        OK("MPI_Op_create(user_fn=ptr, commute=%d, op=op0)", commute);
        MPI_Op_commutative(op, &commutes);
        OK("MPI_Op_commutative(op=op0, commute=%d)", commute);
        MPI_Allreduce(a, b, 4, MPI_INT, op, MPI_COMM_WORLD);
        OK("MPI_Allreduce(sendbuf=ptr, recvbuf=ptr, count=4, datatype=MPI_INT, op=op0, " WORLD ")");
        MPI_Op_free(&op);
        OK("MPI_Op_free(op=op0)");
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    for (int i = 0; i < MAX; i++) {
        ones[i] = 1;
        places[i] = i;
    }
    for (root = 0; root < size; root++) {
        rooted();
        rooted_in_place();
    }
    everywhere();
    reductions();
    own_operations();
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    return expect_end();
}
