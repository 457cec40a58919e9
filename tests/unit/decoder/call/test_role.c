/* SPDX-License-Identifier: BSD-3-Clause */
/* The roles in functions.def, of each procedure of the standard. */
#include "decoder/call/role.h"
#include "tests/unit/support/standard.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(size_t function)
{
    return gen_functable.functions.items[function].name;
}

/* Is the name, without MPI_ and _c, in the list, whose names are divided by blanks? */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, "_c") == 0)
        length -= 2;
    name += strlen("MPI_");
    length -= strlen("MPI_");
    for (const char *at = list; *at;) {
        const size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0)
            return true;
        at += n + strspn(at + n, " ");
    }
    return false;
}

static size_t count_names(const char *list)
{
    size_t n = 0;
    for (const char *at = list; *at; n++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return n;
}

/* ---- each procedure -------------------------------------------------------------------------- */

/* Blocking, non-blocking and persistent. */
#define ALL(upper, lower) upper " I" lower " " upper "_init "

#define SENDS           "Send Bsend Rsend Ssend "
#define SEND_INITS      "Send_init Bsend_init Rsend_init Ssend_init Psend_init "
#define ISENDS          "Isend Ibsend Irsend Issend "
#define SENDRECVS       "Sendrecv Sendrecv_replace "
#define ISENDRECVS      "Isendrecv Isendrecv_replace "
#define COMPLETIONS     "Wait Waitall Waitany Waitsome Test Testall Testany Testsome "
#define PEEKS           "Request_get_status Request_get_status_all Request_get_status_any Request_get_status_some "
#define BUFFER_FLUSHES  "Buffer_flush Comm_flush_buffer Session_flush_buffer "
#define BUFFER_IFLUSHES "Buffer_iflush Comm_iflush_buffer Session_iflush_buffer "

#define TO_ALL ALL("Bcast", "bcast") ALL("Scatter", "scatter") ALL("Scatterv", "scatterv")
#define TO_ONE ALL("Gather", "gather") ALL("Gatherv", "gatherv") ALL("Reduce", "reduce")
#define ALL_TO_ALL                                                                                           \
    ALL("Allgather", "allgather")                                                                            \
    ALL("Allgatherv", "allgatherv")                                                                          \
    ALL("Neighbor_allgather", "neighbor_allgather")                                                          \
    ALL("Neighbor_allgatherv", "neighbor_allgatherv")                                                        \
    ALL("Alltoall", "alltoall")                                                                              \
    ALL("Alltoallv", "alltoallv")                                                                            \
    ALL("Neighbor_alltoall", "neighbor_alltoall")                                                            \
    ALL("Neighbor_alltoallv", "neighbor_alltoallv")
#define ALL_TO_ALL_W ALL("Alltoallw", "alltoallw") ALL("Neighbor_alltoallw", "neighbor_alltoallw")
#define REDUCE_SCATTER                                                                                       \
    ALL("Reduce_scatter", "reduce_scatter") ALL("Reduce_scatter_block", "reduce_scatter_block")
#define SCANS ALL("Scan", "scan") ALL("Exscan", "exscan")
#define COLLECTIVES                                                                                          \
    ALL("Barrier", "barrier")                                                                                \
    TO_ALL TO_ONE ALL_TO_ALL ALL_TO_ALL_W ALL("Allreduce", "allreduce") REDUCE_SCATTER SCANS

#define COMM_MAKERS                                                                                          \
    "Comm_create Comm_create_group Comm_create_from_group Comm_dup Comm_dup_with_info Comm_idup "            \
    "Comm_idup_with_info Comm_split Comm_split_type Cart_create Cart_sub Graph_create Dist_graph_create "    \
    "Dist_graph_create_adjacent Intercomm_merge "
#define COMM_ENDERS "Comm_free Comm_disconnect "
#define COMM_OTHERS                                                                                          \
    "Comm_set_info Comm_accept Comm_connect Comm_spawn Comm_spawn_multiple Intercomm_create "                \
    "Intercomm_create_from_groups Cart_map Graph_map "

#define PUTS          "Put Rput "
#define GETS          "Get Rget "
#define ACCUMULATES   "Accumulate Raccumulate "
#define FETCHES       "Get_accumulate Rget_accumulate Fetch_and_op Compare_and_swap "
#define WINDOW_MAKERS "Win_create Win_create_dynamic Win_allocate Win_allocate_shared "
#define WINDOW_OTHERS                                                                                        \
    "Win_attach Win_detach Win_c2f Win_f2c Win_toint Win_fromint Win_call_errhandler "                       \
    "Win_create_errhandler Win_get_errhandler Win_set_errhandler Win_create_keyval Win_free_keyval "         \
    "Win_get_attr Win_set_attr Win_delete_attr Win_get_info Win_get_name Win_set_name Win_shared_query "     \
    "Win_sync "
#define EPOCHS                                                                                               \
    "Win_fence Win_start Win_complete Win_post Win_wait Win_test Win_lock Win_unlock Win_lock_all "          \
    "Win_unlock_all "
#define FLUSHES "Win_flush Win_flush_all Win_flush_local Win_flush_local_all "

#define SPLIT(x)       x "_begin " x "_end "
#define READS          "File_read File_read_at File_read_shared "
#define IREADS         "File_iread File_iread_at File_iread_shared "
#define READS_OF_ALL   "File_read_all File_read_at_all File_read_ordered "
#define IREADS_OF_ALL  "File_iread_all File_iread_at_all "
#define READ_HALVES    SPLIT("File_read_all") SPLIT("File_read_at_all") SPLIT("File_read_ordered")
#define WRITES         "File_write File_write_at File_write_shared "
#define IWRITES        "File_iwrite File_iwrite_at File_iwrite_shared "
#define WRITES_OF_ALL  "File_write_all File_write_at_all File_write_ordered "
#define IWRITES_OF_ALL "File_iwrite_all File_iwrite_at_all "
#define WRITE_HALVES   SPLIT("File_write_all") SPLIT("File_write_at_all") SPLIT("File_write_ordered")
#define ALL_READS      READS IREADS READS_OF_ALL IREADS_OF_ALL READ_HALVES
#define ALL_WRITES     WRITES IWRITES WRITES_OF_ALL IWRITES_OF_ALL WRITE_HALVES
#define OF_ALL         READS_OF_ALL IREADS_OF_ALL READ_HALVES WRITES_OF_ALL IWRITES_OF_ALL WRITE_HALVES
#define FILE_SETTERS   "File_set_size File_preallocate File_set_info File_set_view File_set_atomicity "
#define FILE_METADATA                                                                                        \
    "File_open File_close File_delete File_seek File_seek_shared File_get_amode File_get_atomicity "         \
    "File_get_byte_offset File_get_errhandler File_get_group File_get_info File_get_position "               \
    "File_get_position_shared File_get_size File_get_type_extent File_get_view "                             \
    "File_set_errhandler " FILE_SETTERS
#define FILE_OTHERS                                                                                          \
    "File_c2f File_f2c File_toint File_fromint File_call_errhandler File_create_errhandler File_sync "

#define GROUP_MAKERS                                                                                         \
    "Comm_group Comm_remote_group Win_get_group File_get_group Group_incl Group_range_incl Group_excl "      \
    "Group_range_excl Group_union Group_intersection Group_difference Group_from_session_pset "

/* Exactly these names have the property. */
static void check(const char *what, bool (*has)(const struct role *, uint32_t), uint32_t wanted,
                  const char *names)
{
    size_t found = 0;
    for (size_t i = 0; i < gen_functable.functions.n; i++) {
        const char *name = name_of(i);
        const bool large = strcmp(name + strlen(name) - 2, "_c") == 0;
        cr_expect_eq(has(&standard_roles()->items[i], wanted), is_listed(names, name), "%s of %s", what,
                     name);
        found += !large && is_listed(names, name);
    }
    cr_expect_eq(found, count_names(names), "%s: there are procedures listed that the standard does not have",
                 what);
}
#define CHECK(has, wanted, names) check(#wanted, has, wanted, names)

static bool acts(const struct role *role, uint32_t action)
{
    return role->actions & action;
}

Test(role, actions_of_messages_and_requests)
{
    CHECK(acts, ROLE_SEND, SENDS ISENDS SEND_INITS SENDRECVS ISENDRECVS);
    CHECK(acts, ROLE_RECEIVE, "Recv Irecv Recv_init Precv_init " SENDRECVS ISENDRECVS);
    CHECK(acts, ROLE_PARTITIONED, "Psend_init Precv_init");
    CHECK(acts, ROLE_PROBE, "Mprobe Improbe");
    CHECK(acts, ROLE_RECEIVE_FOUND, "Mrecv Imrecv");
    CHECK(acts, ROLE_START, "Start Startall");
    CHECK(acts, ROLE_COMPLETE, COMPLETIONS PEEKS);
    CHECK(acts, ROLE_PARTITION, "Pready Pready_range Pready_list Parrived");
    CHECK(acts, ROLE_TEST, "Test Testall Testany Testsome Win_test Parrived " PEEKS);
    CHECK(acts, ROLE_PEEK, PEEKS);
    CHECK(acts, ROLE_FREE, "Request_free");
    CHECK(acts, ROLE_CANCEL, "Cancel");
    CHECK(acts, ROLE_GENERALIZED, "Grequest_start " BUFFER_FLUSHES BUFFER_IFLUSHES);
}

Test(role, actions_of_many)
{
    CHECK(acts, ROLE_COLLECTIVE,
          COLLECTIVES COMM_MAKERS COMM_ENDERS COMM_OTHERS WINDOW_MAKERS
          "Win_free Win_fence Win_set_info File_open File_close File_sync File_seek_shared " FILE_SETTERS
              OF_ALL);
    CHECK(acts, ROLE_MAKES, WINDOW_MAKERS "File_open");
    CHECK(acts, ROLE_ENDS, "Win_free File_close");
    CHECK(acts, ROLE_GRID, "Cart_create");
    CHECK(acts, ROLE_GROUP, GROUP_MAKERS);
}

Test(role, actions_on_windows_and_files)
{
    CHECK(acts, ROLE_RMA, PUTS GETS ACCUMULATES FETCHES);
    CHECK(acts, ROLE_PUT, PUTS ACCUMULATES FETCHES);
    CHECK(acts, ROLE_GET, GETS FETCHES);
    CHECK(acts, ROLE_ATOMIC, ACCUMULATES FETCHES);
    CHECK(acts, ROLE_SWAP, "Compare_and_swap");
    CHECK(acts, ROLE_OPEN, "Win_fence Win_start Win_post Win_lock Win_lock_all");
    CHECK(acts, ROLE_CLOSE, "Win_fence Win_complete Win_wait Win_test Win_unlock Win_unlock_all");
    CHECK(acts, ROLE_FLUSH, FLUSHES);
    CHECK(acts, ROLE_LOCAL, "Win_flush_local Win_flush_local_all");
    CHECK(acts, ROLE_FILE, ALL_READS ALL_WRITES "File_sync File_seek File_seek_shared");
}

static bool chooses(const struct role *role, uint32_t choice)
{
    return role->actions & ROLE_COMPLETE && role->choice == choice;
}

static bool is_of(const struct role *role, uint32_t scope)
{
    return role->actions & ROLE_COLLECTIVE && role->scope == scope;
}

static bool has_epoch(const struct role *role, uint32_t epoch)
{
    return role->actions & (ROLE_OPEN | ROLE_CLOSE) && role->epoch == epoch;
}

Test(role, what_actions_are_about)
{
    CHECK(chooses, ROLE_ALL, "Wait Waitall Test Testall Request_get_status Request_get_status_all");
    CHECK(chooses, ROLE_ANY, "Waitany Testany Request_get_status_any");
    CHECK(chooses, ROLE_SOME, "Waitsome Testsome Request_get_status_some");
    CHECK(is_of, ROLE_NEW_COMM, "Comm_create_group Comm_create_from_group Intercomm_create_from_groups");
    CHECK(is_of, ROLE_WINDOW, "Win_free Win_fence Win_set_info");
    CHECK(is_of, ROLE_IN_FILE, "File_close File_sync File_seek_shared " FILE_SETTERS OF_ALL);
    CHECK(has_epoch, ROLE_FENCE, "Win_fence");
    CHECK(has_epoch, ROLE_ACCESS, "Win_start Win_complete");
    CHECK(has_epoch, ROLE_EXPOSURE, "Win_post Win_wait Win_test");
    CHECK(has_epoch, ROLE_LOCK, "Win_lock Win_unlock");
    CHECK(has_epoch, ROLE_LOCK_ALL, "Win_lock_all Win_unlock_all");
}

static bool makes_group(const struct role *role, uint32_t group)
{
    return role->group == group;
}

static bool transfers(const struct role *role, uint32_t transfer)
{
    return role->transfer == transfer;
}

static bool meets(const struct role *role, uint32_t meeting)
{
    return role->meeting == meeting;
}

Test(role, groups_transfers_and_meetings)
{
    CHECK(makes_group, GROUP_OF_COMM, "Comm_group");
    CHECK(makes_group, GROUP_OF_REMOTE, "Comm_remote_group");
    CHECK(makes_group, GROUP_OF_WINDOW, "Win_get_group");
    CHECK(makes_group, GROUP_OF_FILE, "File_get_group");
    CHECK(makes_group, GROUP_WITH, "Group_incl Group_range_incl");
    CHECK(makes_group, GROUP_WITHOUT, "Group_excl Group_range_excl");
    CHECK(makes_group, GROUP_UNION, "Group_union");
    CHECK(makes_group, GROUP_INTERSECTION, "Group_intersection");
    CHECK(makes_group, GROUP_DIFFERENCE, "Group_difference");
    CHECK(makes_group, GROUP_OF_SET, "Group_from_session_pset");
    CHECK(transfers, TRANSFER_READ, ALL_READS);
    CHECK(transfers, TRANSFER_WRITE, ALL_WRITES);
    CHECK(transfers, TRANSFER_FLUSH, "File_sync");
    CHECK(transfers, TRANSFER_SEEK, "File_seek File_seek_shared");
    CHECK(transfers, TRANSFER_DELETE, "File_delete");
    CHECK(meets, MEETING_ALWAYS, "Barrier");
    CHECK(meets, MEETING_OF_EQUALS, "Allreduce Allgather Alltoall Reduce_scatter_block");
    CHECK(meets, MEETING_OF_SOME, "Allgatherv");
}

static bool is_kind(const struct role *role, uint32_t kind)
{
    return role->kind == kind;
}

static bool is_region(const struct role *role, uint32_t region)
{
    return role->region == region;
}

Test(role, kinds_and_regions)
{
    CHECK(is_kind, CALL_BLOCKING, SENDS "Recv Mrecv " SENDRECVS BUFFER_FLUSHES);
    CHECK(is_kind, CALL_NONBLOCKING,
          ISENDS SEND_INITS ISENDRECVS
          "Irecv Recv_init Precv_init Imrecv Pready Pready_list Pready_range Start "
          "Startall Cancel Request_free " BUFFER_IFLUSHES);
    CHECK(is_kind, CALL_WAITING, COMPLETIONS PEEKS "Probe Iprobe Mprobe Improbe Parrived");
    CHECK(is_kind, CALL_COLLECTIVE, COLLECTIVES);
    CHECK(is_kind, CALL_ONE_SIDED,
          PUTS GETS ACCUMULATES FETCHES WINDOW_MAKERS EPOCHS FLUSHES
          "Win_free Win_set_info Win_get_group " WINDOW_OTHERS);
    CHECK(is_kind, CALL_FILE, FILE_METADATA ALL_READS ALL_WRITES FILE_OTHERS);

    CHECK(is_region, REGION_MESSAGE,
          SENDS ISENDS SEND_INITS SENDRECVS ISENDRECVS COMPLETIONS PEEKS BUFFER_FLUSHES BUFFER_IFLUSHES
          "Recv Irecv Recv_init Precv_init Mrecv Imrecv Probe Iprobe Mprobe Improbe Pready Pready_list "
          "Pready_range Parrived Start Startall Cancel Request_free Test_cancelled");
    CHECK(is_region, REGION_BARRIER, ALL("Barrier", "barrier"));
    CHECK(is_region, REGION_ONE_TO_ALL, TO_ALL);
    CHECK(is_region, REGION_ALL_TO_ONE, TO_ONE);
    CHECK(is_region, REGION_ALL_TO_ALL, ALL_TO_ALL ALL_TO_ALL_W ALL("Allreduce", "allreduce") REDUCE_SCATTER);
    CHECK(is_region, REGION_OTHER_COLLECTIVE, SCANS COMM_MAKERS COMM_ENDERS);
    CHECK(is_region, REGION_WINDOW,
          PUTS GETS ACCUMULATES FETCHES WINDOW_MAKERS EPOCHS FLUSHES
          "Win_free Win_set_info Win_get_group " WINDOW_OTHERS);
    CHECK(is_region, REGION_FILE_METADATA, FILE_METADATA);
    CHECK(is_region, REGION_FILE_TRANSFER, ALL_READS ALL_WRITES FILE_OTHERS);
    CHECK(is_region, REGION_ALLOCATE, "Alloc_mem");
    CHECK(is_region, REGION_FREE, "Free_mem");
}

static bool is_operation(const struct role *role, uint32_t collective)
{
    return role->collective == collective;
}

Test(role, collective_operations)
{
    CHECK(is_operation, COLLECTIVE_BARRIER, ALL("Barrier", "barrier") "Win_fence");
    CHECK(is_operation, COLLECTIVE_BCAST, ALL("Bcast", "bcast"));
    CHECK(is_operation, COLLECTIVE_SCATTER, ALL("Scatter", "scatter"));
    CHECK(is_operation, COLLECTIVE_SCATTERV, ALL("Scatterv", "scatterv"));
    CHECK(is_operation, COLLECTIVE_GATHER, ALL("Gather", "gather"));
    CHECK(is_operation, COLLECTIVE_GATHERV, ALL("Gatherv", "gatherv"));
    CHECK(is_operation, COLLECTIVE_REDUCE, ALL("Reduce", "reduce"));
    CHECK(is_operation, COLLECTIVE_ALLGATHER,
          ALL("Allgather", "allgather") ALL("Neighbor_allgather", "neighbor_allgather"));
    CHECK(is_operation, COLLECTIVE_ALLGATHERV,
          ALL("Allgatherv", "allgatherv") ALL("Neighbor_allgatherv", "neighbor_allgatherv"));
    CHECK(is_operation, COLLECTIVE_ALLTOALL,
          ALL("Alltoall", "alltoall") ALL("Neighbor_alltoall", "neighbor_alltoall"));
    CHECK(is_operation, COLLECTIVE_ALLTOALLV,
          ALL("Alltoallv", "alltoallv") ALL("Neighbor_alltoallv", "neighbor_alltoallv"));
    CHECK(is_operation, COLLECTIVE_ALLTOALLW, ALL_TO_ALL_W);
    CHECK(is_operation, COLLECTIVE_ALLREDUCE, ALL("Allreduce", "allreduce"));
    CHECK(is_operation, COLLECTIVE_REDUCE_SCATTER, ALL("Reduce_scatter", "reduce_scatter"));
    CHECK(is_operation, COLLECTIVE_REDUCE_SCATTER_BLOCK, ALL("Reduce_scatter_block", "reduce_scatter_block"));
    CHECK(is_operation, COLLECTIVE_SCAN, ALL("Scan", "scan"));
    CHECK(is_operation, COLLECTIVE_EXSCAN, ALL("Exscan", "exscan"));
    CHECK(is_operation, COLLECTIVE_CREATE_HANDLE, COMM_MAKERS "Win_create Win_create_dynamic");
    CHECK(is_operation, COLLECTIVE_DESTROY_HANDLE, COMM_ENDERS "Win_free");
    CHECK(is_operation, COLLECTIVE_CREATE_AND_ALLOCATE, "Win_allocate Win_allocate_shared");
}

/* ---- volumes --------------------------------------------------------------------------------- */

static bool sends(const struct role *role, uint32_t where)
{
    return role->sent.datatype && role->sent.where == where;
}

static bool receives(const struct role *role, uint32_t where)
{
    return role->received.datatype && role->received.where == where;
}

static bool tells(const struct role *role, uint32_t where)
{
    return role->received.where == where;
}

static bool moves(const struct role *role, uint32_t does)
{
    return role_moves(role) == does;
}

#define WRITTEN                                                                                              \
    WRITES IWRITES WRITES_OF_ALL IWRITES_OF_ALL                                                              \
        "File_write_all_begin File_write_at_all_begin File_write_ordered_begin "
#define READ READS READS_OF_ALL "File_read_all_end File_read_at_all_end File_read_ordered_end "

Test(role, volumes)
{
    CHECK(sends, VOLUME_AT_ROOT, TO_ALL);
    CHECK(sends, VOLUME_EVERYWHERE,
          SENDS ISENDS SEND_INITS SENDRECVS ISENDRECVS TO_ONE ALL_TO_ALL ALL_TO_ALL_W ALL(
              "Allreduce", "allreduce") REDUCE_SCATTER SCANS PUTS ACCUMULATES FETCHES WRITTEN);
    CHECK(receives, VOLUME_AT_ROOT, TO_ONE);
    CHECK(receives, VOLUME_ELSEWHERE, ALL("Bcast", "bcast"));
    CHECK(receives, VOLUME_EVERYWHERE,
          ALL("Scatter", "scatter") ALL("Scatterv", "scatterv") ALL_TO_ALL ALL_TO_ALL_W ALL("Allreduce",
                                                                                            "allreduce")
              ALL("Reduce_scatter_block", "reduce_scatter_block") SCANS GETS FETCHES IREADS IREADS_OF_ALL);
    CHECK(receives, VOLUME_OF_OWN, ALL("Reduce_scatter", "reduce_scatter"));
    CHECK(tells, VOLUME_IN_STATUS, "Recv Mrecv " SENDRECVS COMPLETIONS READ);
    CHECK(
        moves, true,
        SENDS ISENDS SENDRECVS ISENDRECVS
        "Recv Mrecv Bcast Ibcast Scatter Iscatter Scatterv Iscatterv Gather Igather Gatherv Igatherv Reduce "
        "Ireduce Allgather Iallgather Allgatherv Iallgatherv Alltoall Ialltoall Alltoallv Ialltoallv "
        "Alltoallw "
        "Ialltoallw Neighbor_allgather Ineighbor_allgather Neighbor_allgatherv Ineighbor_allgatherv "
        "Neighbor_alltoall Ineighbor_alltoall Neighbor_alltoallv Ineighbor_alltoallv Neighbor_alltoallw "
        "Ineighbor_alltoallw Allreduce Iallreduce Reduce_scatter Ireduce_scatter Reduce_scatter_block "
        "Ireduce_scatter_block Scan Iscan Exscan Iexscan " PUTS GETS ACCUMULATES FETCHES COMPLETIONS READ
            IREADS IREADS_OF_ALL WRITTEN);
}

/* The parameters of one side of the volume, in the order of the fields. */
static void check_fields(const char *name, enum role_field first, const char *const params[3])
{
    const struct function *f = &gen_functable.functions.items[standard_function(name)];
    const struct role *role = standard_role(name);
    for (uint32_t i = 0; i < f->n_params; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const bool is = role->fields[i] >> (first + k) & 1;
            cr_expect_eq(is, params[k] && strcmp(params[k], f->params[i].name) == 0, "%s of %s",
                         f->params[i].name, name);
        }
    }
    const struct role_volume *side = first == FIELD_SENT_BUFFER ? &role->sent : &role->received;
    cr_expect_eq(side->datatype != NULL, params[2] != NULL, "%s", name);
    cr_expect_eq(side->counted, params[1] != NULL, "%s", name);
}

Test(role, what_volumes_are_made_of)
{
    static const struct {
        const char *name, *sent[3], *received[3];
    } cases[] = {
        {"MPI_Send_c", {"buf", "count", "datatype"}, {0}},
        {"MPI_Psend_init", {"buf", "count", "datatype"}, {0}},
        {"MPI_Sendrecv", {"sendbuf", "sendcount", "sendtype"}, {0}},
        {"MPI_Bcast", {"buffer", "count", "datatype"}, {"buffer", "count", "datatype"}},
        {"MPI_Igatherv", {"sendbuf", "sendcount", "sendtype"}, {"recvbuf", "recvcounts", "recvtype"}},
        {"MPI_Alltoallw_init",
         {"sendbuf", "sendcounts", "sendtypes"},
         {"recvbuf", "recvcounts", "recvtypes"}},
        {"MPI_Reduce_scatter", {"sendbuf", "recvcounts", "datatype"}, {"recvbuf", "recvcounts", "datatype"}},
        {"MPI_Allreduce", {"sendbuf", "count", "datatype"}, {"recvbuf", "count", "datatype"}},
        {"MPI_Rget", {0}, {"origin_addr", "origin_count", "origin_datatype"}},
        {"MPI_Get_accumulate",
         {"origin_addr", "origin_count", "origin_datatype"},
         {"result_addr", "result_count", "result_datatype"}},
        {"MPI_Fetch_and_op", {"origin_addr", NULL, "datatype"}, {"result_addr", NULL, "datatype"}},
        {"MPI_File_iread_at", {0}, {"buf", "count", "datatype"}},
        {"MPI_File_read_at", {0}, {0}},
        {"MPI_File_read_all_begin", {0}, {0}},
        {"MPI_File_write_all_end", {0}, {0}},
        {"MPI_Recv", {0}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_fields(cases[i].name, FIELD_SENT_BUFFER, cases[i].sent);
        check_fields(cases[i].name, FIELD_RECEIVED_BUFFER, cases[i].received);
    }
}

/* ---- variants -------------------------------------------------------------------------------- */

/* Are the roles equal, except in what a variant may change? */
static void check_same(const struct role *a, const struct role *b, const char *name)
{
    cr_expect_eq(a->actions, b->actions, "%s", name);
    cr_expect_eq(a->choice, b->choice, "%s", name);
    cr_expect_eq(a->scope, b->scope, "%s", name);
    cr_expect_eq(a->transfer, b->transfer, "%s", name);
    cr_expect_eq(a->region, b->region, "%s", name);
    cr_expect_eq(a->collective, b->collective, "%s", name);
}

/* Checks the variant whose name is made with `pattern`, if the standard has it. */
static bool check_variant(const char *pattern, const char *name, size_t blocking, enum role_variant variant)
{
    char made[128];
    snprintf(made, sizeof made, pattern, name);
    if (strncmp(pattern, "MPI_I", 5) == 0 || strncmp(pattern, "MPI_R", 5) == 0)
        made[5] = (char)tolower((unsigned char)made[5]);
    for (size_t i = 0; i < gen_functable.functions.n; i++) {
        if (strcmp(name_of(i), made) != 0)
            continue;
        const struct role *role = &standard_roles()->items[i], *base = &standard_roles()->items[blocking];
        check_same(role, base, made);
        cr_expect_eq(role->variant, variant, "%s", made);
        cr_expect_eq(role->meeting, MEETING_NONE, "%s", made);
        cr_expect_eq(role->kind, base->kind == CALL_BLOCKING ? CALL_NONBLOCKING : base->kind, "%s", made);
        cr_expect_eq(role->family, i, "%s", made);
        return true;
    }
    return false;
}

static bool has_large_counts(const char *name)
{
    const size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, "_c") == 0;
}

Test(role, variants_do_what_the_blocking_form_does)
{
    static const struct {
        const char *pattern; /* makes a name from … */
        const char *behind;  /* … the end of a name that begins with this */
        enum role_variant variant;
        size_t n;      /* variants in the standard */
        uint32_t only; /* only functions with these actions; 0: all functions */
    } cases[] = {
        {"MPI_I%s", "MPI_", VARIANT_NONBLOCKING, 32, 0},
        {"MPI_R%s", "MPI_", VARIANT_NONBLOCKING, 4, ROLE_RMA},
        {"MPI_Buffer_i%s", "MPI_Buffer_", VARIANT_NONBLOCKING, 1, 0},
        {"MPI_Comm_i%s", "MPI_Comm_", VARIANT_NONBLOCKING, 3, 0},
        {"MPI_File_i%s", "MPI_File_", VARIANT_NONBLOCKING, 10, 0},
        {"MPI_Session_i%s", "MPI_Session_", VARIANT_NONBLOCKING, 1, 0},
        {"MPI_%s_init", "MPI_", VARIANT_PERSISTENT, 27, 0},
        {"MPI_%s_begin", "MPI_", VARIANT_BEGIN, 6, 0},
        {"MPI_%s_end", "MPI_", VARIANT_END, 6, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t found = 0;
        for (size_t f = 0; f < gen_functable.functions.n; f++) {
            const struct role *role = &standard_roles()->items[f];
            const size_t n = strlen(cases[i].behind);
            if (role->variant == VARIANT_BLOCKING &&
                (cases[i].only ? role->actions & cases[i].only : role->actions || role->kind != CALL_OTHER) &&
                !has_large_counts(name_of(f)) && strncmp(name_of(f), cases[i].behind, n) == 0)
                found += check_variant(cases[i].pattern, name_of(f) + n, f, cases[i].variant);
        }
        cr_expect_eq(found, cases[i].n, "%s: %zu", cases[i].pattern, found);
    }
}

static bool is_variant(const struct role *role, uint32_t variant)
{
    return role->variant == variant;
}

Test(role, only_variants_are_variants)
{
    CHECK(is_variant, VARIANT_BEGIN,
          "File_read_all_begin File_read_at_all_begin File_read_ordered_begin File_write_all_begin "
          "File_write_at_all_begin File_write_ordered_begin");
    CHECK(is_variant, VARIANT_END,
          "File_read_all_end File_read_at_all_end File_read_ordered_end File_write_all_end "
          "File_write_at_all_end File_write_ordered_end");
    CHECK(is_variant, VARIANT_PERSISTENT,
          SEND_INITS "Recv_init Precv_init Barrier_init Bcast_init Scatter_init Scatterv_init Gather_init "
                     "Gatherv_init Reduce_init Allgather_init Allgatherv_init Neighbor_allgather_init "
                     "Neighbor_allgatherv_init Alltoall_init Alltoallv_init Alltoallw_init "
                     "Neighbor_alltoall_init Neighbor_alltoallv_init Neighbor_alltoallw_init Allreduce_init "
                     "Reduce_scatter_init Reduce_scatter_block_init Scan_init Exscan_init");
}

Test(role, large_counts_change_nothing)
{
    size_t found = 0;
    for (size_t i = 0; i < gen_functable.functions.n; i++) {
        const struct role *large = &standard_roles()->items[i];
        char name[128];
        snprintf(name, sizeof name, "%s", name_of(i));
        const size_t n = strlen(name);
        if (strcmp(name + n - 2, "_c") != 0)
            continue;
        name[n - 2] = '\0';
        const struct role *small = standard_role(name);
        check_same(large, small, name_of(i));
        cr_expect_eq(large->variant, small->variant, "%s", name);
        cr_expect_eq(large->meeting, small->meeting, "%s", name);
        cr_expect_eq(large->kind, small->kind, "%s", name);
        cr_expect_eq(large->sent.datatype, small->sent.datatype, "%s", name);
        cr_expect_eq(large->received.datatype, small->received.datatype, "%s", name);
        cr_expect_eq(large->family, standard_function(name), "%s", name);
        found++;
    }
    cr_expect_gt(found, 100);
}

/* ---- the table itself ------------------------------------------------------------------------ */

static const char *const rows[] = {
#define ROW(names, ...) names,
#include "decoder/call/functions.def"
#undef ROW
};

/* Does the standard have a procedure with that name, with a name that begins so, or a variant of
 * one? */
static bool is_procedure(const char *name, size_t n)
{
    const bool open = name[n - 1] == '*';
    for (size_t i = 0; i < gen_functable.functions.n; i++) {
        const char *there = name_of(i) + strlen("MPI_");
        if (strncmp(there, name, n - open) == 0 &&
            (open || !there[n] || strncmp(there + n, "_init", strlen("_init")) == 0))
            return true;
    }
    return false;
}

Test(role, rows_have_names_of_procedures_and_each_once)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (const char *at = rows[i]; *at;) {
            const size_t n = strcspn(at, " ");
            char name[128];
            snprintf(name, sizeof name, "MPI_%.*s", (int)n, at);
            cr_expect(is_procedure(at, n) || strncmp(at, "refrain_", strlen("refrain_")) == 0, "%s", name);
            size_t times = 0;
            for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
                times += is_listed(rows[k], name);
            cr_expect_eq(times, 1, "%s", name);
            at += n + strspn(at + n, " ");
        }
    }
}

/* Do the function's parameters show that a call needs an action? */
static bool needs_action(const struct function *f)
{
    bool needs = false;
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct param *p = &f->params[i];
        const char *kind = gen_functable.kinds.items[p->kind].name;
        needs = needs || strcmp(p->name, "dest") == 0 || strcmp(p->name, "target_rank") == 0 ||
                (strcmp(kind, "REQUEST") == 0 && p->flags & PARAM_OUT) || strcmp(kind, "MESSAGE") == 0 ||
                ((strcmp(kind, "WINDOW") == 0 || strcmp(kind, "COMMUNICATOR") == 0 ||
                  strcmp(kind, "GROUP") == 0) &&
                 p->flags & PARAM_OUT);
    }
    return needs;
}

/* Conversions, and functions that take part in nothing and make no group whose members are in the
 * trace. */
#define WITHOUT_ACTION "Message_c2f Message_toint Comm_get_parent Comm_get_failed Comm_join Group_free"

Test(role, no_procedure_was_forgotten)
{
    for (size_t i = 0; i < gen_functable.functions.n; i++) {
        if (needs_action(&gen_functable.functions.items[i]))
            cr_expect_eq(standard_roles()->items[i].actions == 0, is_listed(WITHOUT_ACTION, name_of(i)), "%s",
                         name_of(i));
    }
}

Test(role, functions_of_other_names_do_nothing)
{
    static struct function functions[] = {
        {(char *)"", 0, 0, NULL},
        {(char *)"MPI_", 0, 0, NULL},
        {(char *)"MPI_I", 0, 0, NULL},
        {(char *)"MPI__c", 0, 0, NULL},
        {(char *)"MPI__init", 0, 0, NULL},
        {(char *)"@lane", 0, 0, NULL},
        {(char *)"Send", 0, 0, NULL},
        {(char *)"MPI_Sen", 0, 0, NULL},
        {(char *)"MPI_Sends", 0, 0, NULL},
        {(char *)"MPI_Send_init_init", 0, 0, NULL},
        {(char *)"MPI_a_name_that_is_longer_than_any_procedure_of_the_standard_is_or_will_ever_be", 0, 0,
         NULL},
    };
    const struct functable table = {.functions = {functions, sizeof functions / sizeof functions[0], 0}};
    struct roles roles;
    cr_assert_eq(roles_find(&roles, &table), REFRAIN_OK);
    for (size_t i = 0; i < roles.n; i++) {
        cr_expect_eq(roles.items[i].actions, 0, "%s", functions[i].name);
        cr_expect_eq(roles.items[i].kind, CALL_OTHER, "%s", functions[i].name);
        cr_expect_eq(roles.items[i].region, REGION_FUNCTION, "%s", functions[i].name);
        cr_expect_not(role_has_volume(&roles.items[i]), "%s", functions[i].name);
    }
    roles_free(&roles);
}
