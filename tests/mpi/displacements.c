/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 5 */
/* Irregular counts in so many rounds that they become columns, and displacements that are their
 * sums (src/core/trace/slot_sums.h): in elements, in bytes of one type and of several, with some
 * ranks without data. Other displacements are almost sums, and are stored as they are: in one
 * round, one has a gap before it. */
#include "expect.h"

enum { MAX = 5, ROUNDS = 150, MOST = 97, GAP_AT = 120 };

static int counts[2][MAX], places[2][MAX]; /* sent, received */
static MPI_Datatype types[2][MAX];
static char out[2 * 8 * MAX * MOST], in[2 * 8 * MAX * MOST];

/* Returns the elements from one rank to another; both sides compute the same. The last rank sends
 * nothing to the first. */
static int elements(int from, int to, int round)
{
    unsigned random = (unsigned)(round * 7919 + from * 131 + to * 17);
    for (int i = 0; i < 3; i++)
        random = random * 1103515245 + 12345;
    return from == size - 1 && to == 0 ? 0 : (int)(random >> 16) % MOST;
}

static MPI_Datatype type_between(int from, int to)
{
    static const MPI_Datatype some[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE};
    return some[(from + to) % 3];
}

/* Returns the size of an element of that type; 1 if displacements are in elements. */
static int worth(MPI_Datatype type, int in_bytes)
{
    int bytes;
    PMPI_Type_size(type, &bytes);
    return in_bytes ? bytes : 1;
}

static void fill(int round, int in_bytes, int gap)
{
    for (int way = 0; way < 2; way++) {
        int at = 0;
        for (int i = 0; i < size; i++) {
            const int from = way ? i : rank, to = way ? rank : i;
            at += i == size / 2 ? gap : 0;
            types[way][i] = type_between(from, to);
            counts[way][i] = elements(from, to, round);
            places[way][i] = at;
            at += counts[way][i] * worth(types[way][i], in_bytes);
        }
    }
}

static const char *names(int way)
{
    const char *text[MAX];
    for (int i = 0; i < size; i++)
        text[i] = types[way][i] == MPI_CHAR  ? "MPI_CHAR"
                  : types[way][i] == MPI_INT ? "MPI_INT"
                                             : "MPI_DOUBLE";
    return size == 1   ? format_text("[%s]", text[0])
           : size == 2 ? format_text("[%s, %s]", text[0], text[1])
           : size == 3 ? format_text("[%s, %s, %s]", text[0], text[1], text[2])
                       : format_text("[%s, %s, %s, %s, %s]", text[0], text[1], text[2], text[3], text[4]);
}

/* Expects a call of MPI_Alltoallv or a similar procedure on n ranks, as it is printed. */
static void expect_alltoallv(const char *name, int n, const char *type, const char *tail)
{
    OK("%s(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtype=%s, recvbuf=ptr, recvcounts=%s, rdispls=%s, "
       "recvtype=%s, %s)",
       name, int_list(n, counts[0]), int_list(n, places[0]), type, int_list(n, counts[1]),
       int_list(n, places[1]), type, tail);
}

static void in_elements(int round)
{
    fill(round, 0, 0);
    MPI_Alltoallv(out, counts[0], places[0], MPI_DOUBLE, in, counts[1], places[1], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    expect_alltoallv("MPI_Alltoallv", size, "MPI_DOUBLE", WORLD);
}

static void with_a_gap(int round)
{
    fill(round, 0, round == GAP_AT);
    MPI_Alltoallv(out, counts[0], places[0], MPI_DOUBLE, in, counts[1], places[1], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    expect_alltoallv("MPI_Alltoallv", size, "MPI_DOUBLE", WORLD);
}

/* The data for the first rank is last in memory. */
static void downwards(int round)
{
    fill(round, 0, 0);
    for (int way = 0; way < 2; way++) {
        int at = 0;
        for (int i = size - 1; i >= 0; at += counts[way][i--])
            places[way][i] = at;
    }
    MPI_Alltoallv(out, counts[0], places[0], MPI_DOUBLE, in, counts[1], places[1], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    expect_alltoallv("MPI_Alltoallv", size, "MPI_DOUBLE", WORLD);
}

/* Equal counts in each round are no columns, and displacements are stored as they are. */
static void always_the_same(void)
{
    fill(0, 0, 0);
    MPI_Alltoallv(out, counts[0], places[0], MPI_DOUBLE, in, counts[1], places[1], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    expect_alltoallv("MPI_Alltoallv", size, "MPI_DOUBLE", WORLD);
}

static void nonblocking(int round)
{
    MPI_Request request;
    fill(round, 0, 0);
    MPI_Ialltoallv(out, counts[0], places[0], MPI_DOUBLE, in, counts[1], places[1], MPI_DOUBLE,
                   MPI_COMM_WORLD, &request);
    expect_alltoallv("MPI_Ialltoallv", size, "MPI_DOUBLE", WORLD ", request=req0");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req0, status=ignored" SENT ")");
}

/* Arrays of two, and displacements of type MPI_Aint. */
static void on_a_ring(MPI_Comm ring, int round)
{
    const int neighbor[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Aint bytes[2][2] = {{0}};
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < 2; i++) {
            counts[way][i] =
                way == 0 ? elements(rank, neighbor[i], round) : elements(neighbor[i], rank, round);
            types[way][i] = MPI_DOUBLE;
        }
        bytes[way][1] = counts[way][0] * (MPI_Aint)sizeof(double);
    }
    MPI_Neighbor_alltoallw(out, counts[0], bytes[0], types[0], in, counts[1], bytes[1], types[1], ring);
    OK("MPI_Neighbor_alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=[MPI_DOUBLE, MPI_DOUBLE], "
       "recvbuf=ptr, recvcounts=%s, rdispls=%s, recvtypes=[MPI_DOUBLE, MPI_DOUBLE], comm=comm0)",
       int_list(2, counts[0]), aint_list(2, bytes[0]), int_list(2, counts[1]), aint_list(2, bytes[1]));
}

/* All ranks have the same arrays. */
static void gathered_by_all(int round)
{
    fill(round, 0, 0);
    for (int i = 0, at = 0; i < size; at += counts[1][i++]) {
        counts[1][i] = elements(i, 0, round);
        places[1][i] = at;
    }
    MPI_Allgatherv(out, counts[1][rank], MPI_INT, in, counts[1], places[1], MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Allgatherv(sendbuf=ptr, sendcount=%d, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, " WORLD ")",
       counts[1][rank], int_list(size, counts[1]), int_list(size, places[1]));
}

static void in_bytes(int round)
{
    fill(round, 1, 0);
    MPI_Alltoallw(out, counts[0], places[0], types[0], in, counts[1], places[1], types[1], MPI_COMM_WORLD);
    OK("MPI_Alltoallw(sendbuf=ptr, sendcounts=%s, sdispls=%s, sendtypes=%s, recvbuf=ptr, recvcounts=%s, "
       "rdispls=%s, recvtypes=%s, " WORLD ")",
       int_list(size, counts[0]), int_list(size, places[0]), names(0), int_list(size, counts[1]),
       int_list(size, places[1]), names(1));
}

/* Only the root has arrays. */
static void gathered(int round)
{
    const int root = size - 1;
    fill(round, 0, 0);
    const int own = elements(rank, root, round);
    MPI_Gatherv(out, own, MPI_INT, in, counts[1], places[1], MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root)
        OK("MPI_Gatherv(sendbuf=ptr, sendcount=%d, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
           "recvtype=MPI_INT, root=%d, " WORLD ")",
           own, int_list(size, counts[1]), int_list(size, places[1]), root);
    else
        OK("MPI_Gatherv(sendbuf=ptr, sendcount=%d, sendtype=MPI_INT, recvbuf=ptr, recvcounts=unused, "
           "displs=unused, recvtype=MPI_INT, root=%d, " WORLD ")",
           own, root);
}

/* One line with arrays of two lengths. */
static void by_turns(int round)
{
    fill(round, 0, 0);
    const int alone = round % 3 == 0;
    const MPI_Comm comm = alone ? MPI_COMM_SELF : MPI_COMM_WORLD;
    const int n = alone ? 1 : size;
    counts[1][0] = alone ? counts[0][0] : counts[1][0];
    MPI_Alltoallv(out, counts[0], places[0], MPI_INT, in, counts[1], places[1], MPI_INT, comm);
    expect_alltoallv("MPI_Alltoallv", n, "MPI_INT", alone ? "comm=MPI_COMM_SELF" : WORLD);
}

int main(int argc, char **argv)
{
    MPI_Comm ring;
    expect_start(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[%d], periods=[1], reorder=0, "
       "comm_cart=comm0)",
       size);
    for (int round = 0; round < ROUNDS; round++) {
        in_elements(round);
        with_a_gap(round);
        downwards(round);
        always_the_same();
        nonblocking(round);
        on_a_ring(ring, round);
        in_bytes(round);
        gathered(round);
        gathered_by_all(round);
        by_turns(round);
    }
    MPI_Comm_free(&ring);
    OK("MPI_Comm_free(comm=comm0)");
    return expect_end();
}
