/* SPDX-License-Identifier: BSD-3-Clause */
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/lane_walk.h"
#include "src/core/trace/stream_walk.h"

/* ---- calls ----------------------------------------------------------------------------------- */

enum { CALL_SLOTS = 128, LANES = 2 };

enum function_index { SEND, RECV, ISEND, IRECV, WAITALL, REDUCE, GATHER, DEFINE, FUNCTIONS };

struct call {
    uint32_t lane, function, line, n;
    int64_t slots[CALL_SLOTS];
};

/* Calls are passed to the program's user one at a time: the master of a large run makes many. */
struct synthetic_rank {
    const struct synthetic_run *run;
    int64_t rank, size;
    uint64_t random;
    void (*take)(void *taker, const struct call *c);
    void *taker;
};

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

static void call_send(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag)
{
    CALL(r, LANE_THREAD, SEND, line, count, dest, tag, 0);
}

static void call_recv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag)
{
    bool null = source == SYNTHETIC_NULL;
    CALL(r, LANE_THREAD, RECV, line, count, source, tag, 0, 0, source, null ? -1 : tag, 0,
         null ? 0 : 8 * count, 0);
}

static void call_reduce(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t root)
{
    CALL(r, LANE_THREAD, REDUCE, line, count, root, 0);
}

/* An array of n counts. */
static void call_gather(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *counts)
{
    int64_t slots[CALL_SLOTS] = {n};
    memcpy(slots + 1, counts, (size_t)n * sizeof *counts);
    make_call(r, LANE_THREAD, GATHER, line, (uint32_t)n + 2, slots);
}

/* The request gets its number from `requests`. */
static void call_irecv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag,
                       int64_t request)
{
    CALL(r, LANE_THREAD, IRECV, line, count, source, tag, 0, 2 * request);
}

static void call_isend(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag,
                       int64_t request)
{
    CALL(r, LANE_THREAD, ISEND, line, count, dest, tag, 0, 2 * request);
}

/* Receives from `sources`, whose requests come first, and n - n_sources sends. */
static void call_waitall(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *sources,
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

/* The same on all machines, and independent of other ranks. */
static int64_t next_random(struct synthetic_rank *r, int64_t below)
{
    r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((r->random >> 33) % (uint64_t)below);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* The rank one step up or down in a dimension (the last dimension varies fastest). */
static int64_t neighbour(const struct synthetic_rank *r, int dim, int step, bool periodic)
{
    int64_t stride = 1;
    for (int d = SYNTHETIC_DIMS - 1; d > dim; d--)
        stride *= r->run->dims[d] ? r->run->dims[d] : 1;
    int64_t length = r->run->dims[dim], at = r->rank / stride % length, to = at + step;
    if (to < 0 || to >= length) {
        if (!periodic)
            return SYNTHETIC_NULL;
        to = (to + length) % length;
    }
    return r->rank + (to - at) * stride;
}

enum border { BORDER_PERIODIC, BORDER_NULL, BORDER_IF };

static void run_grid(struct synthetic_rank *r, enum border border, bool one_line)
{
    CALL(r, LANE_DEFINITIONS, DEFINE, 1, 0, r->size);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int d = 0; d < SYNTHETIC_DIMS && r->run->dims[d]; d++)
            for (int step = -1; step <= 1; step += 2) {
                uint32_t line = one_line ? 0 : (uint32_t)(4 * d + step + 1);
                int64_t to = neighbour(r, d, step, border == BORDER_PERIODIC);
                int64_t from = neighbour(r, d, -step, border == BORDER_PERIODIC);
                if (from != SYNTHETIC_NULL || border != BORDER_IF)
                    call_recv(r, 100 + line, 10, from, 7);
                if (to != SYNTHETIC_NULL || border != BORDER_IF)
                    call_send(r, 200 + line, 10, to, 7);
            }
        call_reduce(r, 300, 1, 0);
    }
}

void synthetic_grid_periodic(struct synthetic_rank *r)
{
    run_grid(r, BORDER_PERIODIC, false);
}

void synthetic_grid_periodic_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_PERIODIC, true);
}

void synthetic_grid_null(struct synthetic_rank *r)
{
    run_grid(r, BORDER_NULL, false);
}

void synthetic_grid_null_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_NULL, true);
}

void synthetic_grid_if(struct synthetic_rank *r)
{
    run_grid(r, BORDER_IF, false);
}

void synthetic_grid_if_loop(struct synthetic_rank *r)
{
    run_grid(r, BORDER_IF, true);
}

/* The usual halo exchange of a stencil. */
static void run_halo(struct synthetic_rank *r, enum border border)
{
    int64_t to[2 * SYNTHETIC_DIMS], n = 0;
    CALL(r, LANE_DEFINITIONS, DEFINE, 1, 0, r->size);
    for (int d = 0; d < SYNTHETIC_DIMS && r->run->dims[d]; d++)
        for (int step = -1; step <= 1; step += 2) {
            to[n] = neighbour(r, d, step, border == BORDER_PERIODIC);
            n += to[n] != SYNTHETIC_NULL || border != BORDER_IF;
        }
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int64_t k = 0; k < n; k++)
            call_irecv(r, 1, 10, to[k], 7, k);
        for (int64_t k = 0; k < n; k++)
            call_isend(r, 2, 10, to[k], 7, n + k);
        call_waitall(r, 3, 2 * n, to, n, 10, 7);
        call_reduce(r, 4, 1, 0);
    }
}

void synthetic_halo_periodic(struct synthetic_rank *r)
{
    run_halo(r, BORDER_PERIODIC);
}

void synthetic_halo_if(struct synthetic_rank *r)
{
    run_halo(r, BORDER_IF);
}

void synthetic_ring(struct synthetic_rank *r)
{
    int64_t left = r->rank > 0 ? r->rank - 1 : SYNTHETIC_NULL;
    int64_t right = r->rank + 1 < r->size ? r->rank + 1 : SYNTHETIC_NULL;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        call_recv(r, 1, 4, left, i);
        call_send(r, 2, 4, right, i);
    }
}

void synthetic_xor(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        for (int64_t bit = 1; bit < r->size; bit *= 2)
            if ((r->rank ^ bit) < r->size) {
                call_send(r, 1, bit, r->rank ^ bit, 0);
                call_recv(r, 2, bit, r->rank ^ bit, 0);
            }
}

void synthetic_master(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        if (r->rank > 0) {
            call_send(r, 1, r->rank % 5, 0, i % 3);
            call_recv(r, 2, 3, 0, i);
        } else {
            for (int64_t worker = 1; worker < r->size; worker++) {
                call_recv(r, 3, worker % 5, worker, i % 3);
                call_send(r, 4, 3, worker, i);
            }
        }
}

void synthetic_irregular(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        int64_t n = next_random(r, 4);
        for (int64_t k = 0; k < n; k++)
            call_send(r, 1, next_random(r, 1000), next_random(r, r->size), next_random(r, 2));
        call_reduce(r, 2, 1, next_random(r, r->size));
    }
}

void synthetic_partners(struct synthetic_rank *r)
{
    int64_t partners[4];
    for (int k = 0; k < 4; k++)
        partners[k] = next_random(r, r->size);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (uint32_t k = 0; k < 4; k++)
            call_send(r, 1 + k, 8, partners[k], 0);
        call_reduce(r, 5, 1, 0);
    }
}

void synthetic_wildcard(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++)
        call_recv(r, 1, 16, next_random(r, r->size), i);
}

void synthetic_vector(struct synthetic_rank *r)
{
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        int64_t n = 1 + i % 3, counts[3];
        for (int64_t k = 0; k < n; k++)
            counts[k] = k == 1 ? (int64_t)i * 4096 + r->rank : 5 + k;
        call_gather(r, 1, n, counts);
    }
}

/* Long arrays of which a few elements change; the first ones in the same way on all ranks. */
void synthetic_arrays(struct synthetic_rank *r)
{
    int64_t counts[100];
    for (int64_t k = 0; k < 100; k++)
        counts[k] = k * k;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const uint64_t noise = (i + 1) * UINT64_C(0x9e3779b97f4a7c15), own = noise * (r->rank + 3);
        counts[noise >> 59] = (int64_t)(noise >> 40 & 0xff);
        call_gather(r, 1, 100, counts);
        counts[40 + (own >> 59)] = (int64_t)(own >> 40 & 0xff);
        call_gather(r, 2, 100, counts);
    }
}

/* On a torus of 2 dimensions, cells have sizes without a law; ranks work on cells that move. */
void synthetic_turn(struct synthetic_rank *r)
{
    const int64_t rows = r->run->dims[0], columns = r->run->dims[1];
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const int64_t row = (r->rank / columns + i) % rows, column = (r->rank + i / 2) % columns;
        const uint64_t cell = (uint64_t)(row * columns + column + 1) * UINT64_C(0x9e3779b97f4a7c15);
        call_send(r, 1, 100 + (int64_t)(cell >> 58), (r->rank + 1) % r->size, 0);
    }
}

/* A square of ranks, each with a cell on every diagonal, as in the solvers of NAS bt and sp: the
 * cell of a step changes, and its two extents are independent. Two sides get pieces of a buffer; a
 * third piece begins after both. */
void synthetic_cells(struct synthetic_rank *r)
{
    const uint32_t side = r->run->dims[0], x = r->rank % side, y = r->rank / side;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        const uint64_t u = (x + y + side - i % side) % side, v = (i + side - x) % side;
        const int64_t points = (int64_t)((3 + (u * u + 1) % 4) * (3 + v * (v + 3) % 5));
        call_send(r, 1, 22 * points, (r->rank + 1) % r->size, 0);
        call_send(r, 2, 176 * points - 7, (r->rank + 1) % r->size, 0);
    }
    const int64_t west = 10 + r->rank * r->rank % 7, east = 20 + r->rank * 37 % 11;
    call_send(r, 3, west, 0, 0);
    call_send(r, 4, east, 0, 0);
    call_send(r, 5, west + east, 0, 0);
    call_send(r, 6, west + 2 * east, 0, 0);
}

/* Two arrays of five, as in MPI_Alltoallv; one count changes in each iteration, and later back.
 * There is one call for each of the element sizes. */
static void run_exchange(struct synthetic_rank *r, const int64_t *sizes, uint32_t n_sizes)
{
    enum { N = 5 };
    int64_t counts[2 * N + 2] = {[0] = N, [N + 1] = N};
    for (int64_t k = 0; k < N; k++)
        counts[1 + k] = 200 + next_random(r, 100);
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        counts[1 + i % N] += i / N % 2 == 0 ? 1 : -1;
        for (uint32_t s = 0; s < n_sizes; s++) {
            for (int64_t k = 1; k < N; k++)
                counts[N + 2 + k] = counts[N + 1 + k] + sizes[s] * counts[k];
            call_gather(r, 1 + s, 2 * N + 2, counts);
        }
    }
}

void synthetic_exchange(struct synthetic_rank *r)
{
    run_exchange(r, (const int64_t[]){1}, 1);
}

void synthetic_bytes(struct synthetic_rank *r)
{
    run_exchange(r, (const int64_t[]){8, -24}, 2);
}

/* Four calls, each with two arrays of three: displacements in elements; displacements in bytes, 4
 * or 8 each, with one count of 0 on rank 0; with a gap in one iteration on rank 1; and with counts
 * that stay the same on every third rank. */
void synthetic_rounds(struct synthetic_rank *r)
{
    enum { N = 3, CALLS = 4 };
    const int64_t size[CALLS] = {1, r->rank % 2 ? 4 : 8, 1, 1};
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        for (int call = 0; call < CALLS; call++) {
            int64_t slots[2 * N + 2] = {[0] = N, [N + 1] = N};
            for (int64_t k = 0; k < N; k++) {
                slots[1 + k] = next_random(r, 1000);
                if (call == 3 && r->rank % 3 == 2)
                    slots[1 + k] = 7;
            }
            if (call == 1 && r->rank == 0)
                slots[2] = 0;
            for (int64_t k = 1; k < N; k++)
                slots[N + 2 + k] = slots[N + 1 + k] + size[call] * slots[k];
            slots[2 * N + 1] += call == 2 && r->rank == 1 && i == r->run->iterations / 2;
            call_gather(r, 1 + (uint32_t)call, 2 * N + 2, slots);
        }
    }
}

/* Every rank sends to every rank and receives from every rank, three times from each of two lines;
 * at the second line the last rank receives something else from the first. */
void synthetic_everybody(struct synthetic_rank *r)
{
    const uint32_t n = r->size;
    int64_t slots[2 * 32 + 2] = {[0] = n};
    slots[n + 1] = n;
    for (uint32_t call = 0; call < 2; call++) {
        for (uint32_t k = 0; k < n; k++) {
            const uint64_t there = (r->rank * n + k + 1) * UINT64_C(0x9e3779b97f4a7c15),
                           back = (k * n + r->rank + 1) * UINT64_C(0x9e3779b97f4a7c15);
            slots[1 + k] = (int64_t)(there >> 56);
            slots[n + 2 + k] = (int64_t)(back >> 56) + (call == 1 && k == 0 && r->rank == n - 1);
        }
        for (uint32_t i = 0; i < 3; i++)
            call_gather(r, 1 + call, (int64_t)(2 * n + 2), slots);
    }
}

void synthetic_pairs(struct synthetic_rank *r)
{
    int64_t left = (r->rank + r->size - 1) % r->size, right = (r->rank + 1) % r->size;
    for (uint32_t i = 0; i < r->run->iterations; i++) {
        call_send(r, 1, 1, left, 0);
        call_send(r, 1, 1, right, 0);
        call_send(r, 1, 1 + r->rank % 2, left, 0);
    }
}

void synthetic_orders(struct synthetic_rank *r)
{
    static const int64_t regular[2][4] = {{0, 1, 2, 2}, {0, 1, 2, 1}};
    int64_t order = r->rank % 5;
    r->random = (uint64_t)order; /* ranks with the same order agree */
    for (uint32_t i = 0; i < r->run->iterations; i++)
        call_send(r, 1, order < 2 ? regular[order][i % 4] : next_random(r, 4), SYNTHETIC_NULL, 0);
}

struct synthetic_run synthetic_run_on(const char *name, void (*program)(struct synthetic_rank *r),
                                      uint32_t ranks, uint32_t iterations, uint32_t n_dims)
{
    struct synthetic_run run = {.name = name, .program = program, .ranks = ranks, .iterations = iterations};
    uint32_t left = ranks;
    for (uint32_t d = 0; d < n_dims; d++) {
        /* The least divisor whose power fills the other dimensions. */
        uint32_t length = 1;
        for (uint64_t power = 0; power < left; length++) {
            power = 1;
            for (uint32_t k = d; k < n_dims; k++)
                power *= left % length == 0 ? length : 0;
            if (power >= left)
                break;
        }
        run.dims[d] = d + 1 == n_dims ? left : length;
        left /= run.dims[d];
    }
    return run;
}

static void run_rank(const struct synthetic_run *run, uint32_t rank,
                     void (*take)(void *taker, const struct call *c), void *taker)
{
    struct synthetic_rank r = {
        .run = run, .rank = rank, .size = run->ranks, .random = mix(rank, 1), .take = take, .taker = taker};
    run->program(&r);
}

/* ---- the trace of a rank --------------------------------------------------------------------- */

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

/* The table is only read: its items are constant. */
static struct functable all_functions(void)
{
    struct functable t = {0};
    t.kinds.items = (struct kind *)kinds;
    t.kinds.n = KINDS;
    t.functions.items = (struct function *)functions;
    t.functions.n = FUNCTIONS;
    return t;
}

/* A module for each function, so that ranks that call differently number modules differently. */
static enum refrain_status make_site(struct trace *t, const struct call *c, struct site *site,
                                     struct frame *frame)
{
    struct functable all = all_functions();
    enum refrain_status status = functable_add_function(&t->functions, &all, c->function, &site->function);
    if (status == REFRAIN_OK)
        status = trace_intern_module(t, functions[c->function].name, &frame->module);
    frame->offset = c->line;
    site->n_frames = 1;
    site->frames = frame;
    return status;
}

enum { LINES = 512 };

/* Times of a call, given by its line and its number of slots. */
#define GAP(line)   (100 + (line))
#define DURATION(n) (10 + (n))

struct recorder {
    struct trace *t;
    struct lane *lanes[LANES];
    uint32_t sites[LANES][FUNCTIONS * LINES];
    enum refrain_status status;
};

static void record(void *taker, const struct call *c)
{
    struct recorder *r = taker;
    uint32_t *site = &r->sites[c->lane][c->function * LINES + c->line];
    if (r->status == REFRAIN_OK && *site == UINT32_MAX) {
        struct site new_site;
        struct frame frame;
        r->status = make_site(r->t, c, &new_site, &frame);
        if (r->status == REFRAIN_OK)
            r->status = lane_add_site(r->lanes[c->lane], &new_site, site);
    }
    if (r->status == REFRAIN_OK)
        r->status = lane_record(r->lanes[c->lane], *site, c->slots, c->n, GAP(c->line), DURATION(c->n));
}

enum refrain_status synthetic_trace(const struct synthetic_run *run, uint32_t rank, struct trace *out)
{
    struct trace t = {.first_rank = rank, .n_ranks = 1};
    struct recorder r = {.t = &t};
    memset(r.sites, 0xff, sizeof r.sites);
    for (uint32_t l = 0; l < LANES; l++)
        if (!(r.lanes[l] = lane_create((enum lane_kind)l, 0, true)))
            abort();
    run_rank(run, rank, record, &r);
    for (uint32_t l = 0; l < LANES; l++) {
        if (r.status == REFRAIN_OK)
            r.status = lane_store(r.lanes[l], rank, &t);
        lane_free(r.lanes[l]);
    }
    if (r.status == REFRAIN_OK)
        *out = t;
    else
        trace_free(&t);
    return r.status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Ranks first … first + n - 1, cut in two where the order says. */
static enum refrain_status merge_range(const struct synthetic_run *run, enum synthetic_order order,
                                       uint32_t first, uint32_t n, uint64_t *random, struct trace *out)
{
    if (n == 1)
        return synthetic_trace(run, first, out);
    uint32_t left = n - 1;
    if (order == SYNTHETIC_BINOMIAL) {
        for (left = 1; 2 * left < n;)
            left *= 2;
    } else if (order == SYNTHETIC_RANDOM) {
        *random = *random * UINT64_C(6364136223846793005) + 1;
        left = 1 + (uint32_t)((*random >> 33) % (n - 1));
    }
    struct trace into, next;
    enum refrain_status status = merge_range(run, order, first, left, random, &into);
    if (status != REFRAIN_OK)
        return status;
    status = merge_range(run, order, first + left, n - left, random, &next);
    if (status == REFRAIN_OK)
        status = merge_traces(&into, &next);
    if (status == REFRAIN_OK)
        *out = into;
    else
        trace_free(&into);
    return status;
}

enum refrain_status synthetic_merge(const struct synthetic_run *run, enum synthetic_order order,
                                    uint32_t seed, bool finish, struct trace *out)
{
    uint64_t random = seed;
    enum refrain_status status = merge_range(run, order, 0, run->ranks, &random, out);
    return status == REFRAIN_OK && finish ? merge_finish(out) : status;
}

/* ---- expanding ------------------------------------------------------------------------------- */

static bool find_ordinal(const struct series *ranks, uint32_t rank, uint64_t *ordinal)
{
    struct series_cursor c;
    int64_t value;
    series_cursor_start(&c, ranks);
    for (uint64_t i = 0; series_cursor_next(&c, &value); i++)
        if (value == rank) {
            *ordinal = i;
            return true;
        }
    return false;
}

/* One site of one rank while its calls are expanded. */
struct expansion {
    const struct group *g;
    uint64_t ordinal;
    struct stream_walk stream;
    uint32_t row; /* row of the next `left` calls */
    uint64_t left;
    struct series_cursor columns[CALL_SLOTS];
};

static bool expansion_start(struct expansion *x, const struct trace *t, const struct entry *e, uint32_t rank)
{
    for (size_t i = 0; i < e->groups.n && !x->g; i++)
        if (find_ordinal(e->groups.items[i].ranks, rank, &x->ordinal))
            x->g = &e->groups.items[i];
    if (!x->g)
        return false;
    for (size_t i = 0; i < group_slot_columns(x->g); i++)
        series_cursor_start(&x->columns[i],
                            t->columns.items[rankfn_at(&x->g->columns.items[i].series, x->ordinal, rank)]);
    return stream_walk_group(&x->stream, t, x->g, x->ordinal, rank, UINT64_MAX) == REFRAIN_OK;
}

static bool expansion_next(struct expansion *x, uint32_t rank, struct call *c)
{
    if (x->left == 0 && !stream_walk_next(&x->stream, &x->row, &x->left))
        return false;
    x->left--;
    const struct row *r = &x->g->rows.items[x->row];
    c->n = r->n_slots;
    for (uint32_t i = 0; i < r->n_slots; i++)
        c->slots[i] = rankfn_at(row_slot(r, i), x->ordinal, rank);
    for (size_t i = 0; i < group_slot_columns(x->g); i++) {
        int64_t value;
        if (!series_cursor_next(&x->columns[i], &value))
            return false;
        if (x->g->columns.items[i].slot < c->n)
            c->slots[x->g->columns.items[i].slot] += value;
    }
    return true;
}

static bool calls_equal(const struct call *a, const struct call *b, const struct trace *t,
                        const struct site *site)
{
    return a->n == b->n && memcmp(a->slots, b->slots, a->n * sizeof *a->slots) == 0 &&
           strcmp(functions[a->function].name, t->functions.functions.items[site->function].name) == 0 &&
           strcmp(functions[a->function].name, t->modules.items[site->frames[0].module]) == 0 &&
           a->line == site->frames[0].offset;
}

struct call_list {
    ARRAY(struct call) calls;
};

static void collect(void *taker, const struct call *c)
{
    struct call_list *list = taker;
    if (!array_push(&list->calls, *c))
        abort();
}

/* Expand the calls of one lane of a rank. *at is the number of its next call among all calls. */
static bool expand_shape(const struct synthetic_run *run, const struct call_list *list, const struct trace *t,
                         const struct shape *s, uint32_t rank, size_t *count)
{
    struct expansion *x = calloc(t->sites.n, sizeof *x);
    struct lane_walk walk = {0};
    uint32_t site;
    uint64_t ordinal;
    bool ok = x && find_ordinal(s->ranks, rank, &ordinal) &&
              lane_walk_start(&walk, t, s, ordinal, rank) == REFRAIN_OK;
    size_t at = 0;
    for (size_t i = 0; i < s->entries.n && ok; i++)
        ok = expansion_start(&x[s->entries.items[i].site], t, &s->entries.items[i], rank);
    for (; ok && lane_walk_next(&walk, &site); at++, ++*count) {
        struct call c;
        while (at < list->calls.n && list->calls.items[at].lane != s->kind)
            at++;
        ok = at < list->calls.n && expansion_next(&x[site], rank, &c) &&
             calls_equal(&list->calls.items[at], &c, t, &t->sites.items[site]);
    }
    if (!ok)
        log_error("%s: call %zu of rank %u is not what was recorded", run->name, at, rank);
    lane_walk_stop(&walk);
    for (size_t i = 0; x && i < t->sites.n; i++)
        if (x[i].g)
            stream_walk_stop(&x[i].stream);
    free(x);
    return ok;
}

static bool rank_matches(const struct synthetic_run *run, const struct trace *t, uint32_t rank,
                         uint64_t *calls)
{
    struct call_list list = {0};
    size_t count = 0;
    uint64_t ordinal;
    bool ok = true;
    run_rank(run, rank, collect, &list);
    for (size_t s = 0; s < t->shapes.n && ok; s++)
        if (find_ordinal(t->shapes.items[s].ranks, rank, &ordinal))
            ok = expand_shape(run, &list, t, &t->shapes.items[s], rank, &count);
    if (ok && count != list.calls.n) {
        log_error("%s: rank %u has %zu calls, recorded were %zu", run->name, rank, count, list.calls.n);
        ok = false;
    }
    *calls += count;
    array_free(&list.calls);
    return ok;
}

/* Compares as precisely as a final file stores them (docs/FORMAT.md, section 10): extremes are
 * rounded outwards by at most a 16th, the mean by a 512th. */
static bool all_are(const struct timing_moments *m, uint64_t count, uint64_t value)
{
    const double off = timing_mean(m, count) - (double)value;
    return count > 0 && m->min <= value && m->min >= value - value / 16 && m->max >= value &&
           m->max <= value + value / 16 && off <= (double)value / 512 && -off <= (double)value / 512;
}

/* Are the times of each row those that `record` gave to its calls? */
static bool times_match(const struct group *g, const struct site *site)
{
    for (size_t i = 0; i < g->rows.n; i++) {
        const struct row *r = &g->rows.items[i];
        if (r->timing == TIMING_NONE)
            continue;
        const struct timing *t = &g->timings.items[r->timing];
        if (!all_are(&t->gap, t->count, GAP(site->frames[0].offset)) ||
            !all_are(&t->duration, t->count, DURATION(r->n_slots)))
            return false;
    }
    return true;
}

static bool all_times_match(const struct synthetic_run *run, const struct trace *t, uint64_t recorded)
{
    uint64_t calls = 0;
    for (size_t s = 0; s < t->shapes.n; s++)
        for (size_t e = 0; e < t->shapes.items[s].entries.n; e++) {
            const struct entry *entry = &t->shapes.items[s].entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++) {
                for (size_t i = 0; i < entry->groups.items[g].timings.n; i++)
                    calls += entry->groups.items[g].timings.items[i].count;
                if (!times_match(&entry->groups.items[g], &t->sites.items[entry->site])) {
                    log_error("%s: site %u has times of others", run->name, entry->site);
                    return false;
                }
            }
        }
    if (calls == recorded)
        return true;
    log_error("%s: times of %llu calls, recorded were %llu", run->name, (unsigned long long)calls,
              (unsigned long long)recorded);
    return false;
}

bool synthetic_matches(const struct synthetic_run *run, const struct trace *t)
{
    uint64_t calls = 0;
    bool ok = trace_check(t) == REFRAIN_OK;
    for (uint32_t rank = 0; rank < run->ranks && ok; rank++)
        ok = rank_matches(run, t, rank, &calls);
    return ok && all_times_match(run, t, calls);
}

struct synthetic_size synthetic_measure(const struct trace *t)
{
    struct synthetic_size size = {.shapes = t->shapes.n, .columns = t->columns.n};
    for (size_t s = 0; s < t->shapes.n; s++) {
        const struct shape *shape = &t->shapes.items[s];
        size.items += shape->skeleton->first[shape->skeleton->n_rules];
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            size.groups += entry->groups.n;
            for (size_t g = 0; g < entry->groups.n; g++) {
                const struct rules *stream = entry->groups.items[g].stream;
                size.rows += entry->groups.items[g].rows.n;
                size.items += stream ? stream->first[stream->n_rules] : 0;
            }
        }
    }
    return size;
}
