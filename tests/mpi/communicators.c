/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 4 */
/* Communicators: every way to create one, with two or more processes.
 *
 * They are numbered over the whole run: first those of rank 0, in the order of their creation, then
 * the others. So the even half of a split (with rank 0) has its number among rank 0's, and the odd
 * half comes after all of them. */
#include "expect.h"

/* Those of rank 0, in the order of the program. */
#if MPI_VERSION >= 4
enum { DUP, DUP_INFO, IDUP, IDUP_INFO, EVENS, SHARED, LOW, GROUP, BETWEEN, MERGED, SELF, OF_RANK_0 };
#else
enum { DUP, DUP_INFO, IDUP, EVENS, SHARED, LOW, GROUP, BETWEEN, MERGED, SELF, OF_RANK_0 };
#endif
/* Those that begin at rank 1: the odd half, its group, its dup of MPI_COMM_SELF. */
enum { ODDS = OF_RANK_0, ODD_GROUP, SELF_1, OF_RANK_1 };

static MPI_Comm world_dup, half, between;
static int low;         /* number of processes in the lower part */
static int parity_size; /* size of this rank's half, even or odd */

static const char *comm_text(int number)
{
    return format_text("comm%d", number);
}

/* Each group is freed before the next one is created, so they share a number. */
static void free_group(MPI_Group *group, const char *name)
{
    MPI_Group_free(group);
    OK("MPI_Group_free(group=%s)", name);
}

static void duplicates(void)
{
    int result;
    MPI_Comm_dup(MPI_COMM_WORLD, &world_dup);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm%d)", DUP);
    MPI_Comm_compare(MPI_COMM_WORLD, world_dup, &result);
    OK("MPI_Comm_compare(comm1=MPI_COMM_WORLD, comm2=comm%d, result=MPI_CONGRUENT)", DUP);
    MPI_Comm_compare(world_dup, world_dup, &result);
    OK("MPI_Comm_compare(comm1=comm%d, comm2=comm%d, result=MPI_IDENT)", DUP, DUP);

    MPI_Comm other;
    for (int i = 0; i < 3; i++) { /* one name for everything that one call creates repeatedly */
        MPI_Comm_dup_with_info(world_dup, MPI_INFO_NULL, &other);
        OK("MPI_Comm_dup_with_info(comm=comm%d, info=MPI_INFO_NULL, newcomm=comm%d)", DUP, DUP_INFO);
        MPI_Barrier(other);
        OK("MPI_Barrier(comm=comm%d)", DUP_INFO);
        MPI_Comm_free(&other);
        OK("MPI_Comm_free(comm=comm%d)", DUP_INFO);
    }

    MPI_Request request;
    MPI_Comm_idup(world_dup, &other, &request);
    OK("MPI_Comm_idup(comm=comm%d, newcomm=comm%d, request=req0)", DUP, IDUP);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req0, status=ignored" SENT ")");
    MPI_Barrier(other);
    OK("MPI_Barrier(comm=comm%d)", IDUP);
    MPI_Comm_free(&other);
    OK("MPI_Comm_free(comm=comm%d)", IDUP);
#if MPI_VERSION >= 4
    MPI_Comm_idup_with_info(world_dup, MPI_INFO_NULL, &other, &request);
    OK("MPI_Comm_idup_with_info(comm=comm%d, info=MPI_INFO_NULL, newcomm=comm%d, request=req1)", DUP,
       IDUP_INFO);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req1, status=ignored" SENT ")");
    MPI_Comm_free(&other);
    OK("MPI_Comm_free(comm=comm%d)", IDUP_INFO);
#endif
}

/* Hints that a communicator gets, and those that it has. */
static void hints(void)
{
    MPI_Info info, used;
    MPI_Info_create(&info);
    OK("MPI_Info_create(info=info0)");
    MPI_Comm_set_info(world_dup, info);
    OK("MPI_Comm_set_info(comm=comm%d, info=info0)", DUP);
    MPI_Comm_get_info(world_dup, &used);
    OK("MPI_Comm_get_info(comm=comm%d, info_used=info1)", DUP);
    MPI_Info_free(&used);
    OK("MPI_Info_free(info=info1)");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info0)");
}

static void splits(void)
{
    int parity = rank % 2, number;
    const char *name = comm_text(parity == 0 ? EVENS : ODDS);
    MPI_Comm_split(world_dup, parity, rank, &half);
    OK("MPI_Comm_split(comm=comm%d, color=%d, key=%d, newcomm=%s)", DUP, parity, rank, name);
    MPI_Comm_size(half, &number);
    OK("MPI_Comm_size(comm=%s, size=%d)", name, parity_size);
    MPI_Comm_rank(half, &number);
    OK("MPI_Comm_rank(comm=%s, rank=%d)", name, rank / 2);
    MPI_Bcast(&number, 1, MPI_INT, 0, half);
    OK("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=0, comm=%s)", name);

    MPI_Comm other;
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &other);
    OK("MPI_Comm_split(" WORLD ", color=MPI_UNDEFINED, key=0, newcomm=MPI_COMM_NULL)");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &other);
    OK("MPI_Comm_split_type(" WORLD
       ", split_type=MPI_COMM_TYPE_SHARED, key=0, info=MPI_INFO_NULL, newcomm=comm%d)",
       SHARED);
    MPI_Comm_free(&other);
    OK("MPI_Comm_free(comm=comm%d)", SHARED);
}

/* The lower part of the world by MPI_Comm_create; each half by MPI_Comm_create_group. */
static void groups(void)
{
    int range[1][3] = {{0, low - 1, 1}};
    MPI_Group all, part;
    MPI_Comm other;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    OK("MPI_Comm_group(" WORLD ", group=group0)");
    MPI_Group_range_incl(all, 1, range, &part);
    OK("MPI_Group_range_incl(group=group0, n=1, ranges=[0, %d, 1], newgroup=group1)", low - 1);
    MPI_Comm_create(MPI_COMM_WORLD, part, &other);
    if (rank < low) {
        OK("MPI_Comm_create(" WORLD ", group=group1, newcomm=comm%d)", LOW);
        MPI_Comm_free(&other);
        OK("MPI_Comm_free(comm=comm%d)", LOW);
    } else {
        OK("MPI_Comm_create(" WORLD ", group=group1, newcomm=MPI_COMM_NULL)");
    }
    free_group(&part, "group1");

    MPI_Group mine;
    int parity = rank % 2, stride[1][3] = {{parity, size - 1, 2}}, number = parity == 0 ? GROUP : ODD_GROUP;
    MPI_Group_range_incl(all, 1, stride, &mine);
    OK("MPI_Group_range_incl(group=group0, n=1, ranges=[%d, %d, 2], newgroup=group2)", parity, size - 1);
    MPI_Comm_create_group(MPI_COMM_WORLD, mine, 17, &other);
    OK("MPI_Comm_create_group(" WORLD ", group=group2, tag=17, newcomm=comm%d)", number);
    MPI_Barrier(other);
    OK("MPI_Barrier(comm=comm%d)", number);
    MPI_Comm_free(&other);
    OK("MPI_Comm_free(comm=comm%d)", number);
    free_group(&mine, "group2");
    free_group(&all, "group0");
}

/* The two halves meet: even and odd ranks as an intercommunicator, and merged. */
static void intercommunicators(void)
{
    int parity = rank % 2, number;
    const char *local = comm_text(parity == 0 ? EVENS : ODDS);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - parity, 5, &between);
    OK("MPI_Intercomm_create(local_comm=%s, local_leader=0, peer_comm=MPI_COMM_WORLD, remote_leader=%d, "
       "tag=5, "
       "newintercomm=comm%d)",
       local, 1 - parity, BETWEEN);
    MPI_Comm_test_inter(between, &number);
    OK("MPI_Comm_test_inter(comm=comm%d, flag=1)", BETWEEN);
    MPI_Comm_remote_size(between, &number);
    OK("MPI_Comm_remote_size(comm=comm%d, size=%d)", BETWEEN, size - parity_size);
    MPI_Group remote;
    MPI_Comm_remote_group(between, &remote);
    OK("MPI_Comm_remote_group(comm=comm%d, group=group3)", BETWEEN);
    free_group(&remote, "group3");

    /* The even leader is the root for all odd processes. */
    int root = parity == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&number, 1, MPI_INT, root, between);
    OK("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=%s, comm=comm%d)", rank_text(root), BETWEEN);
    int counts[8], places[8], out[8], in[8], remotes = size - parity_size;
    for (int i = 0; i < 8; i++) {
        counts[i] = 1;
        places[i] = i;
        out[i] = i;
    }
    /* The number of counts is that of the processes on the other side. */
    MPI_Allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, between);
    OK("MPI_Allgatherv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcounts=%s, displs=%s, "
       "recvtype=MPI_INT, comm=comm%d)",
       int_list(remotes, counts), int_list(remotes, places), BETWEEN);
    MPI_Comm merged;
    MPI_Intercomm_merge(between, parity, &merged);
    OK("MPI_Intercomm_merge(intercomm=comm%d, high=%d, newintracomm=comm%d)", BETWEEN, parity, MERGED);
    MPI_Comm_rank(merged, &number);
    OK("MPI_Comm_rank(comm=comm%d, rank=%d)", MERGED, parity == 0 ? rank / 2 : (size + 1) / 2 + rank / 2);
    MPI_Comm_free(&merged);
    OK("MPI_Comm_free(comm=comm%d)", MERGED);
    MPI_Comm_disconnect(&between);
    OK("MPI_Comm_disconnect(comm=comm%d)", BETWEEN);
    MPI_Comm_free(&half);
    OK("MPI_Comm_free(comm=%s)", local);
}

/* A communicator of a single process: its number depends on that process. */
static void self(void)
{
    int number = rank == 0 ? SELF : rank == 1 ? SELF_1 : OF_RANK_1 + rank - 2;
    MPI_Comm mine;
    MPI_Comm_dup(MPI_COMM_SELF, &mine);
    OK("MPI_Comm_dup(comm=MPI_COMM_SELF, newcomm=comm%d)", number);
    MPI_Barrier(mine);
    OK("MPI_Barrier(comm=comm%d)", number);
    MPI_Comm_free(&mine);
    OK("MPI_Comm_free(comm=comm%d)", number);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    OK("MPI_Comm_get_name(" WORLD ", comm_name=\"MPI_COMM_WORLD\", resultlen=14)");
    MPI_Comm_set_name(world_dup, "a \"quoted\"\tname");
    OK("MPI_Comm_set_name(comm=comm%d, comm_name=\"a \\\"quoted\\\"\\tname\")", DUP);
    MPI_Comm_get_name(world_dup, name, &length);
    OK("MPI_Comm_get_name(comm=comm%d, comm_name=\"a \\\"quoted\\\"\\tname\", resultlen=15)", DUP);
    MPI_Comm_free(&world_dup);
    OK("MPI_Comm_free(comm=comm%d)", DUP);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    low = (size + 1) / 2;
    parity_size = rank % 2 == 0 ? (size + 1) / 2 : size / 2;
    duplicates();
    hints();
    splits();
    groups();
    intercommunicators();
    self();
    names();
    return expect_end();
}
