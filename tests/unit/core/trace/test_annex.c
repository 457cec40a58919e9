/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of the annex, and files with an annex. */
#include <criterion/criterion.h>

#include <string.h>

#include "src/core/codec/codec.h"
#include "src/core/codec/worlds.h"
#include "src/core/merge/merge.h"
#include "src/core/trace/annex.h"

static struct annex three(void)
{
    struct annex a = {0};
    cr_assert_eq(annex_add(&a, 3, ANNEX_TIMES, 0, "abc", 3), REFRAIN_OK);
    cr_assert_eq(annex_add(&a, 3, ANNEX_TIMES, 2, "", 0), REFRAIN_OK);
    cr_assert_eq(annex_add(&a, 70000, ANNEX_TIMES, 1, "defg", 4), REFRAIN_OK);
    return a;
}

Test(annex, index)
{
    struct annex a = three(), back;
    struct bytes b = {0};
    annex_encode(&a, &b);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(annex_decode(&in, &back), REFRAIN_OK);
    cr_expect_eq(bytes_left(&in), 0);
    cr_expect_eq(back.length, 7);
    const struct annex_piece *p = annex_find(&back, 70000, ANNEX_TIMES, 1);
    cr_assert(p);
    cr_expect_eq(p->at, 3);
    cr_expect_eq(p->length, 4);
    cr_expect(annex_is_sound(p, "defg"));
    cr_expect(!annex_is_sound(p, "defh"));
    cr_expect(!annex_find(&back, 70000, ANNEX_TIMES, 0));
    cr_expect(!annex_find(&back, 0, ANNEX_TIMES, 0));
    annex_free(&back);
    for (size_t n = 0; n < b.n; n++) {
        in = bytes_reader_of(b.data, n);
        cr_expect_eq(annex_decode(&in, &back), REFRAIN_ERR_FORMAT, "cut off after %zu", n);
    }
    annex_free(&a);
    bytes_free(&b);
}

Test(annex, index_that_makes_no_sense)
{
    static const uint8_t bad[][21] = {
        {2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}, /* twice the same */
        {2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, /* descending */
        {1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0}, /* too long */
    };
    static const size_t n[] = {17, 17, 18};
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        struct annex a;
        struct bytes_reader in = bytes_reader_of(bad[i], n[i]);
        cr_expect_eq(annex_decode(&in, &a), REFRAIN_ERR_FORMAT, "%zu", i);
    }
}

Test(annex, pieces_that_are_dropped)
{
    struct annex a = three(), slice;
    annex_drop(&a, 3, ANNEX_TIMES, 0);
    cr_expect_eq(a.length, 4);
    cr_expect_eq(a.pieces.n, 2);
    cr_expect_eq(annex_find(&a, 70000, ANNEX_TIMES, 1)->at, 0);
    cr_assert_eq(annex_add(&a, 70001, ANNEX_COLUMN, 0, "hi", 2), REFRAIN_OK);
    cr_assert_eq(annex_slice(&a, 4, 70001, &slice), REFRAIN_OK);
    cr_expect_eq(slice.pieces.n, 1);
    cr_expect_eq(slice.length, 4);
    annex_free(&slice);
    cr_assert_eq(annex_slice(&a, 70001, 70002, &slice), REFRAIN_OK);
    cr_expect_eq(slice.pieces.items[0].at, 0);
    annex_free(&slice);
    annex_free(&a);
}

/* A trace of a rank that has a piece. */
static struct trace trace_of(uint32_t rank, const char *piece)
{
    struct trace t = {.first_rank = rank, .n_ranks = 1};
    cr_assert_eq(annex_add(&t.annex, rank, ANNEX_TIMES, 0, piece, strlen(piece)), REFRAIN_OK);
    return t;
}

static void image_of(const struct trace *t, unsigned flags, const char *annex, struct bytes *out)
{
    cr_assert_eq(codec_encode(t, flags, out), REFRAIN_OK);
    bytes_put(out, annex, strlen(annex));
}

Test(annex, follows_the_blocks)
{
    struct trace t = trace_of(0, "first"), next = trace_of(1, "second"), back;
    struct bytes image = {0};
    cr_assert_eq(merge_traces(&t, &next), REFRAIN_OK);
    image_of(&t, 0, "firstsecond", &image);
    cr_assert_eq(codec_decode("image", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_expect_eq(back.annex.length, 11);
    cr_expect_eq(annex_find(&back.annex, 1, ANNEX_TIMES, 0)->at, 5);
    trace_free(&back);
    cr_expect_eq(codec_decode("cut off", image.data, image.n - 1, &back, NULL), REFRAIN_ERR_FORMAT);
    cr_expect_eq(codec_decode("gone", image.data, image.n - 11, &back, NULL), REFRAIN_ERR_FORMAT);
    bytes_put_u8(&image, 0);
    cr_expect_eq(codec_decode("too long", image.data, image.n, &back, NULL), REFRAIN_ERR_FORMAT);
    image.n = 0;
    image_of(&t, CODEC_APART, "", &image);
    cr_assert_eq(codec_decode("apart", image.data, image.n, &back, NULL), REFRAIN_OK);
    cr_expect_eq(back.annex.length, 11);
    cr_expect(back.annex.apart);
    trace_free(&back);
    bytes_put_u8(&image, 0);
    cr_expect_eq(codec_decode("not apart", image.data, image.n, &back, NULL), REFRAIN_ERR_FORMAT);
    bytes_free(&image);
    trace_free(&t);
}

Test(annex, is_of_ranks_that_there_are)
{
    struct trace t = trace_of(0, "x"), back;
    struct bytes image = {0};
    t.annex.pieces.items[0].rank = 1;
    image_of(&t, 0, "x", &image);
    cr_expect_eq(codec_decode("image", image.data, image.n, &back, NULL), REFRAIN_ERR_FORMAT);
    bytes_free(&image);
    trace_free(&t);
}

Test(annex, stays_when_worlds_are_joined)
{
    struct trace t = trace_of(0, "times"), back;
    struct bytes image = {0}, joined = {0};
    struct worlds others = {0}, found;
    image_of(&t, CODEC_FINAL, "times", &image);
    struct bytes copy = {0};
    bytes_put(&copy, image.data, image.n);
    cr_assert(array_push(&others.images, copy));
    cr_assert_eq(worlds_join("image", image.data, image.n, &others, &joined), REFRAIN_OK);
    cr_assert_eq(codec_decode("joined", joined.data, joined.n, &back, NULL), REFRAIN_OK);
    cr_expect_eq(memcmp(joined.data + joined.n - 5, "times", 5), 0);
    trace_free(&back);
    cr_assert_eq(worlds_split("joined", joined.data, joined.n, &found), REFRAIN_OK);
    cr_assert_eq(found.images.n, 1);
    cr_expect_eq(found.images.items[0].n, image.n);
    worlds_free(&found);
    worlds_free(&others);
    bytes_free(&image);
    bytes_free(&joined);
    trace_free(&t);
}
