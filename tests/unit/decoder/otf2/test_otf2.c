/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that OTF2 uses for MPI's functions, and the ranks in the communicators of an
 * archive. */
#include "decoder/otf2/otf2_function.h"
#include "decoder/otf2/otf2_ranks.h"
#include "tests/unit/support/standard.h"

#include <criterion/criterion.h>

/* ---- functions ------------------------------------------------------------------------------- */

static OTF2_RegionRole region_of(const char *name)
{
    return otf2_region_role(standard_role(name)->region);
}

Test(otf2, regions)
{
    cr_expect_eq(region_of("MPI_Send"), OTF2_REGION_ROLE_POINT2POINT);
    cr_expect_eq(region_of("MPI_Barrier"), OTF2_REGION_ROLE_BARRIER);
    cr_expect_eq(region_of("MPI_Bcast"), OTF2_REGION_ROLE_COLL_ONE2ALL);
    cr_expect_eq(region_of("MPI_Gatherv"), OTF2_REGION_ROLE_COLL_ALL2ONE);
    cr_expect_eq(region_of("MPI_Alltoall"), OTF2_REGION_ROLE_COLL_ALL2ALL);
    cr_expect_eq(region_of("MPI_Scan"), OTF2_REGION_ROLE_COLL_OTHER);
    cr_expect_eq(region_of("MPI_Put"), OTF2_REGION_ROLE_RMA);
    cr_expect_eq(region_of("MPI_File_open"), OTF2_REGION_ROLE_FILE_IO_METADATA);
    cr_expect_eq(region_of("MPI_File_iread_at_all"), OTF2_REGION_ROLE_FILE_IO);
    cr_expect_eq(region_of("MPI_Alloc_mem"), OTF2_REGION_ROLE_ALLOCATE);
    cr_expect_eq(region_of("MPI_Free_mem"), OTF2_REGION_ROLE_DEALLOCATE);
    cr_expect_eq(region_of("MPI_Comm_rank"), OTF2_REGION_ROLE_FUNCTION);
}

Test(otf2, collective_operations)
{
    static const struct {
        const char *name;
        OTF2_CollectiveOp operation;
    } cases[] = {
        {"MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER},
        {"MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST},
        {"MPI_Gather", OTF2_COLLECTIVE_OP_GATHER},
        {"MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV},
        {"MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER},
        {"MPI_Scatterv_init", OTF2_COLLECTIVE_OP_SCATTERV},
        {"MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
        {"MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
        {"MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
        {"MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
        {"MPI_Ineighbor_alltoallw_c", OTF2_COLLECTIVE_OP_ALLTOALLW},
        {"MPI_Allreduce_c", OTF2_COLLECTIVE_OP_ALLREDUCE},
        {"MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE},
        {"MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
        {"MPI_Ireduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
        {"MPI_Scan", OTF2_COLLECTIVE_OP_SCAN},
        {"MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN},
        {"MPI_Comm_idup_with_info", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
        {"MPI_Comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
        {"MPI_Win_allocate", OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(otf2_operation(standard_role(cases[i].name)->collective), cases[i].operation, "%s",
                     cases[i].name);
    cr_expect_eq(sizeof cases / sizeof cases[0], COLLECTIVES - 1);
    cr_expect(otf2_operation_is_old(OTF2_COLLECTIVE_OP_EXSCAN));
    cr_expect_not(otf2_operation_is_old(OTF2_COLLECTIVE_OP_CREATE_HANDLE));
}

Test(otf2, atomic_accesses)
{
    cr_expect_eq(otf2_atomic_type(standard_role("MPI_Raccumulate")), OTF2_RMA_ATOMIC_TYPE_ACCUMULATE);
    cr_expect_eq(otf2_atomic_type(standard_role("MPI_Get_accumulate_c")),
                 OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE);
    cr_expect_eq(otf2_atomic_type(standard_role("MPI_Fetch_and_op")),
                 OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE);
    cr_expect_eq(otf2_atomic_type(standard_role("MPI_Compare_and_swap")),
                 OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

enum { WORLD = 0 << 1 | 1, SELF = 1 << 1 | 1, SPLIT = 0 << 1, BETWEEN = 1 << 1, BROKEN = 2 << 1 };

/* Six processes, from 10 on: comm0 is {15, 13, 11}, comm1 is between {10, 12} and {13, 11}; comm2
 * lacks the record of one member. */
static void make(struct reader *r, struct definitions *d)
{
    static struct constant constants[] = {{(char *)"COMMUNICATOR", 0, (char *)"MPI_COMM_WORLD"},
                                          {(char *)"COMMUNICATOR", 1, (char *)"MPI_COMM_SELF"}};
    static struct communicator communicators[] = {
        {.parent = WORLD, .size = 3, .remote_size = -1},
        {.parent = -1, .size = 2, .remote_size = 2},
        {.parent = SPLIT, .size = 2, .remote_size = -1},
    };
    static struct member members[] = {
        {10, 0, 1, 0, false}, {11, 0, 0, 2, false}, {11, 1, 1, 1, true},  {12, 0, 1, 1, false},
        {13, 0, 0, 1, false}, {13, 1, 1, 0, true},  {13, 2, 2, 1, false}, {15, 0, 0, 0, false},
    };
    *r = (struct reader){.trace = {.first_rank = 10, .n_ranks = 6}};
    r->trace.functions.constants.items = constants;
    r->trace.functions.constants.n = sizeof constants / sizeof constants[0];
    *d = (struct definitions){0};
    d->communicators.items = communicators;
    d->communicators.n = sizeof communicators / sizeof communicators[0];
    d->members.items = members;
    d->members.n = sizeof members / sizeof members[0];
}

static void choose(struct otf2_ranks *x, const struct reader *r, const struct definitions *d,
                   const char *text)
{
    struct ranges chosen = {0};
    cr_assert_eq(ranges_parse(&chosen, text), REFRAIN_OK);
    cr_assert_eq(otf2_ranks_create(x, r, d, &chosen), REFRAIN_OK);
    ranges_free(&chosen);
}

Test(otf2, all_ranks)
{
    struct reader r;
    struct definitions d;
    struct otf2_ranks x;
    make(&r, &d);
    choose(&x, &r, &d, NULL);
    cr_expect_eq(x.n, 6);
    cr_expect_eq(otf2_comm(&x, WORLD), OTF2_COMM_WORLD);
    cr_expect_eq(otf2_comm(&x, SELF), OTF2_COMM_SELF);
    cr_expect_eq(otf2_comm(&x, SPLIT), OTF2_COMM_FIRST);
    cr_expect_eq(otf2_comm(&x, BETWEEN), OTF2_COMM_FIRST + 1);
    cr_expect_eq(otf2_comm(&x, BROKEN), OTF2_NOBODY);
    cr_expect_eq(otf2_comm(&x, -1), OTF2_NOBODY);
    cr_expect_eq(x.comms[0].parent, OTF2_COMM_WORLD);
    cr_expect_eq(x.comms[1].parent, OTF2_NOBODY);

    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_WORLD, 14), 4);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_WORLD, 9), OTF2_NOBODY);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_WORLD, -2), OTF2_NOBODY);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_SELF, 14), 0);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_FIRST, 15), 0);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_FIRST, 13), 1);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_FIRST, 11), 2);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_FIRST, 10), OTF2_NOBODY);
    otf2_ranks_free(&x);
}

Test(otf2, groups_of_an_intercommunicator_follow_each_other)
{
    const uint32_t between = OTF2_COMM_FIRST + 1;
    struct reader r;
    struct definitions d;
    struct otf2_ranks x;
    make(&r, &d);
    choose(&x, &r, &d, NULL);
    cr_expect_eq(otf2_rank_in(&x, between, 10), 0);
    cr_expect_eq(otf2_rank_in(&x, between, 12), 1);
    cr_expect_eq(otf2_rank_in(&x, between, 13), 2);
    cr_expect_eq(otf2_rank_in(&x, between, 11), 3);
    /* A root is a rank in the other group. */
    cr_expect_eq(otf2_root_in(&x, between, 10, 1), 3);
    cr_expect_eq(otf2_root_in(&x, between, 11, 1), 1);
    cr_expect_eq(otf2_root_in(&x, between, 10, 2), OTF2_NOBODY);
    otf2_ranks_free(&x);
}

Test(otf2, some_ranks)
{
    const uint32_t between = OTF2_COMM_FIRST + 1;
    struct reader r;
    struct definitions d;
    struct otf2_ranks x;
    make(&r, &d);
    choose(&x, &r, &d, "11,12,15");
    cr_expect_eq(x.n, 3);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_WORLD, 15), 2);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_WORLD, 10), OTF2_NOBODY);
    cr_expect_eq(otf2_root_in(&x, OTF2_COMM_WORLD, 11, 5), 2);
    cr_expect_eq(otf2_root_in(&x, OTF2_COMM_WORLD, 11, 0), OTF2_NOBODY);
    cr_expect_eq(otf2_rank_in(&x, OTF2_COMM_FIRST, 11), 1);
    cr_expect_eq(otf2_root_in(&x, OTF2_COMM_FIRST, 11, 0), 0);
    cr_expect_eq(otf2_root_in(&x, OTF2_COMM_FIRST, 11, 1), OTF2_NOBODY);
    cr_expect_eq(otf2_rank_in(&x, between, 12), 0);
    cr_expect_eq(otf2_rank_in(&x, between, 11), 1);
    cr_expect_eq(otf2_root_in(&x, between, 11, 1), 0);
    cr_expect_eq(otf2_root_in(&x, between, 12, 1), 1);
    otf2_ranks_free(&x);
    choose(&x, &r, &d, "14");
    cr_expect_eq(x.n_ids, 0);
    cr_expect_eq(otf2_comm(&x, SPLIT), OTF2_NOBODY);
    otf2_ranks_free(&x);
}
