/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the initial inputs for fuzzing: seeds READER_DIR MERGE_DIR [TRACE…]
 *
 * Traces of programs that exist only as calls, some of which poll: single ranks, merged and final
 * ones; random traces; the named traces, if they are small; pairs of neighbouring parts for
 * merging. */
#include "image.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "target.h"
#include "tests/unit/support/polling.h"
#include "tests/unit/support/random_trace.h"
#include "tests/unit/support/synthetic.h"

#include <string.h>

enum {
    LARGEST = 4096,
    RANDOM_TRACES = 60,
    RANKS = 6,
    CELLS = 16,
    ITERATIONS = 5,
    POLLING_RANKS = 3,
    TURNS = 110,
    ROUNDS = 64,
    READ_MAX = 1 << 16
};

static const char *reader_dir, *merge_dir;
static unsigned written;

static void write_seed(const char *directory, const struct bytes *b)
{
    char path[4096];
    if (b->n > LARGEST)
        return;
    snprintf(path, sizeof path, "%s/seed.%03u", directory, written++);
    FILE *file = fopen(path, "wb");
    CLAIM(file && fwrite(b->data, 1, b->n, file) == b->n && fclose(file) == 0);
}

static struct bytes image_of(const struct trace *t, unsigned flags)
{
    struct bytes image = {0};
    CLAIM(codec_encode(t, flags, &image) == REFRAIN_OK);
    return image;
}

static void write_trace(const struct trace *t, unsigned flags)
{
    struct bytes image = image_of(t, flags);
    write_seed(reader_dir, &image);
    bytes_free(&image);
}

static void write_pair(const struct trace *a, const struct trace *b)
{
    struct bytes first = image_of(a, CODEC_STORED), second = image_of(b, CODEC_STORED), both = {0};
    const struct image_pair pair = {first.data, second.data, first.n, second.n};
    image_pair_put(&pair, &both);
    write_seed(merge_dir, &both);
    bytes_free(&both);
    bytes_free(&second);
    bytes_free(&first);
}

/* Lists that are made of others need more ranks. */
static void of_cells(void)
{
    const struct synthetic_run run = synthetic_run_on("cells", synthetic_cells, CELLS, ITERATIONS, 2);
    struct trace all;
    CLAIM(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 1, true, &all) == REFRAIN_OK);
    write_trace(&all, CODEC_FINAL | CODEC_STORED);
    trace_free(&all);
}

/* Sums of columns: enough rounds that counts become columns, and two ranks, so that the file is
 * short. */
static void of_rounds(void)
{
    const struct synthetic_run run = synthetic_run_on("rounds", synthetic_rounds, 2, ROUNDS, 1);
    struct trace all, part, next;
    CLAIM(synthetic_trace(&run, 0, &part) == REFRAIN_OK && synthetic_trace(&run, 1, &next) == REFRAIN_OK);
    write_trace(&part, CODEC_STORED);
    write_pair(&part, &next);
    trace_free(&part);
    trace_free(&next);
    CLAIM(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 1, true, &all) == REFRAIN_OK);
    write_trace(&all, CODEC_FINAL | CODEC_STORED);
    trace_free(&all);
}

static void of_program(void (*program)(struct synthetic_rank *), uint32_t n_dims)
{
    const struct synthetic_run run = synthetic_run_on("seed", program, RANKS, ITERATIONS, n_dims);
    struct trace all, part, next;
    for (uint32_t rank = 0; rank + 1 < RANKS; rank += 2) {
        CLAIM(synthetic_trace(&run, rank, &part) == REFRAIN_OK);
        CLAIM(synthetic_trace(&run, rank + 1, &next) == REFRAIN_OK);
        write_trace(&part, CODEC_STORED);
        write_pair(&part, &next);
        trace_free(&part);
        trace_free(&next);
    }
    CLAIM(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 1, false, &all) == REFRAIN_OK);
    write_trace(&all, CODEC_STORED);
    CLAIM(merge_finish(&all) == REFRAIN_OK);
    write_trace(&all, CODEC_FINAL | CODEC_STORED);
    write_trace(&all, CODEC_FINAL);
    trace_free(&all);
}

/* Loops, fillers, orders and packed columns. */
static void of_polling(size_t program)
{
    struct trace all = {0};
    for (uint32_t rank = 0; rank < POLLING_RANKS; rank++) {
        struct polling_calls calls = {0};
        polling_run(&calls, program, rank, TURNS + 7 * rank);
        struct trace next = polling_record(&calls, rank);
        polling_free(&calls);
        write_trace(&next, CODEC_STORED);
        if (rank == 0) {
            all = next;
            continue;
        }
        write_pair(&all, &next);
        CLAIM(merge_traces(&all, &next) == REFRAIN_OK);
    }
    write_trace(&all, CODEC_STORED);
    CLAIM(merge_finish(&all) == REFRAIN_OK);
    write_trace(&all, CODEC_FINAL | CODEC_STORED);
    trace_free(&all);
}

static void at_random(void)
{
    for (uint32_t seed = 1; seed <= RANDOM_TRACES; seed++) {
        struct trace t = {0};
        random_trace(seed, seed % 2, &t);
        write_trace(&t, CODEC_STORED);
        if (seed % 2)
            write_trace(&t, CODEC_FINAL | CODEC_STORED);
        trace_free(&t);
    }
}

/* Copies the file at `path` unchanged, and with stored sections. */
static void copy(const char *path)
{
    static uint8_t data[READ_MAX];
    struct image image;
    struct bytes whole = {0};
    FILE *file = fopen(path, "rb");
    CLAIM(file);
    const size_t n = fread(data, 1, sizeof data, file);
    fclose(file);
    if (!image_take(data, n, &image))
        return;
    CLAIM(image_put(&image, &whole));
    write_seed(reader_dir, &whole);
    image_free(&image);
    bytes_free(&whole);
}

int main(int argc, char **argv)
{
    static const struct {
        void (*program)(struct synthetic_rank *);
        uint32_t n_dims;
    } programs[] = {{synthetic_grid_periodic, 2}, {synthetic_grid_null, 2}, {synthetic_grid_if_loop, 2},
                    {synthetic_ring, 1},          {synthetic_xor, 1},       {synthetic_master, 1},
                    {synthetic_irregular, 1},     {synthetic_wildcard, 1},  {synthetic_vector, 1},
                    {synthetic_exchange, 1},      {synthetic_bytes, 1},     {synthetic_turn, 2},
                    {synthetic_pairs, 1},         {synthetic_orders, 1},    {synthetic_everybody, 1}};
    if (argc < 3) {
        fprintf(stderr, "usage: seeds READER_DIR MERGE_DIR [TRACE...]\n");
        return 2;
    }
    reader_dir = argv[1];
    merge_dir = argv[2];
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        of_program(programs[i].program, programs[i].n_dims);
    for (size_t i = 0; i < POLLING_PROGRAMS; i++)
        of_polling(i);
    of_cells();
    of_rounds();
    at_random();
    for (int i = 3; i < argc; i++)
        copy(argv[i]);
    printf("%u inputs\n", written);
    return 0;
}
