/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/base/log.h"
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/random_trace.h"
#include "tests/unit/support/site_calls.h"
#include "tests/unit/support/synthetic.h"

#define XXH_INLINE_ALL
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static struct bytes encode(const struct trace *t, unsigned flags)
{
    struct bytes image = {0};
    cr_assert_eq(codec_encode(t, flags, &image), REFRAIN_OK);
    return image;
}

/* The decodes below fail on purpose; their messages are not wanted on the screen. */
static void quiet(void)
{
    setenv("REFRAIN_LOG", "error", 1);
    cr_redirect_stderr();
}

/* Encode, decode and encode again: the second time gives the same bytes. */
static void round_trip(const struct trace *t, unsigned flags)
{
    struct bytes image = encode(t, flags);
    struct trace back = {0};
    struct codec_sections sections = {0};
    cr_assert_eq(codec_decode("test", image.data, image.n, &back, &sections), REFRAIN_OK);
    cr_assert(random_trace_equal(t, &back, flags & CODEC_FINAL));
    uint64_t stored = 0;
    for (size_t i = 0; i < sections.n; i++)
        stored += sections.items[i].stored;
    cr_assert_lt(stored, image.n);
    cr_assert_gt(stored, 0);

    if (!(flags & CODEC_FINAL)) {
        struct bytes again = encode(&back, flags);
        cr_assert_eq(again.n, image.n);
        cr_assert_eq(memcmp(again.data, image.data, image.n), 0);
        bytes_free(&again);
    }
    array_free(&sections);
    trace_free(&back);
    bytes_free(&image);
}

Test(codec, empty_trace)
{
    struct trace t = {.first_rank = 3, .n_ranks = 1};
    round_trip(&t, 0);
    struct bytes image = encode(&t, CODEC_FINAL);
    struct trace back = {0};
    cr_assert_eq(codec_decode("test", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(random_trace_equal(&t, &back, true));
    trace_free(&back);
    bytes_free(&image);
}

Test(codec, random_traces_for_transport)
{
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct trace t = {0};
        random_trace(seed, seed % 2, &t);
        cr_assert_eq(trace_check(&t), REFRAIN_OK);
        round_trip(&t, 0);
        round_trip(&t, CODEC_STORED);
        trace_free(&t);
    }
}

Test(codec, random_traces_final)
{
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct trace t = {0};
        random_trace(seed, seed % 2, &t);
        round_trip(&t, CODEC_FINAL);
        trace_free(&t);
    }
}

/* Reading a final file and writing it again changes nothing, also if it is read as a part for
 * merging. */
Test(codec, final_file_again)
{
    for (uint32_t seed = 1; seed <= 50; seed++) {
        struct trace t = {0}, once = {0};
        random_trace(seed, true, &t);
        struct bytes image = encode(&t, CODEC_FINAL);
        cr_assert_eq(codec_decode("test", image.data, image.n, &once, NULL), REFRAIN_OK);
        round_trip(&once, 0);
        cr_assert_eq(trace_own_slots(&once), REFRAIN_OK);
        round_trip(&once, CODEC_FINAL);
        trace_free(&once);
        trace_free(&t);
        bytes_free(&image);
    }
}

/* Each row names many requests, and in each row another one is gone. The rows take the memory of
 * what differs, so the file, which is small, is not refused. */
Test(codec, long_rows_that_hardly_differ)
{
    enum { SLOTS = 3000, ROWS = 3000 };
    static int64_t slots[SLOTS];
    struct site_calls s;
    struct series *order = series_create();
    struct bytes image = {0};
    struct trace back;
    site_calls_create(&s, SITE_SSEND, ROWS);
    for (int i = 0; i < SLOTS; i++)
        slots[i] = 2 * i;
    for (int i = 0; i < ROWS; i++) {
        slots[i * 7 % SLOTS] = 1;
        site_calls_add_row(&s, slots, SLOTS);
        cr_assert_eq(series_append(order, i), REFRAIN_OK);
    }
    site_calls_add_column(&s, COLUMN_ORDER, order);
    cr_assert_eq(codec_encode(&s.trace, CODEC_FINAL, &image), REFRAIN_OK);
    site_calls_free(&s);
    cr_assert_eq(codec_decode("long rows", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(back.shares_slots);
    const struct group *g = &back.shapes.items[0].entries.items[0].groups.items[0];
    for (int i = 0; i < ROWS; i += 100) {
        for (int k = 0; k < SLOTS; k++) {
            /* 7 · 2143 = 1 (mod 3000): call k · 2143 removes slot k. */
            const bool gone = k * 2143 % SLOTS <= i;
            cr_assert_eq(rankfn_at(row_slot(&g->rows.items[i], (uint32_t)k), 0, 0), gone ? 1 : 2 * k);
        }
    }
    trace_free(&back);
    bytes_free(&image);
}

/* ---- whole runs ------------------------------------------------------------------------------ */

static size_t final_size(const struct synthetic_run *run)
{
    struct trace t = {0}, back = {0};
    cr_assert_eq(synthetic_merge(run, SYNTHETIC_BINOMIAL, 1, true, &t), REFRAIN_OK);
    struct bytes image = encode(&t, CODEC_FINAL);
    cr_assert_eq(codec_decode("test", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(run, &back), "%s", run->name);
    trace_free(&t);
    trace_free(&back);
    size_t n = image.n;
    bytes_free(&image);
    return n;
}

Test(codec, runs_expand_to_their_calls)
{
    static const struct {
        const char *name;
        void (*program)(struct synthetic_rank *);
        uint32_t dims;
    } programs[] = {
        {"periodic", synthetic_grid_periodic, 3},
        {"null", synthetic_grid_null, 2},
        {"if", synthetic_grid_if, 3},
        {"ring", synthetic_ring, 1},
        {"xor", synthetic_xor, 1},
        {"master", synthetic_master, 1},
        {"irregular", synthetic_irregular, 1},
        {"vector", synthetic_vector, 1},
        {"exchange", synthetic_exchange, 1},
        {"bytes", synthetic_bytes, 1},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct synthetic_run run =
            synthetic_run_on(programs[i].name, programs[i].program, 12, 30, programs[i].dims);
        cr_assert_gt(final_size(&run), 0);
    }
}

/* A stencil's file does not grow with ranks or iterations, except for the digits of counts. */
Test(codec, stencil_size_is_constant)
{
    struct synthetic_run small = synthetic_run_on("null", synthetic_grid_null, 27, 100, 3);
    struct synthetic_run large = synthetic_run_on("null", synthetic_grid_null, 125, effort(1000, 200), 3);
    size_t a = final_size(&small), b = final_size(&large);
    cr_assert_lt(b, a + a / 10, "%zu, then %zu bytes", a, b);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Decoding may fail with a message, or succeed with a trace that is sound. */
static bool survives(const void *data, size_t n)
{
    struct trace t = {0};
    unsigned errors = log_error_count();
    enum refrain_status status = codec_decode("damaged.refrain", data, n, &t, NULL);
    if (status == REFRAIN_OK)
        trace_free(&t);
    else
        cr_assert_gt(log_error_count(), errors, "a silent error");
    return status == REFRAIN_OK;
}

static struct bytes sample(uint32_t seed, unsigned flags)
{
    struct trace t = {0};
    random_trace(seed, true, &t);
    struct bytes image = encode(&t, flags);
    trace_free(&t);
    return image;
}

Test(codec, every_truncation, .init = quiet)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        struct bytes image = sample(seed, seed % 2 ? CODEC_FINAL : 0);
        for (size_t n = 0; n < image.n; n++) {
            /* its own block, so that a sanitizer sees a read beyond the end */
            uint8_t *part = malloc(n + 1);
            cr_assert(part);
            memcpy(part, image.data, n);
            unsigned errors = log_error_count();
            cr_assert(!survives(part, n), "cut at %zu of %zu", n, image.n);
            cr_assert_eq(log_error_count(), errors + 1);
            free(part);
        }
        bytes_free(&image);
    }
}

Test(codec, every_bit_flip, .init = quiet)
{
    struct bytes image = sample(1, CODEC_FINAL);
    for (size_t bit = 0; bit < image.n * 8; bit++) {
        image.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        unsigned errors = log_error_count();
        cr_assert(!survives(image.data, image.n), "bit %zu", bit);
        cr_assert_eq(log_error_count(), errors + 1);
        image.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    bytes_free(&image);
}

/* Take a file apart, damage one section, and put the file together again with right checksums, so
 * that the damage reaches the parsers. */
static bool survives_inside(const struct bytes *image, unsigned section, uint32_t dice)
{
    struct section_file f;
    struct bytes raw[SECTIONS] = {0}, forged = {0};
    cr_assert_eq(section_read("test", image->data, image->n, &f), REFRAIN_OK);
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_put(&raw[i], f.parts[i].content.at, bytes_left(&f.parts[i].content));
    struct bytes *b = &raw[section];
    for (uint32_t times = 1 + dice % 3; times > 0 && b->n > 0; times--, dice = dice * 1103515245u + 12345u) {
        size_t at = (dice >> 8) % b->n;
        if (dice % 5 == 0)
            b->n = at;
        else if (dice % 5 == 1)
            bytes_put_u8(b, (uint8_t)(dice >> 3));
        else
            b->data[at] =
                dice % 5 == 2 ? (uint8_t)(dice >> 24) : (uint8_t)(b->data[at] ^ 1u << (dice >> 5) % 8);
    }
    cr_assert_eq(section_write(raw, f.flags, 1, &forged), REFRAIN_OK);
    bool survived = survives(forged.data, forged.n);
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_free(&raw[i]);
    bytes_free(&forged);
    section_file_free(&f);
    return survived;
}

Test(codec, damage_behind_the_checksums, .init = quiet)
{
    unsigned failed = 0, tried = 0;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        struct bytes image = sample(seed, seed % 2 ? CODEC_FINAL : 0);
        for (unsigned section = 0; section < SECTIONS; section++) {
            for (uint32_t i = 0; i < 100; i++, tried++)
                failed += !survives_inside(&image, section, i * 2654435761u + seed);
        }
        bytes_free(&image);
    }
    cr_assert_gt(failed, tried / 4); /* the parsers refused them, not the checksums */
}

/* Small files that claim to be large. */
Test(codec, forged_lengths, .init = quiet)
{
    struct bytes image = {0};
    bytes_put(&image, SECTION_MAGIC, 4);
    bytes_put_u8(&image, SECTION_VERSION);
    bytes_put_u8(&image, 0);
    bytes_put_uint(&image, 1);
    bytes_put_u8(&image, SECTION_META);
    bytes_put_uint(&image, (UINT64_C(3) << 30) << 1 | 1); /* 3 GiB */
    bytes_put_uint(&image, UINT64_C(4) << 1 | 1);         /* out of 4 bytes */
    bytes_put_u32(&image, 0);
    bytes_put_u32(&image, 0);
    bytes_put_u32(&image, (uint32_t)XXH64(image.data, image.n, 0));
    bytes_put_u32(&image, 0xFD2FB528);
    cr_assert(!survives(image.data, image.n));
    bytes_free(&image);
}

Test(codec, foreign_files, .init = quiet)
{
    static const char *const files[] = {"",           "R",         "RFRN", "RFRN\1", "#!/bin/sh\necho\n",
                                        "RFRN\2\0\0", "RFRN\0\0\0"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        unsigned errors = log_error_count();
        cr_assert(!survives(files[i], strlen(files[i])));
        cr_assert_eq(log_error_count(), errors + 1);
    }
}

/* Files of other versions are refused by their version, before anything else is checked. */
Test(codec, other_versions, .init = quiet)
{
    struct bytes image = sample(1, CODEC_FINAL);
    char expected[200];
    snprintf(expected, sizeof expected,
             "damaged.refrain: the file has format version %u, this program reads version %u",
             SECTION_VERSION - 1, SECTION_VERSION);
    image.data[4] = SECTION_VERSION - 1;
    cr_assert(!survives(image.data, image.n));
    image.data[4] = SECTION_VERSION;
    cr_assert(survives(image.data, image.n));
    bytes_free(&image);
    fflush(stderr);
    char said[400] = "";
    FILE *log = cr_get_redirected_stderr();
    cr_assert_gt(fread(said, 1, sizeof said - 1, log), 0);
    cr_assert(strstr(said, expected), "%s", said);
}

/* ---- sections -------------------------------------------------------------------------------- */

/* Small and large sections, compressible or not, in one file. */
Test(section, round_trip)
{
    struct bytes raw[SECTIONS] = {0}, image = {0};
    static const size_t sizes[SECTIONS] = {10, 0, 300000, 5, 400000, 70, 262144, 1, 0, 2000};
    uint32_t dice = 1;
    for (unsigned s = 0; s < SECTIONS; s++) {
        for (size_t i = 0; i < sizes[s]; i++, dice = dice * 1664525u + 1013904223u)
            bytes_put_u8(&raw[s], s % 4 == 0 ? (uint8_t)(dice >> 24) : (uint8_t)(i / 100));
    }
    cr_assert_eq(section_write(raw, SECTION_FINAL, 3, &image), REFRAIN_OK);
    struct section_file f;
    cr_assert_eq(section_read("test", image.data, image.n, &f), REFRAIN_OK);
    cr_assert_eq(f.flags, SECTION_FINAL);
    uint64_t stored = 0;
    for (unsigned s = 0; s < SECTIONS; s++) {
        cr_assert_eq(bytes_left(&f.parts[s].content), sizes[s]);
        cr_assert(sizes[s] == 0 || memcmp(f.parts[s].content.at, raw[s].data, sizes[s]) == 0);
        stored += f.parts[s].stored;
        bytes_free(&raw[s]);
    }
    cr_assert_lt(stored, image.n);
    cr_assert_gt(stored + 200, image.n); /* the directory is small */
    section_file_free(&f);
    bytes_free(&image);
}
