/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures when calls begin and end, and compares this with the times in a trace.
 *
 *     times CALLS FILE                        runs; rank R writes FILE.R: times before and after each call
 *     refrain text --times -r R TRACE | times --compare FILE.R
 *
 * One process is 2 s late, so MPI_Init takes as long on all others. Then neighbours send and
 * answer, each sleeping before in its turn; short calls come in between.
 *
 *     program   before |                  | after
 *     tracer              enter |  | leave
 *     trace           |<-- entry -->|              off by 0 if it is between the two; the same for exits
 *
 * The trace's times begin with its first call, the program's do not: the result is the smallest
 * possible error over all offsets. */
#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_EVERY = 16, SLEEP_EVERY = 512, SLEEP = 300000, LATE = 2 }; /* calls; ns; s */

struct span {
    int64_t before, after;
};

static struct span *spans;
static size_t n_spans, cap_spans;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#define TIMED(call)                                                                                          \
    do {                                                                                                     \
        struct span span = {.before = now()};                                                                \
        call;                                                                                                \
        span.after = now();                                                                                  \
        if (n_spans < cap_spans)                                                                             \
            spans[n_spans++] = span;                                                                         \
    } while (0)

/* ---- the run --------------------------------------------------------------------------------- */

static void come_late(const char *file)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.late", file);
    const int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd < 0)
        return;
    close(fd);
    sleep(LATE);
}

static void answer(int rank, int size)
{
    const int other = rank ^ 1;
    int token = 0;
    if (other >= size)
        return;
    if (rank < other) {
        TIMED(MPI_Send(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
        TIMED(MPI_Recv(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else {
        TIMED(MPI_Recv(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        TIMED(MPI_Send(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
    }
}

static int run(int argc, char **argv)
{
    const long calls = atol(argv[1]);
    int rank, size;
    char name[4096];
    cap_spans = (size_t)calls + 100;
    spans = calloc(cap_spans, sizeof *spans);
    if (!spans)
        return 2;
    come_late(argv[2]);
    TIMED(MPI_Init(&argc, &argv));
    TIMED(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    TIMED(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (long i = 0; n_spans < (size_t)calls; i++) {
        if (i % SLEEP_EVERY == 0 && i / SLEEP_EVERY % size == rank)
            nanosleep(&(struct timespec){.tv_nsec = SLEEP}, NULL);
        if (i % ANSWER_EVERY == 0)
            answer(rank, size);
        int flag;
        TIMED(MPI_Initialized(&flag));
    }
    TIMED(MPI_Barrier(MPI_COMM_WORLD));
    snprintf(name, sizeof name, "%s.%d", argv[2], rank);
    TIMED(MPI_Finalize());
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(spans, sizeof *spans, n_spans, f) != n_spans || fclose(f) != 0)
        return 2;
    return 0;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static int64_t get_seconds(const char **at)
{
    char *end;
    const int64_t seconds = strtoll(*at, &end, 10);
    const int64_t ns = *end == '.' ? strtoll(end + 1, &end, 10) : 0;
    *at = end;
    return seconds * 1000000000 + ns;
}

/* Prints by how many nanoseconds an entry or exit is off at least. */
static int compare(const char *name)
{
    FILE *f = fopen(name, "rb");
    struct span span;
    char line[4096];
    /* bounds of the first call's time by the program's clock */
    int64_t least = INT64_MIN, most = INT64_MAX;
    uint64_t n = 0;
    while (f && fgets(line, sizeof line, stdin)) {
        const char *at = strpbrk(line, " ");
        strtoull(at, (char **)&at, 10);
        const int64_t enter = get_seconds(&at), leave = enter + get_seconds(&at);
        if (fread(&span, sizeof span, 1, f) != 1) {
            printf("the trace has more than %" PRIu64 " calls\n", n);
            return 1;
        }
        least = span.before - enter > least ? span.before - enter : least;
        most = span.after - leave < most ? span.after - leave : most;
        n++;
    }
    if (!f || fread(&span, sizeof span, 1, f) == 1) {
        printf("the trace has only %" PRIu64 " calls\n", n);
        return 1;
    }
    fclose(f);
    printf("%" PRId64 "\n", least > most ? (least - most + 1) / 2 : 0);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: times CALLS FILE, or times --compare FILE\n");
        return 2;
    }
    return strcmp(argv[1], "--compare") == 0 ? compare(argv[2]) : run(argc, argv);
}
