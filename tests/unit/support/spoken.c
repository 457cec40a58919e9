/* SPDX-License-Identifier: BSD-3-Clause */
#include "spoken.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/codec/codec.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"

#define TEXT(s) ((char *)(s))

/* ---- the function table ---------------------------------------------------------------------- */

enum {
    ERROR,
    COUNT,
    DATATYPE,
    RANK,
    TAG,
    COMM,
    REQ,
    STAT,
    MESS,
    WIN,
    ASSERTION,
    FLAG,
    INDEX,
    LANE,
    GROUP_OF,
    OP,
    STRING,
    STRINGS
};
enum { IN = PARAM_IN, OUT = PARAM_OUT, INOUT = PARAM_IN | PARAM_OUT, MANY = PARAM_ARRAY };

#define KIND(id, name, type, set) [id] = {TEXT(name), type, TEXT(set), TEXT("")}

static struct kind kinds[] = {
    KIND(ERROR, "ERROR_CODE", VALUE_INT, "ERROR_CODE"),
    KIND(COUNT, "XFER_NUM_ELEM_NNI", VALUE_INT, ""),
    KIND(DATATYPE, "DATATYPE", VALUE_HANDLE, "DATATYPE"),
    KIND(RANK, "RANK", VALUE_INT, "RANK"),
    KIND(TAG, "TAG", VALUE_INT, "TAG"),
    KIND(COMM, "COMMUNICATOR", VALUE_HANDLE, "COMMUNICATOR"),
    KIND(REQ, "REQUEST", VALUE_HANDLE, "REQUEST"),
    KIND(STAT, "STATUS", VALUE_STATUS, ""),
    KIND(MESS, "MESSAGE", VALUE_HANDLE, "MESSAGE"),
    KIND(WIN, "WINDOW", VALUE_HANDLE, "WINDOW"),
    KIND(ASSERTION, "ASSERT", VALUE_FLAGS, "ASSERT"),
    KIND(FLAG, "LOGICAL", VALUE_INT, ""),
    KIND(INDEX, "INDEX", VALUE_INT, ""),
    KIND(LANE, "MATH", VALUE_INT, ""),
    KIND(GROUP_OF, "GROUP", VALUE_HANDLE, "GROUP"),
    KIND(OP, "OPERATION", VALUE_HANDLE, "OPERATION"),
    KIND(STRING, "STRING", VALUE_STRING, ""),
    KIND(STRINGS, "STRING_ARRAY", VALUE_STRINGS, ""),
};

#define PARAMS(...)                                                                                          \
    (sizeof((struct param[]){__VA_ARGS__}) / sizeof(struct param)), (struct param[])                         \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define P(name, kind, flags)                                                                                 \
    {                                                                                                        \
        TEXT(name), kind, flags                                                                              \
    }
#define SENDING                                                                                              \
    P("count", COUNT, IN), P("datatype", DATATYPE, IN), P("dest", RANK, IN), P("tag", TAG, IN),              \
        P("comm", COMM, IN)
#define RECEIVING P("source", RANK, IN), P("tag", TAG, IN), P("comm", COMM, IN)
#define ACCESSING P("origin_count", COUNT, IN), P("origin_datatype", DATATYPE, IN)
#define TARGETS   P("target_rank", RANK, IN)
#define ONE       P("request", REQ, INOUT)
#define SEVERAL   P("array_of_requests", REQ, INOUT | MANY)
#define STATUSES  P("array_of_statuses", STAT, OUT | MANY)

enum { DEFINE_LANE = SPOKEN_FUNCTIONS, DEFINE_TYPE, DEFINE_ORDER, ALL };

static struct function functions[ALL] = {
    [SPOKEN_SEND] = {TEXT("MPI_Send"), ERROR + 1, PARAMS(SENDING)},
    [SPOKEN_ISEND] = {TEXT("MPI_Isend"), ERROR + 1, PARAMS(SENDING, P("request", REQ, OUT))},
    [SPOKEN_SEND_INIT] = {TEXT("MPI_Send_init"), ERROR + 1, PARAMS(SENDING, P("request", REQ, OUT))},
    [SPOKEN_RECV] = {TEXT("MPI_Recv"), ERROR + 1, PARAMS(RECEIVING, P("status", STAT, OUT))},
    [SPOKEN_IRECV] = {TEXT("MPI_Irecv"), ERROR + 1, PARAMS(RECEIVING, P("request", REQ, OUT))},
    [SPOKEN_RECV_INIT] = {TEXT("MPI_Recv_init"), ERROR + 1, PARAMS(RECEIVING, P("request", REQ, OUT))},
    [SPOKEN_START] = {TEXT("MPI_Start"), ERROR + 1, PARAMS(ONE)},
    [SPOKEN_STARTALL] = {TEXT("MPI_Startall"), ERROR + 1, PARAMS(SEVERAL)},
    [SPOKEN_WAIT] = {TEXT("MPI_Wait"), ERROR + 1, PARAMS(ONE, P("status", STAT, OUT))},
    [SPOKEN_WAITALL] = {TEXT("MPI_Waitall"), ERROR + 1, PARAMS(SEVERAL, STATUSES)},
    [SPOKEN_TESTSOME] = {TEXT("MPI_Testsome"), ERROR + 1,
                         PARAMS(SEVERAL, P("array_of_indices", INDEX, OUT | MANY), STATUSES)},
    [SPOKEN_GET_STATUS] = {TEXT("MPI_Request_get_status"), ERROR + 1,
                           PARAMS(P("request", REQ, IN), P("flag", FLAG, OUT), P("status", STAT, OUT))},
    [SPOKEN_CANCEL] = {TEXT("MPI_Cancel"), ERROR + 1, PARAMS(P("request", REQ, IN))},
    [SPOKEN_REQUEST_FREE] = {TEXT("MPI_Request_free"), ERROR + 1, PARAMS(ONE)},
    [SPOKEN_MPROBE] = {TEXT("MPI_Mprobe"), ERROR + 1,
                       PARAMS(RECEIVING, P("message", MESS, OUT), P("status", STAT, OUT))},
    [SPOKEN_MRECV] = {TEXT("MPI_Mrecv"), ERROR + 1,
                      PARAMS(P("message", MESS, INOUT), P("status", STAT, OUT))},
    [SPOKEN_BARRIER] = {TEXT("MPI_Barrier"), ERROR + 1, PARAMS(P("comm", COMM, IN))},
    [SPOKEN_BCAST] = {TEXT("MPI_Bcast"), ERROR + 1,
                      PARAMS(P("count", COUNT, IN), P("datatype", DATATYPE, IN), P("root", RANK, IN),
                             P("comm", COMM, IN))},
    [SPOKEN_BCAST_C] = {TEXT("MPI_Bcast_c"), ERROR + 1,
                        PARAMS(P("count", COUNT, IN), P("datatype", DATATYPE, IN), P("root", RANK, IN),
                               P("comm", COMM, IN))},
    [SPOKEN_IBARRIER] = {TEXT("MPI_Ibarrier"), ERROR + 1,
                         PARAMS(P("comm", COMM, IN), P("request", REQ, OUT))},
    [SPOKEN_WIN_CREATE] = {TEXT("MPI_Win_create"), ERROR + 1,
                           PARAMS(P("comm", COMM, IN), P("win", WIN, OUT))},
    [SPOKEN_WIN_FENCE] = {TEXT("MPI_Win_fence"), ERROR + 1,
                          PARAMS(P("assert", ASSERTION, IN), P("win", WIN, IN))},
    [SPOKEN_WIN_LOCK] = {TEXT("MPI_Win_lock"), ERROR + 1, PARAMS(P("rank", RANK, IN), P("win", WIN, IN))},
    [SPOKEN_WIN_UNLOCK] = {TEXT("MPI_Win_unlock"), ERROR + 1, PARAMS(P("rank", RANK, IN), P("win", WIN, IN))},
    [SPOKEN_WIN_FREE] = {TEXT("MPI_Win_free"), ERROR + 1, PARAMS(P("win", WIN, INOUT))},
    [SPOKEN_PUT] = {TEXT("MPI_Put"), ERROR + 1, PARAMS(ACCESSING, TARGETS, P("win", WIN, IN))},
    [SPOKEN_GET] = {TEXT("MPI_Get"), ERROR + 1, PARAMS(ACCESSING, TARGETS, P("win", WIN, IN))},
    [SPOKEN_GET_ACCUMULATE] = {TEXT("MPI_Get_accumulate"), ERROR + 1,
                               PARAMS(ACCESSING, P("result_count", COUNT, IN),
                                      P("result_datatype", DATATYPE, IN), TARGETS, P("op", OP, IN),
                                      P("win", WIN, IN))},
    [SPOKEN_FETCH_AND_OP] = {TEXT("MPI_Fetch_and_op"), ERROR + 1,
                             PARAMS(P("datatype", DATATYPE, IN), TARGETS, P("op", OP, IN),
                                    P("win", WIN, IN))},
    [SPOKEN_WIN_FLUSH] = {TEXT("MPI_Win_flush"), ERROR + 1, PARAMS(P("rank", RANK, IN), P("win", WIN, IN))},
    [SPOKEN_WIN_FLUSH_LOCAL] = {TEXT("MPI_Win_flush_local"), ERROR + 1,
                                PARAMS(P("rank", RANK, IN), P("win", WIN, IN))},
    [SPOKEN_RPUT] = {TEXT("MPI_Rput"), ERROR + 1,
                     PARAMS(ACCESSING, TARGETS, P("win", WIN, IN), P("request", REQ, OUT))},
    [SPOKEN_ALLREDUCE] = {TEXT("MPI_Allreduce"), ERROR + 1,
                          PARAMS(P("count", COUNT, IN), P("datatype", DATATYPE, IN), P("op", OP, IN),
                                 P("comm", COMM, IN))},
    [SPOKEN_WIN_POST] = {TEXT("MPI_Win_post"), ERROR + 1,
                         PARAMS(P("group", GROUP_OF, IN), P("win", WIN, IN))},
    [SPOKEN_WIN_TEST] = {TEXT("MPI_Win_test"), ERROR + 1, PARAMS(P("win", WIN, IN), P("flag", FLAG, OUT))},
    [SPOKEN_COMM_GROUP] = {TEXT("MPI_Comm_group"), ERROR + 1,
                           PARAMS(P("comm", COMM, IN), P("group", GROUP_OF, OUT))},
    [SPOKEN_GROUP_INCL] = {TEXT("MPI_Group_incl"), ERROR + 1,
                           PARAMS(P("group", GROUP_OF, IN), P("ranks", RANK, IN | MANY),
                                  P("newgroup", GROUP_OF, OUT))},
    [SPOKEN_GROUP_DIFFERENCE] = {TEXT("MPI_Group_difference"), ERROR + 1,
                                 PARAMS(P("group1", GROUP_OF, IN), P("group2", GROUP_OF, IN),
                                        P("newgroup", GROUP_OF, OUT))},
    [SPOKEN_GREQUEST_START] = {TEXT("MPI_Grequest_start"), ERROR + 1, PARAMS(P("request", REQ, OUT))},
    [SPOKEN_PCONTROL] = {TEXT("MPI_Pcontrol"), ERROR + 1, PARAMS(P("level", INDEX, IN))},
    [SPOKEN_REGION_BEGIN] = {TEXT("refrain_region_begin"), 0, PARAMS(P("name", STRING, IN))},
    [SPOKEN_REGION_END] = {TEXT("refrain_region_end"), 0, PARAMS(P("name", STRING, IN))},
    [SPOKEN_TOPOLOGY_CART] = {TEXT("refrain_topology_cart"), 0,
                              PARAMS(P("ndims", INDEX, IN), P("dims", INDEX, IN | MANY),
                                     P("periodic", FLAG, IN | MANY), P("names", STRINGS, IN))},
    [SPOKEN_TOPOLOGY_COORDS] = {TEXT("refrain_topology_coords"), 0, PARAMS(P("coords", INDEX, IN | MANY))},
    [SPOKEN_NOTE] = {TEXT("refrain_note"), 0, PARAMS(P("key", STRING, IN), P("value", STRING, IN))},
    [SPOKEN_INIT_THREAD] = {TEXT("MPI_Init_thread"), ERROR + 1, PARAMS(P("required", INDEX, IN))},
    [DEFINE_LANE] = {TEXT("@lane"), 0, PARAMS(P("lane", LANE, IN), P("thread", LANE, IN))},
    [DEFINE_ORDER] = {TEXT("@order"), 0,
                      PARAMS(P("lane", LANE, IN), P("from", LANE, IN), P("before", LANE, IN),
                             P("calls", LANE, IN))},
    [DEFINE_TYPE] = {TEXT("@datatype"), 0, PARAMS(P("newtype", DATATYPE, IN), P("size", LANE, IN))},
};

static const struct functable table = {.kinds = {.items = kinds, .n = sizeof kinds / sizeof kinds[0]},
                                       .functions = {.items = functions, .n = ALL}};

static const struct {
    const char *set, *name;
    int64_t value;
} constants[] = {
    {"RANK", "MPI_PROC_NULL", NULL_RANK},
    {"RANK", "MPI_ANY_SOURCE", ANY_RANK},
    {"TAG", "MPI_ANY_TAG", ANY_TAG},
    {"COMMUNICATOR", "MPI_COMM_WORLD", WORLD >> 1},
    {"COMMUNICATOR", "MPI_COMM_SELF", SELF >> 1},
    {"OPERATION", "MPI_NO_OP", NO_OP >> 1},
    {"OPERATION", "MPI_SUM", SUM >> 1},
    {"REQUEST", "MPI_REQUEST_NULL", NONE >> 1},
    {"ASSERT", "MPI_MODE_NOSUCCEED", NO_SUCCEED},
    {"ERROR_CODE", "MPI_SUCCESS", 0},
    {"ERROR_CODE", "MPI_ERR_OTHER", OTHER_ERROR},
};

/* ---- lanes ----------------------------------------------------------------------------------- */

struct spoken_lane {
    struct lane *lane;
    /* the site of each function; UINT32_MAX: none yet */
    uint32_t sites[ALL];
    uint64_t calls;
};

static struct spoken_lane *create_lane(enum lane_kind kind, uint32_t number)
{
    struct spoken_lane *l = calloc(1, sizeof *l);
    cr_assert(l);
    memset(l->sites, 0xff, sizeof l->sites);
    l->lane = lane_create(kind, number, kind == LANE_THREAD);
    cr_assert(l->lane);
    return l;
}

/* Functions are added to the table at their first call, as in a run. */
static void say(struct spoken_lane *l, struct trace *t, uint32_t function, uint32_t n, const int64_t *slots,
                uint64_t gap, uint64_t duration)
{
    struct site site = {0};
    if (l->sites[function] == UINT32_MAX) {
        cr_assert_eq(functable_add_function(&t->functions, &table, function, &site.function), REFRAIN_OK);
        cr_assert_eq(lane_add_site(l->lane, &site, &l->sites[function]), REFRAIN_OK);
    }
    cr_assert_eq(lane_record(l->lane, l->sites[function], slots, n, gap, duration), REFRAIN_OK);
    l->calls++;
}

static void store(struct spoken_lane *l, uint32_t rank, struct trace *t)
{
    cr_assert_eq(lane_store(l->lane, rank, t), REFRAIN_OK);
    lane_free(l->lane);
    free(l);
}

void spoken_start(struct spoken *s, uint32_t n_ranks)
{
    *s = (struct spoken){.n_ranks = n_ranks};
    for (uint32_t i = 0; i < n_ranks; i++)
        s->traces[i] = (struct trace){.first_rank = i, .n_ranks = 1};
}

void spoken_say(struct spoken *s, uint32_t rank, uint32_t thread, enum spoken_function function, uint32_t n,
                const int64_t *slots)
{
    struct spoken_lane **l = &s->lanes[rank][thread];
    if (!*l)
        *l = create_lane(LANE_THREAD, thread);
    say(*l, &s->traces[rank], function, n, slots, s->gap, s->duration);
}

void spoken_order(struct spoken *s, uint32_t rank, uint32_t thread, uint32_t before)
{
    cr_assert_lt(s->n_orders, SPOKEN_ORDERS);
    s->orders[s->n_orders++] = (struct spoken_order){
        rank,
        {thread, (int64_t)spoken_calls(s, rank, thread), before, (int64_t)spoken_calls(s, rank, before)}};
}

uint64_t spoken_calls(const struct spoken *s, uint32_t rank, uint32_t thread)
{
    return s->lanes[rank][thread] ? s->lanes[rank][thread]->calls : 0;
}

/* The trace of a rank's calls, with its definitions. */
static struct trace *trace_of(struct spoken *s, uint32_t rank)
{
    struct trace *t = &s->traces[rank];
    struct spoken_lane *definitions = create_lane(LANE_DEFINITIONS, 0);
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        cr_assert_eq(
            functable_add_constant(&t->functions, constants[i].set, constants[i].value, constants[i].name),
            REFRAIN_OK);
    say(definitions, t, DEFINE_TYPE, 2, (const int64_t[]){TYPE, 8}, 0, 0);
    for (size_t i = 0; i < s->n_orders; i++) {
        if (s->orders[i].rank == rank)
            say(definitions, t, DEFINE_ORDER, 4, s->orders[i].slots, 0, 0);
    }
    for (uint32_t i = 0; i < SPOKEN_THREADS; i++) {
        say(definitions, t, DEFINE_LANE, 2, (const int64_t[]){i, i}, 0, 0);
        if (s->lanes[rank][i])
            store(s->lanes[rank][i], rank, t);
        s->lanes[rank][i] = NULL;
    }
    store(definitions, rank, t);
    return t;
}

void spoken_end(struct spoken *s)
{
    struct trace *all = trace_of(s, 0);
    struct bytes image = {0};
    for (uint32_t i = 1; i < s->n_ranks; i++)
        cr_assert_eq(merge_traces(all, trace_of(s, i)), REFRAIN_OK);
    cr_assert_eq(merge_finish(all), REFRAIN_OK);
    cr_assert_eq(codec_encode(all, CODEC_STORED, &image), REFRAIN_OK);
    trace_free(all);
    cr_assert_eq(reader_read(&s->reader, "spoken", image.data, image.n, 0), REFRAIN_OK);
    bytes_free(&image);
    cr_assert_eq(definitions_read(&s->definitions, &s->reader), REFRAIN_OK);
}

void spoken_free(struct spoken *s)
{
    definitions_free(&s->definitions);
    reader_close(&s->reader);
}
