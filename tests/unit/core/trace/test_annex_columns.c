/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns in the annex: from ranks that detach theirs to a file that contains all of them. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/annex_columns.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/site_calls.h"

enum { RANKS = 4, CALLS = 30000, COMMON = 0, OWN = 3 /* slots: count and tag */, MANY = 1000 };

static int64_t value_of(uint32_t rank, uint32_t slot, uint64_t call)
{
    const uint64_t of = slot == COMMON ? 77 : rank;
    uint64_t state = random_seed((uint32_t)(of * 1000003 + call));
    return random_below(&state, slot == COMMON ? 1000 : 4096);
}

static struct series *values_of(uint32_t rank, uint32_t slot)
{
    struct series *s = series_create();
    for (uint64_t i = 0; i < CALLS; i++)
        cr_assert_eq(series_append(s, value_of(rank, slot, i)), REFRAIN_OK);
    return s;
}

static void be_of(struct series **ranks, uint32_t rank)
{
    series_free(*ranks);
    cr_assert(*ranks = series_single(rank));
}

/* A trace with two columns without a law, of which one is the same on all ranks, and one column
 * with a law. */
static struct trace trace_of(uint32_t rank)
{
    static const int64_t slots[SITE_SSEND_SLOTS] = {0, 1, 3, 0, 2, 0};
    struct site_calls s;
    struct bytes image = {0};
    struct trace t;
    struct series *counter = series_create();
    cr_assert_eq(series_append_run(counter, 0, 2, CALLS), REFRAIN_OK);
    site_calls_create(&s, SITE_SSEND, CALLS);
    site_calls_add_row(&s, slots, SITE_SSEND_SLOTS);
    site_calls_add_column(&s, COMMON, values_of(rank, COMMON));
    site_calls_add_column(&s, 2, counter);
    site_calls_add_column(&s, OWN, values_of(rank, OWN));
    cr_assert_eq(codec_encode(&s.trace, 0, &image), REFRAIN_OK);
    cr_assert_eq(codec_decode("of rank 0", image.data, image.n, &t, NULL), REFRAIN_OK);
    struct shape *shape = &t.shapes.items[0];
    struct group *g = &shape->entries.items[0].groups.items[0];
    t.first_rank = rank;
    be_of(&shape->ranks, rank);
    be_of(&g->ranks, rank);
    for (uint32_t i = 0; i < SITE_SSEND_SLOTS; i++)
        *row_slot_own(&g->rows.items[0], i) = rankfn_single(slots[i], rank);
    for (size_t i = 0; i < g->columns.n; i++)
        g->columns.items[i].series = rankfn_single((int64_t)i, rank);
    bytes_free(&image);
    site_calls_free(&s);
    return t;
}

/* Merge what another rank would send; the pieces stay with their rank. */
static void merge_into(struct trace *t, struct trace *next)
{
    struct bytes sent = {0};
    struct trace received;
    cr_assert_eq(codec_encode(next, CODEC_STORED | CODEC_APART, &sent), REFRAIN_OK);
    cr_assert_lt(sent.n, 2000);
    cr_assert_eq(codec_decode("sent", sent.data, sent.n, &received, NULL), REFRAIN_OK);
    cr_assert_eq(received.away.n, next->away.n);
    cr_assert_eq(merge_traces(t, &received), REFRAIN_OK);
    bytes_free(&sent);
}

static void put_annex(const struct annex *a, const struct annex *own, const struct bytes *pieces,
                      struct bytes *image)
{
    for (size_t i = 0; i < a->pieces.n; i++) {
        const struct annex_piece *p = &a->pieces.items[i],
                                 *here = annex_find(&own[p->rank], p->rank, p->kind, p->lane);
        cr_assert(here);
        bytes_put(image, pieces[p->rank].data + here->at, p->length);
    }
}

/* A file of all ranks, merged as in MPI_Finalize: 1 into 0, 3 into 2, 2 into 0. */
static void make_file(struct bytes *image, size_t *n_pieces)
{
    struct trace t[RANKS];
    struct bytes pieces[RANKS] = {0};
    struct annex own[RANKS];
    for (uint32_t r = 0; r < RANKS; r++) {
        t[r] = trace_of(r);
        cr_assert_eq(annex_columns_detach(&t[r], MANY, &pieces[r]), REFRAIN_OK);
        cr_assert_eq(t[r].away.n, 2);
        cr_assert_eq(annex_slice(&t[r].annex, r, r + 1, &own[r]), REFRAIN_OK);
    }
    merge_into(&t[0], &t[1]);
    merge_into(&t[2], &t[3]);
    merge_into(&t[0], &t[2]);
    cr_assert_eq(merge_finish(&t[0]), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t[0], CODEC_FINAL, image), REFRAIN_OK);
    put_annex(&t[0].annex, own, pieces, image);
    *n_pieces = t[0].annex.pieces.n;
    for (uint32_t r = 0; r < RANKS; r++) {
        trace_free(&t[r]);
        annex_free(&own[r]);
        bytes_free(&pieces[r]);
    }
}

Test(annex_columns, are_those_of_each_rank)
{
    struct bytes image = {0};
    struct trace t;
    size_t n_pieces;
    make_file(&image, &n_pieces);
    /* a column that all ranks have is there once */
    cr_assert_eq(n_pieces, RANKS + 1, "%zu pieces", n_pieces);
    cr_assert_eq(codec_decode("file", image.data, image.n, &t, NULL), REFRAIN_OK);
    cr_assert_eq(t.away.n, 0);
    const struct group *g = &t.shapes.items[0].entries.items[0].groups.items[0];
    cr_assert_eq(series_length(g->ranks), RANKS);
    cr_assert_eq(g->columns.n, 3);
    int64_t *values = malloc(CALLS * sizeof *values);
    for (uint32_t r = 0; r < RANKS; r++) {
        for (size_t c = 0; c < g->columns.n; c++) {
            const uint32_t slot = g->columns.items[c].slot;
            const struct series *s = t.columns.items[rankfn_at(&g->columns.items[c].series, r, r)];
            cr_assert_eq(series_length(s), CALLS);
            series_values(s, 0, CALLS, values);
            for (uint64_t i = 0; i < CALLS; i++)
                cr_assert_eq(values[i], slot == 2 ? (int64_t)(2 * i) : value_of(r, slot, i),
                             "rank %u slot %u", r, slot);
        }
    }
    free(values);
    trace_free(&t);
    bytes_free(&image);
}

Test(annex_columns, have_to_be_whole)
{
    struct bytes image = {0};
    struct trace t;
    size_t n_pieces;
    make_file(&image, &n_pieces);
    image.data[image.n - 100] ^= 1;
    cr_assert_eq(codec_decode("damaged", image.data, image.n, &t, NULL), REFRAIN_ERR_FORMAT);
    image.data[image.n - 100] ^= 1;
    cr_assert_eq(codec_decode("cut off", image.data, image.n - 1, &t, NULL), REFRAIN_ERR_FORMAT);
    bytes_free(&image);
}

/* A piece whose file contains only one column, or more than that. */
static void check_piece(unsigned flags, bool with_more, enum refrain_status expected)
{
    struct trace t = trace_of(0), read;
    struct bytes pieces = {0}, piece = {0}, image = {0}, raw[SECTIONS] = {0};
    series_encode(t.columns.items[0], &raw[SECTION_SERI]);
    if (with_more)
        bytes_put_uint(&raw[SECTION_META], 0);
    cr_assert_eq(section_write(raw, flags, 1, &piece), REFRAIN_OK);
    cr_assert_eq(annex_columns_detach(&t, MANY, &pieces), REFRAIN_OK);
    cr_assert_eq(t.away.items[0].column, 0);
    annex_free(&t.annex);
    t.away.n = 1;
    cr_assert_eq(annex_add(&t.annex, 0, ANNEX_COLUMN, t.away.items[0].number, piece.data, piece.n),
                 REFRAIN_OK);
    cr_assert_eq(merge_finish(&t), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_FINAL, &image), REFRAIN_OK);
    bytes_put(&image, piece.data, piece.n);
    cr_expect_eq(codec_decode("file", image.data, image.n, &read, NULL), expected, "flags %u", flags);
    if (expected == REFRAIN_OK)
        trace_free(&read);
    trace_free(&t);
    for (size_t i = 0; i < SECTIONS; i++)
        bytes_free(&raw[i]);
    bytes_free(&pieces);
    bytes_free(&piece);
    bytes_free(&image);
}

Test(annex_columns, a_piece_is_one_series)
{
    check_piece(0, false, REFRAIN_OK);
    check_piece(SECTION_FINAL, false, REFRAIN_ERR_FORMAT);
    check_piece(0, true, REFRAIN_ERR_FORMAT);
}

/* A trace in the form that ranks send while merging is refused by the reader. */
Test(annex_columns, somewhere_else)
{
    struct trace t = trace_of(0);
    struct bytes image = {0}, pieces = {0};
    struct reader r;
    cr_assert_eq(annex_columns_detach(&t, MANY, &pieces), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_APART, &image), REFRAIN_OK);
    cr_assert_eq(reader_read(&r, "sent", image.data, image.n, 0), REFRAIN_ERR_FORMAT);
    trace_free(&t);
    bytes_free(&image);
    bytes_free(&pieces);
}

/* Merging reads orders and fillers, so they are not detached. */
Test(annex_columns, no_orders)
{
    static const int64_t slots[SITE_SSEND_SLOTS] = {0, 1, 3, 0, 2, 0};
    struct site_calls s;
    struct bytes pieces = {0};
    site_calls_create(&s, SITE_SSEND, CALLS);
    for (int64_t row = 0; row < 4096; row++) {
        int64_t own[SITE_SSEND_SLOTS];
        memcpy(own, slots, sizeof own);
        own[3] = row;
        site_calls_add_row(&s, own, SITE_SSEND_SLOTS);
    }
    site_calls_add_column(&s, COLUMN_ORDER, values_of(0, OWN));
    cr_assert_eq(annex_columns_detach(&s.trace, MANY, &pieces), REFRAIN_OK);
    cr_assert_eq(s.trace.away.n, 0);
    cr_assert_eq(pieces.n, 0);
    site_calls_free(&s);
}

/* A trace of few ranks keeps its columns: compressed together they are smaller. */
Test(annex_columns, few_ranks)
{
    struct trace t = trace_of(0);
    struct bytes pieces = {0};
    cr_assert_eq(annex_columns_detach(&t, RANKS, &pieces), REFRAIN_OK);
    cr_assert_eq(t.away.n, 0);
    trace_free(&t);
}

Test(annex_columns, section_that_makes_no_sense)
{
    static const uint8_t bad[][8] = {
        {1, 3, 0, 0},          /* no such column */
        {1, 0, 0, 1},          /* no such piece */
        {1, 0, 1, 0},          /* no such rank */
        {2, 0, 0, 0, 0, 0, 0}, /* twice the same */
        {2, 0, 0, 0},          /* cut off */
        {2, 0, 0, 0, 1, 0, 0}, /* two columns, one piece */
    };
    static const size_t n[] = {4, 4, 4, 7, 4, 7};
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        struct trace t = {.n_ranks = 1};
        for (int c = 0; c < 3; c++)
            cr_assert(array_push(&t.columns, series_single(0)));
        cr_assert_eq(annex_add(&t.annex, 0, ANNEX_COLUMN, 0, "x", 1), REFRAIN_OK);
        struct bytes_reader in = bytes_reader_of(bad[i], n[i]);
        cr_expect_eq(annex_columns_decode(&in, &t), REFRAIN_ERR_FORMAT, "%zu", i);
        trace_free(&t);
    }
}
