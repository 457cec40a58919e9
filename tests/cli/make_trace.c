/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a trace and its uncompressed records without MPI, for the tests of the command:
 *
 *     make_trace TRACE DIR RANKS ITERATIONS [COMMAND]
 *
 * With DIR "-", for long traces, there are no uncompressed records. The "program" splits the ranks
 * into even and odd ones and bridges them, then passes messages around a ring, with another tag in
 * each iteration, and sums up; rank 0 gathers at the end. Rank 0 has a second thread. Every kind of
 * value occurs once. */
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/verify_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the function table ---------------------------------------------------------------------- */

enum {
    ERROR_CODE,
    BUFFER,
    COUNT,
    DATATYPE,
    RANK,
    TAG,
    COMM,
    REQUEST,
    STATUS,
    OPERATION,
    INTEGER,
    ACCESS_MODE,
    FILE_HANDLE,
    INFO,
    TEXT,
    TEXTS,
    REAL,
    LOGICAL
};

#define KIND(id, name, type, set, prefix) [id] = {(char *)(name), type, (char *)(set), (char *)(prefix)}

static struct kind kinds[] = {
    KIND(ERROR_CODE, "ERROR_CODE", VALUE_INT, "ERROR_CODE", ""),
    KIND(BUFFER, "BUFFER", VALUE_ADDRESS, "ADDRESS", ""),
    KIND(COUNT, "POLYXFER_NUM_ELEM_NNI", VALUE_INT, "", ""),
    KIND(DATATYPE, "DATATYPE", VALUE_HANDLE, "DATATYPE", "type"),
    KIND(RANK, "RANK", VALUE_INT, "RANK", ""),
    KIND(TAG, "TAG", VALUE_INT, "TAG", ""),
    KIND(COMM, "COMMUNICATOR", VALUE_HANDLE, "COMMUNICATOR", "comm"),
    KIND(REQUEST, "REQUEST", VALUE_HANDLE, "REQUEST", "req"),
    KIND(STATUS, "STATUS", VALUE_STATUS, "", ""),
    KIND(OPERATION, "OPERATION", VALUE_HANDLE, "OPERATION", "op"),
    KIND(INTEGER, "MATH", VALUE_INT, "", ""),
    KIND(ACCESS_MODE, "ACCESS_MODE", VALUE_FLAGS, "ACCESS_MODE", ""),
    KIND(FILE_HANDLE, "FILE", VALUE_HANDLE, "FILE", "file"),
    KIND(INFO, "INFO", VALUE_HANDLE, "INFO", "info"),
    KIND(TEXT, "STRING", VALUE_STRING, "", ""),
    KIND(TEXTS, "ARGUMENT_LIST", VALUE_STRINGS, "ARRAY", ""),
    KIND(REAL, "TICK_RESOLUTION", VALUE_REAL, "", ""),
    KIND(LOGICAL, "LOGICAL", VALUE_INT, "", ""),
};

enum { IN = PARAM_IN, OUT = PARAM_OUT, INOUT = PARAM_IN | PARAM_OUT, ARRAY_OF = PARAM_ARRAY };

/* X(identifier, name, kind of the result + 1, parameters …) */
#define FUNCTIONS(X)                                                                                         \
    X(INIT, "MPI_Init", ERROR_CODE + 1, {"argc", INTEGER, INOUT}, {"argv", TEXTS, INOUT})                    \
    X(COMM_RANK, "MPI_Comm_rank", ERROR_CODE + 1, {"comm", COMM, IN}, {"rank", RANK, OUT})                   \
    X(COMM_SPLIT, "MPI_Comm_split", ERROR_CODE + 1, {"comm", COMM, IN}, {"color", INTEGER, IN},              \
      {"key", INTEGER, IN}, {"newcomm", COMM, OUT})                                                          \
    X(COMM_FREE, "MPI_Comm_free", ERROR_CODE + 1, {"comm", COMM, INOUT})                                     \
    X(IRECV, "MPI_Irecv", ERROR_CODE + 1, {"buf", BUFFER, IN}, {"count", COUNT, IN},                         \
      {"datatype", DATATYPE, IN}, {"source", RANK, IN}, {"tag", TAG, IN}, {"comm", COMM, IN},                \
      {"request", REQUEST, OUT})                                                                             \
    X(SEND, "MPI_Send", ERROR_CODE + 1, {"buf", BUFFER, IN}, {"count", COUNT, IN},                           \
      {"datatype", DATATYPE, IN}, {"dest", RANK, IN}, {"tag", TAG, IN}, {"comm", COMM, IN})                  \
    X(WAITALL, "MPI_Waitall", ERROR_CODE + 1, {"count", INTEGER, IN},                                        \
      {"array_of_requests", REQUEST, INOUT | ARRAY_OF}, {"array_of_statuses", STATUS, OUT | ARRAY_OF})       \
    X(RECV, "MPI_Recv", ERROR_CODE + 1, {"buf", BUFFER, IN}, {"count", COUNT, IN},                           \
      {"datatype", DATATYPE, IN}, {"source", RANK, IN}, {"tag", TAG, IN}, {"comm", COMM, IN},                \
      {"status", STATUS, OUT})                                                                               \
    X(ALLREDUCE, "MPI_Allreduce", ERROR_CODE + 1, {"sendbuf", BUFFER, IN}, {"recvbuf", BUFFER, IN},          \
      {"count", COUNT, IN}, {"datatype", DATATYPE, IN}, {"op", OPERATION, IN}, {"comm", COMM, IN})           \
    X(GATHERV, "MPI_Gatherv", ERROR_CODE + 1, {"sendbuf", BUFFER, IN}, {"sendcount", COUNT, IN},             \
      {"sendtype", DATATYPE, IN}, {"recvbuf", BUFFER, IN}, {"recvcounts", COUNT, IN | ARRAY_OF},             \
      {"displs", INTEGER, IN | ARRAY_OF}, {"recvtype", DATATYPE, IN}, {"root", RANK, IN},                    \
      {"comm", COMM, IN})                                                                                    \
    X(FILE_OPEN, "MPI_File_open", ERROR_CODE + 1, {"comm", COMM, IN}, {"filename", TEXT, IN},                \
      {"amode", ACCESS_MODE, IN}, {"info", INFO, IN}, {"fh", FILE_HANDLE, OUT})                              \
    X(TEST, "MPI_Test", ERROR_CODE + 1, {"request", REQUEST, INOUT}, {"flag", LOGICAL, OUT},                 \
      {"status", STATUS, OUT})                                                                               \
    X(WTICK, "MPI_Wtick", REAL + 1, {NULL, 0, 0})                                                            \
    X(WTIME, "MPI_Wtime", 0, {NULL, 0, 0})                                                                   \
    X(FINALIZE, "MPI_Finalize", ERROR_CODE + 1, {NULL, 0, 0})                                                \
    X(DEF_COMM, "@comm", 0, {"newcomm", COMM, IN}, {"function", TEXT, IN}, {"parent", COMM, IN},             \
      {"sequence", INTEGER, IN}, {"leader", INTEGER, IN}, {"size", INTEGER, IN}, {"rank", INTEGER, IN},      \
      {"remote_leader", INTEGER, IN}, {"remote_size", INTEGER, IN})                                          \
    X(DEF_DATATYPE, "@datatype", 0, {"newtype", DATATYPE, IN}, {"size", INTEGER, IN}, {"lb", INTEGER, IN},   \
      {"extent", INTEGER, IN})                                                                               \
    X(DEF_PROCESS, "@process", 0, {"host", TEXT, IN})

#define AS_ENUM(id, ...) id,
enum { FUNCTIONS(AS_ENUM) N_FUNCTIONS };

#define AS_PARAMS(id, name, result, ...) static struct param params_##id[] = {__VA_ARGS__};
FUNCTIONS(AS_PARAMS)

/* A function without parameters has one entry without a name. */
#define AS_FUNCTION(id, title, result, ...)                                                                  \
    {(char *)(title), result, params_##id[0].name ? sizeof params_##id / sizeof params_##id[0] : 0,          \
     params_##id},
static struct function *functions(void)
{
    static struct function table[N_FUNCTIONS];
    const struct function filled[] = {FUNCTIONS(AS_FUNCTION)};
    memcpy(table, filled, sizeof table);
    return table;
}

static struct constant constants[] = {
    {(char *)"ERROR_CODE", 0, (char *)"MPI_SUCCESS"},
    {(char *)"ERROR_CODE", 15, (char *)"MPI_ERR_BUFFER"},
    {(char *)"ADDRESS", 0, (char *)"MPI_BOTTOM"},
    {(char *)"ADDRESS", -1, (char *)"MPI_IN_PLACE"},
    {(char *)"DATATYPE", 0, (char *)"MPI_DOUBLE"},
    {(char *)"DATATYPE", 1, (char *)"MPI_BYTE"},
    {(char *)"RANK", -2, (char *)"MPI_PROC_NULL"},
    {(char *)"RANK", -1, (char *)"MPI_ANY_SOURCE"},
    {(char *)"TAG", -1, (char *)"MPI_ANY_TAG"},
    {(char *)"COMMUNICATOR", 0, (char *)"MPI_COMM_WORLD"},
    {(char *)"COMMUNICATOR", 1, (char *)"MPI_COMM_NULL"},
    {(char *)"REQUEST", 0, (char *)"MPI_REQUEST_NULL"},
    {(char *)"OPERATION", 0, (char *)"MPI_SUM"},
    {(char *)"INFO", 0, (char *)"MPI_INFO_NULL"},
    {(char *)"ACCESS_MODE", 1, (char *)"MPI_MODE_CREATE"},
    {(char *)"ACCESS_MODE", 8, (char *)"MPI_MODE_RDWR"},
};

/* Handle slots. */
#define PREDEFINED(index) ((int64_t)(index) << 1 | 1)
#define SYMBOL(number)    ((int64_t)(number) << 1)
enum { DOUBLE_SIZE = 8 };

/* ---- recording ------------------------------------------------------------------------------- */

static void must(bool good)
{
    if (good)
        return;
    if (errno)
        perror("make_trace");
    exit(3);
}

#define MUST_OK(call) must((call) == REFRAIN_OK)

/* One lane of a rank, and its records. */
struct recorder {
    struct lane *lane;
    uint64_t left; /* end of its last call */
    struct bytes raw;
    ARRAY(struct site) sites;
    uint32_t rank;
};

/* The call that is being built. */
static int64_t slots[4096];
static uint32_t n_slots;

static char *modules[] = {(char *)"app"};
static const char *command = "./app a";
static bool records = true;

static void put(int64_t v)
{
    must(n_slots < sizeof slots / sizeof slots[0]);
    slots[n_slots++] = v;
}

#define PUT(...)                                                                                             \
    do {                                                                                                     \
        const int64_t values[] = {__VA_ARGS__};                                                              \
        for (size_t put_i = 0; put_i < sizeof values / sizeof values[0]; put_i++)                            \
            put(values[put_i]);                                                                              \
    } while (0)

static void put_text(const char *s)
{
    const size_t n = strlen(s);
    put((int64_t)n);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t slot = 0;
        for (size_t b = 0; b < 8 && i + b < n; b++)
            slot |= (uint64_t)(unsigned char)s[i + b] << 8 * b;
        put((int64_t)slot);
    }
}

static void put_status(int64_t template, int64_t source, int64_t tag, int64_t bytes)
{
    PUT(template, source, tag, 0, bytes, 0);
}

/* Ends the call, which line `line` of the program makes. */
static void record(struct recorder *r, uint32_t function, uint64_t line)
{
    struct frame frame = {0, 0x1000 + 16 * line};
    const bool definition = functions()[function].name[0] == '@';
    struct site site = {.function = function, .n_frames = definition ? 0 : 1, .frames = &frame};
    size_t i = 0;
    while (i < r->sites.n && (r->sites.items[i].function != function || r->sites.items[i].n_frames != line))
        i++;
    if (i == r->sites.n) {
        uint32_t index;
        MUST_OK(lane_add_site(r->lane, &site, &index));
        site.n_frames = (uint32_t)line; /* only the key of the look-up above */
        must(array_push(&r->sites, site));
    }
    const uint64_t enter = r->left + 1000;
    const struct timestamp timestamps = {enter, enter + 500 + 10 * (lane_calls(r->lane) % 7)};
    MUST_OK(lane_record(r->lane, (uint32_t)i, slots, n_slots, 1000, timestamps.leave - timestamps.enter));
    if (records) {
        verify_record_put(
            &r->raw, verify_record_site_hash(functions()[function].name, &frame, definition ? 0 : 1, modules),
            slots, n_slots);
        if (!definition)
            verify_record_put_times(&r->raw, &timestamps, &r->left);
    }
    n_slots = 0;
}

static struct recorder recorder(uint32_t rank, enum lane_kind kind, uint32_t number)
{
    struct recorder r = {.lane = lane_create(kind, number, kind == LANE_THREAD), .rank = rank};
    must(r.lane);
    verify_record_put_header(&r.raw);
    return r;
}

static void write_file(const char *path, const struct bytes *b)
{
    must(!b->failed);
    FILE *file = fopen(path, "w");
    must(file && fwrite(b->data, 1, b->n, file) == b->n && fclose(file) == 0);
}

static void finish(struct recorder *r, struct trace *t, const char *directory, const char *name)
{
    char path[4096];
    MUST_OK(lane_store(r->lane, r->rank, t));
    snprintf(path, sizeof path, "%s/rank.%u.%s.raw", directory, r->rank, name);
    if (records)
        write_file(path, &r->raw);
    lane_free(r->lane);
    bytes_free(&r->raw);
    array_free(&r->sites);
}

/* ---- the program ----------------------------------------------------------------------------- */

enum { PTR = ADDRESS_UNKNOWN };

static void define(struct recorder *r, uint32_t n_ranks)
{
    const uint32_t color = r->rank % 2, size = (n_ranks + 1 - color) / 2;
    put_text("host\"1\"");
    record(r, DEF_PROCESS, 0);
    PUT(PREDEFINED(0), DOUBLE_SIZE, 0, DOUBLE_SIZE);
    record(r, DEF_DATATYPE, 0);
    put(SYMBOL(0));
    put_text("MPI_Comm_split");
    PUT(PREDEFINED(0), 0, color, size, r->rank / 2, -1, -1);
    record(r, DEF_COMM, 0);
    /* Each side of the bridge between them, and of its duplicate, sees the other side as the
     * remote one. */
    const uint32_t remote_size = n_ranks - size;
    put(SYMBOL(1));
    put_text("MPI_Intercomm_create");
    PUT(PREDEFINED(1), 4711, color, size, r->rank / 2, 1 - color, remote_size);
    record(r, DEF_COMM, 0);
    put(SYMBOL(2));
    put_text("MPI_Comm_dup");
    PUT(SYMBOL(1), 0, color, size, r->rank / 2, 1 - color, remote_size);
    record(r, DEF_COMM, 0);
}

static void iterate(struct recorder *r, uint32_t n, int64_t i)
{
    const int64_t left = (r->rank + n - 1) % n, right = (r->rank + 1) % n;
    PUT(PTR, 4 + i, PREDEFINED(0), left, i, PREDEFINED(0), 0, SYMBOL(0));
    record(r, IRECV, 5);
    PUT(PTR, 4 + i, PREDEFINED(0), right, i, PREDEFINED(0), 0);
    record(r, SEND, 6);
    PUT(1, 1, SYMBOL(0), 0, 1, PREDEFINED(0), 1);
    put_status(0, left, i, (4 + i) * DOUBLE_SIZE);
    record(r, WAITALL, 7);
    PUT(ADDRESS_CONSTANT, -1, PTR, 1, PREDEFINED(0), PREDEFINED(0), SYMBOL(0), 0);
    record(r, ALLREDUCE, 8);
}

static void gather(struct recorder *r, uint32_t n)
{
    const int64_t counts = r->rank == 0 ? (int64_t)n : ARRAY_UNUSED;
    PUT(PTR, 1 + r->rank, PREDEFINED(0), PTR);
    put(counts);
    for (uint32_t i = 0; r->rank == 0 && i < n; i++)
        put(1 + i);
    put(counts);
    for (uint32_t i = 0; r->rank == 0 && i < n; i++)
        put(10 * i);
    PUT(PREDEFINED(0), 0, PREDEFINED(0), 0);
    record(r, GATHERV, 10);
}

static void run(struct recorder *r, uint32_t n, int64_t iterations)
{
    for (int phase = 0; phase < 2; phase++) { /* before and after MPI_Init */
        PUT(2, 2);
        put_text("./app");
        put_text("a \"b\"\n\001\303\251\377");
        if (phase == 0)
            put(0);
    }
    record(r, INIT, 1);
    PUT(PREDEFINED(0), 0, r->rank);
    record(r, COMM_RANK, 2);
    PUT(PREDEFINED(0), r->rank % 2, r->rank, 0, SYMBOL(0));
    record(r, COMM_SPLIT, 3);
    for (int64_t i = 0; i < iterations; i++)
        iterate(r, n, i);
    PUT(PTR, 1, PREDEFINED(0), -1, -1, PREDEFINED(0), 15); /* it fails: no status */
    record(r, RECV, 9);
    PUT(ADDRESS_CONSTANT, 0, 1, PREDEFINED(0), -2, 0, PREDEFINED(0), 0);
    put_status(STATUS_IGNORED, -2, -1, 0);
    record(r, RECV, 11);
    gather(r, n);
    put(PREDEFINED(0));
    put_text("out.dat");
    PUT(1 | 8 | 0x100, PREDEFINED(0), 0, SYMBOL(0));
    record(r, FILE_OPEN, 12);
    PUT(SYMBOL(3), 0, SYMBOL(4), 1);
    put_status(STATUS_PARTIAL, 0, 0, 0);
    record(r, TEST, 13);
    for (int comm = 0; comm < 3; comm++) {
        PUT(SYMBOL(comm), 0, PREDEFINED(1));
        record(r, COMM_FREE, 14);
    }
    const double tick = 0.1;
    memcpy(&slots[n_slots++], &tick, sizeof tick);
    record(r, WTICK, 15);
    record(r, WTIME, 16);
    put(0);
    record(r, FINALIZE, 17);
}

/* ---- the trace ------------------------------------------------------------------------------- */

static void fill_tables(struct trace *t)
{
    const struct functable table = {.kinds = {.items = kinds, .n = sizeof kinds / sizeof kinds[0]},
                                    .functions = {.items = functions(), .n = N_FUNCTIONS}};
    uint32_t index;
    for (uint32_t f = 0; f < N_FUNCTIONS; f++)
        MUST_OK(functable_add_function(&t->functions, &table, f, &index));
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        MUST_OK(
            functable_add_constant(&t->functions, constants[i].set, constants[i].value, constants[i].name));
    MUST_OK(trace_intern_module(t, modules[0], &index));
    MUST_OK(trace_add_meta(t, "command", command));
    MUST_OK(trace_add_meta(t, "mpi", "Test MPI 1.0"));
    MUST_OK(trace_add_meta(t, "start", "1700000000"));
}

static void trace_rank(struct trace *t, uint32_t rank, uint32_t n, int64_t iterations, const char *directory)
{
    *t = (struct trace){.first_rank = rank, .n_ranks = 1};
    fill_tables(t);
    struct recorder definitions = recorder(rank, LANE_DEFINITIONS, 0), calls = recorder(rank, LANE_THREAD, 0);
    define(&definitions, n);
    run(&calls, n, iterations);
    finish(&definitions, t, directory, "definitions");
    finish(&calls, t, directory, "lane.0");
    if (rank == 0) {
        struct recorder second = recorder(rank, LANE_THREAD, 1);
        PUT(PREDEFINED(0), 0, rank);
        record(&second, COMM_RANK, 18);
        finish(&second, t, directory, "lane.1");
    }
}

int main(int argc, char **argv)
{
    struct trace all = {0}, next;
    struct bytes image = {0};
    must(argc >= 5 && argc <= 6);
    command = argc >= 6 ? argv[5] : command;
    const uint32_t n = (uint32_t)strtoul(argv[3], NULL, 10);
    const int64_t iterations = strtoll(argv[4], NULL, 10);
    records = strcmp(argv[2], "-") != 0;
    must(!records || mkdir(argv[2], 0777) == 0 || errno == EEXIST);
    errno = 0;
    for (uint32_t rank = 0; rank < n; rank++) {
        trace_rank(rank == 0 ? &all : &next, rank, n, iterations, argv[2]);
        if (rank > 0)
            MUST_OK(merge_traces(&all, &next));
    }
    MUST_OK(merge_finish(&all));
    MUST_OK(codec_encode(&all, CODEC_FINAL, &image));
    write_file(argv[1], &image);
    bytes_free(&image);
    trace_free(&all);
    return 0;
}
