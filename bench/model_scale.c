/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes traces of many ranks that exist only as calls. bench/loops.sh makes models of them.
 *
 *     model_scale PROGRAM RANKS ITERATIONS FILE
 *
 * Ranks form a grid that is as square as possible. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/codec/codec.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"
#include "src/core/merge/merge_tree.h"

enum { SLOTS_MAX = 8, PARTNERS = 4, BLOCKS = 4 };

/* ---- functions and their calls --------------------------------------------------------------- */

enum { ERROR_CODE, RANK, TAG, COMM, REQUEST };

static struct kind kinds[] = {
    [ERROR_CODE] = {(char *)"ERROR_CODE", VALUE_INT, (char *)"ERROR_CODE", (char *)""},
    [RANK] = {(char *)"RANK", VALUE_INT, (char *)"RANK", (char *)""},
    [TAG] = {(char *)"TAG", VALUE_INT, (char *)"TAG", (char *)""},
    [COMM] = {(char *)"COMMUNICATOR", VALUE_HANDLE, (char *)"COMMUNICATOR", (char *)"comm"},
    [REQUEST] = {(char *)"REQUEST", VALUE_HANDLE, (char *)"REQUEST", (char *)"req"},
};

#define PEER(name)                                                                                           \
    {(char *)(name), RANK, PARAM_IN}, {(char *)"tag", TAG, PARAM_IN},                                        \
    {                                                                                                        \
        (char *)"comm", COMM, PARAM_IN                                                                       \
    }
#define MADE                                                                                                 \
    {                                                                                                        \
        (char *)"request", REQUEST, PARAM_OUT                                                                \
    }

static struct param send_params[] = {PEER("dest"), MADE}, recv_params[] = {PEER("source"), MADE},
                    comm_params[] = {{(char *)"comm", COMM, PARAM_IN}};

enum { SEND, RECV, ISEND, IRECV, REDUCE, N_FUNCTIONS };

static struct function functions[N_FUNCTIONS] = {
    [SEND] = {(char *)"MPI_Send", ERROR_CODE + 1, 3, send_params},
    [RECV] = {(char *)"MPI_Recv", ERROR_CODE + 1, 3, recv_params},
    [ISEND] = {(char *)"MPI_Isend", ERROR_CODE + 1, 4, send_params},
    [IRECV] = {(char *)"MPI_Irecv", ERROR_CODE + 1, 4, recv_params},
    [REDUCE] = {(char *)"MPI_Allreduce", ERROR_CODE + 1, 1, comm_params},
};

static void must(enum refrain_status status)
{
    if (status == REFRAIN_OK)
        return;
    fprintf(stderr, "model_scale: %s\n", errno ? strerror(errno) : "the trace cannot be made");
    exit(1);
}

/* A rank of the program. */
struct rank {
    int64_t rank, size, iterations, columns;
    const uint32_t *partners, *back; /* PARTNERS permutations of all ranks, and their inverses */
    struct lane *lane;
};

/* Records a call from the only line that calls its function. */
static void call(struct rank *r, uint32_t function, uint32_t n, const int64_t *slots)
{
    must(lane_record(r->lane, function, slots, n, 100, 10));
}

static void message(struct rank *r, uint32_t function, int64_t peer, int64_t tag)
{
    /* MPI_COMM_WORLD; no error; the request if there is one */
    const int64_t slots[] = {peer, tag, 1, 0, 0};
    call(r, function, functions[function].n_params == 3 ? 4 : 5, slots);
}

static void reduce(struct rank *r)
{
    call(r, REDUCE, 2, (const int64_t[]){1, 0});
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Finds the neighbours above, below, left and right; -1 beyond the border. */
static void find_neighbours(const struct rank *r, bool periodic, int64_t *out)
{
    const int64_t rows = r->size / r->columns, row = r->rank / r->columns, column = r->rank % r->columns;
    const int64_t at[4][2] = {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}};
    for (int k = 0; k < 4; k++) {
        const bool in = at[k][0] >= 0 && at[k][0] < rows && at[k][1] >= 0 && at[k][1] < r->columns;
        const int64_t row_in = (at[k][0] + rows) % rows, column_in = (at[k][1] + r->columns) % r->columns;
        out[k] = in || periodic ? row_in * r->columns + column_in : -1;
    }
}

static void run_stencil(struct rank *r, bool periodic)
{
    int64_t to[4];
    find_neighbours(r, periodic, to);
    for (int64_t i = 0; i < r->iterations; i++) {
        for (int k = 0; k < 4; k++) {
            if (to[k] >= 0)
                message(r, IRECV, to[k], k);
        }
        for (int k = 0; k < 4; k++) {
            if (to[k] >= 0)
                message(r, ISEND, to[k], k ^ 1);
        }
        if (i % 10 == 9)
            reduce(r);
    }
}

static void torus(struct rank *r)
{
    run_stencil(r, true);
}

static void stencil(struct rank *r) /* each call is in an if (neighbour) */
{
    run_stencil(r, false);
}

static void ring(struct rank *r)
{
    for (int64_t i = 0; i < r->iterations; i++) {
        message(r, IRECV, (r->rank + r->size - 1) % r->size, 0);
        message(r, ISEND, (r->rank + 1) % r->size, 0);
    }
}

/* The largest divisor of n whose power is not more than n. */
static int64_t side_of(int64_t n, int power)
{
    int64_t side = 1;
    for (int64_t d = 1; (power == 2 ? d * d : d * d * d) <= n; d++)
        side = n % d == 0 ? d : side;
    return side;
}

static void stencil3d(struct rank *r)
{
    const int64_t planes = side_of(r->size, 3), rows = side_of(r->size / planes, 2);
    const int64_t sizes[3] = {r->size / planes / rows, rows, planes};
    for (int64_t i = 0; i < r->iterations; i++) {
        for (int k = 0; k < 12; k++) {
            const int64_t step = k % 2 == 0 ? -1 : 1;
            int64_t stride = 1;
            for (int d = 0; d < k % 6 / 2; d++)
                stride *= sizes[d];
            const int64_t at = r->rank / stride % sizes[k % 6 / 2] + step;
            if (at >= 0 && at < sizes[k % 6 / 2])
                message(r, k < 6 ? IRECV : ISEND, r->rank + step * stride, k < 6 ? k : (k - 6) ^ 1);
        }
        if (i % 10 == 9)
            reduce(r);
    }
}

/* Sweeps from each of four corners, in blocks. */
static void sweep(struct rank *r)
{
    int64_t at[4];
    find_neighbours(r, false, at);
    for (int64_t i = 0; i < r->iterations; i++) {
        for (int corner = 0; corner < 4; corner++) {
            const int64_t *rows = at, *columns = at + 2;
            const int down = corner & 1, right = corner >> 1;
            for (int block = 0; block < BLOCKS; block++) {
                if (rows[down] >= 0)
                    message(r, RECV, rows[down], 0);
                if (columns[right] >= 0)
                    message(r, RECV, columns[right], 1);
                if (rows[!down] >= 0)
                    message(r, SEND, rows[!down], 0);
                if (columns[!right] >= 0)
                    message(r, SEND, columns[!right], 1);
            }
        }
        reduce(r);
    }
}

/* Partners are drawn once. */
static void random_partners(struct rank *r)
{
    for (int64_t i = 0; i < r->iterations; i++) {
        for (int64_t k = 0; k < PARTNERS; k++)
            message(r, IRECV, r->back[k * r->size + r->rank], k);
        for (int64_t k = 0; k < PARTNERS; k++)
            message(r, SEND, r->partners[k * r->size + r->rank], k);
    }
    reduce(r);
}

/* Pairs of neighbours that communicate with nobody else. */
static void pairs(struct rank *r)
{
    const int64_t partner = r->rank ^ 1;
    for (int64_t i = 0; i < r->iterations && partner < r->size; i++) {
        for (int64_t k = 0; k < PARTNERS; k++) {
            message(r, r->rank < partner ? SEND : RECV, partner, k);
            message(r, r->rank < partner ? RECV : SEND, partner, k);
        }
    }
    reduce(r);
}

static void master(struct rank *r)
{
    for (int64_t i = 0; i < r->iterations; i++) {
        for (int64_t worker = 1; worker < r->size && r->rank == 0; worker++) {
            message(r, RECV, worker, 0);
            message(r, SEND, worker, 0);
        }
        if (r->rank > 0) {
            message(r, SEND, 0, 0);
            message(r, RECV, 0, 0);
        }
    }
}

/* Each rank sends to the next. A message from the last rank to the first cuts its loop, and then
 * those of the others, one after another. */
static void chain(struct rank *r)
{
    for (int64_t i = 0; i < r->iterations; i++) {
        if (r->rank > 0)
            message(r, RECV, r->rank - 1, 0);
        if (r->rank + 1 < r->size)
            message(r, SEND, r->rank + 1, 0);
        if (r->rank > 0 && r->rank + 1 == r->size && i == r->iterations / 3)
            message(r, SEND, 0, 1);
    }
    if (r->rank == 0 && r->size > 1)
        message(r, RECV, r->size - 1, 1);
}

static const struct program {
    const char *name;
    void (*run)(struct rank *r);
} programs[] = {{"torus", torus},        {"stencil", stencil}, {"sweep", sweep}, {"random", random_partners},
                {"pairs", pairs},        {"master", master},   {"chain", chain}, {"ring", ring},
                {"stencil3d", stencil3d}};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- the trace ------------------------------------------------------------------------------- */

static void record(const struct program *p, struct rank *r, struct trace *out)
{
    const struct functable all = {.kinds = {.items = kinds, .n = sizeof kinds / sizeof *kinds},
                                  .functions = {.items = functions, .n = N_FUNCTIONS}};
    struct frame frame = {0};
    *out = (struct trace){.first_rank = (uint32_t)r->rank, .n_ranks = 1};
    r->lane = lane_create(LANE_THREAD, 0, true);
    must(r->lane ? REFRAIN_OK : REFRAIN_ERR_MEMORY);
    must(trace_intern_module(out, "app", &frame.module));
    must(functable_add_constant(&out->functions, "COMMUNICATOR", 0, "MPI_COMM_WORLD"));
    must(functable_add_constant(&out->functions, "RANK", -1, "MPI_ANY_SOURCE"));
    must(functable_add_constant(&out->functions, "RANK", -2, "MPI_PROC_NULL"));
    must(functable_add_constant(&out->functions, "TAG", -1, "MPI_ANY_TAG"));
    for (uint32_t f = 0; f < N_FUNCTIONS; f++) {
        struct site site = {.n_frames = 1, .frames = &frame};
        uint32_t number;
        frame.offset = f;
        must(functable_add_function(&out->functions, &all, f, &site.function));
        must(lane_add_site(r->lane, &site, &number));
    }
    p->run(r);
    must(lane_store(r->lane, (uint32_t)r->rank, out));
    lane_free(r->lane);
}

/* Draws permutations that are the same on every machine. */
static void draw(uint32_t *partners, uint32_t *back, uint32_t n)
{
    uint64_t random = 1;
    for (uint32_t k = 0; k < PARTNERS; k++) {
        uint32_t *p = partners + (size_t)k * n;
        for (uint32_t i = 0; i < n; i++)
            p[i] = i;
        for (uint32_t i = n; i > 1; i--) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint32_t other = (uint32_t)((random >> 33) % i), last = p[i - 1];
            p[i - 1] = p[other];
            p[other] = last;
        }
        for (uint32_t i = 0; i < n; i++)
            back[(size_t)k * n + p[i]] = i;
    }
}

static int64_t columns_of(int64_t ranks)
{
    int64_t rows = 1;
    for (int64_t i = 1; i * i <= ranks; i++)
        rows = ranks % i == 0 ? i : rows;
    return ranks / rows;
}

static void make(const struct program *p, uint32_t ranks, int64_t iterations, struct bytes *image)
{
    struct merge_tree tree = {0};
    struct trace all;
    uint32_t *partners = calloc((size_t)ranks * PARTNERS, 2 * sizeof *partners);
    must(partners ? REFRAIN_OK : REFRAIN_ERR_MEMORY);
    draw(partners, partners + (size_t)ranks * PARTNERS, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct rank r = {.rank = rank,
                         .size = ranks,
                         .iterations = iterations,
                         .columns = columns_of(ranks),
                         .partners = partners,
                         .back = partners + (size_t)ranks * PARTNERS};
        struct trace t;
        record(p, &r, &t);
        must(merge_tree_add(&tree, &t));
    }
    must(merge_tree_finish(&tree, &all));
    must(merge_finish(&all));
    must(codec_encode(&all, CODEC_FINAL, image));
    trace_free(&all);
    free(partners);
}

static long number(const char *text, long most)
{
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && n > 0 && n <= most ? n : 0;
}

int main(int argc, char **argv)
{
    const long ranks = argc == 5 ? number(argv[2], TRACE_RANKS_MAX) : 0;
    const long iterations = argc == 5 ? number(argv[3], 1000000) : 0;
    struct bytes image = {0};
    int p = 0;
    while (p < PROGRAMS && ranks > 0 && strcmp(programs[p].name, argv[1]) != 0)
        p++;
    if (p == PROGRAMS || ranks == 0 || iterations == 0) {
        fprintf(stderr, "usage: model_scale PROGRAM RANKS ITERATIONS FILE\nprograms:");
        for (int i = 0; i < PROGRAMS; i++)
            fprintf(stderr, " %s", programs[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    make(&programs[p], (uint32_t)ranks, iterations, &image);
    errno = 0;
    FILE *file = fopen(argv[4], "w");
    must(file && fwrite(image.data, 1, image.n, file) == image.n && fclose(file) == 0 ? REFRAIN_OK
                                                                                      : REFRAIN_ERR_IO);
    bytes_free(&image);
    return 0;
}
