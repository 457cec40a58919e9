/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the traces of many ranks that exist only as calls (tests/unit/support/synthetic.h), as
 * MPI_Finalize does: with the same functions, in the order of its binomial tree.
 *
 *     merge_scale [-r RANKS,…] [-p PROGRAM,…] [-i ITERATIONS] [-t SECONDS] [-m MEGABYTES]
 *
 * Prints a line for each program and number of ranks: CPU seconds for making the ranks' traces as
 * blobs, for decoding them, for merging, and for finishing and encoding the whole; the peak memory;
 * the bytes of the file. Each measurement is a separate process, which is killed if it needs more
 * than SECONDS or MEGABYTES; then the program is not tried with more ranks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/core/merge/merge_tree.h"
#include "tests/unit/support/synthetic.h"

enum { BATCH = 16, SIZES_MAX = 32 };

static const struct program {
    const char *name, *what;
    void (*program)(struct synthetic_rank *r);
    uint32_t n_dims;
} programs[] = {
    {"torus2d", "2-D stencil, periodic", synthetic_halo_periodic, 2},
    {"grid2d", "2-D stencil with if", synthetic_halo_if, 2},
    {"torus3d", "3-D stencil, periodic", synthetic_halo_periodic, 3},
    {"grid3d", "3-D stencil with if", synthetic_halo_if, 3},
    {"master", "master/worker", synthetic_master, 1},
    {"random", "random partners", synthetic_partners, 1},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

struct options {
    uint32_t ranks[SIZES_MAX], n_ranks, iterations;
    bool wanted[PROGRAMS];
    unsigned long seconds, megabytes;
};

struct result {
    double made, decoded, merged, written; /* CPU seconds */
    uint64_t bytes;                        /* of the file */
};

/* ---- one measurement, in a process of its own ------------------------------------------------ */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the seconds since the last lap, and starts a new one. */
static double lap(double *last)
{
    const double now = cpu_seconds(), seconds = now - *last;
    *last = now;
    return seconds;
}

/* Makes the trace of a rank as it goes up the tree, or as a part contains it. */
static enum refrain_status make(const struct synthetic_run *run, uint32_t rank, struct bytes *out)
{
    struct trace t;
    enum refrain_status status = synthetic_trace(run, rank, &t);
    if (status != REFRAIN_OK)
        return status;
    status = codec_encode(&t, CODEC_STORED, out);
    trace_free(&t);
    return status;
}

/* Takes batches of ranks through each step, so that reading the clock costs nothing. */
static enum refrain_status measure(const struct synthetic_run *run, struct result *out)
{
    struct merge_tree tree = {0};
    struct bytes blobs[BATCH], file = {0};
    struct trace batch[BATCH], all;
    struct result result = {0};
    enum refrain_status status = REFRAIN_OK;
    double last = cpu_seconds();
    for (uint32_t rank = 0, n; rank < run->ranks && status == REFRAIN_OK; rank += n) {
        n = run->ranks - rank < BATCH ? run->ranks - rank : BATCH;
        memset(blobs, 0, sizeof blobs);
        for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
            status = make(run, rank + i, &blobs[i]);
        result.made += lap(&last);
        for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++) {
            status = codec_decode("blob", blobs[i].data, blobs[i].n, &batch[i], NULL);
            bytes_free(&blobs[i]);
        }
        result.decoded += lap(&last);
        for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
            status = merge_tree_add(&tree, &batch[i]);
        result.merged += lap(&last);
    }
    if (status == REFRAIN_OK)
        status = merge_tree_finish(&tree, &all);
    result.merged += lap(&last);
    if (status == REFRAIN_OK)
        status = merge_finish(&all);
    if (status == REFRAIN_OK)
        status = codec_encode(&all, CODEC_FINAL, &file);
    result.written = lap(&last);
    result.bytes = file.n;
    if (status == REFRAIN_OK)
        *out = result;
    return status; /* the process ends, which frees everything */
}

static void limit(int resource, rlim_t most)
{
    const struct rlimit l = {most, most};
    if (most > 0)
        setrlimit(resource, &l);
}

/* The child's result comes through a pipe: a killed process has written nothing. */
static bool run_child(const struct options *o, const struct synthetic_run *run, struct result *result,
                      struct rusage *usage)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        limit(RLIMIT_CPU, o->seconds);
        limit(RLIMIT_AS, (rlim_t)o->megabytes << 20);
        struct result r;
        const bool done = measure(run, &r) == REFRAIN_OK && write(ends[1], &r, sizeof r) == sizeof r;
        _exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    const bool done = child > 0 && read(ends[0], result, sizeof *result) == sizeof *result;
    close(ends[0]);
    while (child > 0 && wait4(child, &status, 0, usage) < 0 && errno == EINTR)
        ;
    return done;
}

static bool measure_program(const struct options *o, const struct program *p)
{
    for (uint32_t i = 0; i < o->n_ranks; i++) {
        const struct synthetic_run run =
            synthetic_run_on(p->name, p->program, o->ranks[i], o->iterations, p->n_dims);
        struct result r;
        struct rusage usage = {0};
        if (!run_child(o, &run, &r, &usage)) {
            printf("| %s | %u | not done within %lu s and %lu MB |\n", p->what, run.ranks, o->seconds,
                   o->megabytes);
            return false;
        }
        printf("| %s | %u | %.3f | %.3f | %.3f | %.3f | %ld | %llu |\n", p->what, run.ranks, r.made,
               r.decoded, r.merged, r.written, usage.ru_maxrss / 1024, (unsigned long long)r.bytes);
        fflush(stdout);
    }
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static void usage(void)
{
    fprintf(stderr,
            "usage: merge_scale [-r RANKS,…] [-p PROGRAM,…] [-i ITERATIONS] [-t SECONDS] [-m MEGABYTES]\n"
            "programs:");
    for (int i = 0; i < PROGRAMS; i++)
        fprintf(stderr, " %s", programs[i].name);
    fprintf(stderr, "\n");
    exit(2);
}

static unsigned long number(const char *text, unsigned long most)
{
    char *end;
    errno = 0;
    const unsigned long n = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n == 0 || n > most)
        usage();
    return n;
}

static void read_ranks(struct options *o, char *list)
{
    o->n_ranks = 0;
    for (char *item; (item = strsep(&list, ","));) {
        if (o->n_ranks == SIZES_MAX)
            usage();
        o->ranks[o->n_ranks++] = (uint32_t)number(item, TRACE_RANKS_MAX);
    }
}

static void read_programs(struct options *o, char *list)
{
    memset(o->wanted, 0, sizeof o->wanted);
    for (char *item; (item = strsep(&list, ","));) {
        int i = 0;
        while (i < PROGRAMS && strcmp(programs[i].name, item) != 0)
            i++;
        if (i == PROGRAMS)
            usage();
        o->wanted[i] = true;
    }
}

int main(int argc, char **argv)
{
    struct options o = {.ranks = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20},
                        .n_ranks = 6,
                        .iterations = 10,
                        .seconds = 600,
                        .megabytes = 2048};
    for (int i = 0; i < PROGRAMS; i++)
        o.wanted[i] = true;
    for (int option; (option = getopt(argc, argv, "r:p:i:t:m:")) != -1;) {
        switch (option) {
        case 'r':
            read_ranks(&o, optarg);
            break;
        case 'p':
            read_programs(&o, optarg);
            break;
        case 'i':
            o.iterations = (uint32_t)number(optarg, 1000000);
            break;
        case 't':
            o.seconds = number(optarg, 1000000);
            break;
        case 'm':
            o.megabytes = number(optarg, 1000000);
            break;
        default:
            usage();
        }
    }
    printf("| program | ranks | make blobs, s | decode blobs, s | merge, s | finish and encode, s | memory, "
           "MB | "
           "file, bytes |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < PROGRAMS; i++)
        if (o.wanted[i])
            measure_program(&o, &programs[i]);
    return 0;
}
