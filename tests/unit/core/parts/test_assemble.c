/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts in files, and the trace that is assembled from them. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/core/parts/assemble.h"
#include "tests/unit/support/synthetic.h"

enum { RANKS = 5, ITERATIONS = 7, PIECE = 40 };

static char directory[] = "/tmp/refrain-parts.XXXXXX";

static void start(void)
{
    cr_redirect_stderr();
    cr_assert(mkdtemp(directory));
}

static void path_of(uint32_t rank, char path[64])
{
    snprintf(path, 64, "%s/" PART_FILE_NAME, directory, rank);
}

static void stop(void)
{
    char path[64];
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        path_of(rank, path);
        unlink(path);
    }
    cr_expect_eq(rmdir(directory), 0);
}

TestSuite(assemble, .init = start, .fini = stop);

static struct synthetic_run the_run(void)
{
    return synthetic_run_on("ring", synthetic_ring, RANKS, ITERATIONS, 1);
}

/* A rank's piece of the annex; rank 2 has none. */
static size_t piece_of(uint32_t rank, uint8_t piece[PIECE])
{
    const size_t n = rank == 2 ? 0 : PIECE - rank;
    memset(piece, 'a' + (int)rank, n);
    return n;
}

static void write_part(uint32_t rank)
{
    const struct synthetic_run run = the_run();
    struct trace t = {0};
    struct bytes image = {0};
    uint8_t piece[PIECE];
    char path[64];
    const size_t n = piece_of(rank, piece);
    path_of(rank, path);
    cr_assert_eq(synthetic_trace(&run, rank, &t), REFRAIN_OK);
    if (n > 0)
        cr_assert_eq(annex_add(&t.annex, rank, ANNEX_TIMES, 0, piece, n), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, 0, &image), REFRAIN_OK);
    bytes_put(&image, piece, n);
    cr_assert_eq(replace_file(path, &image), REFRAIN_OK);
    bytes_free(&image);
    trace_free(&t);
}

static void write_parts(void)
{
    for (uint32_t rank = 0; rank < RANKS; rank++)
        write_part(rank);
}

static enum refrain_status open_part(void *context, size_t i, struct part_file *out)
{
    char path[64];
    (void)context;
    path_of((uint32_t)i, path);
    return part_file_open(out, path, (uint32_t)i);
}

static void count(void *context)
{
    ++*(size_t *)context;
}

Test(assemble, all_parts_are_one_trace)
{
    const struct synthetic_run run = the_run();
    struct trace t = {0};
    size_t merged = 0;
    write_parts();
    const struct part_source source = {.n = RANKS, .open = open_part, .merged = count, .context = &merged};
    cr_assert_eq(assemble_trace(&source, &t), REFRAIN_OK);
    cr_assert_eq(merge_finish(&t), REFRAIN_OK);
    cr_assert_eq(trace_check(&t), REFRAIN_OK);
    cr_expect(synthetic_matches(&run, &t));
    cr_expect_eq(merged, RANKS);
    cr_expect_eq(t.annex.length, 4 * PIECE - 1 - 3 - 4);
    trace_free(&t);
}

/* The trace's index describes the annex that was written. */
Test(assemble, their_annexes_follow_each_other)
{
    const struct part_source source = {.n = RANKS, .open = open_part};
    struct trace t = {0};
    struct replacement to;
    struct file_content content;
    char path[64];
    write_parts();
    snprintf(path, sizeof path, "%s/annex", directory);
    cr_assert_eq(assemble_trace(&source, &t), REFRAIN_OK);
    cr_assert_eq(replace_begin(&to, path), REFRAIN_OK);
    cr_assert_eq(replace_end(&to, assemble_annex(&source, &to)), REFRAIN_OK);
    cr_assert_eq(file_content_open(&content, path, ""), REFRAIN_OK);
    cr_assert_eq(content.n, t.annex.length);
    cr_assert_eq(t.annex.pieces.n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const struct annex_piece *p = &t.annex.pieces.items[i];
        cr_expect_eq(p->rank, i < 2 ? i : i + 1);
        cr_expect_eq(annex_check_piece(path, p, content.data), REFRAIN_OK);
    }
    file_content_close(&content);
    trace_free(&t);
    unlink(path);
}

/* The caller stops it: all that was read is freed, and there is no result. */
static enum refrain_status open_some(void *context, size_t i, struct part_file *out)
{
    return i == 3 ? REFRAIN_ERR_CHECK : open_part(context, i, out);
}

Test(assemble, one_that_is_not_there_ends_it)
{
    const struct part_source source = {.n = RANKS, .open = open_some};
    struct trace t = {0};
    write_parts();
    cr_expect_eq(assemble_trace(&source, &t), REFRAIN_ERR_CHECK);
    cr_expect_eq(t.n_ranks, 0);
    trace_free(&t);
}

Test(assemble, damage_is_seen)
{
    const struct part_source source = {.n = RANKS, .open = open_part};
    struct replacement to;
    struct trace t = {0};
    char path[64], annex[64];
    write_parts();
    path_of(3, path);
    snprintf(annex, sizeof annex, "%s/annex", directory);

    FILE *f = fopen(path, "r+");
    cr_assert(f && fseek(f, -1, SEEK_END) == 0 && fputc('?', f) == '?' && fclose(f) == 0);
    cr_expect_eq(assemble_trace(&source, &t), REFRAIN_OK, "the annex is not looked at");
    cr_assert_eq(replace_begin(&to, annex), REFRAIN_OK);
    cr_expect_eq(replace_end(&to, assemble_annex(&source, &to)), REFRAIN_ERR_FORMAT);
    cr_expect(access(annex, F_OK) != 0);
    trace_free(&t);

    cr_assert_eq(truncate(path, 50), 0);
    cr_expect_eq(assemble_trace(&source, &t), REFRAIN_ERR_FORMAT);
}

/* ---- one part -------------------------------------------------------------------------------- */

Test(assemble, a_part_says_whose_it_is)
{
    struct part_file p;
    uint8_t piece[PIECE];
    char path[64];
    write_part(4);
    path_of(4, path);
    cr_expect_eq(part_file_open(&p, path, 3), REFRAIN_ERR_FORMAT, "another rank's");
    cr_expect_eq(part_file_open(&p, "/nowhere/at/all", 4), REFRAIN_ERR_IO);
    cr_assert_eq(part_file_open(&p, path, 4), REFRAIN_OK);
    cr_expect_str_eq(p.path, path);
    cr_expect_eq(p.trace.annex.length, piece_of(4, piece));
    cr_expect_arr_eq(p.annex, piece, p.trace.annex.length);
    cr_expect_eq(part_file_check_annex(&p), REFRAIN_OK);
    part_file_close(&p);
}

/* A trace of several ranks, or one whose annex is elsewhere, is not a part. */
Test(assemble, other_traces_are_none)
{
    const struct synthetic_run run = the_run();
    struct trace t = {0};
    struct bytes image = {0};
    struct part_file p;
    char path[64];
    path_of(0, path);
    cr_assert_eq(synthetic_merge(&run, SYNTHETIC_LEFT, 0, false, &t), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, 0, &image), REFRAIN_OK);
    cr_assert_eq(replace_file(path, &image), REFRAIN_OK);
    cr_expect_eq(part_file_open(&p, path, 0), REFRAIN_ERR_FORMAT);
    trace_free(&t);
    image.n = 0;
    cr_assert_eq(synthetic_trace(&run, 0, &t), REFRAIN_OK);
    cr_assert_eq(annex_add(&t.annex, 0, ANNEX_TIMES, 0, "abc", 3), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_APART, &image), REFRAIN_OK);
    cr_assert_eq(replace_file(path, &image), REFRAIN_OK);
    cr_expect_eq(part_file_open(&p, path, 0), REFRAIN_ERR_FORMAT);
    trace_free(&t);
    bytes_free(&image);
}
