/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_function.h"

#include <fnmatch.h>
#include <string.h>

#define NO_OPERATION 0xFF

/* The first line whose pattern matches holds; the patterns are fnmatch's with FNM_EXTMATCH, without regard to
 * case, and the _c of large-count procedures is not looked at. Neighbourhood collectives have no number of
 * their own in OTF2. */
static const struct line {
    const char *functions;
    OTF2_RegionRole role;
    OTF2_CollectiveOp operation;
} lines[] = {
#define ROLE(role)    OTF2_REGION_ROLE_##role
#define OPERATION(op) OTF2_COLLECTIVE_OP_##op
    {"MPI_?(I)barrier?(_init)", ROLE(BARRIER), OPERATION(BARRIER)},
    {"MPI_?(I)bcast?(_init)", ROLE(COLL_ONE2ALL), OPERATION(BCAST)},
    {"MPI_?(I)scatter?(_init)", ROLE(COLL_ONE2ALL), OPERATION(SCATTER)},
    {"MPI_?(I)scatterv?(_init)", ROLE(COLL_ONE2ALL), OPERATION(SCATTERV)},
    {"MPI_?(I)gather?(_init)", ROLE(COLL_ALL2ONE), OPERATION(GATHER)},
    {"MPI_?(I)gatherv?(_init)", ROLE(COLL_ALL2ONE), OPERATION(GATHERV)},
    {"MPI_?(I)reduce?(_init)", ROLE(COLL_ALL2ONE), OPERATION(REDUCE)},
    {"MPI_?(I)?(neighbor_)allgather?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLGATHER)},
    {"MPI_?(I)?(neighbor_)allgatherv?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLGATHERV)},
    {"MPI_?(I)?(neighbor_)alltoall?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLTOALL)},
    {"MPI_?(I)?(neighbor_)alltoallv?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLTOALLV)},
    {"MPI_?(I)?(neighbor_)alltoallw?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLTOALLW)},
    {"MPI_?(I)allreduce?(_init)", ROLE(COLL_ALL2ALL), OPERATION(ALLREDUCE)},
    {"MPI_?(I)reduce_scatter?(_init)", ROLE(COLL_ALL2ALL), OPERATION(REDUCE_SCATTER)},
    {"MPI_?(I)reduce_scatter_block?(_init)", ROLE(COLL_ALL2ALL), OPERATION(REDUCE_SCATTER_BLOCK)},
    {"MPI_?(I)scan?(_init)", ROLE(COLL_OTHER), OPERATION(SCAN)},
    {"MPI_?(I)exscan?(_init)", ROLE(COLL_OTHER), OPERATION(EXSCAN)},
    {"MPI_Comm_@(create?(_group|_from_group)|?(i)dup?(_with_info)|split?(_type))", ROLE(COLL_OTHER),
     OPERATION(CREATE_HANDLE)},
    {"MPI_@(Cart_create|Cart_sub|Graph_create|Dist_graph_create?(_adjacent)|Intercomm_merge)",
     ROLE(COLL_OTHER), OPERATION(CREATE_HANDLE)},
    {"MPI_Comm_@(free|disconnect)", ROLE(COLL_OTHER), OPERATION(DESTROY_HANDLE)},
    {"MPI_Win_create?(_dynamic)", ROLE(RMA), OPERATION(CREATE_HANDLE)},
    {"MPI_Win_allocate?(_shared)", ROLE(RMA), OPERATION(CREATE_HANDLE_AND_ALLOCATE)},
    {"MPI_Win_free", ROLE(RMA), OPERATION(DESTROY_HANDLE)},
    {"MPI_Win_fence", ROLE(RMA), OPERATION(BARRIER)},
    {"MPI_Win_*", ROLE(RMA), NO_OPERATION},
    {"MPI_?(R)@(put|get|accumulate|get_accumulate)", ROLE(RMA), NO_OPERATION},
    {"MPI_@(Fetch_and_op|Compare_and_swap)", ROLE(RMA), NO_OPERATION},
    {"MPI_File_@(open|close|delete|seek?(_shared)|set*|get*|preallocate)", ROLE(FILE_IO_METADATA),
     NO_OPERATION},
    {"MPI_File_*", ROLE(FILE_IO), NO_OPERATION},
    {"MPI_Alloc_mem", ROLE(ALLOCATE), NO_OPERATION},
    {"MPI_Free_mem", ROLE(DEALLOCATE), NO_OPERATION},
    {"MPI_?(I)?([bsrp])send?(_init)", ROLE(POINT2POINT), NO_OPERATION},
    {"MPI_?(I)?([mp])recv?(_init)", ROLE(POINT2POINT), NO_OPERATION},
    {"MPI_?(I)sendrecv?(_replace)", ROLE(POINT2POINT), NO_OPERATION},
    {"MPI_?(I)?(m)probe", ROLE(POINT2POINT), NO_OPERATION},
    {"MPI_@(Wait|Test)?(all|any|some)", ROLE(POINT2POINT), NO_OPERATION},
    {"MPI_@(Start?(all)|Cancel|Request_free|Test_cancelled|Request_get_status*)", ROLE(POINT2POINT),
     NO_OPERATION},
    {"MPI_@(Pready*|Parrived)", ROLE(POINT2POINT), NO_OPERATION},
#undef ROLE
#undef OPERATION
};

static const struct access {
    const char *functions;
    enum otf2_access access;
    OTF2_RmaAtomicType atomic;
} accesses[] = {
    {"MPI_?(R)put", OTF2_ACCESS_PUT, 0},
    {"MPI_?(R)get", OTF2_ACCESS_GET, 0},
    {"MPI_?(R)accumulate", OTF2_ACCESS_ATOMIC, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE},
    {"MPI_?(R)get_accumulate", OTF2_ACCESS_ATOMIC, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE},
    {"MPI_Fetch_and_op", OTF2_ACCESS_ATOMIC, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE},
    {"MPI_Compare_and_swap", OTF2_ACCESS_ATOMIC, OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP},
};

static const struct transfer {
    const char *functions;
    enum otf2_transfer transfer;
    enum otf2_half half;
} transfers[] = {
    {"MPI_File_read*_begin", OTF2_TRANSFER_READ, OTF2_HALF_BEGIN},
    {"MPI_File_read*_end", OTF2_TRANSFER_READ, OTF2_HALF_END},
    {"MPI_File_write*_begin", OTF2_TRANSFER_WRITE, OTF2_HALF_BEGIN},
    {"MPI_File_write*_end", OTF2_TRANSFER_WRITE, OTF2_HALF_END},
    {"MPI_File_?(i)read*", OTF2_TRANSFER_READ, OTF2_HALF_BOTH},
    {"MPI_File_?(i)write*", OTF2_TRANSFER_WRITE, OTF2_HALF_BOTH},
    {"MPI_File_sync", OTF2_TRANSFER_FLUSH, OTF2_HALF_BOTH},
    {"MPI_File_seek?(_shared)", OTF2_TRANSFER_SEEK, OTF2_HALF_BOTH},
    {"MPI_File_delete", OTF2_TRANSFER_DELETE, OTF2_HALF_BOTH},
};

static bool matches(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, FNM_EXTMATCH | FNM_CASEFOLD) == 0;
}

struct otf2_function otf2_function(const char *name)
{
    char plain[64];
    const size_t n = strlen(name);
    struct otf2_function f = {.role = OTF2_REGION_ROLE_FUNCTION};
    if (n >= sizeof plain)
        return f;
    memcpy(plain, name, n + 1);
    if (n > 2 && strcmp(plain + n - 2, "_c") == 0)
        plain[n - 2] = '\0';
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (matches(lines[i].functions, plain)) {
            f.role = lines[i].role;
            f.collective = lines[i].operation != NO_OPERATION;
            f.operation = lines[i].operation;
            break;
        }
    }
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        if (matches(accesses[i].functions, plain)) {
            f.access = accesses[i].access;
            f.atomic = accesses[i].atomic;
        }
    }
    f.local = matches("MPI_Win_flush_local*", plain);
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        if (matches(transfers[i].functions, plain)) {
            f.transfer = transfers[i].transfer;
            f.half = transfers[i].half;
            break;
        }
    }
    return f;
}

bool otf2_operation_is_old(OTF2_CollectiveOp operation)
{
    return operation <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
}
