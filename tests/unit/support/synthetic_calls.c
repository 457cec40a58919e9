/* SPDX-License-Identifier: BSD-3-Clause */
#include "synthetic_calls.h"

#include <string.h>

#include "src/core/base/mix.h"

/* ---- functions ------------------------------------------------------------------------------- */

enum kind_index { COUNT, RANK, TAG, REQUEST, STATUS, ERROR, KINDS };

static const struct kind kinds[KINDS] = {
    [COUNT] = {"COUNT", VALUE_INT, "", ""},      [RANK] = {"RANK", VALUE_INT, "RANK", ""},
    [TAG] = {"TAG", VALUE_INT, "", ""},          [REQUEST] = {"REQUEST", VALUE_HANDLE, "REQUEST", "request"},
    [STATUS] = {"STATUS", VALUE_STATUS, "", ""}, [ERROR] = {"ERROR_CODE", VALUE_INT, "ERROR", ""},
};

static const struct param params[FUNCTIONS][4] = {
    [SEND] = {{"count", COUNT, PARAM_IN}, {"dest", RANK, PARAM_IN}, {"tag", TAG, PARAM_IN}},
    [RECV] = {{"count", COUNT, PARAM_IN},
              {"source", RANK, PARAM_IN},
              {"tag", TAG, PARAM_IN},
              {"status", STATUS, PARAM_OUT}},
    [ISEND] = {{"count", COUNT, PARAM_IN},
               {"dest", RANK, PARAM_IN},
               {"tag", TAG, PARAM_IN},
               {"request", REQUEST, PARAM_OUT}},
    [IRECV] = {{"count", COUNT, PARAM_IN},
               {"source", RANK, PARAM_IN},
               {"tag", TAG, PARAM_IN},
               {"request", REQUEST, PARAM_OUT}},
    [WAITALL] = {{"requests", REQUEST, PARAM_IN | PARAM_OUT | PARAM_ARRAY},
                 {"statuses", STATUS, PARAM_OUT | PARAM_ARRAY}},
    [REDUCE] = {{"count", COUNT, PARAM_IN}, {"root", RANK, PARAM_IN}},
    [GATHER] = {{"counts", COUNT, PARAM_IN | PARAM_ARRAY}},
    [DEFINE] = {{"symbol", COUNT, PARAM_IN}, {"size", COUNT, PARAM_IN}},
};

static const struct function functions[FUNCTIONS] = {
    [SEND] = {"MPI_Send", ERROR + 1, 3, (struct param *)params[SEND]},
    [RECV] = {"MPI_Recv", ERROR + 1, 4, (struct param *)params[RECV]},
    [ISEND] = {"MPI_Isend", ERROR + 1, 4, (struct param *)params[ISEND]},
    [IRECV] = {"MPI_Irecv", ERROR + 1, 4, (struct param *)params[IRECV]},
    [WAITALL] = {"MPI_Waitall", ERROR + 1, 2, (struct param *)params[WAITALL]},
    [REDUCE] = {"MPI_Reduce", ERROR + 1, 2, (struct param *)params[REDUCE]},
    [GATHER] = {"MPI_Gatherv", ERROR + 1, 1, (struct param *)params[GATHER]},
    [DEFINE] = {"@comm", 0, 2, (struct param *)params[DEFINE]},
};

struct functable call_functions(void)
{
    struct functable t = {0};
    t.kinds.items = (struct kind *)kinds;
    t.kinds.n = KINDS;
    t.functions.items = (struct function *)functions;
    t.functions.n = FUNCTIONS;
    return t;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void make_call(struct synthetic_rank *r, uint32_t lane, uint32_t function, uint32_t line, uint32_t n,
                      const int64_t *slots)
{
    struct call c;
    c.lane = lane;
    c.function = function;
    c.line = line;
    c.n = n;
    memcpy(c.slots, slots, n * sizeof *slots);
    r->take(r->taker, &c);
}

#define CALL(r, lane, function, line, ...)                                                                   \
    make_call(r, lane, function, line, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                   \
              (const int64_t[]){__VA_ARGS__})

void call_send(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag)
{
    CALL(r, LANE_THREAD, SEND, line, count, dest, tag, 0);
}

void call_recv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag)
{
    bool null = source == SYNTHETIC_NULL;
    CALL(r, LANE_THREAD, RECV, line, count, source, tag, 0, 0, source, null ? -1 : tag, 0,
         null ? 0 : 8 * count, 0);
}

void call_reduce(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t root)
{
    CALL(r, LANE_THREAD, REDUCE, line, count, root, 0);
}

void call_gather(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *counts)
{
    int64_t slots[CALL_SLOTS] = {n};
    memcpy(slots + 1, counts, (size_t)n * sizeof *counts);
    make_call(r, LANE_THREAD, GATHER, line, (uint32_t)n + 2, slots);
}

void call_irecv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag,
                int64_t request)
{
    CALL(r, LANE_THREAD, IRECV, line, count, source, tag, 0, 2 * request);
}

void call_isend(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag,
                int64_t request)
{
    CALL(r, LANE_THREAD, ISEND, line, count, dest, tag, 0, 2 * request);
}

void call_waitall(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *sources,
                  int64_t n_sources, int64_t count, int64_t tag)
{
    int64_t slots[CALL_SLOTS], at = 0;
    slots[at++] = n;
    for (int64_t i = 0; i < n; i++)
        slots[at++] = 2 * i;
    slots[at++] = 0; /* the result */
    slots[at++] = n;
    for (int64_t i = 0; i < n; i++)
        slots[at++] = 1; /* MPI_REQUEST_NULL */
    slots[at++] = n;
    for (int64_t i = 0; i < n; i++) {
        const bool received = i < n_sources;
        const int64_t status[STATUS_SLOTS] = {received ? 0 : STATUS_PARTIAL,
                                              received ? sources[i] : 0,
                                              received ? tag : 0,
                                              0,
                                              received ? 8 * count : 0,
                                              0};
        memcpy(slots + at, status, sizeof status);
        at += STATUS_SLOTS;
    }
    make_call(r, LANE_THREAD, WAITALL, line, (uint32_t)at, slots);
}

void call_define(struct synthetic_rank *r, uint32_t line, int64_t symbol, int64_t size)
{
    CALL(r, LANE_DEFINITIONS, DEFINE, line, symbol, size);
}

void call_run(const struct synthetic_run *run, uint32_t rank, call_taker *take, void *taker)
{
    struct synthetic_rank r = {
        .run = run, .rank = rank, .size = run->ranks, .random = mix(rank, 1), .take = take, .taker = taker};
    run->program(&r);
}
